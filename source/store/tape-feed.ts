import {ExchangeError} from '../client/errors.ts';
import type {Answer, CallOptions, Exchange} from '../client/exchange.ts';
import {brokenOff, emptyTape, fillText, mergeTape, sharedTrades, type Tape, tradeKey} from '../market/tape.ts';
import {largestPage, type Trade} from '../market/types.ts';
import {minuteMs} from '../market/units.ts';

type TradePage = Answer<readonly Trade[]>;

export type TapeAnswer = Answer<Tape> & {
	/** Recent trades per second, which set the size of the next page. */
	readonly rate: number;
	/** The newest page does not reach back to the previous tape: trades were lost. */
	readonly lost: boolean;
	/** Ms from the start of this poll to the next, so that their pages overlap. */
	readonly wantedMs: number;
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
/** A smaller difference may come from a clock that is slightly off. */
const leastRedatingMs = minuteMs;
/** The share of the last rate that is kept when fewer trades arrive. */
const rateMemory = 0.8;

/**
 * Fetches the newest trades and adds them to the tape. Pages are large enough to overlap at the current trade rate. If a page
 * does not reach back to the last tape, though the exchange has more, the largest page is requested. The tape starts over,
 * with a gap below its oldest trade, when the other interface answers, whose ids may differ, or the exchange sets its
 * clock or begins its ids again. After an empty page, a full one may lack trades: it has a gap at its end. Rejects like `exchange.trades`.
 */
export async function fetchTape(
	exchange: Exchange,
	{symbol, last, now, call, least = 0}: TapeRequest,
): Promise<TapeAnswer> {
	const limit = Math.max(last && last.data.trades.length > 0 ? pageSize(last, now) : firstPage, least);
	const page = await exchange.trades(symbol, {...call, limit});
	if (!last) return extended(page, limit, undefined, mergeTape(emptyTape, page.data));
	const continues = page.interface === last.interface && !isRedated(last.data, page.data);
	const previous = continues ? last : undefined;
	const before = previous?.data ?? emptyTape;
	const merged = mergeTape(before, page.data);
	const reachesBack = before.trades.length > 0 && !hasNewGap(before, merged);
	const needsMore = !reachesBack && !isWhole(page, limit) && limit < largestPage;
	const wide = needsMore ? await widerPage(exchange, symbol, call) : undefined;
	const isWider = wide?.interface === page.interface;
	const answer = isWider
		? extended(wide, largestPage, previous, mergeTape(merged, wide.data))
		: extended(page, limit, previous, merged);
	const hadTrades = last.data.trades.length > 0;
	const startsOver = previous === undefined && hadTrades;
	// Since an empty answer, more trades than the page holds can have happened.
	const isCut = !hadTrades && !(isWider ? isWhole(wide, largestPage) : isWhole(page, limit));
	return startsOver || isCut ? {...answer, data: brokenOff(answer.data)} : answer;
}

/** Whether the exchange has no trades but these. */
const isWhole = (page: TradePage, limit: number): boolean => page.data.length + page.dropped < limit;

/**
 * Whether the exchange has set its clock, or begun its ids again as after a restart, between the tape and the page: trades
 * come a second time with other times. Where they share none, the page's newest trade is much older than the tape's.
 */
export function isRedated(tape: Tape, page: readonly Trade[]): boolean {
	const [last] = tape.trades;
	const [newest] = page;
	if (!last || !newest) return false;
	const shared = sharedTrades(tape, page);
	const [first] = shared;
	if (!first) return (renamedApart(tape, page) ?? last.time - newest.time) >= leastRedatingMs;
	const apartMs = Math.abs(first.known.time - first.again.time);
	// A page that goes on from the tape has its last trade, too.
	const isBegunAgain = first.known !== last && apartMs > 0 && newest.time > last.time;
	const isNewAgain = ({known, again}: (typeof shared)[number]) =>
		again.time > last.time && again.time - known.time >= leastRedatingMs;
	return apartMs >= leastRedatingMs || isBegunAgain || shared.some(isNewAgain);
}

/** Ms between the two times of the newest shared trade, where keys contain the time; undefined: there is none. */
function renamedApart({trades}: Tape, page: readonly Trade[]): number | undefined {
	const times = new Map(page.map(trade => [fillText(trade), trade.time]));
	// A page shares trades only with the newest part of the tape.
	for (const trade of trades.slice(0, page.length)) {
		const time = times.get(fillText(trade));
		if (time !== undefined) return Math.abs(time - trade.time);
	}

	return undefined;
}

/** Requests the largest page. Undefined if that fails, as the smaller page will do. */
async function widerPage(exchange: Exchange, symbol: string, call: CallOptions): Promise<TradePage | undefined> {
	try {
		return await exchange.trades(symbol, {...call, limit: largestPage});
	} catch (error) {
		if (error instanceof ExchangeError) return undefined;
		throw error;
	}
}

/** `data`: the last tape with the trades of `page`. */
function extended(page: TradePage, limit: number, previous: TapeAnswer | undefined, data: Tape): TapeAnswer {
	const rate = tradeRate(page, previous);
	// A page shorter than its limit shows the most that the exchange sends; an empty one shows nothing.
	const isShort = page.data.length > 0 && isWhole(page, limit);
	const most = isShort ? page.data.length : largestPage;
	const wantedMs = rate > 0 ? Math.max((most * wantedFill * 1000) / rate, soonestMs) : Number.POSITIVE_INFINITY;
	return {...page, data, rate, lost: hasNewGap(previous?.data ?? emptyTape, data), wantedMs};
}

function hasNewGap(before: Tape, after: Tape): boolean {
	return after.gaps.difference(before.gaps).size > 0;
}

function pageSize(last: TapeAnswer, now: number): number {
	if (last.lost) return largestPage;
	const expected = last.rate * (Math.max(now - last.receivedAt, 0) / 1000);
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
