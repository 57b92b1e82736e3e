import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createPriceScale, enclosingTicks, logTicks, roundTicks} from '../../../source/view/plot/price-scale.ts';

const anyRange = fc
	.record({
		exponent: fc.integer({min: -12, max: 9}),
		low: fc.integer({min: 1, max: 100_000}),
		above: fc.integer({min: 0, max: 20_000_000}),
	})
	.map(({exponent, low, above}) => ({
		low: Number(`${low}e${exponent}`),
		high: Number(`${low + above}e${exponent}`),
		decimals: Math.max(-exponent, 0),
	}));

describe('createPriceScale', () => {
	test('a half row stands for a price that stands in that half row', () => {
		fc.assert(
			fc.property(anyRange, fc.integer({min: 1, max: 100}), fc.boolean(), (range, rows, log) => {
				const scale = createPriceScale({...range, rows, log});
				for (let halfRow = 0; halfRow < scale.halfRows; halfRow++) {
					expect(scale.halfRowOf(scale.priceAt(halfRow))).toBe(halfRow);
				}
			}),
		);
	});

	test('a price is at most half a half row away from the price of its half row', () => {
		fc.assert(
			fc.property(
				anyRange,
				fc.integer({min: 1, max: 100}),
				fc.double({min: 0, max: 1, noNaN: true}),
				(range, rows, at) => {
					const scale = createPriceScale({...range, rows});
					const price = scale.bottom + (scale.top - scale.bottom) * at;
					const step = (scale.top - scale.bottom) / (scale.halfRows - 1);
					expect(Math.abs(scale.priceAt(scale.halfRowOf(price)) - price)).toBeLessThanOrEqual(step * 0.500001);
				},
			),
		);
	});

	test('the highest price is in the first half row and the lowest in the last, and prices beyond them stay there', () => {
		const scale = createPriceScale({low: 100, high: 119, rows: 10, decimals: 2});
		expect([500, 119, 118, 101, 100, 1].map(price => scale.halfRowOf(price))).toEqual([0, 0, 1, 18, 19, 19]);
	});

	test('a price that does not move stands in the middle of a few of its smallest steps', () => {
		const {top, bottom, halfRowOf} = createPriceScale({low: 100, high: 100, rows: 10, decimals: 2});
		expect({top, bottom, halfRow: halfRowOf(100)}).toEqual({top: 100.05, bottom: 99.95, halfRow: 10});
	});

	test('a flat price near nothing has no prices below nothing beside it', () => {
		const {top, bottom} = createPriceScale({low: 1e-10, high: 1e-10, rows: 10, decimals: 10});
		expect({top, bottom}).toEqual({top: 1.5e-10, bottom: 0.5e-10});
	});
});

describe('a logarithmic scale', () => {
	test('has equal distances for equal ratios', () => {
		const scale = createPriceScale({low: 1, high: 10_000, rows: 40, decimals: 2, log: true});
		const rows = [1, 10, 100, 1000, 10_000].map(price => scale.rowsTo(price));
		const steps = rows.slice(1).map((row, index) => (rows[index] ?? 0) - row);
		for (const step of steps) expect(step).toBeCloseTo(39.5 / 4, 9);
	});

	test('is a plain one where a price is not above nothing', () => {
		const range = {low: 0, high: 10, rows: 10, decimals: 2};
		const [log, plain] = [createPriceScale({...range, log: true}), createPriceScale(range)];
		expect([2, 5, 9].map(log.rowsTo)).toEqual([2, 5, 9].map(plain.rowsTo));
	});

	test.each([
		[{low: 1, high: 10_000, rows: 20}, [10_000, 1000, 100, 10, 1]],
		[{low: 1, high: 100, rows: 20}, [100, 50, 20, 10, 5, 2, 1]],
		[{low: 57_000, high: 60_000, rows: 10}, [60_000, 59_000, 58_000, 57_000]],
	])('%j is labelled at round prices', ({low, high, rows}, values) => {
		const scale = createPriceScale({low, high, rows, decimals: 2, log: true});
		expect(logTicks(scale, 2, 2).values).toEqual(values);
	});

	test('its labels stand apart, inside, with digits that the price has', () => {
		fc.assert(
			fc.property(anyRange, fc.integer({min: 2, max: 60}), (range, rows) => {
				fc.pre(range.high > range.low * 1.01);
				const scale = createPriceScale({...range, rows, log: true});
				const ticks = logTicks(scale, 2, range.decimals);
				expect(ticks.decimals).toBeLessThanOrEqual(range.decimals);
				const at = ticks.values.map(value => scale.rowsTo(value));
				for (const [index, row] of at.entries()) {
					if (index > 0) expect(row - (at[index - 1] ?? 0)).toBeGreaterThanOrEqual(2 - 1e-9);
				}

				expect(ticks.values.every(value => value >= scale.bottom && value <= scale.top)).toBe(true);
			}),
		);
	});
});

test('enclosing ticks hold the range between the first and the last of them, and no further than a step away', () => {
	const anyEnds = fc
		.tuple(fc.integer({min: -99_999, max: 99_999}), fc.integer({min: 1, max: 99_999}))
		.map(([low, height]) => ({low: low / 100, high: (low + height) / 100}));
	fc.assert(
		fc.property(anyEnds, fc.integer({min: 1, max: 20}), ({low, high}, intervals) => {
			const {values} = enclosingTicks(low, high, intervals, 2);
			const [top = 0, second = 0] = values;
			const step = (top - second) * (1 + 1e-9);
			expect(values.length).toBeLessThanOrEqual(intervals + 2);
			expect(top).toBeGreaterThanOrEqual(high);
			expect(top - high).toBeLessThan(step);
			expect(values.at(-1)).toBeLessThanOrEqual(low);
			expect(low - (values.at(-1) ?? 0)).toBeLessThan(step);
		}),
	);
	expect(enclosingTicks(-2.36, 8.01, 4, 2).values).toEqual([10, 5, 0, -5]);
	expect(enclosingTicks(1, 1, 4, 2).values).toEqual([]);
});

describe('roundTicks', () => {
	test('ticks are whole multiples of 1, 2 or 5 × 10ⁿ inside the range, highest first, no more than fit', () => {
		fc.assert(
			fc.property(anyRange, fc.integer({min: 1, max: 20}), ({low, high, decimals}, intervals) => {
				fc.pre(high > low);
				const ticks = roundTicks(low, high, intervals, decimals);
				expect(ticks.decimals).toBeLessThanOrEqual(decimals);
				expect(ticks.values.length).toBeLessThanOrEqual(intervals + 1);
				expect(ticks.values.every(value => value >= low && value <= high)).toBe(true);
				const steps = ticks.values.slice(1).map((value, index) => (ticks.values[index] ?? 0) - value);
				for (const step of steps) expect(step.toExponential(6)).toMatch(/^[125]\.0{6}e/);
				expect(new Set(steps.map(step => step.toExponential(6))).size).toBeLessThanOrEqual(1);
			}),
		);
	});

	test.each([
		[{min: 57_012.5, max: 60_134.2, intervals: 8, decimals: 2}, [60_000, 59_500, 59_000, 58_500, 58_000, 57_500], 0],
		[{min: 0.1, max: 0.52, intervals: 4, decimals: 4}, [0.4, 0.2], 1],
		[{min: 0.1, max: 0.4, intervals: 3, decimals: 4}, [0.4, 0.3, 0.2, 0.1], 1],
		[{min: 2.71e-10, max: 3.42e-10, intervals: 4, decimals: 13}, [3.4e-10, 3.2e-10, 3e-10, 2.8e-10], 11],
		[{min: 2.1, max: 443.4, intervals: 4, decimals: 4}, [400, 200], 0],
		// The range is narrower than the smallest step of the price: no tick but a price that can be traded.
		[{min: 99.995, max: 100.005, intervals: 8, decimals: 2}, [100], 2],
		[{min: 1, max: 2, intervals: 0, decimals: 2}, [], 0],
	])('%j', ({min, max, intervals, decimals}, values, expectedDecimals) => {
		expect(roundTicks(min, max, intervals, decimals)).toEqual({values, decimals: expectedDecimals});
	});
});
