import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createPriceScale, createRangeFitter} from '../../../source/view/plot/price-scale.ts';
import {anyRange} from './ranges.ts';

const anyRows = fc.integer({min: 1, max: 100});

describe('createPriceScale', () => {
	test('finds each row, and each part of a row, again by the price that stands in its middle', () => {
		const anyParts = fc.constantFrom(1, 2, 4, 8);
		fc.assert(
			fc.property(anyRange, anyRows, anyParts, fc.boolean(), (range, rows, parts, log) => {
				const scale = createPriceScale({...range, rows, log});
				for (let part = 0; part < rows * parts; part++) {
					expect(scale.rowOf(scale.priceAt((part + 0.5) / parts), parts)).toBe(part);
				}
			}),
		);
	});

	test('finds a price again by the rows down to it', () => {
		fc.assert(
			fc.property(anyRange, anyRows, fc.double({min: 0, max: 1, noNaN: true}), (range, rows, at) => {
				const scale = createPriceScale({...range, rows});
				const price = scale.bottom + (scale.top - scale.bottom) * at;
				const step = (scale.top - scale.bottom) / rows;
				expect(Math.abs(scale.priceAt(scale.rowsTo(price)) - price)).toBeLessThanOrEqual(step * 1e-6);
			}),
		);
	});

	test('has a row for every price where a range has no number between its ends, or ends at the largest', () => {
		const rowsOf = (low: number, high: number, log = false) => {
			const range = createRangeFitter()({low, high}, {name: '', log});
			const scale = createPriceScale({...range, rows: 10, decimals: 0, log});
			return [low, high].map(price => scale.rowOf(price));
		};
		expect([
			rowsOf(5e-324, 5e-324),
			rowsOf(1, Number.MAX_VALUE),
			rowsOf(1, Number.MAX_VALUE, true),
			rowsOf(1e308, Number.MAX_VALUE),
			rowsOf(-Number.MAX_VALUE, Number.MAX_VALUE),
		]).toEqual([
			[5, 5],
			[9, 0],
			[9, 0],
			[0, 0],
			[9, 0],
		]);
	});

	test.each([
		{inset: 0.25, rowsTo: [0.25, 9.75], halfRows: [0, 0, 1, 18, 19, 19]},
		{inset: 0.5, rowsTo: [0.5, 9.5], halfRows: [0, 1, 1, 18, 19, 19]},
		{inset: 0, rowsTo: [0, 10], halfRows: [0, 0, 1, 18, 19, 19]},
	])('puts its ends $inset rows from the edges, and prices beyond them into the last rows', ({inset, ...expected}) => {
		const scale = createPriceScale({low: 100, high: 119, rows: 10, decimals: 2, inset});
		const halfRows = [500, 119, 118, 101, 100, 1].map(price => scale.rowOf(price, 2));
		expect({rowsTo: [119, 100].map(scale.rowsTo), halfRows}).toEqual(expected);
	});

	test('puts a price that does not move in the middle of a few of its smallest steps', () => {
		const {top, bottom, rowOf} = createPriceScale({low: 100, high: 100, rows: 10, decimals: 2});
		expect({top, bottom, halfRow: rowOf(100, 2)}).toEqual({top: 100.05, bottom: 99.95, halfRow: 10});
	});

	test('stays above zero around a flat price near zero', () => {
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

	test('is linear where a price is not above zero', () => {
		const range = {low: 0, high: 10, rows: 10, decimals: 2};
		const [log, plain] = [createPriceScale({...range, log: true}), createPriceScale(range)];
		expect([2, 5, 9].map(log.rowsTo)).toEqual([2, 5, 9].map(plain.rowsTo));
	});
});

const linear = {name: 'candles', log: false};

describe('createRangeFitter', () => {
	test('stays with its range while prices fit into it and fill most of it', () => {
		const fitRange = createRangeFitter();
		const first = fitRange({low: 100, high: 200}, linear);
		expect(first).toEqual({low: 98, high: 202});
		expect(fitRange({low: 99, high: 201}, linear)).toBe(first);
		expect(fitRange({low: 120, high: 190}, linear)).toBe(first);
	});

	test('moves when a price leaves it, when it is mostly empty, and when another chart is drawn', () => {
		const fitRange = createRangeFitter();
		const first = fitRange({low: 100, high: 200}, linear);
		expect(fitRange({low: 100, high: 205}, linear)).toEqual({low: 97.9, high: 207.1});
		expect(fitRange({low: 140, high: 160}, linear)).toEqual({low: 139.6, high: 160.4});
		expect(fitRange({low: 139.7, high: 160}, {...linear, name: 'line'})).not.toEqual(first);
	});

	test('always contains the needed prices, and none below zero', () => {
		const anyWanted = fc
			.tuple(fc.double({min: 1e-10, max: 1e9, noNaN: true}), fc.double({min: 1, max: 3, noNaN: true}))
			.map(([low, ratio]) => ({low, high: low * ratio}));
		fc.assert(
			fc.property(fc.array(anyWanted, {minLength: 1, maxLength: 20}), fc.boolean(), (all, log) => {
				const fitRange = createRangeFitter();
				for (const wanted of all) {
					const {low, high} = fitRange(wanted, {name: 'candles', log});
					expect(low).toBeGreaterThan(0);
					expect(low).toBeLessThanOrEqual(wanted.low * (1 + 1e-9));
					expect(high).toBeGreaterThanOrEqual(wanted.high * (1 - 1e-9));
				}
			}),
		);
	});
});
