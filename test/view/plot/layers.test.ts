import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {IndicatorName} from '../../../source/market/indicators.ts';
import type {Candle} from '../../../source/market/types.ts';
import {type Line, lineText, seriesTones, type Tone} from '../../../source/view/line.ts';
import {candleCells} from '../../../source/view/panels/chart/candle-cells.ts';
import {drawPane, type Plot, plottedCurves} from '../../../source/view/panels/chart/draw-panes.ts';
import {glyphsFor} from '../../../source/view/panels/chart/glyphs.ts';
import {overlaysOf, panesOf} from '../../../source/view/panels/chart/indicator-curves.ts';
import {standardLengths} from '../../../source/view/panels/chart/indicator-lengths.ts';
import {drawPrices} from '../../../source/view/panels/chart/rows.ts';
import {comparedCurves} from '../../../source/view/panels/compare/draw-compare.ts';
import {type Bar, type Canvas, createCanvas, drawBar} from '../../../source/view/plot/canvas.ts';
import type {CurvePoint, PlottedCurve} from '../../../source/view/plot/curves.ts';
import {drawCurves} from '../../../source/view/plot/layers.ts';
import {createPriceScale} from '../../../source/view/plot/price-scale.ts';
import {createTimeScale} from '../../../source/view/plot/time-scale.ts';
import {walk} from '../../helpers/candles.ts';

const flat = (index: number, row: number, columns = 6): PlottedCurve => ({
	points: [
		{column: 0, rows: row},
		{column: columns - 1, rows: row},
	],
	style: {tone: seriesTones[index] ?? 'plain', dash: [1, 0], letter: 'abc'[index] ?? ''},
});

function draw(curves: readonly PlottedCurve[], ascii = false): readonly Line[] {
	const canvas = createCanvas({columns: 6, rows: 1});
	drawCurves(canvas, curves, ascii);
	return canvas.lines();
}

test('a shared cell has the dots of all its curves', () => {
	expect(draw([flat(0, 0), flat(1, 0.5)]).map(lineText)).toEqual(['⠭⠭⠭⠭⠭⠅']);
});

const tonesIn = (line: Line | undefined) => line?.map(({tone, text}) => `${tone} ${text.length}`);

test('curves that lie on each other alternate', () => {
	expect(tonesIn(draw([flat(0, 0), flat(1, 0.5)])[0])).toEqual([
		...['series1 1', 'series2 1', 'series1 1', 'series2 1', 'series1 1', 'series2 1'],
	]);
	expect(tonesIn(draw([flat(0, 0), flat(1, 0.25), flat(2, 0.5)])[0])).toEqual([
		...['series1 1', 'series2 1', 'series3 1', 'series1 1', 'series2 1', 'series3 1'],
	]);
});

const bar = (height: number): Bar => ({left: 0, columns: 6, base: 1, height, tone: 'upBar'});

test('a bar in a single row takes part in the cells of a curve that crosses it', () => {
	const over = (height: number, rows: number, ascii = false) => {
		const canvas = createCanvas({columns: 6, rows: 1});
		drawBar(canvas, bar(height), ascii);
		drawCurves(canvas, [flat(0, rows)], ascii, [bar(height)]);
		return canvas.lines()[0];
	};
	expect(lineText(over(0.25, 0) ?? [])).toBe('⣉⣉⣉⣉⣉⣁');
	expect(lineText(over(1, 0.25) ?? [])).toBe('⣭⣭⣭⣭⣭⣽');
	expect(over(1, 0.25)?.map(({tone}) => tone)).toEqual([
		...['series1', 'upBar', 'series1', 'upBar', 'series1', 'upBar'],
	]);
});

test('a bar that shows in other cells leaves those of a curve to the curve', () => {
	const canvas = createCanvas({columns: 6, rows: 2});
	const high = {...bar(2), base: 2};
	drawBar(canvas, high, false);
	drawCurves(canvas, [flat(0, 0)], false, [high]);
	expect(canvas.lines()).toEqual([[{text: '⠉⠉⠉⠉⠉⠁', tone: 'series1'}], [{text: '██████', tone: 'upBar'}]]);
});

test('in ASCII the letters of curves that lie on each other alternate', () => {
	const points = [0, 1, 2, 3].map((column): CurvePoint => ({column, rows: 0}));
	const curves = [0, 1].map(index => ({...flat(index, 0), points}));
	expect(draw(curves, true).map(lineText)).toEqual(['abab  ']);
});

/** The tone of each cell that is not blank. */
function tonesOf(canvas: Canvas): ReadonlyMap<string, Tone> {
	const tones = new Map<string, Tone>();
	for (const [row, line] of canvas.lines().entries()) {
		let column = 0;
		for (const {text, tone = 'plain'} of line) {
			for (const char of text) {
				if (char !== ' ') tones.set(`${row} ${column}`, tone);
				column++;
			}
		}
	}

	return tones;
}

/**
 * The share of a curve's columns in which, or in one beside which, one of its cells has its tone. Columns that `hides` takes all
 * its cells of do not count.
 */
function visibleShare(drawn: Canvas, curve: PlottedCurve, hides: (row: number, column: number) => boolean): number {
	const alone = createCanvas(drawn.size);
	drawCurves(alone, [curve], false);
	const tones = tonesOf(drawn);
	const columns = new Map<number, boolean>();
	for (const cell of tonesOf(alone).keys()) {
		const [row = 0, column = 0] = cell.split(' ').map(Number);
		if (hides(row, column)) continue;
		columns.set(column, tones.get(cell) === curve.style.tone || (columns.get(column) ?? false));
	}

	return shareBeside(
		Array.from(
			columns
				.keys()
				.toArray()
				.toSorted((a, b) => a - b),
			column => columns.get(column) === true,
		),
	);
}

/** The share of these that are true or stand beside one that is. */
const shareBeside = (shown: readonly boolean[]): number =>
	shown.length === 0
		? 1
		: shown.filter((is, index) => is || shown[index - 1] || shown[index + 1]).length / shown.length;

const chosenOf = (...names: readonly IndicatorName[]) => ({indicators: new Set(names), lengths: standardLengths});
const nothing = () => false;
const leastVisible = 0.9;
const size = {columns: 105, rows: 30};
const anySeed = fc.integer({min: 1, max: 100_000});
const newest = Date.UTC(2024, 7, 8, 23);

function plotOf(candles: readonly Candle[], zoom: number): Plot {
	const timeScale = createTimeScale({
		...{count: candles.length, isGap: nothing, columns: size.columns, zoom, offset: 0},
	});
	return {
		canvas: createCanvas(size),
		layout: {
			...{plotColumns: size.columns, timeColumns: size.columns, profileColumns: 0, legendRows: 0},
			priceTop: 0,
			priceRows: size.rows,
			...{panes: [], volume: undefined, timeRow: undefined, priceAxis: undefined},
		},
		glyphs: glyphsFor(false),
		ascii: false,
		timeScale,
		endOf: index => index,
		readoutIndex: candles.length - 1,
	};
}

const candlesOf = (seed: number) =>
	walk({count: 300, price: 60_000, decimals: 2, volatility: 0.006, newest, seed}).candles;

describe(`every curve is visible in ${leastVisible * 100} % of its columns`, () => {
	test('of MACD and its signal, and every bar of their histogram', () => {
		fc.assert(
			fc.property(anySeed, seed => {
				const candles = candlesOf(seed);
				const plot = plotOf(candles, 1);
				const [pane] = panesOf(candles, chosenOf('macd'));
				if (!pane) throw new Error('there is no pane');
				const rows = 6;
				const scale = drawPane(plot, pane, {top: 1, rows});
				const part = plot.canvas.part(1, rows);
				const shares = plottedCurves(plot, pane.curves, scale).map(curve => visibleShare(part, curve, nothing));
				const bars = tonesOf(part);
				const withBar = new Set(
					[...bars].filter(([, tone]) => /Bar/.test(tone)).map(([cell]) => Number(cell.split(' ')[1])),
				);
				const {first, last} = plot.timeScale;
				shares.push(shareBeside(Array.from({length: last - first + 1}, (_, column) => withBar.has(column))));
				expect(Math.min(...shares)).toBeGreaterThanOrEqual(leastVisible);
			}),
			{numRuns: 15},
		);
	});

	test('of averages and bands over candles, where there is no body', () => {
		fc.assert(
			fc.property(anySeed, fc.integer({min: 1, max: 5}), (seed, zoom) => {
				const candles = candlesOf(seed);
				const plot = plotOf(candles, zoom);
				const {timeScale, glyphs, canvas} = plot;
				const visible = candles.slice(timeScale.first, timeScale.last + 1);
				const low = Math.min(...visible.map(candle => candle.low));
				const high = Math.max(...visible.map(candle => candle.high));
				const scale = createPriceScale({low, high, rows: size.rows, decimals: 2});
				const overlays = overlaysOf(
					{candles, period: 60, builtFrom: 'exchange'},
					chosenOf('sma', 'ema', 'bollinger'),
					true,
				);
				const series = {candles, timeScale, glyphs, ascii: false};
				drawPrices(plot, series, scale, overlays, {type: 'candles', zoom: {columns: zoom, merged: 1}});
				const style = timeScale.bodyReach > 0 ? glyphs.wide : glyphs.narrow;
				const bodies = new Set(
					visible.flatMap((candle, index) =>
						candleCells(candle, scale, style, false)
							.filter(({isBody}) => isBody)
							.flatMap(({row}) => {
								const middle = timeScale.columnOf(timeScale.first + index);
								return [-1, 0, 1].map(by => `${row} ${middle + by * timeScale.bodyReach}`);
							}),
					),
				);
				const curves = plottedCurves(
					plot,
					overlays.flatMap(overlay => overlay.curves),
					scale,
				);
				const shares = curves.map(curve =>
					visibleShare(canvas, curve, (row, column) => bodies.has(`${row} ${column}`)),
				);
				expect(Math.min(...shares)).toBeGreaterThanOrEqual(leastVisible);
			}),
			{numRuns: 15},
		);
	});

	test('of compared markets', () => {
		fc.assert(
			fc.property(anySeed, fc.integer({min: 2, max: 4}), (seed, count) => {
				const changes = Array.from({length: count}, (_, index) => {
					const closes = walk({count: 90, price: 100, decimals: 4, volatility: 0.01, newest, seed: seed + index});
					return closes.candles.map(({close}) => close - 100);
				});
				const all = changes.flat();
				const rows = 20;
				const scale = createPriceScale({low: Math.min(...all), high: Math.max(...all), rows, decimals: 2, inset: 0.5});
				const canvas = createCanvas({...size, rows});
				const curves = comparedCurves(changes, scale, {columns: 1});
				drawCurves(canvas, curves, false);
				const shares = curves.map(curve => visibleShare(canvas, curve, nothing));
				expect(Math.min(...shares)).toBeGreaterThanOrEqual(leastVisible);
			}),
			{numRuns: 15},
		);
	});
});
