import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Zone} from '../../../source/format/zone.ts';
import {monthsIn} from '../../../source/market/calendar.ts';
import {type CandleSeries, candleStart, isAfterGap, startAfter} from '../../../source/market/candles.ts';
import {commonPeriods} from '../../../source/market/types.ts';
import {monthMinutes} from '../../../source/market/units.ts';
import {zoomLevels} from '../../../source/view/panels/chart/chart-state.ts';
import {timeLabels} from '../../../source/view/plot/time-labels.ts';
import {createTimeScale} from '../../../source/view/plot/time-scale.ts';
import {anySeries, walk} from '../../helpers/candles.ts';
import {zoneOf} from '../../helpers/zones.ts';

type View = {columns: number; zoom?: number; now: number; reserved?: number; zone?: Zone};

const scaleOf = (series: CandleSeries, columns: number, zoom: number) =>
	createTimeScale({
		count: series.candles.length,
		isGap: index => isAfterGap(series, index),
		columns,
		zoom,
		offset: 0,
	});

function labelsOf(series: CandleSeries, {columns, zoom = 1, now, reserved, zone}: View) {
	const {candles, period} = series;
	return timeLabels({candles, period, timeScale: scaleOf(series, columns, zoom), zoom, columns, reserved, now, zone});
}

/** The axis as it is read. */
function axisOf(series: CandleSeries, view: View): string {
	const cells = Array.from({length: view.columns}, () => ' ');
	for (const {start, text} of labelsOf(series, view)) cells.splice(start, text.length, ...text);
	return cells.join('').trimEnd();
}

const calm = {price: 100, decimals: 2, volatility: 0.01};

const series = (period: number, newest: number): CandleSeries =>
	monthsIn(period) > 0
		? monthsUntil(newest, period)
		: walk({count: 400, ...calm, newest: candleStart(newest, period), period});

/** 400 candles of calendar months. */
function monthsUntil(newest: number, period: number): CandleSeries {
	const last = candleStart(newest, period);
	const {candles, ...rest} = walk({count: 400, ...calm, newest: last, period});
	return {...rest, candles: candles.map((candle, index) => ({...candle, time: startAfter(last, period, index - 399)}))};
}

describe('timeLabels', () => {
	const newest = Date.UTC(2024, 7, 8, 23);

	test.each([
		['minutes', 1, 1, '   8 Aug 22:15       22:30          22:45         23:00'],
		['a quarter of an hour', 15, 1, '    8 Aug 12:00    15:00       18:00       21:00'],
		['hours', 60, 1, '    7 Aug       12:00       8 Aug       12:00'],
		['hours, three columns each', 60, 3, '   8 Aug 08:00    12:00       16:00       20:00'],
		['days', 1440, 1, '17 Jun       1 Jul        15 Jul        29 Jul'],
		['thirty days', 43_200, 1, '        2021         2022        2023        2024'],
		['months', monthMinutes, 1, '        2021        2022        2023        2024'],
		['months, five columns each', monthMinutes, 5, 'Oct 2023     Jan 2024          Apr            Jul'],
		['quarters, five columns each', 131_490, 5, '2022                2023                2024'],
		['weeks', 10_080, 1, '    2 Oct 2023   1 Jan 2024      1 Apr        1 Jul'],
	])('%s are marked at round times in UTC, the day named where it changes', (_, period, zoom, axis) => {
		expect(axisOf(series(period, newest), {columns: 55, zoom, now: newest})).toBe(axis);
	});

	test.each([
		[
			'hours, of which one is shown twice',
			60,
			1,
			'Europe/Berlin',
			Date.UTC(2023, 9, 29, 6),
			'   27 Oct 12:00   28 Oct       12:00      29 Oct',
		],
		[
			'hours, that begin at half past',
			60,
			3,
			'Asia/Kolkata',
			newest,
			'8 Aug 12:30    16:30       20:30    9 Aug 00:30   04:30',
		],
	])('%s are marked at round times of the zone', (_, period, zoom, zone, last, axis) => {
		expect(axisOf(series(period, last), {columns: 55, zoom, now: last, zone: zoneOf(zone)})).toBe(axis);
	});

	test('a label names the year where it is not the current one', () => {
		const newYear = Date.UTC(2025, 0, 1, 6);
		expect(axisOf(series(60, newYear), {columns: 40, now: newYear})).toBe('   31 Dec 2024    12:00    1 Jan 2025');
	});

	test('a day that begins while candles are missing is named at the first candle after them', () => {
		const whole = series(60, newest);
		const cut = {...whole, candles: whole.candles.filter((_, index) => index < 370 || index > 380)};
		expect(axisOf(cut, {columns: 40, now: newest})).toBe('7 Aug          8 Aug 05:00');
	});

	test('a label stops before the mark of the candle that is still forming', () => {
		const noon = Date.UTC(2024, 7, 8, 12);
		expect(axisOf(series(60, noon), {columns: 40, now: noon, reserved: 38})).toBe(
			'7 Aug       12:00       8 Aug   12:00',
		);
	});

	test('at least two dates stand below every full chart of 40 columns and more', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...commonPeriods, 180, 4320, 43_200),
				fc.constantFrom(...zoomLevels),
				fc.integer({min: Date.UTC(2000, 0), max: Date.UTC(2030, 0)}),
				fc.integer({min: 40, max: 200}),
				(of, {columns: zoom, merged}, time, columns) => {
					const period = of * merged;
					const all = series(period, time);
					fc.pre((all.candles[190]?.time ?? 0) > Date.UTC(1000, 0));
					const labels = labelsOf(all, {columns, zoom, now: time});
					expect(labels.length).toBeGreaterThanOrEqual(2);
				},
			),
			{numRuns: 100},
		);
	});

	test('labels are in order and apart, inside the axis and off the mark', () => {
		fc.assert(
			fc.property(
				anySeries,
				fc.integer({min: 0, max: 120}),
				fc.constantFrom(1, 2, 4),
				fc.integer({min: 0, max: 119}),
				(any, columns, zoom, reserved) => {
					let free = 0;
					for (const {start, text} of labelsOf(any, {columns, zoom, now: 0, reserved})) {
						expect(start).toBeGreaterThanOrEqual(free);
						expect(start + text.length).toBeLessThanOrEqual(columns);
						expect(start <= reserved && reserved < start + text.length).toBe(false);
						free = start + text.length + 2;
					}
				},
			),
		);
	});

	test('labels read from the left give the day and the year of every candle', () => {
		fc.assert(
			fc.property(anySeries, fc.integer({min: 20, max: 200}), fc.constantFrom(1, 2, 4), (any, columns, zoom) => {
				const now = any.candles.at(-1)?.time ?? 0;
				fc.pre(now < Date.UTC(9999, 0));
				const scale = scaleOf(any, columns, zoom);
				let day = '';
				let year = String(new Date(now).getUTCFullYear());
				for (const {column, text} of labelsOf(any, {columns, zoom, now})) {
					const {time = 0} = any.candles[scale.indexAt(column) ?? -1] ?? {};
					const date = new Date(time).toUTCString();
					const [, dayText, yearText] = /^(?:(\d+ [A-Z][a-z]{2})(?: (\d{4}))?)?(?: ?\d\d:\d\d)?$/.exec(text) ?? [];
					if (/^\d{4}$/.test(text)) {
						expect(date).toContain(` ${text} `);
						continue;
					}

					day = dayText ?? day;
					year = yearText ?? year;
					expect(date).toMatch(new RegExp(`^..., 0?${day} ${year} `));
				}
			}),
			{numRuns: 100},
		);
	});
});
