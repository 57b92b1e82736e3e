import fc from 'fast-check';
import type {CandleSeries} from '../../source/market/candles.ts';
import type {Candle, Period} from '../../source/market/types.ts';

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

export type WalkOptions = {
	readonly count: number;
	/** Opening price of the first candle. */
	readonly price: number;
	readonly decimals: number;
	/** Share of the price that a candle may move by. */
	readonly volatility: number;
	/** Epoch ms of the newest candle's start. */
	readonly newest: number;
	/** Default 60. */
	readonly period?: Period;
	/** Default 1. */
	readonly seed?: number;
};

/** A seeded random walk of candles that join each other. The same options give the same candles. */
export function walk(options: WalkOptions): CandleSeries {
	const {count, price, decimals, volatility, newest, period = 60, seed = 1} = options;
	const random = seeded(seed);
	const least = 10 ** -decimals;
	const round = (value: number): number => Number(Math.max(value, least).toFixed(decimals));
	const candles: Candle[] = [];
	let open = round(price);
	for (let index = 0; index < count; index++) {
		const move = () => open * volatility * (random() - 0.5) * 2;
		const close = round(open + move());
		const high = round(Math.max(open, close) + Math.abs(move()) / 2);
		const low = round(Math.min(open, close) - Math.abs(move()) / 2);
		const volume = Number((random() ** 3 * 400).toFixed(3));
		const time = newest - (count - 1 - index) * period * 60_000;
		candles.push({time, open, high, low, close, volume});
		open = close;
	}

	return {period, candles, builtFrom: 'exchange'};
}

/** Any series that an exchange could send: prices of one size, 1e-12 to 1e12, candles missing here and there. */
export const anySeries: fc.Arbitrary<CandleSeries> = fc
	.record({
		size: fc.integer({min: -12, max: 12}),
		period: fc.constantFrom(1, 7, 60, 1440, 10_080),
		start: fc.integer({min: 0, max: 2 ** 40}),
		steps: fc.array(
			fc.record({
				skipped: fc.oneof(
					{weight: 8, arbitrary: fc.constant(0)},
					{weight: 1, arbitrary: fc.integer({min: 1, max: 90})},
				),
				prices: fc.array(fc.integer({min: 1, max: 99_999}), {minLength: 4, maxLength: 4}),
				volume: fc.oneof(fc.constant(0), fc.double({min: 1e-9, max: 1e9, noNaN: true})),
			}),
			{maxLength: 60},
		),
	})
	.map(({size, period, start, steps}) => {
		const candles: Candle[] = [];
		let time = start * 1000;
		for (const {skipped, prices, volume} of steps) {
			time += (skipped + 1) * period * 60_000;
			const [low = 1, open = 1, close = 1, high = 1] = sortedEnds(prices).map(price => Number(`${price}e${size - 4}`));
			candles.push({time, open, high, low, close, volume});
		}

		return {period, candles, builtFrom: 'exchange'};
	});

/** The least first, the greatest last, the two between as they come. */
function sortedEnds(prices: readonly number[]): readonly number[] {
	const least = Math.min(...prices);
	const greatest = Math.max(...prices);
	const between = [...prices];
	between.splice(between.indexOf(least), 1);
	between.splice(between.indexOf(greatest), 1);
	return [least, ...between, greatest];
}
