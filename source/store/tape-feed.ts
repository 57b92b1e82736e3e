import {ExchangeError} from '../client/errors.ts';
import type {Answer, CallOptions, Exchange} from '../client/exchange.ts';
import {type Continued, continueTape, type TapeState} from '../market/continued-tape.ts';
import {memo} from '../market/memo.ts';
import {brokenOff, emptyTape, reachOf, type Tape, tradeKey} from '../market/tape.ts';
import {largestPage, type Trade} from '../market/types.ts';

type TradePage = Answer<readonly Trade[]>;

export type TapeAnswer = Answer<Tape> &
	TapeState & {
		/** Recent trades per second, which set the size of the next page. */
		readonly rate: number;
		/** The newest page does not reach back to the previous tape: trades were lost. */
		readonly lost: boolean;
		/** Ms since the answer before; 0: there was none. */
		readonly sinceMs: number;
		/** Ms from the start of this poll to the next, so that their pages overlap. */
		readonly wantedMs: number;
		/** The same object in all tapes that continue one which is read for several readers. Absent: it is read for one. */
		readonly line?: object | undefined;
	};

type TapeRequest = {
	readonly symbol: string;
	/** The last answer for this symbol; absent: none yet. */
	readonly last: TapeAnswer | undefined;
	/** Epoch ms. */
	readonly now: number;
	readonly call: CallOptions;
	/** How many trades are requested at least. Default: as many as are needed to continue the last answer. */
	readonly least?: number | undefined;
};

/** How many trades are requested at first. */
export const firstPage = 500;
const smallestPage = 50;
/** A page has this many times the expected number of new trades, so that pages overlap even in a burst. */
const margin = 4;
/** The share of a page that should be new; the rest overlaps. */
const wantedFill = 0.5;
/** The minimum time between two polls. */
const soonestMs = 200;
/** The share of the last rate that is kept when fewer trades arrive. */
const rateMemory = 0.8;

/** By the trades of a page: the tape that it was taken from. */
const tapesOfPages = new WeakMap<readonly Trade[], TapeAnswer>();

/** The newest trades of a tape that several readers have, at most `limit`, with none missing between them. */
export const pageOfTape = memo((tape: TapeAnswer, limit: number): TradePage => {
	const {rate, lost, sinceMs, wantedMs, line, ...page} = tape;
	const trades = page.data.trades.slice(0, Math.min(limit, reachOf(page.data)));
	tapesOfPages.set(trades, tape);
	return {...page, data: trades};
});

/**
 * Fetches the newest trades and adds them to the tape. Pages are large enough to overlap at the current trade rate. If a page
 * does not reach back to the last tape, though the exchange has more, the largest page is requested. The tape starts over,
 * with a gap below its oldest trade, when the other interface answers, whose ids may differ, or the exchange sets its
 * clock or begins its ids again. After an empty page, a full one may lack trades: it has a gap at its end. Readers of a shared
 * exchange get the tape that is continued for all of them, unless their own last one is not of it. Rejects like `exchange.trades`.
 */
export async function fetchTape(
	exchange: Exchange,
	{symbol, last, now, call, least = 0}: TapeRequest,
): Promise<TapeAnswer> {
	const limit = Math.max(last && last.data.trades.length > 0 ? pageSize(last, now) : firstPage, least);
	const page = await exchange.trades(symbol, {...call, limit});
	const shared = tapesOfPages.get(page.data);
	if (shared && (!last || last.line === shared.line)) return shared;
	const continues = page.interface === last?.interface;
	const merged = continued(continues ? last : undefined, page);
	const previous = continues && !merged.startsOver && !merged.isSet ? last : undefined;
	const reachesBack =
		previous !== undefined && previous.data.trades.length > 0 && !hasNewGap(previous.data, merged.data);
	const needsMore = last !== undefined && !reachesBack && !isWhole(page, limit) && limit < largestPage;
	const wide = needsMore ? await widerPage(exchange, symbol, call) : undefined;
	const isWider = wide?.interface === page.interface;
	const answer = isWider
		? extended(wide, largestPage, previous, continued(merged, wide))
		: extended(page, limit, previous, merged);
	const hadTrades = last !== undefined && last.data.trades.length > 0;
	const changesInterface = hadTrades && !continues;
	// Since an empty answer, more trades than the page holds can have happened.
	const isCut = last !== undefined && !hadTrades && !(isWider ? isWhole(wide, largestPage) : isWhole(page, limit));
	return changesInterface || isCut ? {...answer, data: brokenOff(answer.data)} : answer;
}

const continued = (before: TapeState | undefined, {data: trades, receivedAt, besideDropped}: TradePage): Continued =>
	continueTape(before ?? {data: emptyTape}, {trades, receivedAt, besideDropped});

/** Whether the exchange has no trades but these. */
const isWhole = (page: TradePage, limit: number): boolean => page.data.length + page.dropped < limit;

/** Requests the largest page. Undefined if that fails, as the smaller page will do. */
async function widerPage(exchange: Exchange, symbol: string, call: CallOptions): Promise<TradePage | undefined> {
	try {
		return await exchange.trades(symbol, {...call, limit: largestPage});
	} catch (error) {
		if (error instanceof ExchangeError) return undefined;
		throw error;
	}
}

/** `known`: what is known with the trades of `page`. */
function extended(
	page: TradePage,
	limit: number,
	previous: TapeAnswer | undefined,
	{data, former, newAt, reach, counted}: Continued,
): TapeAnswer {
	const rate = tradeRate({...page, data: counted}, previous);
	// A page shorter than its limit shows the most that the exchange sends; an empty one shows nothing.
	const isShort = page.data.length > 0 && isWhole(page, limit);
	const most = isShort ? page.data.length : largestPage;
	const wantedMs = rate > 0 ? Math.max((most * wantedFill * 1000) / rate, soonestMs) : Number.POSITIVE_INFINITY;
	const sinceMs = previous ? Math.max(page.receivedAt - previous.receivedAt, 0) : 0;
	const lost = hasNewGap(previous?.data ?? emptyTape, data);
	return {...page, data, former, newAt, reach, rate, sinceMs, lost, wantedMs};
}

function hasNewGap(before: Tape, after: Tape): boolean {
	return after.gaps.difference(before.gaps).size > 0;
}

function pageSize(last: TapeAnswer, now: number): number {
	if (last.lost) return largestPage;
	// A request that waits for its turn is answered later than that; as the last one did, it will wait again.
	const expected = last.rate * (Math.max(now - last.receivedAt, last.sinceMs) / 1000);
	// In few sizes, so that a cache can give one page to several readers.
	const doublings = Math.ceil(Math.log2(Math.max((expected * margin) / smallestPage, 1)));
	return Math.min(smallestPage * 2 ** doublings, largestPage);
}

function tradeRate(page: TradePage, previous: TapeAnswer | undefined): number {
	const own = rateWithin(page.data);
	if (!previous) return own;
	// A cache may give an answer again, or an older one.
	if (page.cache && page.receivedAt <= previous.receivedAt) return previous.rate;
	const [newest] = previous.data.trades;
	const fresh = page.data.findIndex(trade => newest !== undefined && tradeKey(trade) === tradeKey(newest));
	// A page that shares no trade with the last tape shows only the rate of its own trades.
	const latest = fresh === -1 ? own : perSecond(fresh, page.receivedAt - previous.receivedAt);
	return Math.max(latest, previous.rate * rateMemory);
}

function rateWithin(trades: readonly Trade[]): number {
	const [newest] = trades;
	const oldest = trades.at(-1);
	return newest && oldest ? perSecond(trades.length - 1, newest.time - oldest.time) : 0;
}

/** Rate over `ms`, but at least over the minimum time between two polls: anything shorter is too inexact. */
function perSecond(count: number, ms: number): number {
	return (count * 1000) / Math.max(ms, soonestMs);
}
