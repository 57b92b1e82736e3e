import {expect, test} from 'vitest';
import {nextMinSize} from '../../source/market/tape-sums.ts';
import type {Trade} from '../../source/market/types.ts';

const trades = [0.03, 0.3, 0.04, 7, 0.02].map(
	(quantity, index): Trade => ({id: String(index), time: -index, price: 1, quantity}),
);

test('steps from none to about the median, then by 1, 2, 5 up to the largest trade', () => {
	const sizes: number[] = [];
	for (let size = nextMinSize(0, 1, trades, 2); sizes.at(-1) !== size; size = nextMinSize(size, 1, trades, 2)) {
		sizes.push(size);
	}

	expect(sizes).toEqual([0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]);
});

test('returns to none if it would hide nothing', () => {
	expect(nextMinSize(0.1, -1, trades, 2)).toBe(0.05);
	expect(nextMinSize(0.05, -1, trades, 2)).toBe(0);
	expect(nextMinSize(0, -1, trades, 2)).toBe(0);
});

test('is none where there are no trades', () => {
	expect(nextMinSize(0, 1, [], 2)).toBe(0);
});
