import type {Alert, AlertEvent, Blindness} from '../../alerts/alert-event.ts';
import {quietText, ruleTextFor, timeText, valuesText} from '../../alerts/alert-texts.ts';
import type {Condition} from '../../alerts/condition.ts';
import {printCondition} from '../../alerts/print-condition.ts';
import {printRule} from '../../alerts/rule.ts';
import {stripControl} from '../../format/control.ts';
import {formatCount} from '../../format/number.ts';
import type {Zone} from '../../format/zone.ts';

type Watched = {
	/** How many rules are judged. */
	readonly rules: number;
	readonly until: Condition | undefined;
	/** Epoch ms. */
	readonly now: number;
	readonly ascii: boolean;
	/** Default UTC. */
	readonly zone?: Zone | undefined;
};

/**
 * What the status line of the tiles says: the newest alert and the rules that are blind, the later of both first, else what the
 * watch waits for. `events`: oldest first.
 */
export function watchStatus(
	events: readonly AlertEvent[],
	{rules, until, now, ascii, zone}: Watched,
): string | undefined {
	const alert = events.findLast(event => event.type === 'alert');
	const blind = blindRules(events);
	const parts = [
		...(alert ? [{time: alert.time, text: firedText(alert, {now, ascii, zone})}] : []),
		...blind.slice(0, 1).map(newest => ({time: newest.time, text: blindText(newest, blind.length, {now, zone})})),
	];
	const news = parts.toSorted((a, b) => b.time - a.time).map(({text}) => text);
	if (news.length > 0) return news.join(ascii ? ' | ' : ' · ');
	if (until) return `until ${printCondition(until)}`;
	return rules > 0 ? formatCount(rules, 'alert rule') : undefined;
}

/** That cannot be judged now, the newest first. */
function blindRules(events: readonly AlertEvent[]): readonly Blindness[] {
	const newest = new Map<string, Blindness>();
	for (const event of events) {
		if (event.type !== 'blind') continue;
		const id = `${event.symbol} ${printRule(event.rule)}`;
		newest.delete(id);
		if (!event.ended) newest.set(id, event);
	}

	return [...newest.values()].toReversed();
}

function firedText(alert: Alert, {now, ascii, zone}: Pick<Watched, 'now' | 'ascii' | 'zone'>): string {
	const {rule, symbol, time, blindSince} = alert;
	const when = `${timeText(time, now, zone)}${blindSince === undefined ? '' : ', while blind'}`;
	const note = rule.note === undefined ? '' : `, ${stripControl(rule.note)}`;
	const quiet = quietText(alert);
	return `! ${ruleTextFor(rule, symbol, zone)}: ${valuesText(alert, ascii, zone)} ${when}${quiet && `, ${quiet}`}${note}`;
}

const blindText = (
	{rule, symbol, since, why}: Blindness,
	count: number,
	{now, zone}: Pick<Watched, 'now' | 'zone'>,
): string =>
	`${formatCount(count, 'alert')} blind: ${ruleTextFor(rule, symbol, zone)} since ${timeText(since, now, zone)}: ${stripControl(why)}`;
