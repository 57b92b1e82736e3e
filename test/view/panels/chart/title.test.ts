import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {CandleSeries} from '../../../../source/market/candles.ts';
import {commonPeriods} from '../../../../source/market/types.ts';
import {framePanel} from '../../../../source/view/frame.ts';
import {lineText} from '../../../../source/view/line.ts';
import {
	type ChartState,
	chartTypes,
	initialChart,
	oneColumn,
	zoomLevels,
} from '../../../../source/view/panels/chart/chart-state.ts';
import {createView} from '../../../../source/view/panels/chart/chart-view.ts';
import {chartTitles, pannedRange} from '../../../../source/view/panels/chart/title.ts';
import {dateRangeTexts} from '../../../../source/view/plot/time-labels.ts';
import {walk} from '../../../helpers/candles.ts';

const now = Date.UTC(2026, 10, 20, 12);
const day = 86_400_000;
const statuses = ['v2 · 0.4 s', '0.4 s'].map(text => [{text}]);

/** The title in the border of a chart that is so wide. */
function shownTitle(titles: readonly string[], columns: number): string {
	const [top = []] = framePanel(
		{key: '2', titles, statuses, focused: false, ascii: false, size: {columns, rows: 3}},
		[],
	);
	return lineText(top);
}

const heikinAshi: ChartState = {...initialChart, type: 'heikin-ashi', log: true, zoom: {columns: 1, merged: 5}};

test('shortens the title step by step and keeps what changes the meaning', () => {
	const range = dateRangeTexts(now - 12 * day, now - 10 * day, now, false);
	expect(chartTitles({period: 60, candles: [], builtFrom: 'trades'}, heikinAshi, range, false)).toEqual([
		'Chart · 1h · built from trades · Heikin-Ashi, averages · 5 a column · log · 2026-11-08 – 2026-11-10',
		'1h · built from trades · Heikin-Ashi, averages · 5 a column · log · 2026-11-08 – 2026-11-10',
		'1h · built from trades · Heikin-Ashi · 5 a column · log · 2026-11-08 – 2026-11-10',
		'1h · built from trades · Heikin-Ashi · 5 a column · log · 8–10 Nov',
		'1h · from trades · Heikin-Ashi · 5 a column · log · 8–10 Nov',
		'1h · from trades · Heikin-Ashi · 5 a column · log · 8–10 Nov',
		'1h×5 of trades HA log 8–10 Nov',
	]);
	expect(chartTitles({period: 60, candles: [], builtFrom: 'exchange'}, initialChart, undefined, true)).toEqual([
		'Chart - 1h - candles',
		'1h - candles',
		...Array.from({length: 5}, () => '1h'),
	]);
});

test('every title from 40 columns on tells averages, a logarithmic scale, built candles and an older range', () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...commonPeriods, 45, 4320),
			fc.constantFrom<CandleSeries['builtFrom']>('exchange', 'trades', 1, 15, 1440),
			fc.constantFrom(...chartTypes),
			fc.boolean(),
			fc.constantFrom(oneColumn, ...zoomLevels),
			fc.option(fc.tuple(fc.integer({min: 0, max: 300}), fc.integer({min: 0, max: 40})), {nil: undefined}),
			fc.integer({min: 40, max: 130}),
			(period, builtFrom, type, log, zoom, dates, columns) => {
				const [ago = 0, days = 0] = dates ?? [];
				const range = dates && dateRangeTexts(now - (ago + days) * day, now - ago * day, now, false);
				const chart = {...initialChart, type, log, zoom};
				const title = shownTitle(chartTitles({period, candles: [], builtFrom}, chart, range, false), columns);
				const named = {
					built: / (built from|from|of) (trades|1m|15m|1d) | trades /.test(title),
					averages: / (Heikin-Ashi|HA)[, ]/.test(title),
					log: title.includes(' log '),
					merged: / \d+ a column |×\d+ /.test(title),
					older: /\d{4}-\d\d|[A-Z][a-z]{2} | 20\d\d/.test(title.replace(/Chart |HA|Heikin-Ashi/, '')),
				};
				expect(named).toEqual({
					built: builtFrom !== 'exchange',
					averages: type === 'heikin-ashi',
					// A footprint has one price step per row, and one candle per slot.
					log: log && type !== 'footprint',
					merged: zoom.merged > 1 && type !== 'footprint',
					older: dates !== undefined,
				});
			},
		),
		{numRuns: 150},
	);
});

test('only a panned view has a range: that of its first and last candle', () => {
	const series = walk({count: 500, price: 100, decimals: 2, volatility: 0.01, newest: now});
	const size = {columns: 60, rows: 20};
	const rangeAt = (rightEdge: number | undefined) =>
		pannedRange(createView({...initialChart, series, size, ascii: false, now, decimals: 2, rightEdge}), now, false)
			?.full;
	expect([rangeAt(undefined), rangeAt(now), rangeAt(now - 10 * day)]).toEqual([
		undefined,
		undefined,
		'2026-11-08 – 2026-11-10',
	]);
});
