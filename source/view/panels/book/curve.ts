import {type Size, textWidth} from '../../../format/cells.ts';
import {formatAmount, formatFixed, formatPlain, formatUpTo} from '../../../format/number.ts';
import {cumulative, spreadOf} from '../../../market/depth.ts';
import {memo} from '../../../market/memo.ts';
import type {DepthBook, Level} from '../../../market/types.ts';
import {fitLines, type Line} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {barLevels, type Canvas, createCanvas} from '../../plot/canvas.ts';
import {evenStep} from '../../plot/price-axis.ts';
import {startAround} from '../../plot/time-labels.ts';
import {shortPrice} from '../../price-texts.ts';
import type {HeatmapInput} from './heatmap-model.ts';
import {spreadRow} from './rows.ts';
import {noBidsTexts} from './rungs.ts';

/** Each step of the zoom doubles the range of prices; each negative one halves it. */
export type CurveInput = Pick<HeatmapInput, 'book' | 'decimals' | 'zoom' | 'size' | 'ascii'>;

/** Columns of the plot below which there is no axis of sizes. */
const leastPlot = 24;
/** Rows from one size on the axis to the next. */
const rowsPerTick = 3;
const endWord = 'end of book';

const glyphs = {
	unicode: {hatch: '╱', mid: '┊', axis: '│', tick: '┤'},
	ascii: {hatch: '/', mid: ':', axis: '|', tick: '+'},
};
const glyphsFor = (ascii: boolean) => (ascii ? glyphs.ascii : glyphs.unicode);

/** A curve with its axis of sizes and the place of its plot, which titles, legend and body share. Undefined: the book is empty. */
const layoutOf = memo((input: CurveInput) => {
	const {book, size, zoom, decimals} = input;
	const range = curveRange(book, zoom);
	if (!range) return undefined;
	const notes = notesOf(input);
	const rows = Math.max(size.rows - notes.length - 1, 0);
	// The largest size is at an end of the range, however many columns there are.
	const {highest} = depthCurve(book, range, 1);
	const {ticks, full} = sizeScale(highest, rows, decimals.quantity, input.ascii);
	const width = Math.max(0, ...[...ticks.values()].map(text => text.length));
	/** Columns of the axis; 0: there is none. */
	const axis = width > 0 && size.columns - width - 2 >= leastPlot ? width + 2 : 0;
	const plot = {columns: size.columns - axis, rows};
	const curve = depthCurve(book, range, plot.columns);
	if (axis > 0) return {range, curve, highest, full, labels: ticks, axis, notes, plot};
	return {range, curve, highest, full: highest, labels: new Map<number, string>(), axis, notes, plot};
});

type Layout = NonNullable<ReturnType<typeof layoutOf>>;

/** The size that fills all rows, and round sizes by the row that a bar of this size fills, bottom up. */
function sizeScale(highest: number, rows: number, decimals: number, ascii: boolean) {
	const step = evenStep(highest, rows, rowsPerTick, decimals);
	const full = (step.size / step.rows) * rows;
	const isLarge = full >= 100_000;
	const text = (size: number) => (isLarge ? formatAmount(size, {ascii}) : formatFixed(size, step.decimals));
	const sizes = Array.from({length: Math.floor(rows / step.rows)}, (_, index) => index + 1);
	return {full, ticks: new Map(sizes.map(count => [rows - count * step.rows, text(count * step.size)]))};
}

/**
 * The depth curve: bids rise to the left of the mid, asks to its right, with the spread above, prices below and sizes at the
 * left. Beyond the last level received, the size of all levels is hatched. Exactly `size`.
 */
export function curveBody(input: CurveInput): readonly Line[] {
	const {size, ascii} = input;
	const layout = layoutOf(input);
	if (!layout) return fitLines(notesOf(input), size);
	const {notes, plot, axis} = layout;
	const canvas = createCanvas({columns: size.columns, rows: plot.rows + 1});
	drawSizes(canvas, layout, ascii);
	const area = axis > 0 ? shifted(canvas, axis) : canvas;
	drawCurve(area, layout, ascii);
	drawMid(area, layout, ascii);
	drawPrices(area, layout, input);
	return fitLines([...notes, ...canvas.lines()], size);
}

/** What is written on a canvas, from this column on. */
const shifted = ({write, writeBehind}: Canvas, by: number): Pick<Canvas, 'write' | 'writeBehind'> => ({
	write: (row, column, ...rest) => write(row, column + by, ...rest),
	writeBehind: (row, column, ...rest) => writeBehind(row, column + by, ...rest),
});

type Area = Pick<Canvas, 'write' | 'writeBehind'>;

/** The spread, and what one side lacks. */
function notesOf({book, decimals, size, ascii}: CurveInput): readonly Line[] {
	const spread = spreadRow(book, decimals.price, size.columns, ascii);
	const absent = absentTexts(book);
	if (absent.length === 0) return [spread];
	return [spread, [{text: firstFitting(absent, size.columns), tone: book.bids ? 'muted' : 'warn'}]];
}

/** Texts for an empty side, from long to short. */
function absentTexts({asks, bids}: DepthBook): readonly string[] {
	if (!bids) return noBidsTexts.map(text => (asks.length > 0 ? ` ${text}` : ` no asks, ${text}`));
	if (asks.length > 0 && bids.length > 0) return [];
	if (asks.length === 0 && bids.length === 0) return [' no asks, no bids'];
	return [asks.length === 0 ? ' no asks' : ' no bids'];
}

function drawSizes(canvas: Canvas, {labels, axis, plot}: Layout, ascii: boolean): void {
	if (axis === 0) return;
	const {axis: line, tick} = glyphsFor(ascii);
	for (let row = 0; row < plot.rows; row++) {
		const label = labels.get(row);
		if (label !== undefined) canvas.write(row, axis - 2 - label.length, label, 'muted');
		canvas.write(row, axis - 1, label === undefined ? line : tick, 'border');
	}
}

/** The larger side in each column, as a bar of its share of the height; hatched beyond the last level. */
function drawCurve(area: Area, {curve, full, plot}: Layout, ascii: boolean): void {
	const {asks, bids, asksEnd, bidsEnd} = curve;
	const levels = barLevels(ascii);
	for (let column = 0; column < plot.columns; column++) {
		const [ask, bid] = [asks[column] ?? 0, bids[column] ?? 0];
		const isBid = bid > ask;
		const tone = isBid ? 'upBar' : 'downBar';
		// Sums near the largest number can be beyond the last one of their side.
		const share = Math.min(Math.max(ask, bid) / full, 1);
		if (!(share > 0)) continue;
		if (isBid ? column < bidsEnd : column >= asksEnd) {
			const top = plot.rows - hatchedRows(share, plot.rows);
			for (let row = top; row < plot.rows; row++) area.write(row, column, glyphsFor(ascii).hatch, tone);
			continue;
		}

		let left = Math.round(share * plot.rows * levels.length);
		for (let row = plot.rows - 1; left > 0; row--, left -= levels.length) {
			area.write(row, column, levels[Math.min(left, levels.length) - 1] ?? '', tone);
		}
	}

	for (const {from, to, size} of hatchedParts(curve, plot.columns)) {
		if (!hasRoomForWord(from, to)) continue;
		const rows = hatchedRows(size / full, plot.rows);
		const start = from + startAround(Math.floor((to - from) / 2), ` ${endWord} `, to - from);
		area.write(plot.rows - Math.ceil(rows / 2), start, ` ${endWord} `, 'muted');
	}
}

const hatchedRows = (share: number, rows: number): number => Math.max(Math.round(share * rows), Math.min(rows, 1));

/** The hatched columns of each side (`to` is not one of them) with the size of all levels. */
function hatchedParts({asks, bids, asksEnd, bidsEnd}: Curve, columns: number) {
	return [
		{from: 0, to: bidsEnd, size: bids[0]},
		{from: asksEnd, to: columns, size: asks.at(-1)},
	].flatMap(({from, to, size}) => (to > from && size !== undefined ? {from, to, size} : []));
}

const hasRoomForWord = (from: number, to: number): boolean => to - from >= endWord.length + 2;

function drawMid(area: Area, {plot}: Layout, ascii: boolean): void {
	for (let row = 0; row < plot.rows; row++) area.writeBehind(row, midColumn(plot), glyphsFor(ascii).mid, 'muted');
}

const midColumn = ({columns}: Size): number => Math.floor(columns / 2);

/** Cells between two prices. */
const betweenPrices = 2;

type PriceLabel = {readonly start: number; readonly text: string; readonly isMid: boolean};

/** What the price in the middle is: of a book with one side its best price. */
const middleName = (book: DepthBook): string => (spreadOf(book) ? 'mid' : book.asks.length > 0 ? 'ask' : 'bid');

/** The middle price, which stays, and what fits of the prices at both edges and halfway to them. Its name alone gives way to an edge. */
function drawPrices(area: Area, {range, plot}: Layout, {book, decimals, ascii}: CurveInput): void {
	const {from, middle, to} = range;
	const at = (share: number, text: string, isMid = false): PriceLabel => {
		const start = startAround(Math.round(share * (plot.columns - 1)), text, plot.columns);
		return {start, text, isMid};
	};
	const full = (price: number) => formatUpTo(price, decimals.price, {ascii});
	const short = (price: number) => shortPrice(price, decimals.price, ascii);
	const rows = [
		{text: full, name: `${middleName(book)} `},
		{text: full, name: ''},
		{text: short, name: ''},
	]
		.filter(({text, name}) => textWidth(name + text(middle)) <= plot.columns)
		.map(({text, name}) =>
			withoutOverlap([
				at(0.5, name + text(middle), true),
				...[at(0, text(from)), at(1, text(to))],
				...[at(0.25, text((from + middle) / 2)), at(0.75, text((middle + to) / 2))],
			]),
		);
	const labels = rows.find(row => row.length >= 3) ?? rows[0] ?? [];
	for (const label of labels) area.write(plot.rows, label.start, label.text, label.isMid ? 'plain' : 'muted');
	if (labels.length === 0) area.write(plot.rows, 0, marksFor(ascii).ellipsis, 'muted');
}

/** The labels that do not touch one before them in the list. */
function withoutOverlap(labels: readonly PriceLabel[]): readonly PriceLabel[] {
	const kept: PriceLabel[] = [];
	const end = ({start, text}: PriceLabel) => start + text.length + betweenPrices;
	for (const label of labels) {
		if (kept.every(other => end(label) <= other.start || end(other) <= label.start)) kept.push(label);
	}

	return kept;
}

/** How far the curve of a book reaches to both sides, as `±0.42 %`; undefined for an empty book. */
function reachText(input: CurveInput): string | undefined {
	const range = layoutOf(input)?.range;
	if (!range) return undefined;
	const percent = Number((((range.to - range.middle) / range.middle) * 100).toPrecision(3));
	return `${input.ascii ? '+/-' : '±'}${formatPlain(percent)} %`;
}

/** The name of the view with its range of prices, from long to short: the name is dropped before the range. */
export function curveTitles(input: CurveInput): readonly string[] {
	const reach = reachText(input);
	return reach === undefined ? ['Depth curve', 'Depth'] : [`Depth curve ${reach}`, `Depth ${reach}`, reach];
}

/** What the sizes are in, and what is hatched where there is no room for the word, from long to short. */
export function curveLegend(input: CurveInput, base: string | undefined): readonly string[] {
	const layout = layoutOf(input);
	if (!layout) return [];
	const {separator} = marksFor(input.ascii);
	const amount = `${formatAmount(layout.highest, {ascii: input.ascii})}${base ? ` ${base}` : ''}`;
	const heights = [`up to ${amount}`];
	const parts = hatchedParts(layout.curve, layout.plot.columns);
	if (parts.every(({from, to}) => hasRoomForWord(from, to))) return heights;
	const end = `${glyphsFor(input.ascii).hatch} ${endWord}`;
	return [...heights.map(height => `${height} ${separator} ${end}`), end];
}

/** The prices of a depth curve, with the mid (or the only best price) in the middle. */
export type CurveRange = {readonly from: number; readonly middle: number; readonly to: number};

type Curve = ReturnType<typeof depthCurve>;

/** The share of a side's levels that the default range shows: the farthest ones are often absurdly far away. */
const shownShare = 0.9;

/** The range of a book's curve: each step of `zoom` doubles it, each negative one halves it. Undefined for an empty book. */
export function curveRange(book: DepthBook, zoom: number): CurveRange | undefined {
	const {asks, bids = []} = book;
	const middle = spreadOf(book)?.mid ?? asks[0]?.[0] ?? bids[0]?.[0];
	if (middle === undefined) return undefined;
	const far = (levels: readonly Level[]) => {
		const level = levels[Math.min(Math.ceil(levels.length * shownShare), levels.length - 1)];
		return level ? [Math.abs(level[0] - middle)] : [];
	};
	// Up to the nearer end of the two sides, so that neither ends without zoom.
	const reach = Math.min(...[...far(asks), ...far(bids)].filter(distance => distance > 0), middle);
	const half = Math.min(reach * 2 ** zoom, middle, Number.MAX_VALUE - middle);
	return {from: middle - half, middle, to: middle + half};
}

/**
 * Cumulative size by price over a range, in columns of equal width from its lowest price to the highest: the base asset that a taker
 * gets up to each column's farther price; beyond the last level that of all levels. Undefined before the first level.
 */
export function depthCurve({asks, bids = []}: DepthBook, {from, to}: CurveRange, columns: number) {
	// Exact at both ends.
	const edge = (column: number) => (column === columns ? to : from + ((to - from) * column) / columns);
	const toRight = Array.from({length: columns}, (_, column) => edge(column + 1));
	const toLeft = Array.from({length: columns}, (_, column) => edge(column)).reverse();
	const right = sizesUpTo(asks, toRight, 1);
	const left = sizesUpTo(bids, toLeft, -1);
	return {
		asks: right.sums,
		bids: left.sums.toReversed(),
		/** The columns that lie wholly beyond the last level received, of the asks from here on, of the bids before here. */
		asksEnd: right.end,
		bidsEnd: columns - left.end,
		/** The largest size in any column; 0 where there is none. */
		highest: Math.max(right.sums.at(-1) ?? 0, left.sums.at(-1) ?? 0),
	};
}

/** The size at each price or better, `prices` from better to worse, and the index of the first one wholly beyond the last level. */
function sizesUpTo(levels: readonly Level[], prices: readonly number[], sign: 1 | -1) {
	const worst = levels.at(-1)?.[0];
	const levelSums = cumulative(levels);
	let sum: number | undefined;
	let next = 0;
	const sums = prices.map(price => {
		for (let level = levelSums[next]; level && sign * (level.price - price) <= 0; level = levelSums[++next])
			sum = level.cumulative;
		return sum;
	});
	// The column that holds the last level is the last one of the book.
	const last = worst === undefined ? -1 : prices.findIndex(price => sign * (price - worst) >= 0);
	return {sums, end: last < 0 ? prices.length : last + 1};
}
