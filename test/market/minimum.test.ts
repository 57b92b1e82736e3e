import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	keptMinimum,
	type Minimum,
	nextMinimum,
	noMinimum,
	parseMinimum,
	reaches,
	tradeValue,
} from '../../source/market/minimum.ts';
import type {Trade} from '../../source/market/types.ts';

const trade = (quantity: number, price: number): Trade => ({id: `${quantity}`, time: 0, price, quantity});
const quantities = [0.03, 0.3, 0.04, 7, 0.02];
const trades = quantities.map(quantity => trade(quantity, 1));
const inBase = (size: number): Minimum => ({size, unit: 'base'});
const inQuote = (size: number): Minimum => ({size, unit: 'quote'});

test('a minimum does not stay where the quote asset has no name', () => {
	expect([keptMinimum(inQuote(5), {}, {}), keptMinimum(inQuote(5), {quote: 'A'}, {quote: 'A'})]).toEqual([
		noMinimum,
		inQuote(5),
	]);
});

describe('the next minimum', () => {
	test.each([
		['size', trades, noMinimum, 2, [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]],
		['value', quantities.map(quantity => trade(quantity, 100)), inQuote(0), 0, [2, 5, 10, 20, 50, 100, 200, 500]],
	])(
		'steps from none to about the median, then by 1, 2, 5 up to the largest trade, by %s',
		(_, all, none, decimals, sizes) => {
			const steps: Minimum[] = [];
			for (let next = nextMinimum(none, 1, all, decimals); steps.at(-1)?.size !== next.size; ) {
				steps.push(next);
				next = nextMinimum(next, 1, all, decimals);
			}

			expect(steps).toEqual(sizes.map(size => ({...none, size})));
		},
	);

	test('returns to none, in the same unit, if it would hide nothing', () => {
		expect(nextMinimum(inBase(0.1), -1, trades, 2)).toEqual(inBase(0.05));
		expect(nextMinimum(inBase(0.05), -1, trades, 2)).toEqual(noMinimum);
		expect(nextMinimum(inQuote(0.05), -1, trades, 2)).toEqual(inQuote(0));
		expect(nextMinimum(noMinimum, -1, trades, 2)).toEqual(noMinimum);
	});

	test('is none where there are no trades, and ends where values are beyond all numbers', () => {
		expect(nextMinimum(noMinimum, 1, [], 2)).toEqual(noMinimum);
		expect(nextMinimum(inQuote(1), 1, [trade(1e300, 1e300)], 2)).toEqual(inQuote(2));
	});
});

test('a value is a product without rounding errors', () => {
	expect([tradeValue(trade(3, 0.1)), tradeValue(trade(0.00098, 61_824.01))]).toEqual([0.3, 60.5875298]);
});

test('any minimum by value keeps exactly the trades whose decimal value is at least as much', () => {
	const anyTrade = fc.record({price: fc.integer({min: 1, max: 1e7}), quantity: fc.integer({min: 1, max: 1e5})});
	fc.assert(
		fc.property(
			anyTrade,
			fc.integer({min: -1, max: 1}),
			fc.integer({min: 0, max: 4}),
			({price, quantity}, by, places) => {
				const scale = 10 ** places;
				const units = price * quantity;
				const minimum = Math.max(units + by, 1) / (scale * scale);

				expect(reaches(trade(quantity / scale, price / scale), inQuote(minimum))).toBe(
					units >= Math.max(units + by, 1),
				);
			},
		),
	);
});

describe('a typed minimum', () => {
	const bitcoin = {base: 'BTC', quote: 'USDT'};

	test.each([
		['.5 btc', inBase(0.5)],
		['10k usdt', inQuote(10_000)],
		['1.5M USDT', inQuote(1_500_000)],
		['0', noMinimum],
		['0 usdt', inQuote(0)],
		['OFF', noMinimum],
	])('%s', (text, value) => {
		expect(parseMinimum(text, bitcoin)).toEqual({value});
	});

	test.each([
		['-1', 'a minimum is 0 or more'],
		['5 eth', 'eth is neither BTC nor USDT'],
	])('%s is refused', (text, fault) => {
		expect(parseMinimum(text, bitcoin)).toEqual({fault});
	});
});
