import fc from 'fast-check';
import {expect, test} from 'vitest';
import {sideChanges} from '../../source/market/book-changes.ts';
import {type BookSide, stepAt} from '../../source/market/depth.ts';
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

test('marks no group whose levels only swap quantities', () => {
	const units = fc.array(fc.integer({min: 1, max: 1e6}), {minLength: 2, maxLength: 12});
	fc.assert(
		fc.property(
			units,
			fc.integer({min: 0, max: 8}),
			fc.constantFrom<BookSide>('ask', 'bid'),
			(sizes, decimals, side) => {
				const levels = (quantities: readonly number[]) =>
					quantities.map((size, index): Level => {
						const price = side === 'ask' ? 1001 + index : 1999 - index;
						return [price / 10, size / 10 ** decimals];
					});
				// All of them lie within one step.
				const step = stepAt(-2, 0);

				expect(sideChanges(levels(sizes), levels(sizes.toReversed()), side, {step})).toEqual({
					changes: new Map(),
					net: 0,
				});
			},
		),
	);
});
