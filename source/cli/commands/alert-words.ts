import {judgedOnText, quietText, ruleTextFor, timeText, uncertainText, valuesText} from '../../alerts/alert-texts.ts';
import type {AlertsState} from '../../alerts/alerts.ts';
import type {Condition} from '../../alerts/condition.ts';
import {printCondition} from '../../alerts/condition.ts';
import type {Alert, AlertEvent, Blindness} from '../../alerts/judged-rule.ts';
import type {JudgedOn} from '../../alerts/market-data.ts';
import type {Stretch} from '../../alerts/missed.ts';
import {isDelayed, printRule} from '../../alerts/rule.ts';
import type {Placeholder} from '../../alerts/rule-call.ts';
import {stripControl} from '../../format/control.ts';
import {formatCount} from '../../format/number.ts';
import {formatAge, formatZonedDateTime} from '../../format/time.ts';
import type {Zone} from '../../format/zone.ts';
import type {RecordedAlert} from '../../recording/recorder.ts';
import {tradeEntry} from './documents.ts';
import {ofNoAnswer, type WatchEvent} from './watch-events.ts';

const named = (symbol: string, text: string): string => stripControl(`${symbol} ${text}`);

/** `BTCUSDT last crosses 70000`, or `TEST BTCUSDT last crosses 70000`. */
export function alertTitle(event: AlertEvent): string {
	const title = named(event.symbol, printCondition(event.rule.condition));
	return event.type === 'alert' && event.isTest ? `TEST ${title}` : title;
}

/** One line with the values: `last 70,012.5 (trades 0.3 s), 0.4 s after the trade, support`. */
function alertDetails(alert: Alert, zone?: Zone): string {
	const {delayMs, blindSince, rule} = alert;
	const judgedOn = judgedOnText(alert, alert.time);
	return [
		[valuesText(alert, true, zone), ...(judgedOn === '' ? [] : [`(${judgedOn})`])].filter(Boolean).join(' '),
		...(delayMs === undefined ? [] : [`${formatAge(delayMs)} after the trade`]),
		...(blindSince === undefined ? [] : [`while blind since ${timeText(blindSince, alert.time, zone)}`]),
		...(rule.note === undefined ? [] : [stripControl(rule.note)]),
	]
		.filter(Boolean)
		.join(', ');
}

const alertText = (alert: Alert, zone?: Zone): string =>
	[alertTitle(alert), alertDetails(alert, zone)].filter(Boolean).join(': ');

export const alertLine = (alert: Alert, zone?: Zone): string =>
	`${formatZonedDateTime(alert.time, zone)}  ALERT ${alertText(alert, zone)}`;

/** What a recording has of it. */
export const recordedAlert = (alert: Alert): RecordedAlert => ({
	...{time: alert.time, symbol: alert.symbol, rule: printRule(alert.rule), message: alertText(alert)},
});

export function blindLine(event: Blindness, zone?: Zone): string {
	const {since, why, ended, time} = event;
	const what = alertTitle(event);
	if (ended) return `${what}: judged again, ${lookedUpText(event, zone)}`;
	return `${what}: blind since ${timeText(since, time, zone)}: ${stripControl(why)}`;
}

const lookedUpText = (event: Blindness, zone?: Zone): string =>
	uncertainText(event, true, zone) ??
	`with ${event.lookedUp === 'trades' ? 'all trades' : 'the candles'} since ${timeText(event.since, event.time, zone)}`;

const stretchEntry = (stretch: Stretch | undefined) =>
	stretch ? {from: stretch.from, to: stretch.to, high: stretch.high ?? null, low: stretch.low ?? null} : null;

/** What a program of the user's can be given, without control characters. */
export function alertParts(event: AlertEvent): Readonly<Record<Placeholder, string>> {
	const {rule, symbol, time} = event;
	return {
		market: stripControl(symbol),
		message: stripControl(event.type === 'alert' ? alertText(event) : blindLine(event)),
		rule: stripControl(printRule(rule)),
		time: new Date(time).toISOString(),
		note: stripControl(rule.note ?? ''),
	};
}

/** The event of `watch --json`, which a command of the user's gets as well. */
export function alertDocument(event: AlertEvent): WatchEvent {
	const {rule, symbol, time} = event;
	const of = {symbol, time, rule: printRule(rule), delayed: isDelayed(rule), ...ofNoAnswer};
	if (event.type === 'blind') {
		const {since, why, ended, lookedUp = null, possible} = event;
		return {type: 'blind', ...of, ...{since, why, ended, lookedUp, possible: stretchEntry(possible)}};
	}

	const {values, trade, delayMs, blindSince, gap, judgedOn = []} = event;
	const when = {
		trade: trade ? tradeEntry(trade) : null,
		delay: delayMs ?? null,
		blindSince: blindSince ?? null,
		gap: stretchEntry(gap),
	};
	const test = event.isTest && ({test: true} as const);
	return {
		type: 'alert',
		...of,
		...{note: rule.note ?? null, values, ...when, judgedOn: judgedOn.map(judgedEntry), ...test},
	};
}

const dataNames = {depth: 'depth', tickers: 'ticker'} as const;

function judgedEntry(judgedOn: JudgedOn) {
	const {ask, market, receivedAt = null, lastTradeAt} = judgedOn;
	const [symbol, received] = [{symbol: market}, {receivedAt}];
	if (judgedOn.ask === 'candles') return {...symbol, data: 'candles', period: judgedOn.period, ...received} as const;
	if (ask === 'depth' || ask === 'tickers') return {...symbol, data: dataNames[ask], ...received};
	return {...symbol, data: 'trades', ...received, lastTradeAt: lastTradeAt ?? null} as const;
}

type Watched = {
	readonly until: Condition | undefined;
	/** Epoch ms. */
	readonly now: number;
	readonly ascii: boolean;
	/** Default UTC. */
	readonly zone?: Zone | undefined;
};

/**
 * What the status line of the tiles says: the newest alert and the rules that are blind, the later of both first, else what the
 * watch waits for.
 */
export function watchStatus({entries, unseen}: AlertsState, {until, now, ascii, zone}: Watched): string | undefined {
	const [alert] = unseen;
	const judged = entries.filter(({isOff}) => !isOff);
	const blind = judged
		.flatMap(({rule, markets}) => markets.flatMap(market => (market.blind ? {rule, ...market, ...market.blind} : [])))
		.toSorted((a, b) => b.since - a.since);
	const parts = [
		...(alert ? [{time: alert.time, text: firedText(alert, {now, ascii, zone})}] : []),
		...blind.slice(0, 1).map(newest => ({time: newest.since, text: blindText(newest, blind.length, {now, zone})})),
	];
	const news = parts.toSorted((a, b) => b.time - a.time).map(({text}) => text);
	if (news.length > 0) return news.join(ascii ? ' | ' : ' · ');
	if (until) return `until ${printCondition(until)}`;
	return judged.length > 0 ? formatCount(judged.length, 'alert rule') : undefined;
}

function firedText(alert: Alert, {now, ascii, zone}: Pick<Watched, 'now' | 'ascii' | 'zone'>): string {
	const {rule, symbol, time, blindSince} = alert;
	const when = `${timeText(time, now, zone)}${blindSince === undefined ? '' : ', while blind'}`;
	const note = rule.note === undefined ? '' : `, ${stripControl(rule.note)}`;
	const quiet = quietText(alert);
	return `! ${ruleTextFor(rule, symbol, zone)}: ${valuesText(alert, ascii, zone)} ${when}${quiet && `, ${quiet}`}${note}`;
}

const blindText = (
	{rule, symbol, since, why}: Pick<Blindness, 'rule' | 'symbol' | 'since' | 'why'>,
	count: number,
	{now, zone}: Pick<Watched, 'now' | 'zone'>,
): string =>
	`${formatCount(count, 'alert')} blind: ${ruleTextFor(rule, symbol, zone)} since ${timeText(since, now, zone)}: ${stripControl(why)}`;
