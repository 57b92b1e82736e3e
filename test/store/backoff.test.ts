import fc from 'fast-check';
import {expect, test} from 'vitest';
import {retryDelayMs} from '../../source/store/backoff.ts';

const delays = (intervalMs: number, patient: boolean) =>
	[1, 2, 3, 4, 5].map(failures => retryDelayMs({failures, intervalMs, patient, random: 0}));

test('doubles the interval with each failure, up to 8 s, where something else finds out that the exchange is back', () => {
	expect(delays(1000, true)).toEqual([2000, 4000, 8000, 8000, 8000]);
});

test('else waits no longer than the interval', () => {
	expect(delays(1000, false)).toEqual([1000, 1000, 1000, 1000, 1000]);
	expect(delays(5000, false)).toEqual([4000, 5000, 5000, 5000, 5000]);
});

test('tries once a second at most what is polled more often', () => {
	expect(delays(200, false)).toEqual([400, 800, 1000, 1000, 1000]);
});

test('tries a slow resource again before its interval is over', () => {
	expect(delays(300_000, false)).toEqual([4000, 8000, 8000, 8000, 8000]);
});

test('tries again what is asked for only once', () => {
	expect(delays(Number.POSITIVE_INFINITY, false)).toEqual([4000, 8000, 8000, 8000, 8000]);
});

test('takes up to a quarter off by chance and never waits longer than 8 s', () => {
	const random = fc.double({min: 0, max: 1, maxExcluded: true, noNaN: true});
	const retry = fc.record({
		failures: fc.integer({min: 1, max: 2000}),
		intervalMs: fc.integer({min: 200, max: 86_400_000}),
		patient: fc.boolean(),
	});
	fc.assert(
		fc.property(retry, random, (given, chance) => {
			const full = retryDelayMs({...given, random: 0});
			const delay = retryDelayMs({...given, random: chance});
			expect(full).toBeLessThanOrEqual(8000);
			expect(delay).toBeLessThanOrEqual(full);
			expect(delay).toBeGreaterThanOrEqual(Math.floor(full * 0.75));
		}),
	);
});
