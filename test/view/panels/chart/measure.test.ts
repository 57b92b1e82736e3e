import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {textWidth} from '../../../../source/format/cells.ts';
import {lineText} from '../../../../source/view/line.ts';
import {initialChart} from '../../../../source/view/panels/chart/chart-state.ts';
import {createView} from '../../../../source/view/panels/chart/chart-view.ts';
import {measured, measureLines} from '../../../../source/view/panels/chart/legend.ts';
import {createPriceLabels} from '../../../../source/view/plot/price-axis.ts';
import {walk} from '../../../helpers/candles.ts';

const hour = 3_600_000;
const newest = Date.UTC(2024, 7, 8, 23);
const series = walk({count: 300, price: 60_000, decimals: 2, volatility: 0.006, newest, seed: 7});
const size = {columns: 80, rows: 30};

const between = (from: {time: number; price: number}, to: {time: number; price: number}, zoom = initialChart.zoom) => {
	const chart = {...initialChart, zoom, mark: from, cross: to.time, crossPrice: to.price};
	const input = {...chart, series, size, ascii: false, now: newest, decimals: 2};
	return measured(input, createView(input));
};

describe('measuring', () => {
	const [from, to] = [series.candles[280], series.candles[292]];
	const prices = [57_500, 57_630.5] as const;

	test('from a mark older than the loaded candles begins with the oldest of them', () => {
		const oldest = series.candles[0]?.time ?? 0;
		const at = {time: to?.time ?? 0, price: prices[1]};
		const early = between({time: oldest - 90 * hour, price: prices[0]}, at);
		expect(early).toEqual(between({time: oldest, price: prices[0]}, at));
		expect(early?.candles).toBe(292);
	});

	test('says where trades may be missing from its volume', () => {
		const partial = new Set([series.candles[285]?.time ?? 0]);
		const chart = {...initialChart, cross: to?.time, mark: {time: from?.time ?? 0, price: 1}};
		const input = {...chart, series: {...series, partial}, size, ascii: false, now: newest, decimals: 2};
		expect(measured(input, createView(input))?.partial).toBe(true);
	});
});

describe('what is measured', () => {
	const labels = createPriceLabels({candles: series.candles, decimals: 2, ascii: false});
	const measurement = {change: -1234.5, percent: -2.01, candles: -12, ms: -36 * hour, volume: 345.6, partial: true};
	const textsIn = (columns: number, rows: number, ascii = false) =>
		measureLines(measurement, {columns, rows}, labels, ascii).map(lineText);

	test('is in one row, or in two, and loses its last parts where there is no room', () => {
		expect(textsIn(64, 1)).toEqual(['Δ −1,234.50  −2.01 %  −12 candles  −1 d 12 h  V≥345.6']);
		expect(textsIn(38, 2)).toEqual(['Δ −1,234.50  −2.01 %', '−12 candles  −1 d 12 h  V≥345.6']);
		expect(textsIn(38, 1)).toEqual(['Δ −1,234.50  −2.01 %  −12 candles']);
		expect(textsIn(20, 1)).toEqual(['Δ −1,234.50  −2.01 %']);
		expect(textsIn(8, 1)).toEqual(['']);
		expect(textsIn(64, 1, true)).toEqual(['delta -1,234.50  -2.01 %  -12 candles  -1 d 12 h  V>=345.6']);
	});

	test('is never wider than the chart', () => {
		fc.assert(
			fc.property(fc.integer({min: 0, max: 90}), fc.integer({min: 0, max: 2}), fc.boolean(), (columns, rows, ascii) => {
				const texts = textsIn(columns, rows, ascii);
				expect(texts).toHaveLength(rows);
				expect(Math.max(0, ...texts.map(textWidth))).toBeLessThanOrEqual(columns);
			}),
		);
	});
});
