import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	formatAge,
	formatAgo,
	formatClock,
	formatDateTime,
	formatDuration,
	formatElapsed,
	formatOffset,
	formatPeriod,
	parseDuration,
	parsePeriod,
	parseTime,
} from '../../source/format/time.ts';
import {monthMinutes} from '../../source/market/units.ts';

const moment = Date.UTC(2026, 10, 20, 23, 54, 9, 870);

test('writes times in UTC, cut to the second', () => {
	expect(formatClock(moment)).toBe('23:54:09');
	expect(formatDateTime(moment)).toBe('2026-11-20 23:54:09');
	expect(formatClock(-1)).toBe('23:59:59');
});

test('writes a clock offset in at most two units, rounded', () => {
	const minute = 60_000;
	const hour = 60 * minute;
	const offsets = [
		0,
		11_400,
		-59_499,
		59_500,
		2 * hour - 300,
		2 * hour + 300,
		-160 * minute,
		24 * hour - 1,
		-76 * hour,
		48 * hour,
	];
	expect(offsets.map(formatOffset)).toEqual([
		...['0 s ahead', '11 s ahead', '59 s behind', '1 min ahead', '2 h ahead', '2 h ahead', '2 h 40 min behind'],
		...['1 d ahead', '3 d 4 h behind', '2 d ahead'],
	]);
});

test('writes how long ago something was in at most two units, rounded down', () => {
	const minute = 60_000;
	const times = [0, 59_999, minute, 144.9 * minute, 24 * 60 * minute - 1, 48.9 * 60 * minute, 76.5 * 60 * minute];
	expect(times.map(formatAgo)).toEqual([
		...['0 s ago', '59 s ago', '1 min ago', '2 h 24 min ago', '23 h 59 min ago', '2 d ago', '3 d 4 h ago'],
	]);
});

test('writes an invalid time as dashes of the same width', () => {
	expect([Number.NaN, 1e17, 2.6e14].map(time => formatClock(time))).toEqual(['--:--:--', '--:--:--', '--:--:--']);
	expect(formatDateTime(Number.NaN)).toBe('---------- --:--:--');
});

test.each([
	[-5000, '0.0 s'],
	[0, '0.0 s'],
	[449, '0.4 s'],
	[9999, '9.9 s'],
	[10_000, '10 s'],
	[59_999, '59 s'],
	[60_000, '1 min'],
	[3_599_999, '59 min'],
	[7_200_000, '2 h'],
	[86_399_999, '23 h'],
	[5 * 86_400_000, '5 d'],
])('writes an age of %d ms as %s', (age, text) => {
	expect(formatAge(age)).toBe(text);
});

test('writes periods in the largest whole unit', () => {
	expect([1, 7, 15, 60, 90, 240, 1440, 2880, 10080].map(formatPeriod)).toEqual([
		'1m',
		'7m',
		'15m',
		'1h',
		'90m',
		'4h',
		'1d',
		'2d',
		'1w',
	]);
});

test('reads and writes calendar months, whose unit is a capital letter', () => {
	for (const months of Array.from({length: 12}, (_, index) => index + 1)) {
		expect(parsePeriod(`${months}M`)).toEqual({value: months * monthMinutes});
		expect(formatPeriod(months * monthMinutes)).toBe(`${months}M`);
	}

	expect(['1m', '43830'].map(parsePeriod)).toEqual([{value: 1}, {value: 43_830}]);
});

test('reads a period with or without its unit', () => {
	const texts = ['60', '1,440', '15m', ' 1h ', '4H', '1 d', '1W', '1h30m', '1 d 12 h'];
	expect(texts.map(parsePeriod)).toEqual([60, 1440, 15, 60, 240, 1440, 10080, 90, 2160].map(value => ({value})));
});

test.each([
	['', 'a period is missing'],
	['h', 'h is not a period'],
	['0', 'a period is from 1m to 365d'],
	['-5', 'a period is from 1m to 365d'],
	['525601', 'a period is from 1m to 365d'],
	['99999999999999999999', '99999999999999999999 has more digits than a number holds'],
	['1.5h', 'write 90m for 1.5h'],
	['0.3m', 'a period is in whole minutes'],
	['1h30s', 'a period is in whole minutes'],
	['1h30', '30 has no unit: write 30s, 30m, 30h or 30d'],
	['1,5h', 'a dot separates decimals (2.5), a comma thousands (1,000)'],
	['13M', 'a period of months is from 1M to 12M'],
	['1y', 'y is not a unit: use m, h, d, w or M'],
])('reads no period in %j', (text, fault) => {
	expect(parsePeriod(text)).toEqual({fault});
});

test('reads back every period that it writes', () => {
	fc.assert(
		fc.property(fc.integer({min: 1, max: 525_600}), minutes => {
			expect(parsePeriod(formatPeriod(minutes))).toEqual({value: minutes});
		}),
	);
});

test.each([
	['1795218849', Date.UTC(2026, 10, 20, 23, 54, 9)],
	['1795218849870', moment],
	['0', 0],
	['2026-11-20', Date.UTC(2026, 10, 20)],
	['2026-11-20T23:54', Date.UTC(2026, 10, 20, 23, 54)],
	['2026-11-20 23:54:09', Date.UTC(2026, 10, 20, 23, 54, 9)],
	['2026-11-20T23:54:09.87Z', moment],
	['2026-11-20T23:54:09.8709999+00:00', moment],
	['2026-11-21T03:24:09,870+0330', moment],
	['2026-11-20T15:54:09.870-08', moment],
	['2028-02-29', Date.UTC(2028, 1, 29)],
	[' 2026-11-20t23:54:09.870z ', moment],
])('reads %j as a time', (text, time) => {
	expect(parseTime(text)).toBe(time);
});

test.each([
	...[
		'',
		'now',
		'2026',
		'20261120',
		'-1',
		'1e12',
		'99999999999999999999',
		'2026-13-01',
		'2026-02-30',
		'2027-02-29',
		'2026-11-20T24:00',
	],
	...[
		'2026-11-20T10:60',
		'2026-11-20T10:00:60',
		'2026-11-20T10',
		'2026-11-20T10:00+25:00',
		'2026-11-20T10:00+01:60',
		'2026-11-20Z',
		'20-11-2026',
	],
])('reads no time in %j', text => {
	expect(parseTime(text)).toBeUndefined();
});

test('reads back every time that it writes, and every offset of it', () => {
	const seconds = fc.integer({min: 0, max: Date.UTC(9999, 0) / 1000});
	const offset = fc.integer({min: -14 * 60, max: 14 * 60});
	fc.assert(
		fc.property(seconds, offset, (second, minutes) => {
			const time = second * 1000;
			expect(parseTime(formatDateTime(time))).toBe(time);
			const size = Math.abs(minutes);
			const digits = [Math.floor(size / 60), size % 60].map(part => String(part).padStart(2, '0')).join(':');
			expect(parseTime(`${formatDateTime(time)}${minutes < 0 ? '-' : '+'}${digits}`)).toBe(time - minutes * 60_000);
		}),
	);
});

test('tells epoch seconds from milliseconds by size', () => {
	const fromYear1973 = fc.integer({min: 1e8, max: 4e9});
	fc.assert(
		fc.property(fromYear1973, seconds => {
			expect(parseTime(String(seconds))).toBe(seconds * 1000);
			expect(parseTime(String(seconds * 1000))).toBe(seconds * 1000);
		}),
	);
});

test('reads durations', () => {
	const texts = ['30s', '5m', '1.5h', '1h30m', ' 2 D ', '1w', '1,000s', '.5m'];
	expect(texts.map(parseDuration)).toEqual(
		[30, 300, 5400, 5400, 172_800, 604_800, 1000, 30].map(seconds => ({value: seconds * 1000})),
	);
});

test.each([
	['', 'a time is missing'],
	['5', '5 has no unit: write 5s, 5m, 5h or 5d'],
	['1h30', '30 has no unit: write 30s, 30m, 30h or 30d'],
	['5M', 'M is not a unit: use s, m, h, d or w'],
	['5x', 'x is not a unit: use s, m, h, d or w'],
	['h', 'h is not a time such as 30s, 5m or 1h30m'],
	['-5m', '-5m is not a time such as 30s, 5m or 1h30m'],
	['2,5m', 'a dot separates decimals (2.5), a comma thousands (1,000)'],
])('refuses the duration %j: %s', (text, fault) => {
	expect(parseDuration(text)).toEqual({fault});
});

test('a printed duration reads as the same duration', () => {
	fc.assert(
		fc.property(fc.integer({min: 1, max: 1e7}), seconds => {
			expect(parseDuration(formatDuration(seconds * 1000))).toEqual({value: seconds * 1000});
		}),
	);
	expect([90_000, 300_000, 3_600_000, 604_800_000].map(formatDuration)).toEqual(['90s', '5m', '1h', '7d']);
});

test.each([
	[-1, '00:00:00'],
	[999, '00:00:00'],
	[764_999, '00:12:44'],
	[442_800_000, '123:00:00'],
])('%i ms have elapsed as %s', (ms, text) => {
	expect(formatElapsed(ms)).toBe(text);
});
