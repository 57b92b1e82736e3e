import {formatPeriod} from '../../../format/time.ts';
import {type CandleSeries, candleEnd} from '../../../market/candles.ts';
import type {Results} from '../../../market/follow.ts';
import type {Candle, Period} from '../../../market/types.ts';
import {fitLine, type Line} from '../../line.ts';
import {createCanvas} from '../../plot/canvas.ts';
import {drawCurve} from '../../plot/draw-curve.ts';
import {createRangeFitter, type PriceRange, type RangeFitter} from '../../plot/price-range.ts';
import {
	createPriceScale,
	logTicks,
	type PriceScale,
	type RoundTicks,
	roundTicks,
	rowOf,
} from '../../plot/price-scale.ts';
import {fullTime, timeLabels} from '../../plot/time-labels.ts';
import type {ChartState, ChartType} from './chart-state.ts';
import {type ChartInput, type ChartView, createView, drawnCandles} from './chart-view.ts';
import {
	type Axes,
	drawCrosshair,
	drawFrame,
	drawGaps,
	drawGrid,
	drawLargestVolume,
	drawLastPrice,
	drawPriceTicks,
	drawTimes,
	drawTouch,
} from './draw-axes.ts';
import {drawBars} from './draw-bars.ts';
import {type Pane, pictureCandles} from './draw-candles.ts';
import {drawLine} from './draw-line.ts';
import {curvePoints, drawPane, type Plot} from './draw-panes.ts';
import {drawVolume, largestVolume} from './draw-volume.ts';
import {glyphsFor} from './glyphs.ts';
import {type Overlay, overlaysOf, panesOf} from './indicator-curves.ts';
import {legendLines} from './legend.ts';
import {drawMenu} from './menu.ts';
import {emptyChart} from './skeleton.ts';

/** At least, from one round price to the next. */
const rowsPerTick = 2.5;
/** Twice and five times a power of ten stand unevenly: these may stand closer. */
const logRowsPerTick = 2;
/** Candles this far apart leave curves room enough beside their wicks; closer ones would hide them. */
const roomyColumns = 3;
/** How far overlays may widen the prices' range, as a share of it: a mean far away must not flatten the candles. */
const overlayShare = 0.5;

const typeTexts: Readonly<Record<ChartType, string>> = {
	candles: 'candles',
	bars: 'bars',
	'heikin-ashi': 'Heikin-Ashi, averages',
	line: 'line',
};

/** What the title says of the chart: `1h · candles`, what the candles were built from, and how they are gathered. */
export function chartDetail(series: CandleSeries, {type, zoom, log}: ChartState, ascii = false): string {
	const parts = [
		formatPeriod(series.period),
		...builtFromText(series),
		typeTexts[type],
		...mergedText({zoom}),
		...(log ? ['log'] : []),
	];
	return parts.join(ascii ? ' - ' : ' · ');
}

/** Empty where every candle has a column of its own. */
export function mergedText({zoom: {merged}}: Pick<ChartState, 'zoom'>): readonly string[] {
	return merged > 1 ? [`${merged} a column`] : [];
}

/** Empty where the candles are the exchange's own. */
export function builtFromText({builtFrom}: CandleSeries): readonly string[] {
	if (builtFrom === 'exchange') return [];
	return [`built from ${builtFrom === 'trades' ? builtFrom : formatPeriod(builtFrom)}`];
}

/**
 * Exactly `size`. Rising candles are hollow, falling ones filled; a candle still forming has broken strokes. `fitRange` keeps
 * the scale still from frame to frame.
 */
export function chartBody(input: ChartInput, fitRange: RangeFitter = createRangeFitter()): readonly Line[] {
	return drawChart(input, createView(input), fitRange);
}

/** The same of a view that is known already. */
export function drawChart(input: ChartInput, view: ChartView, fitRange: RangeFitter): readonly Line[] {
	const {series, type, size, ascii, now, decimals, zoom, bid, ask} = input;
	const newest = series.candles.at(-1);
	if (!newest) return emptyChart(size, ascii);

	const glyphs = glyphsFor(ascii);
	const {candles, timeScale, layout, labels, forming} = view;
	const drawn = drawnCandles(input, view);
	const pane: Pane = {candles: drawn, timeScale, glyphs, forming};
	const traded: Pane = {...pane, candles};
	const overlays = overlaysOf(series, input.indicators, input.complete ?? false);
	const scale = scaleFor(input, view, drawn, overlays, fitRange);
	const ticks = ticksFor(input, scale, layout.priceRows);
	const formingColumn = forming === undefined ? undefined : timeScale.columnOf(forming);
	const timeInput = {candles, timeScale, period: view.period, zoom: zoom.columns, columns: layout.plotColumns};
	const times = timeLabels({...timeInput, reserved: formingColumn, now});

	const axes: Axes = {canvas: createCanvas(size), layout, glyphs};
	const named = view.cross ?? timeScale.last;
	const plot: Plot = {...axes, ascii, timeScale, endOf: view.endOf, named: view.endOf(named)};
	const prices = axes.canvas.part(layout.priceTop, layout.priceRows, layout.plotColumns);
	const drawOverlays = (): void => {
		for (const curve of overlays.flatMap(({curves}) => curves)) {
			drawCurve(prices, curvePoints(plot, curve, scale.rowsTo), curve.style, glyphs);
		}
	};

	drawFrame(axes);
	switch (type) {
		case 'candles':
		case 'heikin-ashi': {
			const {wicks, bodies} = pictureCandles(prices, pane, scale);
			const layers = zoom.columns < roomyColumns ? [wicks, drawOverlays, bodies] : [drawOverlays, wicks, bodies];
			for (const draw of layers) draw();
			break;
		}

		case 'bars':
			drawOverlays();
			drawBars(prices, pane, scale);
			break;
		case 'line':
			drawOverlays();
			drawLine(prices, pane, scale, zoom.columns);
	}

	if (layout.volume) drawVolume(axes.canvas, traded, layout.volume);
	for (const [index, each] of panesOf(series.candles, input.indicators).entries()) {
		const place = layout.panes[index];
		if (place) drawPane(plot, each, place);
	}

	drawGaps(axes, timeScale.gapColumns);
	drawPriceTicks(axes, scale, ticks, labels);
	drawLargestVolume(axes, largestVolume(traded), ascii);
	drawLastPrice(axes, scale, newest.close, labels);
	drawTouch(axes, scale, {bid, ask, last: newest.close}, labels);
	const cross = crossOf(view);
	drawTimes(axes, {labels: times, forming: formingColumn, newer: view.newer, cross});
	if (cross) drawCrosshair(axes, scale, cross, labels);

	drawGrid(
		axes,
		ticks.values.map(value => rowOf(scale.halfRowOf(value))),
		times.map(({column}) => column),
	);
	drawMenu(axes.canvas, input, ascii);
	const candle = candles[named] ?? newest;
	const legend = {chart: input, size, candle, overlays, at: view.endOf(named), decimals, labels, glyphs, ascii};
	const partial = isPartial(series, candle, view.period);
	return withLegend(axes.canvas.lines(), legendLines({...legend, partial}), input);
}

/** Whether trades may be missing from a candle of so many minutes, which may stand for several of the series. */
const isPartial = ({partial = new Set()}: CandleSeries, candle: Candle, period: Period): boolean =>
	partial.values().some(time => time >= candle.time && time < candleEnd(candle, period));

/** The crosshair where it is in sight. */
function crossOf({candles, timeScale, cross}: ChartView) {
	const candle = cross === undefined ? undefined : candles[cross];
	const column = cross === undefined ? -1 : timeScale.columnOf(cross);
	return candle && column >= 0 ? {column, price: candle.close, text: fullTime(candle.time)} : undefined;
}

/** The legend's rows stand above the prices; an open menu hides them. */
function withLegend(lines: readonly Line[], legend: readonly Line[], {menu, size}: ChartInput): readonly Line[] {
	if (menu !== undefined) return lines;
	return [...legend.map(line => fitLine(line, size.columns)), ...lines.slice(legend.length)];
}

function scaleFor(
	input: ChartInput,
	{period, layout, timeScale, endOf}: ChartView,
	drawn: Results<Candle>,
	overlays: readonly Overlay[],
	fitRange: RangeFitter,
): PriceScale {
	const {type, log, decimals} = input;
	let low = Infinity;
	let high = -Infinity;
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		const candle = drawn.at(index);
		if (!candle) continue;
		low = Math.min(low, type === 'line' ? candle.close : candle.low);
		high = Math.max(high, type === 'line' ? candle.close : candle.high);
	}

	const widest = {low: low - (high - low) * overlayShare, high: high + (high - low) * overlayShare};
	for (const {values} of overlays.flatMap(({curves}) => curves)) {
		for (let index = timeScale.first; index <= timeScale.last; index++) {
			const value = values.at(endOf(index));
			if (value === undefined) continue;
			low = Math.min(low, Math.max(value, widest.low));
			high = Math.max(high, Math.min(value, widest.high));
		}
	}

	const range: PriceRange = fitRange({low, high}, {name: `${period} ${type} ${log}`, log});
	return createPriceScale({...range, rows: layout.priceRows, decimals, log});
}

function ticksFor({log, decimals}: ChartInput, scale: PriceScale, rows: number): RoundTicks {
	if (log && scale.bottom > 0) return logTicks(scale, logRowsPerTick, decimals);
	return roundTicks(scale.bottom, scale.top, Math.floor(rows / rowsPerTick), decimals);
}
