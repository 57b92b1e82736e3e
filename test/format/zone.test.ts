import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	fromLocal,
	localDayOf,
	toLocal,
	utc,
	zoneLabel,
	zoneLabels,
	zoneNamed,
	zoneOfCandles,
	zoneWords,
} from '../../source/format/zone.ts';
import {dayMs, hourMs, minuteMs, monthMinutes} from '../../source/market/units.ts';
import {zoneOf} from '../helpers/zones.ts';

const berlin = zoneOf('Europe/Berlin');

/** With summer times of an hour and of half an hour, of a month, none, and with offsets of 30 and 45 minutes. */
const names = [
	...['Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Africa/Casablanca', 'Africa/Cairo', 'Asia/Kolkata'],
	...['Australia/Lord_Howe', 'Pacific/Chatham', 'Pacific/Apia', 'UTC', 'Europe/London'],
];
const anyZone = fc.constantFrom(...names.map(zoneOf));
const anyTime = fc.integer({min: Date.UTC(1990, 0), max: Date.UTC(2050, 0)});

describe('a zone', () => {
	test.each<readonly [text: string, name: string]>([
		['UTC', 'UTC'],
		[' utc ', 'UTC'],
		['Etc/UTC', 'UTC'],
		['europe/berlin', 'Europe/Berlin'],
		['America/New_York', 'America/New_York'],
		['Asia/Kolkata', 'Asia/Kolkata'],
		['+05:30', '+05:30'],
	])('is named by %s', (text, name) => {
		expect(zoneNamed(text)).toMatchObject({value: {name, word: name}});
	});

	test('is that of the computer where it is local, and is the same object for the same word', () => {
		const {timeZone} = new Intl.DateTimeFormat().resolvedOptions();
		expect(zoneNamed('Local')).toMatchObject({value: {name: timeZone, word: 'local'}});
		expect(zoneOf('local')).toBe(zoneOf('LOCAL'));
		expect(zoneOf('europe/berlin')).toBe(berlin);
	});

	test.each([
		['', 'a time zone is missing: local, UTC or a zone such as Europe/Berlin'],
		['Berlin', 'there is no time zone Berlin; did you mean Europe/Berlin?'],
		['new york', 'there is no time zone new york; did you mean America/New_York?'],
		['Katmandu', 'there is no time zone Katmandu; did you mean Asia/Kathmandu?'],
		['Kyiv', 'there is no time zone Kyiv; did you mean Europe/Kyiv?'],
		['Europe/Berlni', 'there is no time zone Europe/Berlni; did you mean Europe/Berlin?'],
		['Mars', 'there is no time zone Mars; it is local, UTC or a zone such as Europe/Berlin'],
	])('that is none is refused with the nearest names: %j', (text, fault) => {
		expect(zoneNamed(text)).toEqual({fault});
	});

	test('is listed by its name of today, and read by that and by the former one', () => {
		const names = ['Kolkata', 'Kathmandu', 'Kyiv', 'Ho_Chi', 'Yangon', 'Nuuk', 'Buenos'].flatMap(zoneWords);
		expect(names).toEqual([
			...['Asia/Kolkata', 'Asia/Kathmandu', 'Europe/Kyiv', 'Asia/Ho_Chi_Minh', 'Asia/Yangon', 'America/Nuuk'],
			'America/Argentina/Buenos_Aires',
		]);
		for (const name of zoneWords('')) expect(zoneNamed(name), name).toHaveProperty('value');
		expect(zoneOf('Asia/Calcutta').offsetAt(0)).toBe(zoneOf('Asia/Kolkata').offsetAt(0));
	});

	test('is completed by the beginning of its name, then of its city', () => {
		expect([zoneWords('utc'), zoneWords('europe/be'), zoneWords('berl'), zoneWords('?')]).toEqual([
			['UTC'],
			['Europe/Belgrade', 'Europe/Berlin'],
			['Europe/Berlin'],
			[],
		]);
	});
});

describe('the time in a zone', () => {
	test('is exact to the minute where clocks change', () => {
		const changes = [
			['Europe/Berlin', Date.UTC(2026, 2, 29, 1), 1, 2],
			['Europe/Berlin', Date.UTC(2026, 9, 25, 1), 2, 1],
			['America/New_York', Date.UTC(2026, 2, 8, 7), -5, -4],
			['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 15), 11, 10.5],
		] as const;
		for (const [name, time, before, after] of changes) {
			const offsets = [time - 1, time].map(at => zoneOf(name).offsetAt(at) / hourMs);
			expect(offsets, name).toEqual([before, after]);
		}
	});

	test('is turned back into the same time, or where clocks show it twice into the earlier one', () => {
		fc.assert(
			fc.property(anyZone, anyTime, (zone, time) => {
				const local = toLocal(time, zone);
				const back = fromLocal(local, zone);
				expect(toLocal(back, zone)).toBe(local);
				expect(back).toBeLessThanOrEqual(time);
			}),
		);
	});

	test('is turned back across every change of the clocks', () => {
		const wrong: string[] = [];
		for (const zone of names.map(zoneOf)) {
			for (let time = Date.UTC(2026, 0); time < Date.UTC(2027, 0); time += hourMs / 2) {
				const local = toLocal(time, zone);
				const isShownTwice = [hourMs, hourMs / 2].some(ms => toLocal(time - ms, zone) === local);
				if (!isShownTwice && fromLocal(local, zone) !== time) wrong.push(`${zone.name} ${time}`);
			}
		}

		expect(wrong).toEqual([]);
	});

	test('that clocks skip is as much later as they skip', () => {
		const skipped = Date.UTC(2026, 2, 29, 2, 30);
		expect(toLocal(fromLocal(skipped, berlin), berlin)).toBe(Date.UTC(2026, 2, 29, 3, 30));
	});

	test('begins its days at its own midnight', () => {
		const midnight = Date.UTC(2026, 10, 19, 23);
		const days = [midnight - 1, midnight].map(time => localDayOf(time, berlin));
		expect(days).toEqual([Date.UTC(2026, 10, 19) / dayMs, Date.UTC(2026, 10, 20) / dayMs]);
	});

	test('has the first known offset before 1970, and any offset where there is no time', () => {
		expect(berlin.offsetAt(-1e14)).toBe(berlin.offsetAt(0));
		expect(berlin.offsetAt(Number.NaN)).toBe(berlin.offsetAt(0));
	});
});

describe('a zone is named beside a time', () => {
	const [winter, summer] = [Date.UTC(2026, 0, 10), Date.UTC(2026, 6, 10)];

	test.each([
		['UTC', winter, summer, ['UTC']],
		['Europe/Berlin', winter, winter + dayMs, ['UTC+01:00', '+01:00', '+01']],
		['Europe/Berlin', winter, summer, ['UTC+01:00/+02:00', '+01:00/+02:00', '+01/+02']],
		['Europe/Berlin', summer, winter + 365 * dayMs, ['UTC+02:00/+01:00', '+02:00/+01:00', '+02/+01']],
		['Europe/Berlin', Date.UTC(2026, 2, 28), Date.UTC(2026, 2, 30), ['UTC+01:00/+02:00', '+01:00/+02:00', '+01/+02']],
		['Europe/London', winter, winter, ['UTC+00:00', '+00:00', '+00']],
		['America/St_Johns', winter, winter, ['UTC-03:30', '-03:30', '-03:30']],
		['Asia/Kolkata', winter, summer, ['UTC+05:30', '+05:30', '+05:30']],
	])('%s', (name, from, to, labels) => {
		expect(zoneLabels(zoneOf(name), from, to)).toEqual(labels);
	});

	test('by the offset at that time', () => {
		const at = Date.UTC(2026, 9, 25, 1);
		expect([zoneLabel(utc, at), zoneLabel(berlin, at - minuteMs), zoneLabel(berlin, at)]).toEqual([
			...['UTC', '+02:00', '+01:00'],
		]);
	});
});

test('candles of whole days keep the dates of the exchange, which are in UTC', () => {
	expect([60, 720, 1440, 10_080, monthMinutes].map(period => zoneOfCandles(period, berlin))).toEqual([
		...[berlin, berlin, utc, utc, utc],
	]);
});
