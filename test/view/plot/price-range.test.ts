import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createRangeFitter} from '../../../source/view/plot/price-range.ts';

const linear = {name: 'candles', log: false};

describe('createRangeFitter', () => {
	test('stays with its range while prices fit into it and fill most of it', () => {
		const fitRange = createRangeFitter();
		const first = fitRange({low: 100, high: 200}, linear);
		expect(first).toEqual({low: 96, high: 204});
		expect(fitRange({low: 97, high: 203}, linear)).toBe(first);
		expect(fitRange({low: 120, high: 190}, linear)).toBe(first);
	});

	test('moves when a price leaves it, when it is mostly empty, and when something else is drawn', () => {
		const fitRange = createRangeFitter();
		const first = fitRange({low: 100, high: 200}, linear);
		expect(fitRange({low: 100, high: 205}, linear)).toEqual({low: 95.8, high: 209.2});
		expect(fitRange({low: 140, high: 160}, linear)).toEqual({low: 139.2, high: 160.8});
		expect(fitRange({low: 139.5, high: 160}, {...linear, name: 'line'})).not.toEqual(first);
	});

	test('always holds what is wanted, and nothing below nothing', () => {
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
