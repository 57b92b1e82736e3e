import fc from 'fast-check';
import {expect, test} from 'vitest';
import {retryDelayMs} from '../../source/store/backoff.ts';

test('doubles the interval with each failure, up to 8 s', () => {
	expect([1, 2, 3, 4, 5, 6].map(failures => retryDelayMs(failures, 1000, 0))).toEqual([
		2000, 4000, 8000, 8000, 8000, 8000,
	]);
});

test('tries a slow resource again before its interval is over', () => {
	expect([1, 2, 3, 4, 5].map(failures => retryDelayMs(failures, 300_000, 0))).toEqual([4000, 8000, 8000, 8000, 8000]);
});

test('tries again what is asked for only once', () => {
	expect(retryDelayMs(1, Number.POSITIVE_INFINITY, 0)).toBe(4000);
});

test('takes up to a quarter off by chance and never waits longer than 8 s', () => {
	const random = fc.double({min: 0, max: 1, maxExcluded: true, noNaN: true});
	fc.assert(
		fc.property(
			fc.integer({min: 1, max: 2000}),
			fc.integer({min: 200, max: 86_400_000}),
			random,
			(failures, ms, chance) => {
				const full = retryDelayMs(failures, ms, 0);
				const delay = retryDelayMs(failures, ms, chance);
				expect(full).toBeLessThanOrEqual(8000);
				expect(delay).toBeLessThanOrEqual(full);
				expect(delay).toBeGreaterThanOrEqual(Math.floor(full * 0.75));
			},
		),
	);
});
