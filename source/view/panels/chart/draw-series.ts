import type {Results} from '../../../market/follow.ts';
import type {Candle} from '../../../market/types.ts';
import type {Tone} from '../../line.ts';
import type {Bar, Canvas} from '../../plot/canvas.ts';
import type {CurvePoint, CurveStyle, PlottedCurve} from '../../plot/curves.ts';
import type {PriceScale} from '../../plot/price-scale.ts';
import type {TimeScale} from '../../plot/time-scale.ts';
import {type CandleCell, candleCells, isRising} from './candle-cells.ts';
import type {Glyphs} from './glyphs.ts';

/** Candles and their columns. */
export type Series = {
	readonly candles: Results<Candle>;
	readonly timeScale: TimeScale;
	readonly glyphs: Glyphs;
	readonly ascii: boolean;
	/** Index of the forming candle, if there is one. */
	readonly forming?: number | undefined;
};

type Placed = {readonly candle: Candle; readonly column: number; readonly tone: Tone; readonly forming: boolean};

/** The visible candles with their columns, oldest first. */
function placedCandles({candles, timeScale, forming}: Series): readonly Placed[] {
	const placed: Placed[] = [];
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		const candle = candles.at(index);
		if (!candle) continue;
		const tone = isRising(candle) ? 'up' : 'down';
		placed.push({candle, column: timeScale.columnOf(index), tone, forming: index === forming});
	}

	return placed;
}

type CandlePicture = Pick<Placed, 'column' | 'tone'> & {readonly cells: readonly CandleCell[]};

/** Bodies and wicks of the visible candles, in the rows of the scale. */
export function candlePictures(series: Series, scale: PriceScale): readonly CandlePicture[] {
	const {timeScale, glyphs} = series;
	const style = timeScale.bodyReach > 0 ? glyphs.wide : glyphs.narrow;
	return placedCandles(series).map(({candle, column, tone, forming}) => {
		return {column: column - timeScale.bodyReach, tone, cells: candleCells(candle, scale, style, forming)};
	});
}

/** Draws only the bodies or only the wicks, so that other things can be drawn over wicks and under bodies. */
export function drawCandles(canvas: Canvas, pictures: readonly CandlePicture[], part: 'wicks' | 'bodies'): void {
	for (const {column, tone, cells} of pictures) {
		for (const {row, ink, isBody} of cells) {
			if (isBody === (part === 'bodies')) canvas.write(row, column, ink.text, tone, ink.inverse);
		}
	}
}

/** Draws OHLC bars: the opening price to the left of a vertical line, the closing price to its right. */
export function drawBars(canvas: Canvas, series: Series, scale: PriceScale): void {
	const {bar} = series.glyphs;
	const hasArms = series.timeScale.bodyReach > 0;
	for (const {candle, column, tone, forming} of placedCandles(series)) {
		const high = scale.rowOf(candle.high, 2);
		const low = scale.rowOf(candle.low, 2);
		for (let row = Math.floor(high / 2); row * 2 <= low; row++) {
			const hasUpper = row * 2 >= high;
			const hasLower = row * 2 + 1 <= low;
			const whole = forming ? bar.forming : bar.whole;
			canvas.write(row, column, hasUpper && hasLower ? whole : hasUpper ? bar.upper : bar.lower, tone);
		}

		const open = scale.rowOf(candle.open);
		const close = scale.rowOf(candle.close);
		canvas.write(open, column, open === close ? bar.both : bar.open, tone);
		if (open !== close) canvas.write(close, column, bar.close, tone);
		if (hasArms) canvas.write(open, column - 1, bar.arm, tone);
		if (hasArms) canvas.write(close, column + 1, bar.arm, tone);
	}
}

const closingStyle: CurveStyle = {tone: 'plain', dash: [1, 0], letter: ''};

/** The closing prices as a curve, interrupted where candles are missing. */
export function closingCurve(series: Series, scale: PriceScale, zoom: number): PlottedCurve {
	const points: Array<CurvePoint | undefined> = [];
	for (const {candle, column} of placedCandles(series)) {
		const last = points.at(-1);
		if (last && column > last.column + zoom) points.push(undefined);
		points.push({column, rows: scale.rowsTo(candle.close)});
	}

	return {points, style: closingStyle};
}

/** Marks the closing price of the forming candle at the end of the line, if it is visible. */
export function drawLineEnd(canvas: Canvas, series: Series, scale: PriceScale): void {
	const newest = placedCandles(series).at(-1);
	if (newest?.forming) canvas.write(scale.rowOf(newest.candle.close), newest.column, series.glyphs.lineEnd, 'accent');
}

/** The largest visible volume, in base asset; 0 if nothing was traded. */
export const largestVolume = (series: Series): number =>
	placedCandles(series).reduce((largest, {candle}) => Math.max(largest, candle.volume), 0);

/** The bars of the volumes in a pane of so many rows, which the largest volume fills. */
export function volumeBars(series: Series, rows: number): readonly Bar[] {
	const largest = largestVolume(series);
	const {bodyReach} = series.timeScale;
	return placedCandles(series)
		.filter(({candle}) => candle.volume > 0)
		.map(({candle, column, tone}) => ({
			...{left: column - bodyReach, columns: bodyReach * 2 + 1},
			...{base: rows, height: (candle.volume / largest) * rows},
			tone: tone === 'up' ? 'upBar' : 'downBar',
		}));
}
