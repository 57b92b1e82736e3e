import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createPriceScale, type PriceScale, priceInRow, steppedPrice} from '../../../../source/view/plot/price-scale.ts';

/** Scales of every magnitude, from a flat one to one over decades. */
const anyScale = fc
	.record({
		exponent: fc.integer({min: -10, max: 8}),
		digits: fc.integer({min: 1, max: 9999}),
		width: fc.double({min: 0, max: 3, noNaN: true}),
		more: fc.integer({min: 0, max: 5}),
		rows: fc.integer({min: 1, max: 60}),
		log: fc.boolean(),
	})
	.map(({exponent, digits, width, more, rows, log}) => {
		const low = Number(`${digits}e${exponent}`);
		const decimals = Math.max(more - exponent, 0);
		const high = Math.max(Number((low * 10 ** width).toFixed(decimals)), low);
		return {scale: createPriceScale({low, high, rows, decimals, log}), decimals, low, high};
	});

const rowsOf = ({rows}: PriceScale): readonly number[] => Array.from({length: rows}, (_, row) => row);

describe('the price under the cursor', () => {
	test('is in its row, with no more decimals than the market, on any scale', () => {
		fc.assert(
			fc.property(anyScale, ({scale, decimals}) => {
				for (const row of rowsOf(scale)) {
					const price = priceInRow(scale, row, decimals);
					if (price === undefined) continue;
					expect(scale.rowOf(price)).toBe(row);
					expect(Number(price.toFixed(decimals))).toBe(price);
					expect(price).toBeGreaterThan(0);
				}
			}),
		);
	});

	test('exists in each row that a price of the market is in', () => {
		fc.assert(
			fc.property(anyScale, fc.double({min: 0, max: 1, noNaN: true}), ({scale, decimals, low, high}, share) => {
				const price = Number((low + (high - low) * share).toFixed(decimals));
				fc.pre(price > 0 && price >= scale.bottom && price <= scale.top);
				expect(priceInRow(scale, scale.rowOf(price), decimals)).toBeDefined();
			}),
		);
	});

	test('is the roundest one of its row', () => {
		const scale = createPriceScale({low: 61_000, high: 62_000, rows: 10, decimals: 2});
		const prices = rowsOf(scale).map(row => priceInRow(scale, row, 2));
		expect(prices).toEqual([62_000, 61_900, 61_800, 61_700, 61_600, 61_500, 61_300, 61_200, 61_100, 61_000]);
	});
});

describe('a step of the cursor', () => {
	test('goes through every row that has a price, and back the same way', () => {
		fc.assert(
			fc.property(anyScale, ({scale, decimals}) => {
				const prices = rowsOf(scale).flatMap(row => priceInRow(scale, row, decimals) ?? []);
				for (const [index, price] of prices.entries()) {
					expect(steppedPrice(scale, price, 1, decimals)).toBe(prices[index + 1] ?? price);
					expect(steppedPrice(scale, price, -1, decimals)).toBe(prices[index - 1] ?? price);
				}
			}),
		);
	});

	test('stays at the end of the scale, and comes back from beyond it', () => {
		const scale = createPriceScale({low: 100, high: 200, rows: 11, decimals: 0});
		expect(steppedPrice(scale, 200, -1, 0)).toBe(200);
		expect(steppedPrice(scale, 250, -1, 0)).toBe(250);
		expect(steppedPrice(scale, 250, 1, 0)).toBe(200);
		expect(steppedPrice(scale, 50, 1, 0)).toBe(50);
		expect(steppedPrice(scale, 50, -1, 0)).toBe(100);
	});
});
