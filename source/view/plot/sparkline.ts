import type {Size} from '../../format/cells.ts';
import {clamp} from '../../market/numbers.ts';
import {changeTone, type Line, type Tone} from '../line.ts';
import {barLevels} from './canvas.ts';
import type {PriceRange} from './price-scale.ts';
import type {TapeTrend} from './tape-trend.ts';

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
	prices: TapeTrend['values'],
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
export const trendTone = (prices: readonly number[]): Tone => changeTone((prices.at(-1) ?? 0) - (prices[0] ?? 0));
