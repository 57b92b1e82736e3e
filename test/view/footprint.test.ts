/** Footprints in the chart. */
import {expect, test} from 'vitest';
import type {CandleSeries} from '../../source/market/candles.ts';
import {candlesOfTrades} from '../../source/market/trade-candles.ts';
import type {Side, Trade} from '../../source/market/types.ts';
import {lineText} from '../../source/view/line.ts';
import {type ChartState, initialChart} from '../../source/view/panels/chart/chart-state.ts';
import {createChartPanel} from '../../source/view/panels/chart/model.ts';
import {failure, received} from '../helpers/market-state.ts';
import {openHeadless} from './commands/headless.ts';

const minute = 60_000;
const start = Date.UTC(2024, 7, 9, 14, 30);
const now = start + 4.5 * minute;

/** A trade a second, of the minute before the first candle's end and four minutes, in a wave of prices and sizes. */
const trades = Array.from({length: 320}, (_, index): Trade => {
	const time = start - 50_000 + index * 1000;
	const price = Math.round(6180 + 6 * Math.sin(index / 23) + 2 * Math.sin(index * 1.7)) / 100;
	const side: Side = Math.sin(index * 0.9) > -0.2 ? 'buy' : 'sell';
	return {id: String(index), time, price, quantity: ((index * 37) % 100) / 40 + 0.005, side};
}).reverse();
const candles = candlesOfTrades(trades, 1);

/** `differing`: the second candle has another volume than its trades. */
function panelOf(
	change: Partial<ChartState> & {tape?: readonly Trade[]; gaps?: readonly string[]} = {},
	{
		columns = 80,
		rows = 24,
		ascii = false,
		differing = false,
		fails = false,
		newestVolume = candles.at(-1)?.volume ?? 0,
	} = {},
): readonly string[] {
	const {tape = trades, gaps = [], ...chart} = change;
	const data: CandleSeries = {
		...{period: 1, builtFrom: 'exchange'},
		candles: candles.map((candle, index) => {
			const volume = index === candles.length - 1 ? newestVolume : differing && index === 2 ? 70 : candle.volume;
			return {...candle, volume};
		}),
	};
	const {lines} = createChartPanel()({
		...{candles: received(data, now), history: {status: 'complete'}, period: 1},
		...{decimals: {price: 2, quantity: 3}, chart: {...initialChart, type: 'footprint', ...chart}},
		tape: {...received({trades: tape, gaps: new Set(gaps)}, now), ...(fails && {failure: failure(now)})},
		...{touch: {}, focused: false, size: {columns, rows}, now, ascii},
	});
	return lines.map(lineText);
}

test.each([
	['footprint', {columns: 116, rows: 34}],
	['footprint-small', {columns: 78, rows: 20}],
	['footprint-ascii', {columns: 116, rows: 34, ascii: true}],
	['footprint-differing', {columns: 116, rows: 34, differing: true}],
])('a chart of footprints is drawn: %s', async (name, options) => {
	await expect(panelOf({}, options).join('\n')).toMatchFileSnapshot(`../frames/chart/${name}.txt`);
});

test('a nearer zoom widens the columns', async () => {
	const frame = panelOf({zoom: {columns: 3, merged: 1}}, {columns: 116, rows: 30}).join('\n');
	await expect(frame).toMatchFileSnapshot('../frames/chart/footprint-zoomed.txt');
});

test('trades without sides have totals alone, and the border says why', async () => {
	const tape = trades.map(({side: _, ...trade}) => trade);
	await expect(panelOf({tape}).join('\n')).toMatchFileSnapshot('../frames/chart/footprint-no-sides.txt');
});

test('candles before a gap in the tape lack trades, and the border has the time from which on none is missing', () => {
	const gap = trades.find(({time}) => time < start + 2.5 * minute)?.id ?? '';
	const rows = panelOf({gaps: [gap]}, {columns: 116, rows: 34});
	expect(rows.at(-1)).toContain(' trades since 14:32:29 ');
	expect(rows.join('\n').match(/trades missing/g)).toHaveLength(4);
});

test('while the tape fails, a forming candle that has grown since has no footprint, and one that has not keeps it', () => {
	const lacking = (volume: number) =>
		panelOf({}, {columns: 116, rows: 34, fails: true, newestVolume: volume})
			.join('\n')
			.match(/volume differs/g)?.length ?? 0;
	const volume = candles.at(-1)?.volume ?? 0;
	expect([lacking(volume), lacking(volume + 1)]).toEqual([0, 1]);
});

test('no footprint is drawn of an empty tape', () => {
	const rows = panelOf({tape: []});
	expect(rows.join('\n').match(/trades missing/g)?.length).toBeGreaterThan(2);
	expect(rows.join('\n')).not.toMatch(/×\s*[\d.]/);
});

test(':footprint draws footprints, with a ratio it marks imbalances from that on', async () => {
	const {press, type, outcome} = await openHeadless();
	await press('2 c c c c');
	expect(outcome().ui.chart.type).toBe('footprint');
	await press('c');
	await type(':footprint\r');
	expect(outcome().ui.chart).toMatchObject({type: 'footprint', imbalance: 3});
	await type(':footprint 2.5\r');
	expect([outcome().ui.chart.imbalance, outcome().ui.notice]).toEqual([2.5, 'footprints mark imbalances from 2.5:1']);
	await type(':footprint 1\r');
	expect(outcome().ui.command?.fault).toBe('a ratio is from 1.1 to 100; footprint takes one such as 3');
	await press('esc');
	await type(':footprint x\r');
	expect(outcome().ui.command?.fault).toBe('x is not a number; footprint takes one such as 3');
});

test('a higher ratio marks fewer imbalances', () => {
	const marks = (imbalance: number) =>
		panelOf({imbalance}, {columns: 116, rows: 34}).join('').match(/[‹›]/g)?.length ?? 0;
	expect(marks(1.1)).toBeGreaterThan(marks(3));
	expect(marks(3)).toBeGreaterThan(marks(20));
});

test('a footprint zooms out no further than its least columns, and has no logarithmic scale', async () => {
	const {press, type, outcome} = await openHeadless();
	await type(':footprint\r');
	await press('2 + +');
	expect(outcome().ui.chart.zoom).toEqual({columns: 3, merged: 1});
	await press('- - -');
	expect([outcome().ui.chart.zoom, outcome().ui.notice]).toEqual([
		{columns: 1, merged: 1},
		'a footprint takes at least 16 columns',
	]);
	await press('l');
	expect([outcome().ui.chart.log, outcome().ui.notice]).toEqual([
		false,
		'a footprint has one price step per row, on a linear scale',
	]);
});
