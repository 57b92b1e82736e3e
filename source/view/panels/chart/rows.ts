import type {Size} from '../../../format/cells.ts';
import {formatPeriod} from '../../../format/time.ts';
import {zoneLabels} from '../../../format/zone.ts';
import {indexAtTime} from '../../../market/candle-groups.ts';
import {type CandleSeries, candleEnd, lacksTrades} from '../../../market/candles.ts';
import type {Period} from '../../../market/types.ts';
import {type VolumeProfile, volumeProfile} from '../../../market/volume-profile.ts';
import {fitLine, type Line, type Tone} from '../../line.ts';
import {createCanvas} from '../../plot/canvas.ts';
import {drawAsciiLine, type PlottedCurve} from '../../plot/curves.ts';
import {drawCurves} from '../../plot/layers.ts';
import {createRangeFitter, type PriceScale, type RangeFitter} from '../../plot/price-scale.ts';
import {fullTime, timeLabels} from '../../plot/time-labels.ts';
import {chartLayout} from './chart-layout.ts';
import type {Mark} from './chart-state.ts';
import {type ChartInput, type ChartView, chartScale, createView, drawnCandles} from './chart-view.ts';
import {
	type Axes,
	drawAlertLevels,
	drawCrosshair,
	drawCrosshairPrice,
	drawFrame,
	drawGaps,
	drawGrid,
	drawLargestVolume,
	drawLastPrice,
	drawLevelLines,
	drawLevelNotes,
	drawMark,
	drawPriceTicks,
	drawTimes,
	drawTouch,
	type PriceAxis,
} from './draw-axes.ts';
import {drawFootprints, isFootprint} from './draw-footprint.ts';
import {linesIn} from './draw-lines.ts';
import {drawPane, drawVolume, type Plot, plottedCurves} from './draw-panes.ts';
import {
	candlePictures,
	closingCurve,
	drawBars,
	drawCandles,
	drawLineEnd,
	largestVolume,
	type Series,
} from './draw-series.ts';
import {type Glyphs, glyphsFor} from './glyphs.ts';
import {type Overlay, overlaysOf, panesOf, volumeAverageOf} from './indicator-curves.ts';
import {drawIndicatorMenu} from './indicator-menu.ts';
import {legendLines, measured, measureLines} from './legend.ts';

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
	if (!newest) return emptyChart(size, ascii, emptyTexts(series));

	const {candles, timeScale, layout, labels, endOf, zone} = view;
	const glyphs = glyphsFor(ascii);
	const drawn = drawnCandles(input, view);
	const overlays = overlaysOf(series, input, input.complete ?? false);
	const scale = chartScale(input, view, fitRange, drawn, overlays);
	const axis: PriceAxis = {canvas: createCanvas(size), layout, glyphs, scale, labels};
	const traded: Series = {candles, timeScale, glyphs, ascii, forming: view.forming};
	const readout = view.cross ?? view.newest;
	const plot: Plot = {...axis, ascii, timeScale, endOf, readoutIndex: endOf(readout)};

	drawFrame(axis);
	const cross = crossOf(input, view);
	const {timeOf, period} = view;
	const trendLines = linesIn(input, {timeScale, timeOf, period, scale, glyphs, now: input.now}, cross);
	drawPrices(plot, {...traded, candles: drawn}, scale, overlays, trendLines?.curves, input, period);
	trendLines?.drawMarks(axis.canvas.part(layout.priceTop, layout.priceRows, layout.plotColumns));
	drawProfile(axis, traded, scale);
	const average = volumeAverageOf(candles, input);
	if (layout.volume) drawVolume(plot, traded, layout.volume, average && {...average, readout});
	for (const [index, pane] of panesOf(series.candles, input).entries()) {
		const place = layout.panes[index];
		if (place) drawPane(plot, pane, place);
	}

	const {ticks} = scale;
	const forming = view.forming === undefined ? undefined : timeScale.columnOf(view.forming);
	const slots = view.empty.length > 0 ? [...candles, ...view.empty.map(start => ({time: start}))] : candles;
	const time = {candles: slots, timeScale, period, zoom: zoom.columns, columns: layout.timeColumns};
	const times = timeLabels({...time, zone, reserved: forming, now: input.now});
	const emptyFrom = view.empty.length > 0 ? timeScale.columnOf(candles.length) : -1;
	drawGaps(axis, emptyFrom < 0 ? timeScale.gapColumns : [emptyFrom, ...timeScale.gapColumns]);
	drawPriceTicks(axis, ticks);
	drawLargestVolume(axis, largestVolume(traded), ascii);
	const last = input.lastTrade ?? newest.close;
	const levels = input.drawnLevels ?? [];
	if (cross && input.mark) drawMark(axis, {...input.mark, column: markColumn(input.mark, view)}, cross);
	const rowsOf = (...prices: ReadonlyArray<number | undefined>): ReadonlySet<number> =>
		new Set(prices.flatMap(price => (price === undefined ? [] : scale.rowOf(price))));
	const places = {
		taken: rowsOf(newest.close, cross?.price, input.mark?.price),
		alerts: rowsOf(...(input.levels ?? [])),
	};
	const notes = drawLevelNotes(axis, levels, last, places, ascii);
	if (cross) drawCrosshair(axis, cross);
	const alertRows = drawAlertLevels(axis, input.levels ?? [], last, notes.unnamed, ascii);
	drawLastPrice(axis, newest.close, newest.close === input.lastTrade);
	drawTouch(axis, input.touch ?? {}, newest.close, alertRows.union(notes.labelled));
	drawLevelLines(axis, levels);
	const [from, to] = [timeScale.first, timeScale.last].map(index => view.timeOf(index) ?? newest.time);
	const zoneNames = zoneLabels(zone, from ?? newest.time, to);
	drawTimes(axis, {labels: times, forming, newer: view.newer, cross, zone: zoneNames});
	if (cross) drawCrosshairPrice(axis, cross);
	drawGrid(
		axis,
		ticks.values.map(value => scale.rowOf(value)),
		times.map(({column}) => column),
	);
	if (input.menu !== undefined) {
		drawIndicatorMenu(axis.canvas, input, layout.plotColumns);
		return axis.canvas.lines();
	}

	const lines = axis.canvas.lines();

	const candle = candles[readout] ?? newest;
	const partial = lacksTrades(series, candle.time, candleEnd(candle, view.period));
	const measurement = measured(input, view);
	const measureSize = {columns: size.columns, rows: view.measureRows};
	const legend = [
		...(measurement ? measureLines(measurement, measureSize, labels, ascii) : []),
		...legendLines({
			chart: input,
			...{size: view.legendSize, candle, partial, overlays, at: endOf(readout), decimals, labels, ascii, zone},
			emptyAt: readout < candles.length ? undefined : view.timeOf(readout),
		}),
	];
	return [...legend.map(line => fitLine(line, size.columns)), ...lines.slice(legend.length)];
}

/** The column of the mark's candle; undefined: it is not visible. */
function markColumn({time}: Mark, {candles, timeScale}: ChartView): number | undefined {
	const column = timeScale.columnOf(Math.max(indexAtTime(candles, time), 0));
	return column < 0 ? undefined : column;
}

/** The crosshair, if it is visible. */
function crossOf({crossPrice}: ChartInput, {candles, timeScale, cross, timeOf, zone}: ChartView) {
	if (cross === undefined) return undefined;
	const [candle, start, column] = [candles[cross] ?? candles.at(-1), timeOf(cross), timeScale.columnOf(cross)];
	if (!candle || start === undefined || column < 0) return undefined;
	return {column, price: crossPrice ?? candle.close, start, time: fullTime(start, zone)};
}

/** Cells of a label such as 61,824.01, for the axis before there is a price. */
const usualLabelWidth = 9;
const gridRows = 4;
const gridColumns = 12;
/** Texts for an empty chart, of which the longest that fits is shown. */
const noneTexts = [' no candles yet ', 'no candles yet', 'none yet'];

/** Why a series is empty: of a first candle that is built from shorter ones, the beginning is missing. */
function emptyTexts({period, builtFrom}: CandleSeries): readonly string[] {
	if (builtFrom === 'exchange' || builtFrom === 'trades') return noneTexts;
	const none = `no whole ${formatPeriod(period)} candle`;
	return [` ${none}: too few ${formatPeriod(builtFrom)} candles `, ` ${none} yet `, ...noneTexts];
}

/** The shape of a chart whose candles are still loading: axes and a faint grid. Exactly `size`. */
export const chartSkeleton = (size: Size, ascii: boolean): readonly Line[] => drawSkeleton(size, ascii).canvas.lines();

/** The shape of a chart with a text in its middle, for a market without candles. Exactly `size`. */
export function emptyChart(size: Size, ascii: boolean, texts: readonly string[] = noneTexts): readonly Line[] {
	const {canvas, layout} = drawSkeleton(size, ascii);
	const text = texts.find(candidate => candidate.length <= layout.plotColumns) ?? '';
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

/** Draws the candles in the chosen type, and the curves over the prices: behind bodies, before wicks, which would hide them. */
function drawPrices(
	plot: Plot,
	series: Series,
	scale: ReturnType<typeof chartScale>,
	overlays: readonly Overlay[],
	lines: readonly PlottedCurve[] | undefined,
	{type, zoom, traded, tapeFails = false, imbalance: ratio}: ChartInput,
	period: Period,
): void {
	const {layout, ascii} = plot;
	const canvas = plot.canvas.part(layout.priceTop, layout.priceRows, layout.plotColumns);
	const indicators = plottedCurves(
		plot,
		overlays.flatMap(overlay => overlay.curves),
		scale,
	);
	const curves = lines ? [...indicators, ...lines] : indicators;
	if (type === 'line') {
		const closings = closingCurve(series, scale, zoom.columns);
		drawCurves(canvas, ascii ? curves : [...curves, closings], ascii);
		if (ascii) drawAsciiLine(canvas, closings);
		drawLineEnd(canvas, series, scale);
		return;
	}

	if (isFootprint(scale)) {
		drawCurves(canvas, curves, ascii);
		const {columns} = zoom;
		drawFootprints(canvas, scale, {series, traded, tapeFails, period, grid: scale.grid, columns, ratio, ascii});
		return;
	}

	if (type === 'bars') {
		drawCurves(canvas, curves, ascii);
		drawBars(canvas, series, scale);
		return;
	}

	const pictures = candlePictures(series, scale);
	drawCandles(canvas, pictures, 'wicks');
	drawCurves(canvas, curves, ascii);
	drawCandles(canvas, pictures, 'bodies');
}

/** Draws the volume of the visible candles by price, an estimate, as bars that begin at the price axis: one for each row. */
function drawProfile({canvas, layout, glyphs}: Axes, series: Series, scale: PriceScale): void {
	const {profileColumns, plotColumns, priceTop} = layout;
	if (profileColumns === 0) return;
	const edges = Array.from({length: scale.rows + 1}, (_, row) => scale.priceAt(row));
	const profile = volumeProfile(visibleCandles(series), edges);
	const largest = profile.volumes[profile.control ?? 0] ?? 0;
	for (const [row, volume] of profile.volumes.entries()) {
		if (volume === 0) continue;
		const cells = Math.max(Math.round((volume / largest) * profileColumns), 1);
		const {text, tone} = inkOf(row, profile, glyphs);
		canvas.write(priceTop + row, plotColumns - cells, text.repeat(cells), tone);
	}
}

function* visibleCandles({candles, timeScale: {first, last}}: Series) {
	for (let index = first; index <= last; index++) {
		const candle = candles.at(index);
		if (candle) yield candle;
	}
}

/** The glyph of a row's bar says where the row lies, so that colour is not needed for it. */
function inkOf(row: number, {control, area}: VolumeProfile, {profile}: Glyphs): {text: string; tone: Tone} {
	if (row === control) return {text: profile.control, tone: 'accent'};
	const isInside = area !== undefined && row >= area.first && row <= area.last;
	return isInside ? {text: profile.area, tone: 'series5'} : {text: profile.outside, tone: 'muted'};
}
