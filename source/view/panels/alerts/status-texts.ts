import {quietText, ruleTextFor, spanText, stateOf, uncertainText, valuesText} from '../../../alerts/alert-texts.ts';
import type {AlertsState} from '../../../alerts/alerts.ts';
import {stripControl} from '../../../format/control.ts';
import {formatCount, formatExact} from '../../../format/number.ts';
import {formatZonedClock} from '../../../format/time.ts';
import type {Zone} from '../../../format/zone.ts';
import type {KeyHint} from '../../keys.ts';
import type {Writing} from '../../line.ts';
import {dotted} from '../../marks.ts';

/** What the status line says of alerts. */
export type AlertStatus = {
	/** What waits until it is acknowledged, from long to short; empty: nothing. */
	readonly waiting: readonly string[];
	/** That rules are blind, from long to short; empty: none is. */
	readonly blind: readonly string[];
};

type AlertView = Writing & {readonly keyHint: KeyHint};

/** The newest alert that waits, with how many do, else what is not known of times without judging; and which rules are blind. */
export function alertStatus(alerts: AlertsState, keyHint: KeyHint, ascii: boolean, zone?: Zone): AlertStatus {
	const shown = {keyHint, ascii, zone};
	const firing = firingTexts(alerts, shown);
	return {waiting: firing.length > 0 ? firing : missedTexts(alerts, shown), blind: blindTexts(alerts, zone)};
}

function firingTexts({unseen}: AlertsState, {keyHint, ascii, zone}: AlertView): readonly string[] {
	const [alert] = unseen;
	if (!alert) return [];
	const {rule, symbol, time} = alert;
	const clock = `${formatZonedClock(time, zone)}${alert.blindSince === undefined ? '' : ', while blind'}`;
	const [name, note] = [ruleTextFor(rule, symbol, zone), rule.note === undefined ? '' : stripControl(rule.note)];
	const more = unseen.length > 1 ? `${formatExact(unseen.length - 1)} more` : '';
	const key = keyHint('', 'back');
	const quiet = quietText(alert);
	const values = `${name}: ${valuesText(alert, ascii, zone)} ${clock}`;
	const parts = [
		[values, quiet, note, more, key],
		[values, quiet, more, key],
		[values, more, key],
		[`${name} ${clock}`, more, key],
		[`${stripControl(symbol)} ${clock}`, more, key],
		[stripControl(symbol), more],
		[formatCount(unseen.length, 'alert')],
	];
	return parts.map(texts => `! ${dotted(texts, ascii)}`);
}

function missedTexts({missed = []}: AlertsState, {keyHint, ascii, zone}: AlertView): readonly string[] {
	const [newest] = missed;
	if (!newest) return [];
	const {rule, symbol, possible, since, time} = newest;
	const what = uncertainText(newest, ascii, zone) ?? '';
	const more = missed.length > 1 ? `${formatExact(missed.length - 1)} more` : '';
	const key = keyHint('', 'back');
	const brief = possible
		? `may have held ${spanText(possible.from, possible.to, zone)}`
		: `not judged ${spanText(since, time, zone)}`;
	const parts = [
		[`${ruleTextFor(rule, symbol, zone)}: ${what}`, more, key],
		[`${stripControl(symbol)}: ${what}`, more, key],
		[`${stripControl(symbol)} ${brief}`, more, key],
		[`${formatCount(missed.length, 'alert')} not judged`, key],
		[`${formatCount(missed.length, 'alert')} not judged`],
	];
	return parts.map(texts => `? ${dotted(texts, ascii)}`);
}

function blindTexts({entries}: AlertsState, zone?: Zone): readonly string[] {
	const all = entries.flatMap(entry =>
		entry.markets.flatMap(market =>
			stateOf(entry, market) === 'blind' && market.blind ? [{entry, market, blind: market.blind}] : [],
		),
	);
	const [first] = all;
	if (!first) return [];
	const {entry, market, blind} = first;
	const brief = `${formatCount(all.length, 'alert')} blind`;
	const since = `since ${formatZonedClock(blind.since, zone)}: ${stripControl(blind.why)}`;
	return [`${brief}: ${ruleTextFor(entry.rule, market.symbol, zone)} ${since}`, `${brief} ${since}`, brief];
}
