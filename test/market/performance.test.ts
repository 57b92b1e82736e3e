import fc from 'fast-check';
import {expect, test} from 'vitest';
import {changeSince, priceAtStep, stepPrices, stepStarts} from '../../source/market/performance.ts';
import type {Candle} from '../../source/market/types.ts';
import {monthMinutes} from '../../source/market/units.ts';

const candles = (...points: ReadonlyArray<readonly [time: number, close: number]>): readonly Candle[] =>
	points.map(([time, close]) => ({time, open: close, high: close, low: close, close, volume: 1}));
const minuteMs = 60_000;
/** Candles of one minute by their number. */
const minutes = (...points: ReadonlyArray<readonly [minute: number, close: number]>): readonly Candle[] =>
	candles(...points.map(([minute, close]) => [minute * minuteMs, close] as const));

test('a market has a price from its first candle on, and keeps it while it does not trade', () => {
	const steps = {from: 0, period: 1, count: 6};
	expect(stepPrices(minutes([1, 7], [4, 9]), steps)).toEqual([undefined, 7, 7, 7, 9, 9]);
	expect(stepPrices([], steps)).toEqual(Array.from({length: 6}, () => undefined));
});

test('steps of months begin on the first, and have the price of the last candle of the month', () => {
	const steps = {from: Date.UTC(2026, 0), period: monthMinutes, count: 3};
	expect(stepStarts(steps)).toEqual([0, 1, 2].map(month => Date.UTC(2026, month)));
	const days = candles([Date.UTC(2026, 0, 31), 1], [Date.UTC(2026, 1, 1), 2], [Date.UTC(2026, 2, 1), 3]);
	expect(stepPrices(days, steps)).toEqual([1, 2, 3]);
});

test.each([
	[100, 110, 10],
	[0.1 + 0.2, 0.1 + 0.2, 0],
	[undefined, 1, undefined],
	[1, undefined, undefined],
	[0, 1, undefined],
	[1e-10, 1e300, undefined],
])('the change from %s to %s is %s', (base, price, change) => {
	const changed = changeSince(base, price);
	if (change === undefined) expect(changed).toBeUndefined();
	else expect(changed).toBeCloseTo(change, 9);
});

test('the change is 0 at the base, and its price leads back from any change', () => {
	const anyCandles = fc
		.uniqueArray(fc.nat({max: 60}), {minLength: 1, maxLength: 40})
		.chain(times =>
			fc
				.array(fc.integer({min: 1, max: 1000}), {minLength: times.length, maxLength: times.length})
				.map(prices =>
					minutes(...times.sort((a, b) => a - b).map((time, index) => [time, prices[index] ?? 1] as const)),
				),
		);
	fc.assert(
		fc.property(anyCandles, fc.integer({min: 1, max: 7}), fc.nat({max: 20}), (list, period, at) => {
			const steps = {from: 0, period, count: 21};
			const prices = stepPrices(list, steps);
			const base = priceAtStep(list, at * period * minuteMs, period);
			expect(base).toBe(prices[at]);
			const changes = prices.map(price => changeSince(base, price));
			expect(changes[at]).toBe(base === undefined ? undefined : 0);
			for (const [index, change] of changes.entries()) {
				if (change === undefined) expect(base === undefined || prices[index] === undefined).toBe(true);
				else expect((base ?? 0) * (1 + change / 100)).toBeCloseTo(prices[index] ?? Number.NaN, 6);
			}
		}),
	);
});
