import {describe, expect, test} from 'vitest';
import {costToFill, parseAmount} from '../../source/market/fill.ts';
import type {Level} from '../../source/market/types.ts';

describe('cost to fill', () => {
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

	test('has no price in an empty book', () => {
		expect(costToFill([], {size: 1, unit: 'base'})).toEqual({base: 0, quote: 0, complete: false});
	});
});

describe('an amount as typed', () => {
	const pair = {base: 'BTC', quote: 'USDT'};

	test.each([
		['2', {size: 2, unit: 'base'}],
		[' .5 ', {size: 0.5, unit: 'base'}],
		['2BTC', {size: 2, unit: 'base'}],
		['5,000 usdt', {size: 5000, unit: 'quote'}],
		['5k usdt', {size: 5000, unit: 'quote'}],
		['1.5 M USDT', {size: 1_500_000, unit: 'quote'}],
	])('%s', (text, value) => {
		expect(parseAmount(text, pair)).toEqual({value});
	});

	test.each([
		['', 'an amount begins with a number'],
		['btc', 'an amount begins with a number'],
		['0', 'an amount is above 0'],
		['2,5 btc', 'a dot separates decimals (2.5), a comma thousands (1,000)'],
		['2 eth', 'eth is neither BTC nor USDT'],
		['2 btc usdt', 'btc usdt is neither BTC nor USDT'],
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
