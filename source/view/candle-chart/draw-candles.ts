import type {Candle} from '../../market/types.ts';
import type {Tone} from '../line.ts';
import type {Canvas} from './canvas.ts';
import type {CandleCells, CandleStyle, Glyphs, Half, Halves} from './glyphs.ts';
import {type HalfRow, type PriceScale, rowOf} from './price-scale.ts';
import type {TimeScale} from './time-scale.ts';

export type Pane = {
	readonly candles: readonly Candle[];
	readonly timeScale: TimeScale;
	readonly glyphs: Glyphs;
	/** Index of the candle that is still forming, if one is. */
	readonly forming?: number | undefined;
};

export const isRising = (candle: Candle): boolean => candle.close >= candle.open;

/** Bodies and wicks of the candles in sight, in the rows of the scale from row 0 on: what is drawn between them shows. */
export type CandlePicture = {wicks(): void; bodies(): void};

export function pictureCandles(canvas: Canvas, pane: Pane, scale: PriceScale): CandlePicture {
	const {candles, timeScale} = pane;
	const wicks: Array<() => void> = [];
	const bodies: Array<() => void> = [];
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		const candle = candles[index];
		if (!candle) continue;
		const left = timeScale.columnOf(index) - timeScale.bodyReach;
		const tone: Tone = isRising(candle) ? 'up' : 'down';
		for (const {row, text, isBody} of candleCells(candle, scale, pane, index === pane.forming)) {
			(isBody ? bodies : wicks).push(() => canvas.write(row, left, text, tone));
		}
	}

	const drawAll = (cells: ReadonlyArray<() => void>): void => {
		for (const draw of cells) draw();
	};
	return {wicks: () => drawAll(wicks), bodies: () => drawAll(bodies)};
}

/** The same at once, where nothing comes between. */
export function drawCandles(canvas: Canvas, pane: Pane, scale: PriceScale): void {
	const {wicks, bodies} = pictureCandles(canvas, pane, scale);
	wicks();
	bodies();
}

type Extent = {readonly high: HalfRow; readonly top: HalfRow; readonly bottom: HalfRow; readonly low: HalfRow};
type CandleCell = {readonly row: number; readonly text: string; readonly isBody: boolean};

function candleCells(
	candle: Candle,
	scale: PriceScale,
	{glyphs, timeScale}: Pane,
	forming: boolean,
): readonly CandleCell[] {
	const top = scale.halfRowOf(Math.max(candle.open, candle.close));
	const bottom = scale.halfRowOf(Math.min(candle.open, candle.close));
	const high = Math.min(scale.halfRowOf(candle.high), top);
	const low = Math.max(scale.halfRowOf(candle.low), bottom);
	const extent: Extent = {high, top, bottom, low};
	const style = timeScale.bodyReach > 0 ? glyphs.wide : glyphs.narrow;
	const rows = Array.from({length: rowOf(low) - rowOf(high) + 1}, (_, index) => rowOf(high) + index);
	const cells = rows.map(row => ({row, halves: halvesOf(row, extent)}));
	const body = bodyOf(
		candle,
		style,
		cells.some(({halves}) => halves === 'bb'),
	);
	const width = timeScale.bodyReach * 2 + 1;
	const top8 = isRising(candle) || forming ? undefined : topInEighths(candle, scale, extent, glyphs);
	return cells.map(({row, halves}) => {
		const isBody = halves.includes('b');
		if (top8 !== undefined && row === rowOf(top)) return {row, text: top8.repeat(width), isBody};
		if (candle.open === candle.close && row === rowOf(top)) return {row, text: dojiOf(extent, style.doji), isBody};
		if (halves !== 'bb') return {row, text: body.cells[halves], isBody};
		return {row, text: forming ? body.forming : wholeCell(row, extent, body), isBody};
	});
}

/**
 * The first cell of a filled body, to the eighth of a cell: where no wick ends at it, and the body goes on below. Only
 * from below are there blocks of every height.
 */
function topInEighths(
	{open}: Candle,
	scale: PriceScale,
	{high, top, bottom}: Extent,
	glyphs: Glyphs,
): string | undefined {
	const row = rowOf(top);
	if (high < top || rowOf(bottom) === row || !glyphs.eighths) return undefined;
	const eighths = Math.round((row + 1 - scale.rowsTo(open)) * glyphs.eighths.length);
	return glyphs.eighths[Math.max(eighths, 1) - 1];
}

type Body = {readonly cells: CandleCells; readonly roof: string; readonly floor: string; readonly forming: string};

function bodyOf(candle: Candle, style: CandleStyle, hasWholeCell: boolean): Body {
	if (isRising(candle)) {
		const cells = hasWholeCell ? style.rising : style.risingShort;
		return {cells, roof: style.roof, floor: style.floor, forming: style.formingRising};
	}

	const cells = hasWholeCell ? style.falling : style.fallingShort;
	return {cells, roof: cells.bb, floor: cells.bb, forming: style.formingFalling};
}

function wholeCell(row: number, {top, bottom}: Extent, body: Body): string {
	if (row * 2 === top) return body.roof;
	return row * 2 + 1 === bottom ? body.floor : body.cells.bb;
}

function halvesOf(row: number, extent: Extent): Halves {
	const upper = halfOf(row * 2, extent);
	const lower = halfOf(row * 2 + 1, extent);
	if (upper !== ' ') return `${upper}${lower}`;
	return lower === 'b' ? ' b' : ' w';
}

function halfOf(halfRow: HalfRow, {high, top, bottom, low}: Extent): Half {
	if (halfRow < high || halfRow > low) return ' ';
	return halfRow >= top && halfRow <= bottom ? 'b' : 'w';
}

function dojiOf({high, top, low}: Extent, doji: CandleStyle['doji']): string {
	if (high < top) return low > top ? doji.cross : doji.up;
	return low > top ? doji.down : doji.dash;
}
