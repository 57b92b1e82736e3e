import {expect, test} from 'vitest';
import {sideChanges} from '../../source/market/book-changes.ts';
import type {Level} from '../../source/market/types.ts';

test('compares groups within the reach of both books', () => {
	const before: readonly Level[] = [
		[100, 1],
		[101, 2],
		[103, 3],
		[104, 4],
	];
	const after: readonly Level[] = [
		[100, 1],
		[102, 2],
		[103, 3],
	];
	const step = {mantissa: 2, exponent: 0} as const;

	// 101 went to 102: the group of both stays; 104 lies beyond the end of the second book.
	expect(sideChanges(before, after, 'ask', {step})).toEqual({changes: new Map(), net: 0});
});
