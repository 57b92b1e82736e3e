import type {Size} from '../../format/cells.ts';
import {formatPrice} from '../../format/number.ts';
import {formatZonedClock} from '../../format/time.ts';
import {memo} from '../../market/memo.ts';
import type {Decimals} from '../../market/precision.ts';
import {type Tape, tradeKey} from '../../market/tape.ts';
import type {Trade} from '../../market/types.ts';
import {dayMs, hourMs, minuteMs, secondMs} from '../../market/units.ts';
import {type Line, label, type Writing} from '../line.ts';
import {marksFor} from '../marks.ts';
import {type Canvas, createCanvas} from './canvas.ts';
import {drawCurves} from './layers.ts';

/** Times that one column can cover. In steps, so that a growing tape does not move every column with every trade. */
const steps = [
	...[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30].map(count => count * secondMs),
	...[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30].map(count => count * minuteMs),
	...[1, 2, 3, 4, 6, 8, 12].map(count => count * hourMs),
	...[1, 2, 3].map(count => count * dayMs),
];

const widestStep = 7 * dayMs;

/** Shorter steps, in ms, for a curve that is to fill its columns soon. */
const fineSteps = [50, 100, 200, 250, 500];

/** A number that each trade changes, over time. */
export type TapeTrend = {
	/** Time that one column covers. */
	readonly stepMs: number;
	/** The value at the end of each column, oldest first; undefined where trades may be missing. */
	readonly values: ReadonlyArray<number | undefined>;
	/** Columns with the first trade after a gap. */
	readonly gaps: ReadonlySet<number>;
};

/**
 * The values of `after` (called once for each trade, oldest first) in at most `columns` columns of equal time, ending with the
 * newest trade; of a second or more, unless `fine`. A column without a trade keeps the previous value, unless trades may be missing
 * there.
 */
export function tapeTrend(
	{trades, gaps}: Tape,
	columns: number,
	after: (trade: Trade) => number,
	fine: boolean,
): TapeTrend {
	const {stepMs, columnOf} = timeColumns(trades, columns, fine);
	const values: (number | undefined)[] = [];
	const afterGaps = new Set<number>();
	const oldest = trades.at(-1);
	let value: number | undefined;
	for (const trade of trades.toReversed()) {
		// A gap belongs to the trade above it, the newer one. Below the oldest trade, nothing is known to be missing.
		// Most tapes have no gap, and keys of thousands of trades take long.
		const isAfterGap = gaps.size > 0 && trade !== oldest && gaps.has(tradeKey(trade));
		const column = columnOf(trade.time);
		const kept = isAfterGap ? undefined : value;
		while (values.length < column) values.push(kept);
		if (isAfterGap && column >= 0) afterGaps.add(column);
		value = after(trade);
		if (column >= 0) values[column] = value;
	}

	return {stepMs, values, gaps: afterGaps};
}

/** The prices of a tape. */
export const priceTrend = memo(
	(tape: Tape, columns: number, fine: boolean): TapeTrend => tapeTrend(tape, columns, ({price}) => price, fine),
);

/** At most `columns` columns of equal time that end with the newest of these trades (newest first). `columnOf`: from the first; below 0: before it. */
function timeColumns(trades: readonly Trade[], columns: number, fine: boolean) {
	const newest = trades[0]?.time ?? 0;
	const oldest = trades.at(-1)?.time ?? newest;
	const fits = (stepMs: number) => Math.floor(newest / stepMs) - Math.floor(oldest / stepMs) < columns;
	const stepMs = (fine ? fineSteps.find(fits) : undefined) ?? steps.find(fits) ?? widestStep;
	const first = Math.max(Math.floor(oldest / stepMs), Math.floor(newest / stepMs) - columns + 1);
	return {stepMs, columnOf: (time: number) => Math.floor(time / stepMs) - first};
}

export type TrendEnds = {readonly highest: number; readonly lowest: number};

/** The highest and the lowest value; undefined if there is none. */
export function trendEnds({values}: TapeTrend): TrendEnds | undefined {
	const present = values.filter(value => value !== undefined);
	if (present.length === 0) return undefined;
	return {highest: present.reduce((a, b) => Math.max(a, b)), lowest: present.reduce((a, b) => Math.min(a, b))};
}

/** Stands where trades may be missing. */
export const gapMark = (ascii: boolean): string => (ascii ? ':' : '┊');

/** Braille dots above each other in a row. */
const rowSteps = 4;

type TrendLines = TrendEnds & {
	/** A value with a dotted line behind the curve. Default: none. */
	readonly base?: number | undefined;
	/** Of the ends, at the right. */
	readonly text: (value: number) => string;
	/** Cells for these texts. */
	readonly axis: number;
	readonly ascii: boolean;
};

/** The trend as a curve between its ends at the top and the bottom, with gaps marked. Exactly `size`. */
export function trendLines(trend: TapeTrend, look: TrendLines, size: Size): readonly Line[] {
	const {highest, lowest, base, text, axis} = look;
	const canvas = createCanvas(size);
	const columns = size.columns - axis;
	drawTrend(canvas.part(0, size.rows, columns), trend, look);
	const writeAt = (row: number, value: number) => canvas.write(row, columns, text(value).padStart(axis), 'muted');
	if (lowest !== highest || base !== undefined) writeAt(size.rows - 1, lowest);
	writeAt(0, highest);
	return canvas.lines();
}

function drawTrend(canvas: Canvas, {values, gaps}: TapeTrend, {highest, lowest, base, ascii}: TrendLines): void {
	const {columns, rows} = canvas.size;
	const steps = rows * rowSteps - 1;
	const range = highest - lowest;
	const rowOf = (value: number) => (range > 0 ? Math.round(((highest - value) / range) * steps) : steps) / rowSteps;
	// A gap that covers a column needs none of those with trades.
	const marked = new Set(
		[...gaps].map(column => (column > 0 && values[column - 1] === undefined ? column - 1 : column)),
	);
	const points = values.map((value, column) =>
		value === undefined || marked.has(column) ? undefined : {column, rows: rowOf(value)},
	);
	drawCurves(canvas, [{points, style: {tone: 'series1', dash: [1, 0], letter: '*'}}], ascii);
	for (const column of marked) for (let row = 0; row < rows; row++) canvas.write(row, column, gapMark(ascii), 'warn');
	if (base === undefined) return;
	canvas.writeBehind(Math.floor(rowOf(base)), 0, (ascii ? '-' : '┈').repeat(columns), 'border');
}

export type PriceRowsInput = Writing & {
	readonly tape: Tape;
	readonly decimals: Decimals;
};

const priceText = (price: number, {decimals, ascii}: PriceRowsInput): string =>
	formatPrice(price, {decimals: decimals.price, ascii});

const axisFor = ({highest, lowest}: TrendEnds, input: PriceRowsInput): number =>
	Math.max(priceText(highest, input).length, priceText(lowest, input).length) + 1;

/** Cells that the prices at the right take, with the blank before them; 0 without trades. */
export function priceAxis(input: PriceRowsInput, columns: number): number {
	const ends = trendEnds(priceTrend(input.tape, columns, true));
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
	const trend = priceTrend(tape, Math.max(size.columns - axis, 1), true);
	const ends = trendEnds(trend);
	if (!ends) return [];
	const text = (price: number) => priceText(price, input);
	const gaps = tape.gaps.size > 0 ? ` ${marksFor(ascii).separator} ${gapMark(ascii)} trades may be missing` : '';
	return [
		[label(` price since ${formatZonedClock(oldest.time, zone)}${gaps}`)],
		...trendLines(trend, {...ends, text, axis, ascii}, {columns: size.columns, rows}),
	];
}
