import fc from 'fast-check';
import {expect, test} from 'vitest';
import {DecimalSum, decimalsOf, noDecimals, roundDecimals, sumDecimals, widen} from '../../source/market/precision.ts';

/** A number as an exchange writes it: a whole number of its smallest units. */
const decimal = fc
	.tuple(fc.integer({min: 0, max: 10 ** 12}), fc.nat({max: 12}))
	.map(([units, decimals]) => Number(`${units}e-${decimals}`));

test.each([
	[1.25e-9, 11],
	[1e21, 0],
	[1.5e300, 0],
	[Number.NaN, 0],
	[Infinity, 0],
])('sees in %d that it has %d decimals', (value, decimals) => {
	expect(decimalsOf(value)).toBe(decimals);
});

test('needs exactly the decimals that read back as the same number', () => {
	fc.assert(
		fc.property(decimal, value => {
			const decimals = decimalsOf(value);
			expect(Number(value.toFixed(decimals))).toBe(value);
			if (decimals > 0) expect(Number(value.toFixed(decimals - 1))).not.toBe(value);
		}),
	);
});

test('ignores rounding errors of the exchange', () => {
	const seen = widen(noDecimals, {prices: [63_012.07, 63_012.070000000007], quantities: [0.1 + 0.2]});
	expect(seen).toEqual({price: 2, quantity: 1});
});

test('learns price and quantity decimals separately', () => {
	expect(widen(noDecimals, {prices: [61824.01, undefined, 61824.5], quantities: [0.00098]})).toEqual({
		price: 2,
		quantity: 5,
	});
});

test('is the same object when nothing needs more decimals', () => {
	const known = widen(noDecimals, {prices: [0.25], quantities: [1e-7]});
	expect(widen(known, {prices: [0.5, 12], quantities: [undefined]})).toBe(known);
	expect(widen(known, {})).toBe(known);
});

test('only grows, to the most decimals ever seen, in any order', () => {
	fc.assert(
		fc.property(fc.array(fc.array(decimal)), pages => {
			let decimals = noDecimals;
			for (const prices of pages) {
				const wider = widen(decimals, {prices, quantities: prices});
				expect(wider.price).toBeGreaterThanOrEqual(decimals.price);
				decimals = wider;
			}

			const most = Math.max(0, ...pages.flat().map(decimalsOf));
			expect(decimals).toEqual({price: most, quantity: most});
		}),
	);
});

test('adds up to the exact sum in any order', () => {
	const units = fc.array(fc.integer({min: 0, max: 10 ** 10}), {maxLength: 100});
	fc.assert(
		fc.property(units, fc.nat({max: 9}), (parts, decimals) => {
			const values = parts.map(part => Number(`${part}e-${decimals}`));
			const total = Number(`${parts.reduce((sum, part) => sum + part, 0)}e-${decimals}`);
			expect(sumDecimals(values)).toBe(total);
			expect(sumDecimals(values.toReversed())).toBe(total);
		}),
	);
});

test('leaves one number as it is', () => {
	fc.assert(
		fc.property(fc.double({noNaN: true, noDefaultInfinity: true}), value => {
			expect(sumDecimals([value])).toBe(value + 0);
		}),
	);
});

test('adds numbers with too many digits in floating point', () => {
	expect(sumDecimals([1e300, 1e-30])).toBe(1e300);
	expect(sumDecimals([0.1, 1e-30])).toBe(0.1);
	expect(sumDecimals([2 ** 52, 0.5])).toBe(2 ** 52 + 0.5);
	expect(sumDecimals([1e-30, 0.5])).toBe(0.5);
	expect(sumDecimals([5e-324, 1e12])).toBe(1e12);
});

test('is exact after each number, however many digits the next one has', () => {
	const sum = new DecimalSum();

	expect([0.1, 0.2, 1e-9, -0.3, 60_000, -60_000].map(value => sum.add(value).total)).toEqual([
		0.1, 0.3, 0.300000001, 1e-9, 60_000.000000001, 1e-9,
	]);
});

test('rounds a product to the digits that it has', () => {
	expect(roundDecimals(0.1 * 3, 1)).toBe(0.3);
	expect(roundDecimals(100.1 * 0.3, 2)).toBe(30.03);
	expect(roundDecimals(1e300 * 3, 2)).toBe(3e300);
	expect(roundDecimals(1.1e-10 * 1e-20, 40)).toBe(1.1e-10 * 1e-20);
});

test('widens to at most 22 decimals, and not for a number that rounds to none of them', () => {
	expect(widen(noDecimals, {prices: [1e-101, 5e-324, 0.25], quantities: [1e-23]})).toEqual({price: 2, quantity: 0});
	expect(widen(noDecimals, {prices: [1.234567890123e-12, 1e-22]})).toEqual({price: 22, quantity: 0});
});
