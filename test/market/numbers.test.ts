import fc from 'fast-check';
import {expect, test} from 'vitest';
import {percentile} from '../../source/market/numbers.ts';

test.each([
	[[], 0.5, undefined],
	[[7], 0.95, 7],
	[[4, 3, 1, 2], 0.5, 2],
	[Array.from({length: 100}, (_, index) => index + 1), 0.95, 95],
])('of %j the share %d does not exceed %j', (values, share, expected) => {
	expect(percentile(values, share)).toBe(expected);
});

test('is the smallest value that is enough', () => {
	const values = fc.array(fc.integer(), {minLength: 1});
	fc.assert(
		fc.property(values, fc.integer({min: 1, max: 100}), (all, percent) => {
			const found = percentile(all, percent / 100) ?? Number.NaN;
			const upTo = (limit: number) => all.filter(value => value <= limit).length;
			const below = all.filter(value => value < found).length;
			expect(all).toContain(found);
			expect(upTo(found) * 100).toBeGreaterThanOrEqual(percent * all.length);
			expect(below * 100).toBeLessThan(percent * all.length);
		}),
	);
});
