import type {Size} from '../format/cells.ts';
import {formatPrice} from '../format/number.ts';
import {formatZonedClock} from '../format/time.ts';
import {memo} from '../market/memo.ts';
import type {Tape} from '../market/tape.ts';
import type {Writing} from './line.ts';
import {type Line, label} from './line.ts';
import {marksFor} from './marks.ts';
import {createCanvas} from './plot/canvas.ts';
import {drawTrend, gapMark, type TrendEnds, tapeTrend, trendEnds} from './plot/tape-trend.ts';

export type PriceRowsInput = Writing & {
	readonly tape: Tape;
	/** Digits of prices after the point. */
	readonly decimals: number;
};

const priceTrend = memo((tape: Tape, columns: number) => tapeTrend(tape, columns, ({price}) => price));

const priceText = (price: number, {decimals, ascii}: PriceRowsInput): string => formatPrice(price, {decimals, ascii});

const axisFor = ({highest, lowest}: TrendEnds, input: PriceRowsInput): number =>
	Math.max(priceText(highest, input).length, priceText(lowest, input).length) + 1;

/** Cells that the prices at the right take, with the blank before them; 0 without trades. */
export function priceAxis(input: PriceRowsInput, columns: number): number {
	const ends = trendEnds(priceTrend(input.tape, columns));
	return ends ? axisFor(ends, input) : 0;
}

/**
 * The price of a tape's trades as a curve below its title, with its highest and lowest at the right, in `axis` cells (default: as
 * few as they need). Empty without trades, and where these prices would take more than half of the width.
 */
export function priceRows(input: PriceRowsInput, size: Size, axis = priceAxis(input, size.columns)): readonly Line[] {
	const {tape, ascii, zone} = input;
	const oldest = tape.trades.at(-1);
	// No number is cut.
	if (!oldest || axis > size.columns / 2) return [];
	const rows = size.rows - 1;
	const trend = priceTrend(tape, Math.max(size.columns - axis, 1));
	const ends = trendEnds(trend);
	if (!ends) return [];
	const canvas = createCanvas({columns: size.columns, rows});
	drawTrend(canvas.part(0, rows, size.columns - axis), trend, {...ends, ascii});
	const priceAt = (row: number, price: number) =>
		canvas.write(row, size.columns - axis, priceText(price, input).padStart(axis), 'muted');
	if (ends.lowest !== ends.highest) priceAt(rows - 1, ends.lowest);
	priceAt(0, ends.highest);
	const gaps = tape.gaps.size > 0 ? ` ${marksFor(ascii).separator} ${gapMark(ascii)} trades may be missing` : '';
	return [[label(` price since ${formatZonedClock(oldest.time, zone)}${gaps}`)], ...canvas.lines()];
}
