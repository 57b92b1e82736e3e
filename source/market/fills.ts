import {sumDecimals} from './precision.ts';
import {type Tape, tradeKey} from './tape.ts';
import type {Trade} from './types.ts';

/** One or more trades shown as one: the newest of them, with the quantity of all. */
export type Fills = Trade & {
	/** How many trades it stands for; absent: one. */
	readonly fills?: number | undefined;
};

/**
 * Trades of one instant, price and side as one, where the newest of them stood: an order that took several others. Never
 * across a gap.
 */
export function mergeFills({trades, gaps}: Tape): readonly Fills[] {
	const merged: Fills[] = [];
	let start = 0;
	for (const [index, trade] of trades.entries()) {
		if (trades[index + 1]?.time === trade.time && !gaps.has(tradeKey(trade))) continue;
		if (start === index) merged.push(trade);
		else merged.push(...ordersOf(trades.slice(start, index + 1)));
		start = index + 1;
	}

	return merged;
}

/** `trades` of one instant. */
function ordersOf(trades: readonly Trade[]): readonly Fills[] {
	const orders: Trade[][] = [];
	for (const trade of trades) {
		const same = orders.find(([first]) => first && isSameOrder(first, trade));
		if (same) same.push(trade);
		else orders.push([trade]);
	}

	return orders.flatMap(order => {
		const [newest] = order;
		if (!newest || order.length === 1) return newest ?? [];
		return {...newest, quantity: sumDecimals(order.map(({quantity}) => quantity)), fills: order.length};
	});
}

const isSameOrder = (a: Trade, b: Trade): boolean =>
	a.price === b.price && a.side === b.side && a.sideText === b.sideText;
