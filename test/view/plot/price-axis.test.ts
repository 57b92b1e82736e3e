import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	createPriceLabels,
	createTickedScale,
	enclosingTicks,
	logTicks,
	roundTicks,
} from '../../../source/view/plot/price-axis.ts';
import {createPriceScale} from '../../../source/view/plot/price-scale.ts';
import {anyRange} from './ranges.ts';

const labelsOf = (price: number, decimals: number, ascii = false) =>
	createPriceLabels({
		candles: [{time: 0, open: price, high: price, low: price, close: price, volume: 1}],
		decimals,
		ascii,
	});

test('round prices have the decimals of their step and the decimal point of the last price', () => {
	const labels = labelsOf(61_824.01, 2);
	expect([labels.price(61_824.01), labels.tick(62_000, 0), labels.tick(61_999.5, 1)]).toEqual([
		'61,824.01',
		'62,000   ',
		'61,999.5 ',
	]);
});

test('the width stays while the price moves, until it gains or loses a digit', () => {
	expect([10_000, 55_555.55, 99_999.99, 100_000, 9999.99].map(price => labelsOf(price, 2).width)).toEqual([
		9, 9, 9, 10, 8,
	]);
});

test('a small price that would need a wide axis counts its zeros, in every label', () => {
	const labels = labelsOf(1.23e-10, 13);
	const ascii = labelsOf(1.23e-10, 13, true);
	expect([labels.width, labels.price(1.23e-10), labels.tick(1.2e-10, 11)]).toEqual([8, '0.0₉1230', '0.0₉1200']);
	expect([ascii.width, ascii.price(1.23e-10), ascii.tick(1.2e-10, 11)]).toEqual([10, '0.0(9)1230', '0.0(9)1200']);
});

test('a price with more digits than its decimals is not rounded and has room', () => {
	const labels = labelsOf(0.123456, 2);
	expect([labels.price(0.123456), labels.width]).toEqual(['0.123456', 8]);
});

test('from 1e-10 to 1e9 all labels have their point in one column and no exponent, and none is wider than the axis', () => {
	const anyPrice = fc.integer({min: 0, max: 10}).chain(decimals =>
		fc.record({
			decimals: fc.constant(decimals),
			price: fc
				.integer({min: 1, max: Math.min(10 ** (decimals + 9), 10 ** 15)})
				.map(steps => Number(`${steps}e-${decimals}`)),
		}),
	);
	fc.assert(
		fc.property(anyPrice, fc.boolean(), fc.nat(10), ({price, decimals}, ascii, coarser) => {
			const labels = labelsOf(price, decimals, ascii);
			const tickDecimals = Math.max(decimals - coarser, 0);
			const tick = Number(price.toFixed(tickDecimals));
			const [last, round] = [labels.price(price), labels.tick(tick, tickDecimals)].map(text =>
				text.padStart(labels.width),
			);
			expect(last?.length).toBe(labels.width);
			expect(`${last}${round}`).toMatch(/^[\d ,.()₀-₉]+$/);
			const isShort = /[₀-₉(]/.test(last ?? '');
			const pointOf = (text = '') => (text.includes('.') ? text.indexOf('.') : text.trimEnd().length);
			if (!isShort && tick <= price) expect(pointOf(round)).toBe(pointOf(last));
		}),
	);
});

describe('round prices of a logarithmic scale', () => {
	test.each([
		[{low: 1, high: 10_000, rows: 20}, [10_000, 1000, 100, 10, 1]],
		[{low: 1, high: 100, rows: 20}, [100, 50, 20, 10, 5, 2, 1]],
		[{low: 57_000, high: 60_000, rows: 10}, [60_000, 59_000, 58_000, 57_000]],
	])('label %j at round prices', ({low, high, rows}, values) => {
		const scale = createPriceScale({low, high, rows, decimals: 2, log: true});
		expect(logTicks(scale, 2, 2).values).toEqual(values);
	});

	test('stand apart, inside, with digits that the price has', () => {
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
	const cents = enclosingTicks(312.27, 312.47, 20, 2).values;
	expect([cents.length, cents[0], cents.at(-1)]).toEqual([21, 312.47, 312.27]);
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

describe('createTickedScale', () => {
	const apart = 3;

	test('has its round prices equally many rows apart, covers the range, and leaves over 30 % of it at most', () => {
		fc.assert(
			fc.property(anyRange, fc.integer({min: 8, max: 60}), ({low, high, decimals}, rows) => {
				const scale = createTickedScale({low, high, rows, decimals}, apart);
				const {values} = scale.ticks;
				const ticked = values.map(value => scale.rowOf(value));
				const distances = new Set(ticked.slice(1).map((row, index) => row - (ticked[index] ?? 0)));
				expect([...distances].filter(distance => distance < apart)).toEqual([]);
				expect(distances.size).toBeLessThanOrEqual(1);
				expect([scale.top >= high, scale.bottom <= low]).toEqual([true, true]);
				const {top, bottom} = createPriceScale({low, high, rows, decimals});
				expect((top - bottom) / (scale.top - scale.bottom)).toBeGreaterThanOrEqual(0.7);
			}),
		);
	});

	test('of prices near zero does not go below it', () => {
		const scale = createTickedScale({low: 1e-8, high: 9e-8, rows: 20, decimals: 8}, apart);
		expect(scale.bottom).toBeGreaterThanOrEqual(0);
		expect(scale.ticks.values).toEqual([8e-8, 6e-8, 4e-8, 2e-8]);
	});
});
