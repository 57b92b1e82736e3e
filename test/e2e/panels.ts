import {expect} from 'vitest';

export const rowOf = (text: readonly string[], pattern: RegExp): number => text.findIndex(row => pattern.test(row));

export const numberOf = (text = ''): number => Number(text.replaceAll(',', ''));

type ShownLevel = {
	readonly price: number;
	readonly size: number;
	/** 0 where it is less than its digits can show. */
	readonly sum: number;
	/** The most that the sum's digits are rounded by. */
	readonly rounding: number;
};
type ShownBook = Record<'asks' | 'bids', readonly ShownLevel[]>;

const thousands: Readonly<Record<string, number>> = {k: 1e3, M: 1e6, B: 1e9};

/** The levels of the ladder that has the focus, best first. */
export function shownBook(text: readonly string[]): ShownBook {
	const spread = rowOf(text, /┃── spread/);
	const levels = (rows: readonly string[]): ShownLevel[] =>
		rows.flatMap(row => {
			const [, price, size, less, digits = '', unit = ''] =
				/┃ ([\d,]+\.\d\d) +([\d,.]+) +(<?)([\d,.]+)(?: ([kMB]))? .*┃$/.exec(row) ?? [];
			if (price === undefined) return [];
			const times = thousands[unit] ?? 1;
			const rounding = (0.5 * times) / 10 ** (digits.split('.')[1]?.length ?? 0);
			const sum = less ? 0 : numberOf(digits) * times;
			return {price: numberOf(price), size: numberOf(size), sum, rounding};
		});
	return {asks: levels(text.slice(0, spread).toReversed()), bids: levels(text.slice(spread + 1))};
}

/** The levels whose sum is not that of the levels up to them, but for the digits that it has no room for. */
export function misadded({asks, bids}: ShownBook, worth: (level: ShownLevel) => number): readonly ShownLevel[] {
	return [asks, bids].flatMap(side => {
		let total = 0;
		return side.filter(level => {
			total += worth(level);
			return Math.abs(level.sum - total) > level.rounding * (1 + 1e-6);
		});
	});
}

/** What a fill of so much base asset says: its average price, and how far that is from the best. */
export function costOf(size: number, levels: readonly ShownLevel[]): string {
	let left = size;
	let quote = 0;
	for (const level of levels) {
		const taken = Math.min(left, level.size);
		quote += taken * level.price;
		left -= taken;
	}

	expect(left).toBe(0);
	const average = quote / size;
	const points = Math.abs(average / (levels[0]?.price ?? Number.NaN) - 1) * 10_000;
	const price = average.toLocaleString('en-US', {minimumFractionDigits: 2, maximumFractionDigits: 2});
	return `${price}  ${points > 0 && points < 0.01 ? '<0.01' : points.toFixed(2)} bp`;
}

export type ShownTrade = {
	readonly time: string;
	readonly side: string;
	readonly price: number;
	readonly size: number;
	readonly fills: number;
};

/** The trades of the tape that has the focus, newest first. */
export const shownTrades = (text: readonly string[]): readonly ShownTrade[] =>
	text.flatMap(row => {
		const found = /┃ (\d\d:\d\d:\d\d) ([▲▼]) +([\d,.]+) +([\d,.]+)[^×]*(?:×(\d+) .*)?┃$/.exec(row);
		if (!found) return [];
		const [, time = '', side = '', price, size, fills = '1'] = found;
		return {time, side, price: numberOf(price), size: numberOf(size), fills: Number(fills)};
	});

/** How much was traded in how many fills in every second after `time`, at each price and by each side. */
export function ordersAfter(time: string, trades: readonly ShownTrade[]): Readonly<Record<string, string>> {
	const orders = Map.groupBy(
		trades.filter(trade => trade.time > time),
		trade => `${trade.time} ${trade.side} ${trade.price}`,
	);
	const total = (same: readonly ShownTrade[], of: 'size' | 'fills') => same.reduce((sum, trade) => sum + trade[of], 0);
	return Object.fromEntries(
		[...orders].map(([order, same]) => [order, `${total(same, 'size').toFixed(8)} in ${total(same, 'fills')}`]),
	);
}
