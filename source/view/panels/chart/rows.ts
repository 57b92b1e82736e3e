import type {Size} from '../../../format/cells.ts';
import {type CandleSeries, candleEnd} from '../../../market/candles.ts';
import type {Results} from '../../../market/follow.ts';
import type {Candle, Period} from '../../../market/types.ts';
import {noKeyHint} from '../../keys.ts';
import {fitLine, type Line} from '../../line.ts';
import {createCanvas} from '../../plot/canvas.ts';
import {drawCurve} from '../../plot/curves.ts';
import {logTicks, type RoundTicks, roundTicks} from '../../plot/price-axis.ts';
import {createPriceScale, createRangeFitter, type PriceScale, type RangeFitter} from '../../plot/price-scale.ts';
import {fullTime, timeLabels} from '../../plot/time-labels.ts';
import {chartLayout} from './chart-layout.ts';
import {type ChartInput, type ChartView, createView, drawnCandles} from './chart-view.ts';
import {
	type Axes,
	drawAlertLevels,
	drawCrosshair,
	drawFrame,
	drawGaps,
	drawGrid,
	drawLargestVolume,
	drawLastPrice,
	drawPriceTicks,
	drawTimes,
	drawTouch,
	type PriceAxis,
} from './draw-axes.ts';
import {curvePoints, drawPane, type Plot} from './draw-panes.ts';
import {
	candlePictures,
	drawBars,
	drawCandles,
	drawLine,
	drawVolume,
	largestVolume,
	type Series,
} from './draw-series.ts';
import {glyphsFor} from './glyphs.ts';
import {type Overlay, overlaysOf, panesOf} from './indicator-curves.ts';
import {drawIndicatorMenu} from './indicator-menu.ts';
import {legendLines} from './legend.ts';

/** Minimum rows between round prices. */
const rowsPerTick = 2.5;
/** Minimum rows on a logarithmic scale, where round prices are spaced unevenly. */
const logRowsPerTick = 2;
/** Candles this far apart leave room for curves beside their wicks; closer ones would hide them. */
const roomyColumns = 3;
/** How far overlays may widen the prices' range, as a share of it: a mean far away must not flatten the candles. */
const overlayShare = 0.5;

/**
 * The chart inside its frame, exactly the input's size. Rising candles are hollow, falling ones filled; the forming candle
 * has broken strokes. `fitRange` keeps the scale still from frame to frame.
 */
export function chartBody(
	input: ChartInput,
	fitRange: RangeFitter = createRangeFitter(),
	view: ChartView = createView(input),
): readonly Line[] {
	const {series, size, ascii, decimals, zoom} = input;
	const newest = series.candles.at(-1);
	if (!newest) return emptyChart(size, ascii);

	const {candles, timeScale, layout, labels, endOf} = view;
	const glyphs = glyphsFor(ascii);
	const drawn = drawnCandles(input, view);
	const overlays = overlaysOf(series, input.indicators, input.complete ?? false);
	const scale = scaleFor(input, view, drawn, overlays, fitRange);
	const axis: PriceAxis = {canvas: createCanvas(size), layout, glyphs, scale, labels};
	const traded: Series = {candles, timeScale, glyphs, ascii, forming: view.forming};
	const readout = view.cross ?? timeScale.last;
	const plot: Plot = {...axis, ascii, timeScale, endOf, readoutIndex: endOf(readout)};

	drawFrame(axis);
	drawPrices(plot, {...traded, candles: drawn}, scale, overlays, input);
	if (layout.volume) drawVolume(axis.canvas, traded, layout.volume);
	for (const [index, pane] of panesOf(series.candles, input.indicators).entries()) {
		const place = layout.panes[index];
		if (place) drawPane(plot, pane, place);
	}

	const ticks = ticksFor(input, scale);
	const forming = view.forming === undefined ? undefined : timeScale.columnOf(view.forming);
	const time = {candles, timeScale, period: view.period, zoom: zoom.columns, columns: layout.plotColumns};
	const times = timeLabels({...time, reserved: forming, now: input.now});
	const cross = crossOf(view);
	drawGaps(axis, timeScale.gapColumns);
	drawPriceTicks(axis, ticks);
	drawLargestVolume(axis, largestVolume(traded), ascii);
	const levelRows = drawAlertLevels(axis, input.levels ?? [], input.lastTrade ?? newest.close, ascii);
	drawLastPrice(axis, newest.close, newest.close === input.lastTrade);
	drawTouch(axis, input.touch ?? {}, newest.close, levelRows);
	drawTimes(axis, {labels: times, forming, newer: view.newer, cross});
	if (cross) drawCrosshair(axis, cross);
	drawGrid(
		axis,
		ticks.values.map(value => scale.rowOf(value)),
		times.map(({column}) => column),
	);
	if (input.menu !== undefined) {
		const menu = {cursor: input.menu, shown: input.indicators, keyHint: input.keyHint ?? noKeyHint, ascii};
		drawIndicatorMenu(axis.canvas, {...menu, plotColumns: layout.plotColumns});
		return axis.canvas.lines();
	}

	const lines = axis.canvas.lines();

	const candle = candles[readout] ?? newest;
	const partial = isPartial(series, candle, view.period);
	const legend = legendLines({
		chart: input,
		...{size, candle, partial, overlays, at: endOf(readout), decimals, labels, ascii},
	});
	return [...legend.map(line => fitLine(line, size.columns)), ...lines.slice(legend.length)];
}

/** Draws the candles in the chosen type, and the curves over the prices. */
function drawPrices(
	plot: Plot,
	series: Series,
	scale: PriceScale,
	overlays: readonly Overlay[],
	{type, zoom}: ChartInput,
): void {
	const {layout, ascii} = plot;
	const canvas = plot.canvas.part(layout.priceTop, layout.priceRows, layout.plotColumns);
	const drawOverlays = (): void => {
		for (const curve of overlays.flatMap(({curves}) => curves)) {
			drawCurve(canvas, curvePoints(plot, curve, scale), curve.style, ascii);
		}
	};

	if (type === 'candles' || type === 'heikin-ashi') {
		const pictures = candlePictures(series, scale);
		const isRoomy = zoom.columns >= roomyColumns;
		if (isRoomy) drawOverlays();
		drawCandles(canvas, pictures, 'wicks');
		if (!isRoomy) drawOverlays();
		drawCandles(canvas, pictures, 'bodies');
		return;
	}

	drawOverlays();
	if (type === 'bars') drawBars(canvas, series, scale);
	else drawLine(canvas, series, scale, zoom.columns);
}

/** Whether trades may be missing from a candle of `period` minutes, which may stand for several of the series. */
const isPartial = ({partial = new Set()}: CandleSeries, candle: Candle, period: Period): boolean =>
	partial.values().some(time => time >= candle.time && time < candleEnd(candle, period));

/** The crosshair, if it is visible. */
function crossOf({candles, timeScale, cross}: ChartView) {
	const candle = cross === undefined ? undefined : candles[cross];
	const column = cross === undefined ? -1 : timeScale.columnOf(cross);
	return candle && column >= 0 ? {column, price: candle.close, time: fullTime(candle.time)} : undefined;
}

function scaleFor(
	{type, log, decimals}: ChartInput,
	{period, layout, timeScale: {first, last}, endOf}: ChartView,
	drawn: Results<Candle>,
	overlays: readonly Overlay[],
	fitRange: RangeFitter,
): PriceScale {
	let low = Infinity;
	let high = -Infinity;
	for (let index = first; index <= last; index++) {
		const candle = drawn.at(index);
		if (!candle) continue;
		low = Math.min(low, type === 'line' ? candle.close : candle.low);
		high = Math.max(high, type === 'line' ? candle.close : candle.high);
	}

	const widest = {low: low - (high - low) * overlayShare, high: high + (high - low) * overlayShare};
	for (const {values} of overlays.flatMap(({curves}) => curves)) {
		for (let index = first; index <= last; index++) {
			const value = values.at(endOf(index));
			if (value === undefined) continue;
			low = Math.min(low, Math.max(value, widest.low));
			high = Math.max(high, Math.min(value, widest.high));
		}
	}

	const range = fitRange({low, high}, {name: `${period} ${type} ${log}`, log});
	return createPriceScale({...range, rows: layout.priceRows, decimals, log});
}

function ticksFor({log, decimals}: ChartInput, scale: PriceScale): RoundTicks {
	if (log && scale.bottom > 0) return logTicks(scale, logRowsPerTick, decimals);
	return roundTicks(scale.bottom, scale.top, Math.floor(scale.rows / rowsPerTick), decimals);
}

/** Cells of a label such as 61,824.01, for the axis before there is a price. */
const usualLabelWidth = 9;
const gridRows = 4;
const gridColumns = 12;
/** Texts for an empty chart, of which the longest that fits is shown. */
const emptyTexts = [' no candles yet ', 'no candles yet', 'none yet'];

/** The shape of a chart whose candles are still loading: axes and a faint grid. Exactly `size`. */
export const chartSkeleton = (size: Size, ascii: boolean): readonly Line[] => drawSkeleton(size, ascii).canvas.lines();

/** The shape of a chart with a text in its middle, for a market without candles. Exactly `size`. */
export function emptyChart(size: Size, ascii: boolean): readonly Line[] {
	const {canvas, layout} = drawSkeleton(size, ascii);
	const text = emptyTexts.find(candidate => candidate.length <= layout.plotColumns) ?? '';
	const column = Math.floor((layout.plotColumns - text.length) / 2);
	canvas.write(Math.floor((layout.priceRows - 1) / 2), column, text, 'plain');
	return canvas.lines();
}

function drawSkeleton(size: Size, ascii: boolean): Axes {
	const layout = chartLayout(size, {labelWidth: usualLabelWidth});
	const axes: Axes = {canvas: createCanvas(size), layout, glyphs: glyphsFor(ascii)};
	drawFrame(axes);
	drawTimes(axes, {labels: [], newer: 0});
	drawGrid(axes, every(gridRows, layout.priceRows), every(gridColumns, layout.plotColumns));
	return axes;
}

/** The middle of every stretch of `step` cells. */
const every = (step: number, cells: number): readonly number[] =>
	Array.from({length: Math.floor(cells / step)}, (_, index) => index * step + Math.floor(step / 2));
