import type {Size} from '../../format/cells.ts';
import {clamp} from '../../market/numbers.ts';
import {type Tape, tradeKey} from '../../market/tape.ts';
import type {Trade} from '../../market/types.ts';
import {dayMs, hourMs, minuteMs, secondMs} from '../../market/units.ts';
import type {Line, Tone} from '../line.ts';
import {barLevels} from './canvas.ts';
import type {PriceRange} from './price-scale.ts';

/** Times that one column can cover. In steps, so that a growing tape does not move every column with every trade. */
const steps = [
	...[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30].map(count => count * secondMs),
	...[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30].map(count => count * minuteMs),
	...[1, 2, 3, 4, 6, 8, 12].map(count => count * hourMs),
	...[1, 2, 3].map(count => count * dayMs),
];

const widestStep = 7 * dayMs;

/** Shorter steps, in ms, for a curve that is to fill its columns soon. */
const fineSteps = [50, 100, 200, 250, 500];

export type PriceTrend = {
	/** Time that one column covers. */
	readonly stepMs: number;
	/** The last price of each column, oldest first; undefined where trades may be missing. */
	readonly prices: ReadonlyArray<number | undefined>;
};

/**
 * The prices of a tape in at most `columns` columns of equal time, ending with the newest trade. A column without a trade
 * keeps the previous price, unless trades may be missing there.
 */
export function priceTrend({trades, gaps}: Tape, columns: number): PriceTrend {
	const {stepMs, columnOf} = timeColumns(trades, columns);
	const prices: (number | undefined)[] = [];
	let before: Trade | undefined;
	for (const trade of trades.toReversed()) {
		const column = columnOf(trade.time);
		// A trade before the first column gives the price that the first column starts with.
		// Most tapes have no gap, and keys of thousands of trades take long.
		const kept = gaps.size > 0 && gaps.has(tradeKey(trade)) ? undefined : before?.price;
		while (prices.length < column) prices.push(kept);
		if (column >= 0) prices[column] = trade.price;
		before = trade;
	}

	return {stepMs, prices};
}

type TimeColumns = {
	/** Time that one column covers. */
	readonly stepMs: number;
	/** The column of a time, counted from the first; below 0: before it. */
	readonly columnOf: (time: number) => number;
};

/** At most `columns` columns of equal time that end with the newest of these trades (newest first); of a second or more, unless `fine`. */
export function timeColumns(trades: readonly Trade[], columns: number, fine = false): TimeColumns {
	const newest = trades[0]?.time ?? 0;
	const oldest = trades.at(-1)?.time ?? newest;
	const fits = (stepMs: number) => Math.floor(newest / stepMs) - Math.floor(oldest / stepMs) < columns;
	const stepMs = (fine ? fineSteps.find(fits) : undefined) ?? steps.find(fits) ?? widestStep;
	const first = Math.max(Math.floor(oldest / stepMs), Math.floor(newest / stepMs) - columns + 1);
	return {stepMs, columnOf: time => Math.floor(time / stepMs) - first};
}

/** The lowest and the highest of some prices; infinite: there is none. */
export function priceRange(prices: Iterable<number>): PriceRange {
	let [low, high] = [Infinity, -Infinity];
	for (const price of prices) {
		low = Math.min(low, price);
		high = Math.max(high, price);
	}

	return {low, high};
}

/**
 * Bars scaled over a range, by default from the lowest price to the highest, with the newest at the right end. If the price
 * never moved, they are half high.
 */
export function sparkline(
	prices: PriceTrend['prices'],
	size: Size,
	ascii: boolean,
	scale?: PriceRange | undefined,
): readonly Line[] {
	const bars = [' ', ...barLevels(ascii)];
	const full = bars.length - 1;
	const paid = prices.filter(price => price !== undefined);
	const {low: lowest, high: highest} = scale ?? priceRange(paid);
	const range = highest - lowest;
	const levels = size.rows * full;
	const levelOf = (price: number) =>
		range > 0 ? 1 + Math.round(((price - lowest) / range) * (levels - 1)) : Math.ceil(levels / 2);
	const cell = (price: number | undefined, rowsBelow: number) =>
		price === undefined ? ' ' : (bars[clamp(levelOf(price) - rowsBelow * full, 0, full)] ?? '');
	const tone = trendTone(paid);
	return Array.from({length: size.rows}, (_, row) => {
		const text = prices.map(price => cell(price, size.rows - 1 - row)).join('');
		return [{text: text.padStart(size.columns), tone}];
	});
}

/** The tone of a price that went from the first of these to the last. */
export function trendTone(prices: readonly number[]): Tone {
	const change = (prices.at(-1) ?? 0) - (prices[0] ?? 0);
	return change > 0 ? 'up' : change < 0 ? 'down' : 'muted';
}
