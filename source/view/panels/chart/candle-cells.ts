import {clamp} from '../../../market/numbers.ts';
import type {Candle} from '../../../market/types.ts';
import type {Ink} from '../../plot/canvas.ts';
import type {PriceScale} from '../../plot/price-scale.ts';
import type {BodyCells, CandleStyle, Dashes} from './glyphs.ts';

/** What a candle draws in one row. */
export type CandleCell = {
	readonly row: number;
	readonly ink: Ink;
	readonly isBody: boolean;
};

export const isRising = (candle: Candle): boolean => candle.close >= candle.open;

/** Steps per row: as many as block characters have heights. */
const steps = 8;
const half = steps / 2;
/** The steps of its row that a dash stands for. */
const dashFrom = half - 1;
const dashTo = half + 1;

/** Steps from the top of the pane, ordered from high to low. The body is at least one step high. */
type Extent = {readonly high: number; readonly top: number; readonly bottom: number; readonly low: number};

/**
 * A candle from its high to its low, row by row. Each row holds one character, either of the body or of a wick, so the ends
 * of a body are drawn where they fit best:
 * - An end without a wick is drawn to the eighth of a row, one whose wick leaves the row at the nearest whole row.
 * - A body without a whole row in it becomes a box, a partial block or a dash, whichever misses its ends by less.
 * - A rising body never becomes what a falling one of the same prices does, so that colour is not needed to tell them apart.
 * - No row is skipped between high and low, and the body always has a cell.
 */
export function candleCells(
	candle: Candle,
	scale: PriceScale,
	style: CandleStyle,
	forming: boolean,
): readonly CandleCell[] {
	const extent = extentOf(candle, scale);
	const body = bodyCells(candle, extent, style, forming);
	const first = body[0]?.row ?? 0;
	const last = body.at(-1)?.row ?? 0;
	const cells = [...body];
	for (let row = rowAt(extent.high); row < first && extent.high < extent.top; row++) {
		cells.push(wickCell(row, extent.high - row * steps, steps, style));
	}

	for (let row = last + 1; row * steps < extent.low && extent.low > extent.bottom; row++) {
		cells.push(wickCell(row, 0, extent.low - row * steps, style));
	}

	return cells;
}

const rowAt = (step: number): number => Math.floor(step / steps);

function extentOf({open, high, low, close}: Candle, scale: PriceScale): Extent {
	const end = scale.rows * steps;
	const stepAt = (price: number): number => clamp(Math.round(scale.rowsTo(price) * steps), 0, end);
	const top = Math.min(stepAt(Math.max(open, close)), end - 1);
	const bottom = Math.max(stepAt(Math.min(open, close)), top + 1);
	return {high: Math.min(stepAt(high), top), top, bottom, low: Math.max(stepAt(low), bottom)};
}

const inkCell = (row: number, ink: Ink): CandleCell => ({row, ink, isBody: true});

/** A wick from one step of the row to another, rounded to half cells. */
const wickCell = (row: number, from: number, to: number, {wick}: CandleStyle): CandleCell => ({
	...{row, isBody: false},
	ink: {text: wickIn(from, to, wick)},
});

const wickIn = (from: number, to: number, {whole, upper, lower}: CandleStyle['wick']): string =>
	from >= half ? lower : to <= half ? upper : whole;

function bodyCells(candle: Candle, extent: Extent, style: CandleStyle, forming: boolean): readonly CandleCell[] {
	if (candle.open === candle.close) return [barCell(rowAt(extent.top), extent, style.flat)];
	const ends = drawnEnds(extent, style);
	const isHollow = isRising(candle);
	const {cells, forming: broken} = isHollow ? style.hollow : style.filled;
	const body = forming ? broken : cells;
	if (Math.ceil(ends.top / steps) < Math.floor(ends.bottom / steps)) return cellsBetween(ends, body, style);
	return isHollow ? shortHollow(extent, body, style) : shortFilled(extent, ends, style);
}

type Ends = Pick<Extent, 'top' | 'bottom'>;

/** The ends of a body, moved to whole rows where a wick shares the row. The bottom is computed as an upside-down top. */
function drawnEnds({high, top, bottom, low}: Extent, style: CandleStyle): Ends {
	return {top: drawnTop(top, high, style), bottom: -drawnTop(-bottom, -low, style)};
}

function drawnTop(top: number, high: number, {ends}: CandleStyle): number {
	const start = rowAt(top) * steps;
	const filled = start + steps - top;
	const nearest = filled >= half ? start : start + steps;
	if (!ends || high < start) return nearest;
	// The row shows the wick or the body, whichever takes more of it.
	return filled < half && top - high > filled ? nearest : top;
}

function cellsBetween({top, bottom}: Ends, body: BodyCells, style: CandleStyle): readonly CandleCell[] {
	const cells: CandleCell[] = [];
	for (let row = rowAt(top); row * steps < bottom; row++) {
		const from = Math.max(top - row * steps, 0);
		const to = Math.min(bottom - row * steps, steps);
		const isRoof = row * steps === top;
		const isFloor = (row + 1) * steps === bottom;
		if (from > 0 || to < steps) cells.push(endCell(row, {from, to}, style));
		else cells.push(inkCell(row, isRoof ? (isFloor ? body.box : body.roof) : isFloor ? body.floor : body.whole));
	}

	return cells;
}

type Part = {readonly from: number; readonly to: number};

/** The end of a body that partly fills its row. */
function endCell(row: number, {from, to}: Part, {ends}: CandleStyle): CandleCell {
	const blocks = from > 0 ? ends?.fromBelow : ends?.fromAbove;
	return inkCell(row, blocks?.[to - from - 1] ?? {text: ''});
}

/** A dash at half height, with the wicks that continue from it. */
function barCell(row: number, {high, top, bottom, low}: Extent, dashes: Dashes): CandleCell {
	const up = high < Math.min(top, row * steps + dashFrom);
	const down = low > Math.max(bottom, row * steps + dashTo);
	return inkCell(row, {text: up ? (down ? dashes.cross : dashes.up) : down ? dashes.down : dashes.dash});
}

/** The row that contains most of a body without a whole row. */
function mainRow({top, bottom}: Extent): number {
	const last = rowAt(bottom - 1);
	return last * steps - top >= bottom - last * steps ? rowAt(top) : last;
}

/** The larger error, in steps, of a body's two ends when it is drawn from one step of a row to another. */
const missIn =
	(row: number, {top, bottom}: Extent) =>
	(from: number, to: number): number =>
		Math.max(Math.abs(top - row * steps - from), Math.abs(bottom - row * steps - to));

/** A rising body without a whole row: both rows that it reaches into, a box, or a thin dash, whichever is near enough. */
function shortHollow(extent: Extent, body: BodyCells, style: CandleStyle): readonly CandleCell[] {
	const {hollow} = style;
	const row = mainRow(extent);
	const missOf = missIn(row, extent);
	const both = {top: rowAt(extent.top) * steps, bottom: (rowAt(extent.bottom - 1) + 1) * steps};
	if (Math.max(extent.top - both.top, both.bottom - extent.bottom) < missOf(0, steps)) {
		return cellsBetween(both, body, style);
	}

	const isHigh = extent.bottom - extent.top >= half;
	const isNear = missOf(0, steps) <= Math.max(missOf(dashFrom, dashTo), half);
	return [isHigh && isNear ? inkCell(row, hollow.cells.box) : barCell(row, extent, hollow.dashes)];
}

/** A falling body without a whole row: partial blocks in two rows, or one character with the smallest error. */
function shortFilled(extent: Extent, drawn: Ends, style: CandleStyle): readonly CandleCell[] {
	const {filled, ends} = style;
	const {high, top, bottom, low} = extent;
	if (rowAt(top) !== rowAt(bottom - 1) && drawn.top < drawn.bottom) return cellsBetween(drawn, filled.cells, style);
	const row = mainRow(extent);
	const from = top - row * steps;
	const to = bottom - row * steps;
	const goesUp = high < row * steps && from > 0;
	const goesDown = low > (row + 1) * steps && to < steps;
	const missOf = missIn(row, extent);
	// A partial block next to a wick would leave a gap between the two.
	const choices = [
		{miss: missOf(0, steps), ink: filled.cells.box},
		{miss: missOf(0, to), ink: goesDown ? undefined : ends?.fromAbove[to - 1]},
		{miss: missOf(from, steps), ink: goesUp ? undefined : ends?.fromBelow[steps - from - 1]},
		{miss: missOf(dashFrom, dashTo), ink: ends && barCell(row, extent, filled.dashes).ink},
	];
	const [best] = choices.filter(({ink}) => ink !== undefined).sort((a, b) => a.miss - b.miss);
	return [inkCell(row, best?.ink ?? filled.cells.box)];
}
