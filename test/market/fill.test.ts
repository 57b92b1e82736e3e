import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {costToFill, parseAmount} from '../../source/market/fill.ts';
import type {Level} from '../../source/market/types.ts';

describe('cost to fill', () => {
	const asks: readonly Level[] = [
		[100, 1],
		[101, 2],
		[110, 1],
	];

	test('is the best price, without slippage, for what the best level holds', () => {
		expect(costToFill(asks, {size: 1, unit: 'base'})).toEqual({
			base: 1,
			quote: 100,
			averagePrice: 100,
			slippage: 0,
			complete: true,
		});
	});

	test('takes the levels one after the other, the last in part', () => {
		expect(costToFill(asks, {size: 2, unit: 'base'})).toEqual({
			base: 2,
			quote: 201,
			averagePrice: 100.5,
			slippage: expect.closeTo(50, 8),
			complete: true,
		});
	});

	test('spends an amount of the quote asset', () => {
		expect(costToFill(asks, {size: 302, unit: 'quote'})).toMatchObject({base: 3, quote: 302, complete: true});
	});

	test('is that of the filled part if the levels are too few', () => {
		expect(costToFill(asks, {size: 5, unit: 'base'})).toMatchObject({
			base: 4,
			quote: 412,
			averagePrice: 103,
			complete: false,
		});
		expect(costToFill(asks, {size: 500, unit: 'quote'})).toMatchObject({base: 4, quote: 412, complete: false});
	});

	test.each([
		[12.8, 'base'],
		[1314.88, 'quote'],
	] as const)('is complete where the levels add up to exactly that: %d %s', (size, unit) => {
		const sizes: readonly Level[] = [
			[100.1, 0.3],
			[100.2, 0.2],
			[100.3, 0.1],
			[100.9, 5.2],
			[104.3, 7],
		];

		expect(costToFill(sizes, {size, unit})).toMatchObject({
			base: expect.closeTo(12.8, 12),
			quote: expect.closeTo(1314.88, 9),
			complete: true,
		});
	});

	test('of the whole of any book is complete, and of any more is not', () => {
		const anyLevels = fc.array(fc.tuple(fc.integer({min: 1, max: 1e6}), fc.integer({min: 1, max: 1e6})), {
			minLength: 1,
			maxLength: 30,
		});
		const places = fc.integer({min: 0, max: 6});
		fc.assert(
			fc.property(anyLevels, places, places, fc.constantFrom('base', 'quote'), (units, pricePlaces, places, unit) => {
				const levels = units.map(([price, size]): Level => [price / 10 ** pricePlaces, size / 10 ** places]);
				const sum = (each: (price: number, size: number) => number) =>
					units.reduce((total, [price, size]) => total + each(price, size), 0);
				const size =
					unit === 'base'
						? sum((_, quantity) => quantity) / 10 ** places
						: sum((price, quantity) => price * quantity) / 10 ** (pricePlaces + places);

				expect(costToFill(levels, {size, unit}).complete).toBe(true);
				expect(costToFill(levels, {size: size * (1 + 1e-9), unit}).complete).toBe(false);
			}),
		);
	});

	test('has no price in an empty book', () => {
		expect(costToFill([], {size: 1, unit: 'base'})).toEqual({base: 0, quote: 0, complete: false});
	});

	test('slips as far down for a seller as up for a buyer', () => {
		const bids: readonly Level[] = [
			[100, 1],
			[98, 1],
		];
		expect(costToFill(bids, {size: 2, unit: 'base'}).slippage).toBeCloseTo(100, 8);
	});

	test('of any amount lies between best and worst price, and never gets cheaper with size', () => {
		const book = fc
			.uniqueArray(fc.tuple(fc.integer({min: 1, max: 1e6}), fc.integer({min: 1, max: 1e6})), {
				selector: ([price]) => price,
				minLength: 1,
				maxLength: 30,
			})
			.map(levels => levels.sort(([a], [b]) => a - b));
		fc.assert(
			fc.property(book, fc.integer({min: 1, max: 1e7}), fc.constantFrom('base', 'quote'), (levels, size, unit) => {
				const fill = costToFill(levels, {size, unit});
				const larger = costToFill(levels, {size: size * 2, unit});
				const price = fill.averagePrice ?? Number.NaN;
				const best = levels[0]?.[0] ?? 0;
				expect(price).toBeGreaterThanOrEqual(best * (1 - 1e-12));
				expect(price).toBeLessThanOrEqual((levels.at(-1)?.[0] ?? 0) * (1 + 1e-12));
				expect(larger.averagePrice).toBeGreaterThanOrEqual(price * (1 - 1e-12));
				if (fill.complete) expect(unit === 'base' ? fill.base : fill.quote).toBeCloseTo(size, 4);
				else expect(fill.base).toBe(levels.reduce((sum, [, quantity]) => sum + quantity, 0));
			}),
		);
	});
});

describe('an amount as typed', () => {
	const pair = {base: 'BTC', quote: 'USDT'};

	test.each([
		['2', {size: 2, unit: 'base'}],
		[' .5 ', {size: 0.5, unit: 'base'}],
		['2 btc', {size: 2, unit: 'base'}],
		['2BTC', {size: 2, unit: 'base'}],
		['5,000 usdt', {size: 5000, unit: 'quote'}],
		['5_000 USDT', {size: 5000, unit: 'quote'}],
		['5k usdt', {size: 5000, unit: 'quote'}],
		['1.5 M USDT', {size: 1_500_000, unit: 'quote'}],
		['3k', {size: 3000, unit: 'base'}],
	])('%s', (text, value) => {
		expect(parseAmount(text, pair)).toEqual({value});
	});

	test.each([
		['', 'an amount begins with a number'],
		['btc', 'an amount begins with a number'],
		['0', 'an amount is above 0'],
		['-1', 'an amount is above 0'],
		['2,5', 'a dot separates decimals (2.5), a comma thousands (1,000)'],
		['2,5 btc', 'a dot separates decimals (2.5), a comma thousands (1,000)'],
		['2..1', '2..1 is not a number'],
		['.', '. is not a number'],
		['2 eth', 'eth is neither BTC nor USDT'],
		['2 btc usdt', 'btc usdt is neither BTC nor USDT'],
		['2 mbtcx', 'mbtcx is neither BTC nor USDT'],
		['10k eth', 'eth is neither BTC nor USDT'],
		['1e3', '1e3 has an exponent: write the number in full'],
		['1e3 usdt', '1e3 has an exponent: write the number in full'],
		[`1${'0'.repeat(308)} k`, `1${'0'.repeat(308)} k is too large`],
	])('%j is refused', (text, fault) => {
		expect(parseAmount(text, pair)).toEqual({fault});
	});

	test('reads K as an asset of that name, not as a thousand', () => {
		expect(parseAmount('2 k', {base: 'K', quote: 'USDT'})).toEqual({value: {size: 2, unit: 'base'}});
		expect(parseAmount('2 kk', {base: 'K', quote: 'USDT'})).toEqual({value: {size: 2000, unit: 'base'}});
	});

	test('is only a number if no asset is known', () => {
		expect(parseAmount('2', {})).toEqual({value: {size: 2, unit: 'base'}});
		expect(parseAmount('2 btc', {})).toEqual({fault: "btc is unknown: the market's assets have no names"});
	});
});
