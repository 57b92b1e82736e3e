import {stripControl} from '../format/control.ts';
import {formatExact, formatPlain} from '../format/number.ts';
import {
	formatAge,
	formatClock,
	formatDateTime,
	formatPeriod,
	formatSpan,
	formatZonedClock,
	formatZonedDateTime,
	lastTradeText,
} from '../format/time.ts';
import {isUtc, localDayOf, utc, type Zone} from '../format/zone.ts';
import {symbolKey} from '../market/symbol.ts';
import {secondMs} from '../market/units.ts';
import type {AlertEntry, JudgedMarket} from './alerts.ts';
import type {Alert, Blindness} from './judged-rule.ts';
import type {JudgedOn} from './market-data.ts';
import type {Stretch} from './missed.ts';
import {printRule, type Rule} from './rule.ts';

/** `BTCUSDT last crosses 70000 every 10m`: the rule for one of its markets, without its note. */
export const ruleTextFor = ({condition, everyMs, until}: Rule, symbol: string, zone?: Zone): string =>
	stripControl(`${symbol} ${printed({scope: {type: 'watched'}, condition, everyMs, until}, zone)}`);

/** The whole rule, without the market if it is stated for a single one. */
export const ruleText = (rule: Rule, zone?: Zone): string =>
	stripControl(printed(rule.scope.type === 'market' ? {...rule, scope: {type: 'watched'}} : rule, zone));

/** Rules are stated in UTC, which is said beside times of another zone. */
const printed = (rule: Rule, zone: Zone = utc): string =>
	isUtc(zone) ? printRule(rule) : printRule(rule).replace(/ until [\d-]+ [\d:]+/, '$& UTC');

/** A value with more digits comes from a calculation, and is shown as approximate. */
const exactDigits = 12;

function valueText(value: number | null, ascii: boolean): string {
	if (value === null) return 'unknown';
	const isExact = formatPlain(value).replace(/\D/g, '').length <= exactDigits;
	return isExact
		? formatExact(value, {ascii})
		: `${ascii ? '~' : '≈'}${formatExact(Number(value.toPrecision(8)), {ascii})}`;
}

/** What made the rule hold: `last 70,012.5`, or where trades are missing when and at which prices. */
export function valuesText(
	{values, gap, time}: Pick<Alert, 'values' | 'gap' | 'time'>,
	ascii = false,
	zone?: Zone,
): string {
	if (gap) return stretchText(gap, time, ascii, zone);
	return Object.entries(values)
		.map(([name, value]) => `${name} ${valueText(value, ascii)}`)
		.join(', ');
}

/** `between 14:03:12 and 14:07:05 (high 70,120, low 69,950)`. `now`: epoch ms. */
function stretchText({from, to, high, low}: Stretch, now: number, ascii = false, zone?: Zone): string {
	const prices = Object.entries({high, low}).flatMap(([name, price]) =>
		price === undefined ? [] : `${name} ${formatExact(price, {ascii})}`,
	);
	const priceText = prices.length > 0 ? ` (${prices.join(', ')})` : '';
	const [text, zoned] = isOfOneDay(from, now, zone)
		? [formatClock, formatZonedClock]
		: [formatDateTime, formatZonedDateTime];
	return `between ${text(from, zone)} and ${zoned(to, zone)}${priceText}`;
}

const isOfOneDay = (a: number, b: number, zone: Zone = utc): boolean => localDayOf(a, zone) === localDayOf(b, zone);

/** The clock, with the date unless it is that of `now`, by default in UTC. */
export const timeText = (time: number, now: number, zone?: Zone): string =>
	(isOfOneDay(time, now, zone) ? formatZonedClock : formatZonedDateTime)(time, zone);

/** `from 14:03:12 to 14:07:05`, by default in UTC. */
export const spanText = (from: number, to: number, zone?: Zone): string =>
	`from ${timeText(from, to, zone)} to ${timeText(to, from, zone)}`;

/** What became of a rule in one of its markets. */
export type RuleState = 'armed' | 'fired' | 'blind' | 'off' | 'ended';

export function stateOf({isOff, rule}: AlertEntry, {blind, fired, isDone}: JudgedMarket): RuleState {
	if (isOff) return 'off';
	if (isDone) return fired && rule.everyMs === undefined ? 'fired' : 'ended';
	return blind ? 'blind' : 'armed';
}

/** `armed`, `fired 14:03:12 at 70,012.5`, `blind since 14:03:12: timed out`, `off` or `ended`. `now`: epoch ms. */
export function stateText(
	entry: AlertEntry,
	market: JudgedMarket,
	{now, ascii = false, zone}: {readonly now: number; readonly ascii?: boolean; readonly zone?: Zone | undefined},
): string {
	const state = stateOf(entry, market);
	const {blind, fired} = market;
	const words =
		fired &&
		`fired ${timeText(fired.time, now, zone)} ${firedAt(fired, ascii, zone)}${fired.blindSince === undefined ? '' : ', while blind'}`;
	if (state === 'fired') return words ?? state;
	if (state === 'blind' && blind) return `blind since ${timeText(blind.since, now, zone)}: ${stripControl(blind.why)}`;
	const uncertain = market.uncertain && uncertainText(market.uncertain, ascii, zone);
	return state === 'off' ? state : [state, words, uncertain].filter(Boolean).join(', ');
}

/** What is not known of a time in which a rule was blind; undefined: it is known what happened. */
export function uncertainText(
	{since, time, why, lookedUp, possible}: Blindness,
	ascii = false,
	zone?: Zone,
): string | undefined {
	if (possible) return `it may have held ${stretchText(possible, time, ascii, zone)} by the candles`;
	if (lookedUp === 'trades' || lookedUp === 'candles') return undefined;
	return `the outcome ${spanText(since, time, zone)} is unknown (${stripControl(why)})`;
}

const firedAt = (alert: Alert, ascii: boolean, zone?: Zone): string => {
	const values = Object.values(alert.values);
	if (alert.gap) return valuesText(alert, ascii, zone);
	return `at ${values.length === 1 ? valueText(values[0] ?? null, ascii) : valuesText(alert, ascii, zone)}`;
};

/** `symbol`: of the market that the rule is judged for. */
type Judged = {readonly symbol: string; readonly judgedOn?: readonly JudgedOn[] | undefined};

/** The data that a rule is judged on, and how old it is: `trades 0.4 s, last trade 2 h ago`, `24 h ticker answer 3 s, delayed`. `now`: epoch ms. */
export function judgedOnText({symbol, judgedOn = []}: Judged, now: number): string {
	const texts = judgedOn.map(each => {
		const {market, ask, receivedAt, quietMs} = each;
		const other = market === symbolKey(symbol) ? '' : `${stripControl(market)} `;
		const isTicker = ask === 'tickers';
		const age = receivedAt === undefined ? ': none yet' : ` ${formatAge(Math.max(now - receivedAt, 0))}`;
		const name = dataName(each) + (isTicker && receivedAt !== undefined ? ' answer' : '');
		const quiet = quietMs === undefined ? '' : `, ${lastTradeText(quietMs)}`;
		return `${other}${name}${age}${isTicker ? ', delayed' : ''}${quiet}`;
	});
	return [...new Set(texts)].join(', ');
}

/** A shorter delay is not reported. */
const leastLateMs = 5 * secondMs;

/** `up to 18 s late`: how late an alert can come as markets in the background wait for their turns; empty: a few seconds at most. */
export const lateText = (pollMs: number): string => (pollMs < leastLateMs ? '' : `up to ${formatSpan(pollMs)} late`);

/** `last trade 2 h 24 min ago`, of the market in which a rule is quiet for longest; empty if none is that it is judged on. */
export function quietText({judgedOn = []}: Pick<Judged, 'judgedOn'>): string {
	const longestMs = Math.max(0, ...judgedOn.map(({quietMs = 0}) => quietMs));
	return longestMs > 0 ? lastTradeText(longestMs) : '';
}

const dataNames = {trades: 'trades', depth: 'book', tickers: '24 h ticker'} as const;

const dataName = (judgedOn: JudgedOn): string =>
	judgedOn.ask === 'candles' ? `${formatPeriod(judgedOn.period)} candles` : dataNames[judgedOn.ask];
