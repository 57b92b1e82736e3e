import type {Trade} from '../market/types.ts';
import {distinct} from './decode.ts';

/** Newest first by time, then by id as a number; the first of each id. */
export const toTradeList = (trades: readonly Trade[]): Trade[] => distinct(trades, trade => trade.id).sort(newestFirst);

function newestFirst(a: Trade, b: Trade): number {
	if (a.time !== b.time) return b.time - a.time;
	// Ids can pass 2^53.
	const [first, second] = [BigInt(a.id), BigInt(b.id)];
	return first === second ? 0 : first < second ? 1 : -1;
}

/** The `limit` to send: 1 to 1000, or nothing. */
export const toLimit = (limit: number | undefined): number | undefined =>
	limit === undefined || Number.isNaN(limit) ? undefined : Math.min(Math.max(Math.trunc(limit), 1), 1000);
