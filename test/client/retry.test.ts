import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	interfaceRetries,
	pollRetries,
	rateLimitRetries,
	readRetryAfter,
	retryWaitMs,
} from '../../source/client/retry.ts';
import {timeout, tooMany, unavailable} from '../store/samples.ts';

const now = Date.UTC(2024, 7, 8, 12, 0, 0);

test.for([
	['seconds', '7', undefined, 7000],
	['no wait', '0', undefined, 0],
	[
		'a date against the answer’s own date, whatever our clock says',
		'Thu, 08 Aug 2024 23:55:09 GMT',
		'Thu, 08 Aug 2024 23:54:59 GMT',
		10_000,
	],
	['a date against our clock', 'Thu, 08 Aug 2024 12:00:30 GMT', undefined, 30_000],
	['a date that has passed', 'Thu, 08 Aug 2024 11:00:00 GMT', undefined, 0],
	['weeks', '9999999', undefined, 9_999_999_000],
	['for ever', '9'.repeat(400), undefined, Number.MAX_SAFE_INTEGER],
	['words', 'soon', undefined, undefined],
	['words that Date would read', 'try 5', undefined, undefined],
	['a negative number', '-5', undefined, undefined],
	['nothing', undefined, undefined, undefined],
] as const)('reads %s', ([, retryAfter, date, expected]) => {
	expect(readRetryAfter({'retry-after': retryAfter, date}, now)).toBe(expected);
});

test.each([
	['a rate limit doubles its wait up to 8 s', rateLimitRetries, [1000, 2000, 4000, 8000, 8000]],
	['a preferred interface doubles its wait up to 30 s', interfaceRetries, [2000, 4000, 8000, 16_000, 30_000]],
	[
		'a poll doubles its wait up to 8 s where another one probes',
		pollRetries(1000, true),
		[1000, 2000, 4000, 8000, 8000],
	],
	['a poll waits no longer than its interval', pollRetries(1000, false), [1000, 1000, 1000]],
	['a rarer poll waits no longer than its interval', pollRetries(5000, false), [4000, 5000, 5000]],
	['a frequent poll is retried once a second at most', pollRetries(200, false), [200, 400, 800, 1000, 1000]],
	['a rare poll is retried before its interval is over', pollRetries(300_000, false), [4000, 8000, 8000]],
	['a poll that needs one answer is retried', pollRetries(Number.POSITIVE_INFINITY, false), [4000, 8000, 8000]],
])('%s', (_name, schedule, waits) => {
	expect(waits.map((_, index) => retryWaitMs(timeout(), {schedule, failures: index + 1, random: 0}))).toEqual(waits);
});

test.each([
	['as long as Retry-After asks', tooMany(45_000), 45_000],
	['five minutes at most', tooMany(3_600_000), 300_000],
	['no shorter than without Retry-After', tooMany(10), 1000],
	['for ever on what the exchange does not offer', unavailable('info'), Number.POSITIVE_INFINITY],
])('waits %s', (_name, error, waitMs) => {
	expect(retryWaitMs(error, {schedule: rateLimitRetries, failures: 1, random: 0})).toBe(waitMs);
});

test('waits up to a quarter less at random, and never longer than the schedule allows', () => {
	const failures = fc.integer({min: 1, max: 2000});
	const random = fc.double({min: 0, max: 1, maxExcluded: true, noNaN: true});
	fc.assert(
		fc.property(failures, random, (failures, random) => {
			const longest = retryWaitMs(timeout(), {schedule: rateLimitRetries, failures, random: 0});
			const waitMs = retryWaitMs(timeout(), {schedule: rateLimitRetries, failures, random});
			expect(longest).toBeLessThanOrEqual(rateLimitRetries.longestMs);
			expect(waitMs).toBeLessThanOrEqual(longest);
			expect(waitMs).toBeGreaterThanOrEqual(Math.floor(longest * 0.75));
		}),
	);
});
