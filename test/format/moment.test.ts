import {describe, expect, test} from 'vitest';
import {parseMoment} from '../../source/format/moment.ts';
import {zoneOf} from '../helpers/zones.ts';

const from = Date.UTC(2026, 10, 20, 14, 3, 10, 500);

describe('a moment is read', () => {
	test.each<readonly [text: string, time: number | undefined]>([
		['now', from],
		['-1h30m', Date.UTC(2026, 10, 20, 12, 33, 10, 500)],
		['-5m', Date.UTC(2026, 10, 20, 13, 58, 10, 500)],
		['+30s', Date.UTC(2026, 10, 20, 14, 3, 40, 500)],
		['+1h30m', Date.UTC(2026, 10, 20, 15, 33, 10, 500)],
		[' 9:30 ', Date.UTC(2026, 10, 20, 9, 30)],
		['14:03:09', Date.UTC(2026, 10, 20, 14, 3, 9)],
		['2026-11-19 14:03', Date.UTC(2026, 10, 19, 14, 3)],
		['2026-11-19T14:03:10Z', Date.UTC(2026, 10, 19, 14, 3, 10)],
		['2026-11-19', Date.UTC(2026, 10, 19)],
		...['', '-', '-5', '5m', '24:00', '14:60', '14:3', '14:03:60', 'soon'].map(text => [text, undefined] as const),
	])('%s', (text, time) => {
		expect(parseMoment(text, from)).toBe(time);
	});
});

test('a time without an offset is of the zone that is shown', () => {
	const night = Date.UTC(2026, 10, 20, 23, 30);
	const texts = ['00:10', '2026-11-19 14:03', '2026-07-01', '2026-11-19T14:03Z', '2026-11-19T14:03+02:00', '-5m'];
	expect(texts.map(text => parseMoment(text, night, undefined, zoneOf('Europe/Berlin')))).toEqual([
		...[Date.UTC(2026, 10, 20, 23, 10), Date.UTC(2026, 10, 19, 13, 3), Date.UTC(2026, 5, 30, 22)],
		...[Date.UTC(2026, 10, 19, 14, 3), Date.UTC(2026, 10, 19, 12, 3), night - 300_000],
	]);
});

test('a time of day is of the day that is recorded', () => {
	const recorded = {from: Date.UTC(2026, 10, 20, 22), to: Date.UTC(2026, 10, 21, 3)};
	const evening = Date.UTC(2026, 10, 20, 23);
	const night = Date.UTC(2026, 10, 21, 1);
	expect(parseMoment('00:10', evening, recorded)).toBe(Date.UTC(2026, 10, 21, 0, 10));
	expect(parseMoment('22:10', night, recorded)).toBe(Date.UTC(2026, 10, 20, 22, 10));
	expect(parseMoment('12:00', night, recorded)).toBe(Date.UTC(2026, 10, 21, 12));
});
