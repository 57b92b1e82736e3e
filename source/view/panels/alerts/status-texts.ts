import {ruleTextFor, spanText, stateOf, uncertainText, valuesText} from '../../../alerts/alert-texts.ts';
import type {AlertsState} from '../../../alerts/alerts.ts';
import {stripControl} from '../../../format/control.ts';
import {formatCount, formatExact} from '../../../format/number.ts';
import {formatClock} from '../../../format/time.ts';
import type {KeyHint} from '../../keys.ts';
import {marksFor} from '../../marks.ts';

/** What the status line says of alerts. */
export type AlertStatus = {
	/** What waits until it is acknowledged, from long to short; empty: nothing. */
	readonly waiting: readonly string[];
	/** That rules are blind, from long to short; empty: none is. */
	readonly blind: readonly string[];
};

/** The newest alert that waits, with how many do, else what is not known of times without judging; and which rules are blind. */
export function alertStatus(alerts: AlertsState, keyHint: KeyHint, ascii: boolean): AlertStatus {
	const firing = firingTexts(alerts, keyHint, ascii);
	return {waiting: firing.length > 0 ? firing : missedTexts(alerts, keyHint, ascii), blind: blindTexts(alerts)};
}

function firingTexts({unseen}: AlertsState, keyHint: KeyHint, ascii: boolean): readonly string[] {
	const [alert] = unseen;
	if (!alert) return [];
	const {rule, symbol, time} = alert;
	const clock = `${formatClock(time)}${alert.blindSince === undefined ? '' : ', while blind'}`;
	const [name, note] = [ruleTextFor(rule, symbol), rule.note === undefined ? '' : stripControl(rule.note)];
	const more = unseen.length > 1 ? `${formatExact(unseen.length - 1)} more` : '';
	const key = keyHint('', 'back');
	const parts = [
		[`${name}: ${valuesText(alert, ascii)} ${clock}`, note, more, key],
		[`${name}: ${valuesText(alert, ascii)} ${clock}`, more, key],
		[`${name} ${clock}`, more, key],
		[`${stripControl(symbol)} ${clock}`, more, key],
		[stripControl(symbol), more],
		[formatCount(unseen.length, 'alert')],
	];
	return parts.map(texts => `! ${texts.filter(Boolean).join(` ${marksFor(ascii).separator} `)}`);
}

function missedTexts({missed = []}: AlertsState, keyHint: KeyHint, ascii: boolean): readonly string[] {
	const [newest] = missed;
	if (!newest) return [];
	const {rule, symbol, possible, since, time} = newest;
	const what = uncertainText(newest, ascii) ?? '';
	const more = missed.length > 1 ? `${formatExact(missed.length - 1)} more` : '';
	const key = keyHint('', 'back');
	const brief = possible
		? `may have held ${spanText(possible.from, possible.to)}`
		: `not judged ${spanText(since, time)}`;
	const parts = [
		[`${ruleTextFor(rule, symbol)}: ${what}`, more, key],
		[`${stripControl(symbol)}: ${what}`, more, key],
		[`${stripControl(symbol)} ${brief}`, more, key],
		[`${formatCount(missed.length, 'alert')} not judged`, key],
		[`${formatCount(missed.length, 'alert')} not judged`],
	];
	return parts.map(texts => `? ${texts.filter(Boolean).join(` ${marksFor(ascii).separator} `)}`);
}

function blindTexts({entries}: AlertsState): readonly string[] {
	const all = entries.flatMap(entry =>
		entry.markets.flatMap(market =>
			stateOf(entry, market) === 'blind' && market.blind ? [{entry, market, blind: market.blind}] : [],
		),
	);
	const [first] = all;
	if (!first) return [];
	const {entry, market, blind} = first;
	const brief = `${formatCount(all.length, 'alert')} blind`;
	const since = `since ${formatClock(blind.since)}: ${stripControl(blind.why)}`;
	return [`${brief}: ${ruleTextFor(entry.rule, market.symbol)} ${since}`, `${brief} ${since}`, brief];
}
