import {sumDecimals} from './precision.ts';
import type {Tape} from './tape.ts';
import type {Trade} from './types.ts';

/** One or more trades shown as one: the newest of them, with the quantity of all. */
export type Fills = Trade & {
	/** How many trades it stands for. */
	readonly fills: number;
};

/**
 * Trades of one instant, price and side as one, where the newest of them stood: an order that took several others. Never
 * across a gap.
 */
export function mergeFills({trades, gaps}: Tape): readonly Fills[] {
	const merged: Trade[][] = [];
	let instant: Trade[][] = [];
	let time: number | undefined;
	for (const trade of trades) {
		if (trade.time !== time) instant = [];
		time = trade.time;
		const same = instant.find(([first]) => first && isSameOrder(first, trade));
		if (same) same.push(trade);
		else {
			const group = [trade];
			instant.push(group);
			merged.push(group);
		}

		if (gaps.has(trade.id)) instant = [];
	}

	return merged.flatMap(group => asOne(group) ?? []);
}

const isSameOrder = (a: Trade, b: Trade): boolean =>
	a.price === b.price && a.side === b.side && a.sideText === b.sideText;

function asOne(group: readonly Trade[]): Fills | undefined {
	const [newest] = group;
	if (!newest) return undefined;
	if (group.length === 1) return {...newest, fills: 1};
	return {...newest, quantity: sumDecimals(group.map(({quantity}) => quantity)), fills: group.length};
}
