import {indexAtTime} from './candle-groups.ts';
import {startAfter} from './candles.ts';
import type {Candle, Period} from './types.ts';

/** Steps of time, one after the other, each of one period. */
export type Steps = {
	/** Start of the first one, epoch ms. */
	readonly from: number;
	readonly period: Period;
	readonly count: number;
};

/** The start of each step, epoch ms. */
export const stepStarts = ({from, period, count}: Steps): readonly number[] =>
	Array.from({length: count}, (_, step) => startAfter(from, period, step));

/**
 * A market's price at the end of each step, from its candles (oldest first). Where it did not trade it keeps its last price;
 * undefined before its first candle.
 */
export function stepPrices(candles: readonly Candle[], steps: Steps): ReadonlyArray<number | undefined> {
	let next = indexAtTime(candles, startAfter(steps.from, steps.period) - 1);
	return stepStarts(steps).map(start => {
		const end = startAfter(start, steps.period);
		while ((candles[next + 1]?.time ?? Infinity) < end) next++;
		return candles[next]?.close;
	});
}

/** The price at the end of the step that begins at `start`, epoch ms. */
export const priceAtStep = (candles: readonly Candle[], start: number, period: Period): number | undefined =>
	stepPrices(candles, {from: start, period, count: 1})[0];

/**
 * The change in percent from `base`; undefined if one of the prices is unknown, the base is no price to compare with, or no number
 * is so large.
 */
export function changeSince(base: number | undefined, price: number | undefined): number | undefined {
	if (price === undefined || !base) return undefined;
	const percent = price === base ? 0 : (price / base - 1) * 100;
	return Number.isFinite(percent) ? percent : undefined;
}
