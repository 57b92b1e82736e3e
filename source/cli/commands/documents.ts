import type {Answer} from '../../client/exchange.ts';
import {formatPeriod} from '../../format/time.ts';
import {monthsIn} from '../../market/calendar.ts';
import {candleEnd, candleGaps, isOtherPeriod, startAfter} from '../../market/candles.ts';
import {stampsAheadMs, withPage} from '../../market/trade-clock.ts';
import {
	type Candle,
	capabilityFlags,
	type DepthBook,
	type ExchangeInfo,
	type Market,
	type Period,
	type ReadFailure,
	type Ticker,
	type Trade,
} from '../../market/types.ts';
import type * as schema from '../../schema/document-schemas.ts';
import type {
	BookEntry,
	CandleEntry,
	Counts,
	FailureEntry,
	Of,
	Origin,
	Provenance,
	ReadCandleEntry,
	Recorded,
	TickerEntry,
	TradeEntry,
} from '../../schema/parts.ts';
import type {KeptAnswer} from '../../store/resource.ts';
import type {Context} from '../context.ts';
import {candleKeys, marketKeys, tickerKeys, tradeKeys} from '../options/option-table.ts';
import type {CandlesOfRange} from './read-range.ts';

/** The JSON documents of the reads and, entry by entry, of watch events, as `schema/` describes them. */

/**
 * The exchange of every document and event, with the version of its form: with standard error closed, nothing else marks demo
 * data.
 */
export const originOf = ({exchangeName, demo}: Pick<Context, 'exchangeName' | 'demo'>): Origin => ({
	exchange: exchangeName,
	demo,
	schemaVersion: 1,
});

/** The moment of a recording that a document tells of; nothing for what is known now. */
export const recordedOf = ({recorded}: Pick<Context, 'recorded'>): Recorded =>
	recorded ? {recorded: {at: recorded.moment.time}} : {};

/** Where and when an answer came from. */
function provenance({interface: source, receivedAt, serverTime, tradeClock}: KeptAnswer): Provenance {
	const aheadMs = tradeClock && stampsAheadMs(tradeClock.stamps);
	const ahead = aheadMs === undefined ? {} : {serverTimeAhead: aheadMs};
	return {interface: source, receivedAt, serverTime: serverTime ?? null, ...ahead};
}

export const listProvenance = (answer: KeptAnswer): Provenance & Counts => ({
	...provenance(answer),
	...countsOf(answer),
});

/**
 * Of the entries of an answer. `cut` is absent unless the exchange sent more than Tapewatch reads, `misdated` and `offPeriod`
 * unless there are such entries.
 */
const countsOf = ({dropped, rounded = 0, cut, misdated, offPeriod}: Answer<unknown>): Counts => ({
	...{dropped, rounded, ...(cut && {cut}), ...(misdated && {misdated}), ...(offPeriod && {offPeriod})},
});

export function infoDocument(answer: Answer<ExchangeInfo>): Of<typeof schema.info> {
	return {
		...pick(answer.data, ['name', 'description', 'location', 'logo', 'website', 'twitter', 'version']),
		capability: pick(answer.data.capability, capabilityFlags),
		...provenance(answer),
	};
}

export function marketsDocument(answer: Answer<readonly Market[]>): Of<typeof schema.markets> {
	return {
		markets: readable(answer.data).map(market => pick(market, marketKeys)),
		...listProvenance(answer),
	};
}

/** Without the markets of which only the name could be read, which count as dropped. */
export const readable = (markets: readonly Market[]): readonly Market[] =>
	markets.filter(({unreadable}) => !unreadable);

export function tickerDocument(answer: Answer<readonly Ticker[]>): Of<typeof schema.ticker> {
	return {tickers: answer.data.map(tickerEntry), ...listProvenance(answer)};
}

export function depthDocument(symbol: string, answer: Answer<DepthBook>): Of<typeof schema.depth> {
	return {symbol, ...depthEntry(answer.data), ...listProvenance(answer)};
}

/** Oldest first. `symbol` is null of a market that was read by its id and is not in the list. */
export function tradesDocument(
	symbol: string | null,
	answer: Answer<readonly Trade[]>,
): Of<typeof schema.newestTrades> {
	const tradeClock = withPage(undefined, answer, answer.data, []);
	return {symbol, trades: answer.data.toReversed().map(tradeEntry), ...listProvenance({...answer, tradeClock})};
}

/** Minutes; of calendar months, which have no fixed length, `1M` and so on. */
export const periodEntry = (period: Period): number | string => (monthsIn(period) > 0 ? formatPeriod(period) : period);

type CandleParts = {
	readonly period: Period;
	readonly builtFrom: Period | undefined;
	readonly parts: readonly Candle[];
	/** Start times of candles in which some are missing that they are built from. */
	readonly lacking?: ReadonlySet<number> | undefined;
};

/**
 * Oldest first; `period` in minutes, or `1M` and so on, which are built from candles of `builtFrom` minutes. `complete`: whether no candle is missing that was asked for and that the exchange has;
 * `incomplete`: why one may be. `parts`: the candles that were read, which are the same unless others were built from
 * them. `gaps`: the first and the last start of a part that is missing between two that are not; unknown where they are of another
 * period.
 */
export function candlesDocument(
	symbol: string,
	{period, builtFrom, parts, lacking}: CandleParts,
	answer: Answer<readonly Candle[]>,
	extent: {readonly complete: boolean | null; readonly incomplete: string | null},
): Of<typeof schema.readCandles> {
	return {
		symbol,
		period: periodEntry(period),
		...(isBuiltFromTrades(answer.data) ? {builtFrom: 'trades' as const} : builtFrom !== undefined && {builtFrom}),
		candles: answer.data.map(readCandleEntry(answer, {period, builtFrom, lacking})),
		gaps: isOtherPeriod(parts, builtFrom ?? period) ? null : gapsBetween(parts, builtFrom ?? period),
		...extent,
		...listProvenance(answer),
	};
}

/** `candles` were built from recorded trades; `partial`: the starts of those that trades may be missing from. */
export function builtCandlesDocument(
	symbol: string,
	period: Period,
	{answer, range, missing, partial}: CandlesOfRange,
): Of<typeof schema.builtCandles> {
	return {
		...{symbol, period: periodEntry(period), candles: answer.data.map(readCandleEntry(answer, {period}))},
		...{partial: [...partial], ...range, missing},
		...listProvenance(answer),
	};
}

function gapsBetween(candles: readonly Candle[], period: Period) {
	const starts = candleGaps({period, candles, builtFrom: 'exchange'});
	return starts.flatMap(index => {
		const [before, after] = [candles[index - 1], candles[index]];
		if (!before || !after) return [];
		const gap = {from: candleEnd(before, period), to: startAfter(after.time, period, -1)};
		// Days and months differ in length.
		return gap.from <= gap.to ? [gap] : [];
	});
}

export const tickerEntry = (ticker: Ticker): TickerEntry => pick(ticker, tickerKeys);

/**
 * `bids` is `null` if the interface has none: an empty list would mean that there are no buyers. `bidsFailure` is then how
 * the interface that has bids failed, if it did.
 */
export const depthEntry = ({asks, bids, bidsFailure}: DepthBook): BookEntry => ({
	asks,
	bids: bids ?? null,
	bidsFailure: bidsFailure ? failureEntry(bidsFailure) : null,
});

/** `status` is that of the answer; `retryAfter` is ms. */
export const failureEntry = (failure: ReadFailure): FailureEntry => ({
	interface: failure.interface,
	...pick(failure, ['operation', 'kind', 'message', 'status']),
	retryAfter: failure.retryAfterMs ?? null,
});

export const tradeEntry = (trade: Trade): TradeEntry => pick(trade, tradeKeys);

/** Whether the exchange sent none of these candles. */
export const isBuiltFromTrades = (candles: readonly Candle[]): boolean =>
	candles.length > 0 && candles.every(({builtFrom}) => builtFrom === 'trades');

/**
 * The start of the newest candle, if it is forming: it ends after the answer was made, by the earlier of the exchange's clock and
 * ours. Those before it are closed.
 */
export function formingStart(
	{data, serverTime = Infinity, receivedAt}: Answer<readonly Candle[]>,
	period: Period,
): number | undefined {
	const last = data.at(-1);
	return last && candleEnd(last, period) > Math.min(serverTime, receivedAt) ? last.time : undefined;
}

/** The entry of each candle of an answer. */
function readCandleEntry(
	answer: Answer<readonly Candle[]>,
	{period, builtFrom, lacking}: Partial<CandleParts> & Pick<CandleParts, 'period'>,
): (candle: Candle) => ReadCandleEntry {
	const forming = formingStart(answer, period);
	return candle => ({
		...candleEntry(candle),
		forming: candle.time === forming,
		partial: candle.partial ?? lacking?.has(candle.time) ?? false,
		builtFrom: candle.builtFrom ?? builtFrom ?? 'exchange',
	});
}

export const candleEntry = (candle: Candle): CandleEntry => pick(candle, candleKeys);

type OrNull<T> = undefined extends T ? Exclude<T, undefined> | null : T;

/** The fields named by `keys`, in this order, with `null` for undefined values, which JSON would omit. */
export function pick<T, Key extends keyof T>(from: T, keys: readonly Key[]): {[Name in Key]-?: OrNull<T[Name]>} {
	return Object.fromEntries(keys.map(key => [key, from[key] ?? null])) as {[Name in Key]-?: OrNull<T[Name]>};
}
