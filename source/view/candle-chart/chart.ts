import {formatPeriod} from '../../format/time.ts';
import {type CandleSeries, candleEnd, candleGaps} from '../../market/candles.ts';
import type {Line, Size} from '../line.ts';
import {createCanvas} from './canvas.ts';
import {
	type Axes,
	drawFrame,
	drawGaps,
	drawGrid,
	drawLargestVolume,
	drawLastPrice,
	drawPriceTicks,
	drawTimes,
} from './draw-axes.ts';
import {drawCandles, type Pane} from './draw-candles.ts';
import {drawLine} from './draw-line.ts';
import {drawVolume, largestVolume} from './draw-volume.ts';
import {glyphsFor} from './glyphs.ts';
import {chartLayout} from './layout.ts';
import {createPriceLabels} from './price-labels.ts';
import {createPriceScale, type Price, roundTicks, rowOf} from './price-scale.ts';
import {emptyChart} from './skeleton.ts';
import {timeLabels} from './time-labels.ts';
import {createTimeScale} from './time-scale.ts';

export {chartSkeleton} from './skeleton.ts';

export const chartTypes = ['candles', 'line'] as const;
export type ChartType = (typeof chartTypes)[number];

/** Columns that a candle takes: side by side, a blank between them, and bodies of three columns. */
export const zoomLevels: readonly number[] = [1, 2, 4];

export type ChartInput = {
	readonly series: CandleSeries;
	readonly type: ChartType;
	/** Inside the panel's border. */
	readonly size: Size;
	readonly ascii: boolean;
	/** Epoch ms: a candle that ends later is still forming. */
	readonly now: number;
	/** Decimals of the market's price. */
	readonly decimals: number;
	/** One of `zoomLevels`. */
	readonly zoom: number;
	/** Candles panned to the left; 0: the newest is at the right edge. See `clampOffset`. */
	readonly offset: number;
};

/** At least, from one round price to the next. */
const rowsPerTick = 2.5;

/** What the title says of the chart: `1h · candles`, and when the candles are not the exchange's own. */
export function chartDetail({period, builtFrom}: CandleSeries, type: ChartType, ascii = false): string {
	const parts = [formatPeriod(period), type, ...(builtFrom === 'trades' ? ['built from trades'] : [])];
	return parts.join(ascii ? ' - ' : ' · ');
}

/** Exactly `size`. Rising candles are thin or hollow, falling ones filled; a candle still forming has broken strokes. */
export function chartBody(input: ChartInput): readonly Line[] {
	const {series, type, size, ascii, now, decimals, zoom, offset} = input;
	const {candles, period} = series;
	const newest = candles.at(-1);
	if (!newest) return emptyChart(size, ascii);

	const glyphs = glyphsFor(ascii);
	const labels = createPriceLabels({candles, decimals, ascii});
	const layout = chartLayout(size, labels.width);
	const {plotColumns, priceRows} = layout;
	const gaps = candleGaps(series);
	const timeScale = createTimeScale({count: candles.length, gaps, columns: plotColumns, zoom, offset});
	const newer = candles.length - 1 - timeScale.last;
	const forming = newer === 0 && candleEnd(newest, period) > now ? timeScale.last : undefined;
	const pane: Pane = {candles, timeScale, glyphs, forming};
	const scale = createPriceScale({...priceRange(pane, type), rows: priceRows, decimals});
	const ticks = roundTicks(scale.bottom, scale.top, Math.floor(priceRows / rowsPerTick), decimals);
	const formingColumn = forming === undefined ? undefined : timeScale.columnOf(forming);
	const times = timeLabels({...pane, period, zoom, columns: plotColumns, reserved: formingColumn, now});

	const axes: Axes = {canvas: createCanvas(size), layout, glyphs};
	drawFrame(axes);
	if (type === 'line') drawLine(axes.canvas, pane, scale, zoom);
	else drawCandles(axes.canvas, pane, scale);
	if (layout.volume) drawVolume(axes.canvas, pane, layout.volume);
	drawGaps(axes, timeScale.gapColumns);
	drawPriceTicks(axes, scale, ticks, labels);
	drawLargestVolume(axes, largestVolume(pane), ascii);
	drawLastPrice(axes, scale, newest.close, labels);
	drawTimes(axes, {labels: times, forming: formingColumn, newer});
	drawGrid(
		axes,
		ticks.values.map(value => rowOf(scale.halfRowOf(value))),
		times.map(({column}) => column),
	);
	return axes.canvas.lines();
}

function priceRange({candles, timeScale}: Pane, type: ChartType): {low: Price; high: Price} {
	let low = Infinity;
	let high = -Infinity;
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		const candle = candles[index];
		if (!candle) continue;
		low = Math.min(low, type === 'line' ? candle.close : candle.low);
		high = Math.max(high, type === 'line' ? candle.close : candle.high);
	}

	return {low, high};
}
