import {type Size, textWidth} from '../../../format/cells.ts';
import {formatPrice} from '../../../format/number.ts';
import {formatAge, formatClock, formatDateTime} from '../../../format/time.ts';
import type {Zone} from '../../../format/zone.ts';
import {memo, shared} from '../../../market/memo.ts';
import type {Tape} from '../../../market/tape.ts';
import type {Drawing} from '../../line.ts';
import {fitLine, type Line, label, type Tone} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {createCanvas} from '../../plot/canvas.ts';
import type {PlottedCurve} from '../../plot/curves.ts';
import {drawCurves} from '../../plot/layers.ts';
import type {PriceRange} from '../../plot/price-scale.ts';
import {priceRange, sparkline, trendTone} from '../../plot/sparkline.ts';
import {priceTrend, type TapeTrend} from '../../plot/tape-trend.ts';
import {shortPrice} from '../../price-texts.ts';

export type PriceCurveInput = Drawing & {
	readonly tape: Tape;
	/** Of its prices. */
	readonly decimals: number;
};

/** From this many rows on, the times stand in a row of their own below the curve. */
const timeRowFrom = 3;
/** Dots of a cell, side by side and one above the other. */
const [dotsAcross, dotsDown] = [2, 4];
/** A curve with fewer columns says nothing. */
const leastCurve = 10;

/**
 * The prices of a tape as a curve, with its highest and lowest price at the right, and the times of its first and last trade
 * below or, in few rows, at the left. Where room is short, prices take shorter forms, then times and prices are left out. At least
 * 2 rows. Drawn once for all screens that show the same.
 */
export const priceCurve = ({tape, decimals, size, ascii, zone}: PriceCurveInput): readonly Line[] =>
	curveOf({tape, decimals, ...size, ascii, zone});

const curveOf = shared(({tape}: Omit<PriceCurveInput, 'size'> & Size) => tape, drawnCurve);

function drawnCurve({
	tape,
	decimals,
	columns,
	rows,
	ascii,
	zone,
}: Omit<PriceCurveInput, 'size'> & Size): readonly Line[] {
	if (tape.trades.length === 0) return Array.from({length: rows}, () => []);
	const hasTimeRow = rows >= timeRowFrom;
	const curveRows = hasTimeRow ? rows - 1 : rows;
	const range = rangeOf(tape);
	const times = timeTexts(tape, zone);
	const ends = range.high > range.low ? [range.high, range.low] : [range.high];
	const scales = [
		ends.map(price => formatPrice(price, {decimals, ascii})),
		ends.map(price => shortPrice(price, decimals, ascii)),
	];
	const left = hasTimeRow ? 0 : widest(times) + 1;
	const forms = [
		...scales.map(scale => ({left, scale})),
		...scales.map(scale => ({left: 0, scale})),
		{left: 0, scale: []},
	];
	const roomOf = ({left: before, scale}: (typeof forms)[number]) =>
		columns - 1 - before - (scale.length > 0 ? widest(scale) + 3 : 0);
	const form = forms.find(each => roomOf(each) >= leastCurve) ?? {left: 0, scale: []};
	const room = roomOf(form);
	const prices = priceTrend(tape, ascii ? room : dotsAcross * room, false).values;
	const body = curveLines(prices, range, {columns: room, rows: curveRows}, ascii);
	const scaleRows = ends.length > 1 ? [0, curveRows - 1] : [middleOf(curveRows)];
	const lines = body.map((line, row): Line => {
		const time = form.left === 0 ? undefined : row === 0 ? times[0] : row === curveRows - 1 ? times[1] : undefined;
		const price = form.scale[scaleRows.indexOf(row)];
		const right = form.scale.length > 0 ? axis(price, ascii) : [];
		return [label(` ${(time ?? '').padEnd(form.left)}`), ...fitLine(line, room), ...right];
	});
	return hasTimeRow ? [...lines, timeRow(times, spanOf(tape), room)] : lines;
}

/** The row of a price that never moved. */
const middleOf = (rows: number): number => Math.floor(rows / 2);

/** The part of the scale in one row: a tick with its price, or neither. */
function axis(price: string | undefined, ascii: boolean): Line {
	const [line, tick] = ascii ? ['|', '+'] : ['│', '├'];
	return [label(price === undefined ? ` ${line}` : ` ${tick} ${price}`)];
}

const widest = (texts: readonly string[]): number => Math.max(...texts.map(textWidth));

const endsOf = ({trades}: Tape): readonly [from: number, to: number] => [
	trades.at(-1)?.time ?? 0,
	trades[0]?.time ?? 0,
];

/** `23:52:24` and `23:54:59`, with their days if these differ. */
function timeTexts(tape: Tape, zone: Zone | undefined): readonly string[] {
	const ends = endsOf(tape);
	const dated = ends.map(time => formatDateTime(time, zone));
	const [first, last] = dated.map(text => text.slice(0, 10));
	return first === last ? ends.map(time => formatClock(time, zone)) : dated.map(text => text.slice(5, 16));
}

function spanOf(tape: Tape): string {
	const [from, to] = endsOf(tape);
	return formatAge(to - from);
}

/** Both ends below the ends of the curve and, with room, how long it is in the middle. */
function timeRow([from = '', to = '']: readonly string[], span: string, columns: number): Line {
	const gap = columns - textWidth(from) - textWidth(to);
	if (gap < 1) return [label(` ${to}`.padStart(columns + 1))];
	const middle = gap >= textWidth(span) + 2 ? span : '';
	const before = Math.floor((gap - textWidth(middle)) / 2);
	const after = gap - textWidth(middle) - before;
	return [label(` ${from}${' '.repeat(before)}${middle}${' '.repeat(after)}${to}`)];
}

type Prices = TapeTrend['values'];

/** Of the tiles, which are drawn each second: tapes of thousands of trades take long. */
const rangeOf = memo((tape: Tape): PriceRange => priceRange(tape.trades.map(({price}) => price)));

/** The curve over all columns of its size. In ASCII it is one of bars. */
function curveLines(prices: Prices, range: PriceRange, size: Size, ascii: boolean): readonly Line[] {
	if (ascii) return sparkline(stretched(prices, size.columns), size, true, range);
	const canvas = createCanvas(size);
	const points = pointsOf(prices, range, size);
	const tone = trendTone(prices.filter(price => price !== undefined));
	drawCurves(canvas, [{points, style: styleOf(tone)}], false);
	return canvas.lines();
}

const styleOf = (tone: Tone): PlottedCurve['style'] => ({tone, dash: [1, 0], letter: ''});

/** The prices over so many columns, some of them several times. */
const stretched = (prices: Prices, columns: number): Prices =>
	Array.from({length: columns}, (_, column) => prices[Math.floor((column * prices.length) / columns)]);

/** A point for each price, from the first dot of the canvas to the last. A price that never moved is in the middle. */
function pointsOf(prices: Prices, {low, high}: PriceRange, {columns, rows}: Size): PlottedCurve['points'] {
	const drawn = prices.length === 1 ? [...prices, ...prices] : prices;
	const [lastColumn, lastRow] = [dotsAcross * columns - 1, dotsDown * rows - 1];
	return drawn.map((price, index) => {
		if (price === undefined) return undefined;
		const column = Math.round((index * lastColumn) / Math.max(drawn.length - 1, 1)) / dotsAcross;
		if (high === low) return {column, rows: middleOf(rows)};
		return {column, rows: Math.round(((high - price) / (high - low)) * lastRow) / dotsDown};
	});
}

/** The shape of a curve whose prices are still loading. */
export function curveSkeleton({columns, rows}: Size, ascii: boolean): readonly Line[] {
	const dots = marksFor(ascii).skeleton.repeat(Math.max(columns - 2, 0));
	return Array.from({length: rows}, (_, row) => (row === rows - 1 ? [label(` ${dots}`)] : []));
}
