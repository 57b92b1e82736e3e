import type {ExchangeError} from '../client/errors.ts';
import type {Answer, CallOptions, Exchange} from '../client/exchange.ts';
import {mergeCandles} from '../market/candles.ts';
import type {Candle} from '../market/types.ts';
import {type CandlesAnswer, largestPage, mostCandles} from './candle-feed.ts';

/** What is known of the candles before the first one that is known. */
export type CandleHistory =
	/** There may be more; nobody has asked yet. */
	| {readonly status: 'more'}
	| {readonly status: 'loading'}
	/** The exchange gives none that are older. */
	| {readonly status: 'complete'}
	/** As many are kept as are ever kept. */
	| {readonly status: 'full'}
	| {readonly status: 'failed'; readonly error: ExchangeError; readonly retryAt: number};

export const moreHistory: CandleHistory = {status: 'more'};

/** Candles that end where the known ones begin. */
export type OlderPage = {
	readonly page: Answer<readonly Candle[]>;
	/** Start of the first candle that was known when the page was asked for, epoch ms. */
	readonly before: number;
};

/**
 * The page of candles before those of `known`, empty at the beginning of history; undefined where none are known to be
 * older than. Rejects like `exchange.candles`.
 */
export async function fetchOlder(
	exchange: Exchange,
	symbol: string,
	known: CandlesAnswer,
	call: CallOptions,
): Promise<OlderPage | undefined> {
	const {candles, period} = known.data;
	const before = candles[0]?.time;
	if (before === undefined) return undefined;
	const limit = Math.min(largestPage, Math.max(mostCandles - candles.length, 1));
	return {page: await exchange.candles(symbol, {...call, period, limit, to: before - 1}), before};
}

/**
 * The known candles with the page before them. The page is refused, and nothing changes, when the candles that it was
 * asked for have meanwhile been replaced or are another interface's.
 */
export function withOlder(
	known: CandlesAnswer,
	{page, before}: OlderPage,
): {readonly answer: CandlesAnswer; readonly history: CandleHistory} {
	const {candles} = known.data;
	if (page.interface !== known.interface || candles[0]?.time !== before) return {answer: known, history: moreHistory};
	const all = mergeCandles(page.data, candles);
	const status = all.length === candles.length ? 'complete' : all.length >= mostCandles ? 'full' : 'more';
	return {answer: {...known, data: {...known.data, candles: all}}, history: {status}};
}

/** The history once `next` has taken the place of `last`: where fewer candles begin later, there are older ones again. */
export function historyAfter(
	history: CandleHistory,
	last: CandlesAnswer | 'unavailable' | undefined,
	next: CandlesAnswer | 'unavailable',
): CandleHistory {
	if (!last || last === 'unavailable' || next === 'unavailable') return history;
	const [before, after] = [last.data.candles, next.data.candles];
	const forgotten = after.length < before.length && (after[0]?.time ?? Infinity) > (before[0]?.time ?? Infinity);
	return forgotten ? moreHistory : history;
}
