import {ExchangeError} from '../client/errors.ts';
import type {Answer, CallOptions, Exchange} from '../client/exchange.ts';
import {emptyTape, mergeTape, type Tape} from '../market/tape.ts';
import type {Trade} from '../market/types.ts';

type TradePage = Answer<readonly Trade[]>;

export type TapeAnswer = Answer<Tape> & {
	/** Trades a second, as lately seen: how large the next page must be. */
	readonly rate: number;
};

type TapeRequest = {
	readonly symbol: string;
	/** The last answer for this symbol; absent: none yet. */
	readonly last: TapeAnswer | undefined;
	/** Epoch ms. */
	readonly now: number;
	readonly call: CallOptions;
};

const firstPage = 500;
const smallestPage = 50;
const largestPage = 1000;
/** How many times the expected number of new trades is asked for, so that pages overlap in a burst. */
const margin = 4;
/** How much of the last rate is still believed when fewer trades come. */
const rateMemory = 0.8;

/**
 * The tape with the newest trades added. Pages are as large as the trade rate needs them to overlap; one that does
 * not reach back to the known trades, though the exchange has more, is asked for again at the largest size. Ids of
 * the two interfaces need not agree, so the tape begins anew when the other one answers. Rejects like
 * `exchange.trades`.
 */
export async function fetchTape(exchange: Exchange, {symbol, last, now, call}: TapeRequest): Promise<TapeAnswer> {
	const limit = last && last.data.trades.length > 0 ? pageSize(last, now) : firstPage;
	const page = await exchange.trades(symbol, {...call, limit});
	if (!last) return withRate(page, emptyTape, undefined);
	const previous = page.interface === last.interface ? last : undefined;
	const known = previous?.data ?? emptyTape;
	const reachesBack = previous !== undefined && !hasNewGap(known, mergeTape(known, page.data));
	const isWhole = page.data.length + page.dropped < limit;
	if (reachesBack || isWhole || limit === largestPage) return withRate(page, known, previous);
	const wider = await widerPage(exchange, symbol, call);
	if (wider?.interface !== page.interface) return withRate(page, known, previous);
	return withRate(wider, mergeTape(known, page.data), previous);
}

/** Absent when it fails: the page that it was to widen is good by itself. */
async function widerPage(exchange: Exchange, symbol: string, call: CallOptions): Promise<TradePage | undefined> {
	try {
		return await exchange.trades(symbol, {...call, limit: largestPage});
	} catch (error) {
		if (error instanceof ExchangeError) return undefined;
		throw error;
	}
}

function withRate(page: TradePage, known: Tape, previous: TapeAnswer | undefined): TapeAnswer {
	return {...page, data: mergeTape(known, page.data), rate: tradeRate(page, previous)};
}

function hasNewGap(before: Tape, after: Tape): boolean {
	return after.gaps.difference(before.gaps).size > 0;
}

function pageSize(last: TapeAnswer, now: number): number {
	const expected = last.rate * (Math.max(now - last.receivedAt, 0) / 1000);
	return Math.min(Math.max(Math.ceil(expected * margin), smallestPage), largestPage);
}

function tradeRate(page: TradePage, previous: TapeAnswer | undefined): number {
	if (previous) {
		const newest = previous.data.trades[0];
		const known = page.data.findIndex(trade => trade.id === newest?.id);
		const fresh = known === -1 ? page.data.length : known;
		return Math.max(perSecond(fresh, page.receivedAt - previous.receivedAt), previous.rate * rateMemory);
	}

	const [newest] = page.data;
	const oldest = page.data.at(-1);
	return newest && oldest ? perSecond(page.data.length, newest.time - oldest.time) : 0;
}

/** Over at least one second: a shorter time says little. */
function perSecond(count: number, ms: number): number {
	return (count * 1000) / Math.max(ms, 1000);
}
