import {expect, test} from 'vitest';
import {dateRangeTexts} from '../../../source/view/plot/time-labels.ts';
import {zoneOf} from '../../helpers/zones.ts';

const now = Date.UTC(2026, 10, 20);

test.each([
	['two days', '2026-11-08T14:00Z', '2026-11-10T02:00Z', ['2026-11-08 – 2026-11-10', '8–10 Nov', '8–10 Nov']],
	['hours', '2026-11-08T14:00Z', '2026-11-08T16:30Z', ['2026-11-08 14:00 – 16:30', '8 Nov 14:00–16:30', '8 Nov']],
	['two months', '2026-10-30T00:00Z', '2026-11-10T02:00Z', ['2026-10-30 – 2026-11-10', '30 Oct–10 Nov', 'Oct–Nov']],
	[
		'two years',
		'2025-12-30T00:00Z',
		'2026-01-02T00:00Z',
		['2025-12-30 – 2026-01-02', 'Dec 2025–Jan 2026', '2025–2026'],
	],
	[
		'days of last year',
		'2025-11-08T00:00Z',
		'2025-11-10T00:00Z',
		['2025-11-08 – 2025-11-10', '8–10 Nov 2025', 'Nov 2025'],
	],
	[
		'months of last year',
		'2025-03-08T00:00Z',
		'2025-11-10T00:00Z',
		['2025-03-08 – 2025-11-10', '8 Mar–10 Nov 2025', '2025'],
	],
	[
		'hours of last year',
		'2025-11-08T14:00Z',
		'2025-11-08T16:30Z',
		['2025-11-08 14:00 – 16:30', '8 Nov 2025 14:00–16:30', '8 Nov 2025'],
	],
])('%s are named as briefly as is clear', (_, from, to, texts) => {
	const {full, brief, least} = dateRangeTexts(Date.parse(from), Date.parse(to), now, false);
	expect([full, brief, least]).toEqual(texts);
	expect(dateRangeTexts(Date.parse(from), Date.parse(to), now, true).full).toBe(texts[0]?.replace('–', '-'));
});

test('days are those of the zone, which is named beside times', () => {
	const zone = zoneOf('Europe/Berlin');
	const textsOf = (from: string, to: string) => dateRangeTexts(Date.parse(from), Date.parse(to), now, false, zone).full;
	expect([
		textsOf('2026-11-08T22:30Z', '2026-11-08T22:45Z'),
		textsOf('2026-11-08T22:30Z', '2026-11-08T23:30Z'),
	]).toEqual(['2026-11-08 23:30 – 23:45 +01:00', '2026-11-08 – 2026-11-09']);
});
