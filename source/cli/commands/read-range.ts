import {candleCount} from '../../client/candle-range.ts';
import type {Answer} from '../../client/exchange.ts';
import {formatCount, formatExact} from '../../format/number.ts';
import {formatDateTime, formatFullTime, formatPeriod} from '../../format/time.ts';
import type {Zone} from '../../format/zone.ts';
import {monthsIn} from '../../market/calendar.ts';
import {candlesBuiltFrom, groupCandles} from '../../market/candle-groups.ts';
import {candleStart, startAfter} from '../../market/candles.ts';
import {compareTrades, tradeKey} from '../../market/tape.ts';
import {candlesOfTrades, withMissing} from '../../market/trade-candles.ts';
import {type Candle, largestPage, mostRangeCandles, type Period, type Trade} from '../../market/types.ts';
import {dayMinutes, minuteMs} from '../../market/units.ts';
import {answersAround, notRecorded, type Recorded, recordedSymbol} from '../../recording/recorded-exchange.ts';
import {isWithin, readTradeRange} from '../../recording/recorded-ranges.ts';
import type {Stretch} from '../../recording/replay-controls.ts';
import {UsageError} from '../exit.ts';
import {mostRangeTrades} from '../options/option-table.ts';
import type {RequestedTimes} from '../recorded.ts';

/** Reads of a stretch of a recording. */

/** An answer whose data was put together from many. */
export type RangeAnswer<T> = {
	readonly answer: Answer<T>;
	readonly range: Stretch;
	/** Where trades may be missing, in order of time. */
	readonly missing: readonly Stretch[];
};

/** The trades of a time, newest first, at most `limit` of them. Throws an `UnavailableError` if nothing of it was recorded. */
export function readTrades(
	recorded: Recorded,
	text: string,
	times: RequestedTimes,
	limit = Infinity,
): RangeAnswer<readonly Trade[]> {
	const symbol = recordedSymbol(recorded.reader, text);
	const range = {
		from: times.from ?? recorded.reader.tradeExtent(symbol)?.first ?? 0,
		to: times.to ?? endOfTrades(recorded, symbol),
	};
	const {trades, missing} = readTradeRange(recorded.reader, symbol, range);
	let kept: Trade[] = [];
	for (const trade of trades) {
		kept.push(trade);
		if (kept.length > 2 * Math.min(limit, mostRangeTrades)) {
			if (limit > mostRangeTrades) refuseTooMany();
			kept = newestFirst(kept).slice(0, limit);
		}
	}

	if (kept.length > mostRangeTrades && limit > mostRangeTrades) refuseTooMany();
	const data = newestFirst(kept).slice(0, limit);
	return ranged(recorded, symbol, {data, range, missing: missing()});
}

function refuseTooMany(): never {
	const most = formatExact(mostRangeTrades);
	throw new UsageError(`the range has more than ${most} trades; choose a shorter range, or --limit`);
}

/** The moment by the clock of the trades, or the end of those that are known if that was earlier: what came then is not known. */
function endOfTrades({reader, moment}: Recorded, symbol: string): number {
	const extent = reader.tradeExtent(symbol);
	if (!extent) return moment.time;
	return moment.time >= extent.lastAt ? extent.last : Math.min(moment.time + extent.aheadMs, extent.last);
}

/** Sorted as they come, so that this is quick. */
const newestFirst = (trades: readonly Trade[]): Trade[] => trades.toReversed().sort(compareTrades);

/** Whether candles of that period were recorded. */
export function hasCandles(
	{reader, moment}: Recorded,
	{market, period}: {readonly market: string; readonly period: Period},
): boolean {
	const question = {ask: 'candles', market: recordedSymbol(reader, market), period} as const;
	const [first = moment.session] = reader.sessions();
	return reader.lastAnswer(first.id, question, reader.idAt(moment.session.id, Infinity)) !== undefined;
}

const defaultCandles = 500;

export type CandlesOfRange = RangeAnswer<readonly Candle[]> & {
	/** Starts of candles that trades may be missing from. */
	readonly partial: ReadonlySet<number>;
};

/** Candles of any period from 1 s, built from trades, oldest first. Throws an `UnavailableError` if nothing of it was recorded. */
export function buildCandles(
	recorded: Recorded,
	text: string,
	{from, to, period, limit}: RequestedTimes & {readonly period: Period; readonly limit?: number | undefined},
): CandlesOfRange {
	const symbol = recordedSymbol(recorded.reader, text);
	const end = endOfTrades(recorded, symbol);
	const last = candleStart(Math.min(Math.max(recorded.moment.time, end), to ?? Infinity), period);
	const most = limit ?? (from === undefined ? defaultCandles : Infinity);
	const earliest =
		from === undefined ? startAfter(last, period, 1 - most) : startAfter(candleStart(from - 1, period), period);
	const firstTrade = recorded.reader.tradeExtent(symbol)?.first ?? last;
	const first = Math.max(earliest, candleStart(firstTrade, period));
	refuseTooManyCandles(Math.min(candleCount({from: first, to: last}, period), most), period);
	const range = {from: first, to: Math.min(startAfter(last, period) - 1, end)};
	const {trades, missing} = readTradeRange(recorded.reader, symbol, range);
	const built = candlesOfTrades(trades, period).slice(-most);
	const stretches = missing();
	const data = withMissing(built, candle => isWithin(candle, period, stretches));
	const partial = new Set(data.filter(candle => candle.partial).map(({time: start}) => start));
	return {...ranged(recorded, symbol, {data, range, missing: stretches}), partial};
}

/** Throws a `UsageError` if there are more candles than are read at once. */
export function refuseTooManyCandles(count: number, period: Period, mostCandles = mostRangeCandles): void {
	if (count <= mostCandles) return;
	const [counted, most] = [count, mostCandles].map(number => formatExact(number));
	throw new UsageError(
		`the range has ${counted} candles of ${formatPeriod(period)}, at most ${most} are read; choose a longer --period, a shorter range, or --limit`,
	);
}

/** With the source of the newest trades. Throws an `UnavailableError` if the recording has none of the range. */
function ranged<T extends readonly unknown[]>(
	{reader, moment}: Recorded,
	symbol: string,
	{data, range, missing}: {readonly data: T; readonly range: Stretch; readonly missing: readonly Stretch[]},
): RangeAnswer<T> {
	const question = {ask: 'trades', market: symbol} as const;
	const {before, after} = answersAround(reader, question, range.to);
	const read = after && after.endedAt <= moment.time ? after : before;
	const isAllMissing = range.from > range.to || missing.some(({from, to}) => from <= range.from && to >= range.to);
	if (!read || (data.length === 0 && isAllMissing))
		throw notRecorded(reader, question, Math.min(Math.max(range.from, range.to), moment.time));
	const {interface: from, receivedAt, serverTime} = read.answer;
	return {answer: {data, interface: from, receivedAt, serverTime, dropped: 0}, range, missing};
}

/** Of what time the data is, for titles and notes. */
export const rangeTitle = ({from, to}: Stretch, zone?: Zone): string =>
	`RECORDED ${formatDateTime(from, zone)} to ${formatFullTime(to, zone)}`;

/** Most stretches that are named. */
const mostNamedGaps = 3;

/** One line about each stretch in which trades may be missing. */
export function missingTexts(missing: readonly Stretch[]): readonly string[] {
	const texts = missing
		.slice(0, mostNamedGaps)
		.map(({from, to}) => `trades may be missing from ${formatDateTime(from)} to ${formatDateTime(to)} UTC`);
	const more = missing.length - texts.length;
	return more > 0 ? [...texts, `trades may be missing in ${formatCount(more, 'more gap')}`] : texts;
}

/** What a recording lacks of a range of candles that it has, oldest first. */
export function unrecordedTexts(
	{moment}: Recorded,
	{from = Infinity, to = -Infinity, period}: RequestedTimes & {readonly period: Period},
	candles: readonly Candle[],
): readonly string[] {
	const [first, last] = [candles[0], candles.at(-1)];
	if (!first || !last) return ['the recording has no candles of that time'];
	const isLate = first.time - period * minuteMs >= from;
	const isEarly = last.time + period * minuteMs <= Math.min(to, moment.time) || to > moment.time;
	return [
		...(isLate ? [`candles before ${formatDateTime(first.time)} UTC were not recorded`] : []),
		...(isEarly ? [`candles after ${formatDateTime(last.time)} UTC were not recorded`] : []),
	];
}

/** Below how many of these trades (newest first), known at a moment, others may be missing. */
export function countTapeGaps({reader, moment}: Recorded, text: string, trades: readonly Trade[]): number {
	const symbol = recordedSymbol(reader, text);
	const session = moment.session.id;
	const read = reader.lastAnswer(session, {ask: 'trades', market: symbol}, reader.idAt(session, moment.time));
	const gaps = read ? reader.tape(symbol, read.id, trades.length).gaps : new Set<string>();
	return trades.slice(0, -1).filter(trade => gaps.has(tradeKey(trade))).length;
}

/** A read of candles: the newest `limit` of those that start in a range. */
export type CandleRead = RequestedTimes & {readonly period: Period; readonly limit?: number | undefined};

const mostDays = 31;

/** The days to read for candles of calendar months; other candles are read as they are. `now` in epoch ms. */
export function readOfParts(requested: CandleRead, now: number): CandleRead {
	const {from, to, period, limit} = requested;
	const months = monthsIn(period);
	if (months === 0) return requested;
	const end = to === undefined ? Infinity : startAfter(candleStart(to, period), period) - 1;
	return {
		period: dayMinutes,
		from: from === undefined ? undefined : startAfter(candleStart(from - 1, period), period),
		to: end < now ? end : undefined,
		limit: from === undefined ? (limit === undefined ? largestPage : limit * months * mostDays) : undefined,
	};
}

/**
 * The candles that were asked for, built from what was read by `read`, oldest first. A first month that the read may have begun
 * inside is left out; one that the exchange has no earlier days of is not.
 */
export function candlesOfParts(parts: readonly Candle[], requested: CandleRead, read: CandleRead): readonly Candle[] {
	if (requested.period === read.period) return parts;
	const isCut = read.limit !== undefined && parts.length >= read.limit;
	const built = isCut
		? candlesBuiltFrom(parts, read.period, requested.period)
		: groupCandles(parts, read.period, requested.period).candles;
	return built.slice(-(requested.limit ?? built.length));
}
