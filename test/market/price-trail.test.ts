import fc from 'fast-check';
import {expect, test} from 'vitest';
import {isSameTicker, type PriceTrail, thinned, withPrices} from '../../source/market/price-trail.ts';
import type {Ticker} from '../../source/market/types.ts';

const tickers = (prices: Readonly<Record<string, number | undefined>>): ReadonlyMap<string, Ticker> =>
	new Map(Object.entries(prices).map(([symbol, last]) => [symbol, {symbol, last, state: 'active'}]));

/** What is remembered of A after these polls, a second apart. */
function trailOf(...polls: ReadonlyArray<number | undefined>): PriceTrail | undefined {
	let trails: ReadonlyMap<string, PriceTrail> = new Map();
	for (const [index, price] of polls.entries()) trails = withPrices(trails, tickers({A: price}), index * 1000);
	return trails.get('A');
}

const ticker = (last: number) => ({symbol: 'A', last, state: 'active'});
const decimals = {price: 0, quantity: 0};

test('keeps the price of every poll, and the last change with its time', () => {
	expect(trailOf(1, 2, 2, 3, 3)).toEqual({
		...{prices: [1, 2, 2, 3, 3], polls: 1, filled: 1, ticker: ticker(3), decimals},
		...{before: ticker(2), changedAt: 3000, since: 0, tradedAt: 3000},
	});
});

test('two tickers are the same only if no field differs', () => {
	const whole = {
		...{symbol: 'A', last: 1, change: 2, changePercent: 3, open: 4, high: 5, low: 6, bid: 7, bidQuantity: 8, ask: 9},
		...{askQuantity: 10, volume: 11, quoteVolume: 12, lastVolume: 13, state: 'active', type: 'spot'},
	} satisfies Required<Ticker>;
	expect(isSameTicker(whole, {...whole})).toBe(true);
	for (const [name, value] of Object.entries(whole))
		for (const other of [typeof value === 'string' ? 'x' : 0, undefined])
			expect(isSameTicker(whole, {...whole, [name]: other}), name).toBe(false);
});

test('a first price, and one that never moved, is no change', () => {
	expect(trailOf(1, 1)).toEqual({prices: [1, 1], polls: 1, filled: 1, ticker: ticker(1), decimals, since: 0});
});

test.each([
	['another price', {last: 1}, {last: 2}, 1000],
	['more volume', {volume: 1}, {volume: 2}, 1000],
	['more volume in an unknown unit', {quoteVolume: 1}, {quoteVolume: 2}, 1000],
	['less volume', {volume: 2}, {volume: 1}, undefined],
	['another bid', {bid: 1}, {bid: 2}, undefined],
	['a first volume', {}, {volume: 2}, undefined],
])('%s shows a trade at %s, %s: %s', (_, before, after, tradedAt) => {
	const [first, second] = [before, after].map(each => new Map([['A', {...ticker(1), ...each}]]));
	const trails = withPrices(withPrices(new Map(), first ?? new Map(), 0), second ?? new Map(), 1000).get('A');
	expect([trails?.since, trails?.tradedAt]).toEqual([0, tradedAt]);
});

test('decimals only grow, whichever price has them', () => {
	const digits = [{bid: 1.5}, {high: 1.25}, {low: 1}].map((more, index, all) => {
		let trails: ReadonlyMap<string, PriceTrail> = new Map();
		for (const each of all.slice(0, index + 1))
			trails = withPrices(trails, new Map([['A', {...ticker(1), ...each}]]), 0);
		return [more, trails.get('A')?.decimals.price];
	});
	expect(digits).toEqual([
		[{bid: 1.5}, 1],
		[{high: 1.25}, 2],
		[{low: 1}, 2],
	]);
});

test('a market without a price, or missing in the answer, keeps its trail', () => {
	const trails = withPrices(new Map(), tickers({A: 1, B: 2}), 0);
	expect(withPrices(trails, tickers({A: undefined}), 1000)).toEqual(trails);
});

test('a trail of any length is bounded, has equal steps and ends with the newest price', () => {
	fc.assert(
		fc.property(fc.integer({min: 1, max: 5000}), count => {
			const {prices = [], polls = 1} = trailOf(...Array.from({length: count}, (_, index) => index)) ?? {};
			expect(prices.length).toBeLessThanOrEqual(64);
			expect(prices.at(-1)).toBe(count - 1);
			const steps = prices.slice(1, -1).map((price, index) => price - (prices[index] ?? 0));
			expect(new Set(steps)).toEqual(steps.length > 0 ? new Set([polls]) : new Set());
		}),
		{numRuns: 40},
	);
});

test('thinned prices are in order, at most the limit, with the newest', () => {
	fc.assert(
		fc.property(fc.array(fc.nat(), {minLength: 1}), fc.integer({min: 1, max: 30}), (prices, count) => {
			const some = thinned(prices, count);
			expect(some.length).toBe(Math.min(prices.length, count));
			expect(some.at(-1)).toBe(prices.at(-1));
			let at = -1;
			for (const price of some) {
				at = prices.indexOf(price, at + 1);
				expect(at).toBeGreaterThanOrEqual(0);
			}
		}),
	);
});

test('an exchange that sends other names with each answer fills no memory, and its markets keep their trails through one such answer', () => {
	const named = (prefix: string, count: number) =>
		tickers(Object.fromEntries(Array.from({length: count}, (_, index) => [`${prefix}${index}`, 1])));
	let trails: ReadonlyMap<string, PriceTrail> = withPrices(new Map(), named('A', 600), 0);
	const sizes = ['X', 'A', 'B', 'C', 'D', 'E'].map((prefix, poll) => {
		trails = withPrices(trails, named(prefix, prefix === 'A' ? 600 : 4000), poll * 1000);
		return [trails.size, trails.get('A0')?.prices.length];
	});
	expect(sizes).toEqual([
		[4600, 1],
		[600, 2],
		[4600, 2],
		[4000, undefined],
		[8000, undefined],
		[4000, undefined],
	]);
});
