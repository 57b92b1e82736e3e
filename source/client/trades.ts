import {compareTrades} from '../market/tape.ts';
import type {Trade} from '../market/types.ts';
import {boundedTo, largestPage} from './bounds.ts';
import {type Decoded, isRecord} from './decode.ts';
import {parseWireTime} from './wire-time.ts';

/**
 * Trades whose id is their own: newest first, the first entry of each id. An entry that repeats an id is left out, and
 * counts as dropped where it says something else.
 */
export function tradesOfIds(trades: readonly Trade[]): Decoded<Trade[]> {
	const byId = new Map<string, Trade>();
	let dropped = 0;
	for (const trade of trades) {
		const known = byId.get(trade.id);
		if (!known) byId.set(trade.id, trade);
		else if (fillText(known) !== fillText(trade) || known.side !== trade.side) dropped++;
	}

	return {data: [...byId.values()].sort(compareTrades), dropped};
}

/**
 * Fills whose id is that of the order: newest first. What is alike in all is a fill of its own, too; such ones are counted,
 * so that two pages which show them agree on how many there are.
 */
export function fillsOfOrders(trades: readonly Trade[]): Trade[] {
	const counts = new Map<string, number>();
	const fills = trades.map(trade => {
		const text = fillText(trade);
		const before = counts.get(text) ?? 0;
		counts.set(text, before + 1);
		return {...trade, key: before === 0 ? text : `${text} ${before}`};
	});
	return fills.sort(compareTrades);
}

const fillText = ({id, time, price, quantity}: Trade): string => `${id} ${time} ${price} ${quantity}`;

/** The newest of the wire's trades or candles, as many as any page is asked to have; `field` holds their time. */
export const newestOf = (entries: readonly unknown[], field: string) =>
	boundedTo(largestPage, entries, entry => -((isRecord(entry) && parseWireTime(entry[field])) || 0));

/** The `limit` to send: 1 to 1000, or nothing. */
export const toLimit = (limit: number | undefined): number | undefined =>
	limit === undefined || Number.isNaN(limit) ? undefined : Math.min(Math.max(Math.trunc(limit), 1), largestPage);
