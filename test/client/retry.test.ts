import {expect, test} from 'vitest';
import {retryAfterMs} from '../../source/client/http.ts';

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
	['weeks, as an hour', '9999999', undefined, 3_600_000],
	['words', 'soon', undefined, undefined],
	['words that Date would read', 'try 5', undefined, undefined],
	['a negative number', '-5', undefined, undefined],
	['nothing', undefined, undefined, undefined],
] as const)('reads %s', ([, retryAfter, date, expected]) => {
	expect(retryAfterMs({'retry-after': retryAfter, date}, now)).toBe(expected);
});
