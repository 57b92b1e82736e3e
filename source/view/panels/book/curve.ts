import type {Size} from '../../../format/cells.ts';
import {formatAmount, formatUpTo} from '../../../format/number.ts';
import {cumulative, spreadOf} from '../../../market/depth.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {DepthBook, Level} from '../../../market/types.ts';
import {fitLines, type Line} from '../../line.ts';
import {firstFitting, type Marks, marksFor} from '../../marks.ts';
import {barLevels, createCanvas} from '../../plot/canvas.ts';
import {spreadRow} from './rows.ts';
import {noBidsTexts} from './rungs.ts';

export type CurveInput = {
	readonly book: DepthBook;
	readonly decimals: Decimals;
	/** Each step doubles the range of prices; each negative one halves it. */
	readonly zoom: number;
	readonly size: Size;
	readonly ascii: boolean;
};

/** The share of a side's levels that the default range shows: the farthest ones are often absurdly far away. */
const shownShare = 0.9;

/** Cumulative size by price, `columns` wide. */
type Curve = {
	/** Prices at the left and the right edge. */
	readonly from: number;
	readonly middle: number;
	readonly to: number;
	/** Base asset that a taker gets up to each column's price; undefined beyond the last level and in the spread. */
	readonly asks: ReadonlyArray<number | undefined>;
	readonly bids: ReadonlyArray<number | undefined>;
};

/** The depth curve of a book; undefined for an empty book. */
export function depthCurve({asks, bids = []}: DepthBook, columns: number, zoom: number): Curve | undefined {
	const bestAsk = asks[0]?.[0];
	const bestBid = bids[0]?.[0];
	const middle = spreadOf({asks, bids})?.mid ?? bestAsk ?? bestBid;
	if (middle === undefined) return undefined;
	const far = (levels: readonly Level[]) => {
		const level = levels[Math.min(Math.ceil(levels.length * shownShare), levels.length - 1)];
		return level ? [Math.abs(level[0] - middle)] : [];
	};
	// Up to the nearer end of the two sides, so that neither seems to end.
	const reach = Math.min(...[...far(asks), ...far(bids)].filter(distance => distance > 0), middle);
	const half = Math.min(reach * 2 ** zoom, middle);
	const from = middle - half;
	const to = middle + half;
	const edge = (column: number) => from + ((to - from) * column) / columns;
	const toRight = Array.from({length: columns}, (_, column) => edge(column + 1));
	const toLeft = Array.from({length: columns}, (_, column) => edge(column)).reverse();
	return {
		from,
		middle,
		to,
		asks: sizesUpTo(asks, toRight, 1),
		bids: sizesUpTo(bids, toLeft, -1).toReversed(),
	};
}

/** The size at each price or better. `prices` from better to worse. */
function sizesUpTo(levels: readonly Level[], prices: readonly number[], sign: 1 | -1): readonly (number | undefined)[] {
	const worst = levels.at(-1)?.[0];
	const sums = cumulative(levels);
	let sum = 0;
	let next = 0;
	let ended = false;
	return prices.map(price => {
		for (let level = sums[next]; level && sign * (level.price - price) <= 0; level = sums[++next])
			sum = level.cumulative;
		const isReached = sum > 0 && !ended;
		// The column that holds the last level is the last one.
		ended = worst === undefined || sign * (price - worst) >= 0;
		return isReached ? sum : undefined;
	});
}

/** The size at the full height of the curve. */
export function curveHeight({book, size, zoom}: Pick<CurveInput, 'book' | 'size' | 'zoom'>): number {
	const curve = depthCurve(book, size.columns, zoom);
	return Math.max(0, ...(curve?.asks ?? []).map(sum => sum ?? 0), ...(curve?.bids ?? []).map(sum => sum ?? 0));
}

/** The depth curve: bids rise to the left of the mid, asks to its right, with the spread above and prices below. Exactly `size`. */
export function curveBody(input: CurveInput): readonly Line[] {
	const {book, decimals, size, ascii, zoom} = input;
	const marks = marksFor(ascii);
	const curve = depthCurve(book, size.columns, zoom);
	const lines: Line[] = [spreadRow(book, decimals.price, size.columns, ascii)];
	const absent = absentTexts(book);
	if (absent.length > 0) lines.push([{text: firstFitting(absent, size.columns), tone: book.bids ? 'muted' : 'warn'}]);
	const rows = Math.max(size.rows - lines.length - 1, 0);
	if (curve) lines.push(...plotRows(curve, curveHeight(input), {columns: size.columns, rows}, ascii));
	if (curve) lines.push(axisRow(curve, input, marks));
	return fitLines(lines, size);
}

/** Texts for an empty side, from long to short. */
function absentTexts({asks, bids}: DepthBook): readonly string[] {
	if (!bids) return noBidsTexts.map(text => ` ${text}`);
	if (asks.length > 0 && bids.length > 0) return [];
	if (asks.length === 0 && bids.length === 0) return [' no asks, no bids'];
	return [asks.length === 0 ? ' no asks' : ' no bids'];
}

/** The larger side in each column, as a bar of its share of `highest`. */
function plotRows({asks, bids}: Curve, highest: number, size: Size, ascii: boolean): readonly Line[] {
	const canvas = createCanvas(size);
	const glyphs = ascii ? ['#'] : barLevels(ascii);
	for (const [column, ask = 0] of asks.entries()) {
		const bid = bids[column] ?? 0;
		let left = Math.round((Math.max(ask, bid) / highest) * size.rows * glyphs.length);
		for (let row = size.rows - 1; left > 0; row--, left -= glyphs.length) {
			canvas.write(row, column, glyphs[Math.min(left, glyphs.length) - 1] ?? '', bid > ask ? 'upBar' : 'downBar');
		}
	}

	return canvas.lines();
}

/** The prices at both edges and in the middle, where they fit. */
function axisRow({from, middle, to}: Curve, {decimals, size, ascii}: CurveInput, marks: Marks): Line {
	const price = (value: number) => formatUpTo(value, decimals.price, {ascii});
	const [left, centre, right] = [price(from), price(middle), price(to)];
	const blank = size.columns - left.length - right.length;
	const before = Math.floor(size.columns / 2 - centre.length / 2) - left.length;
	if (before > 0 && blank - before - centre.length > 0) {
		const after = blank - before - centre.length;
		return [{text: left + ' '.repeat(before) + centre + ' '.repeat(after) + right, tone: 'muted'}];
	}

	return [{text: blank > 0 ? left + ' '.repeat(blank) + right : marks.ellipsis, tone: 'muted'}];
}

/** The size at the full height of the curve, from long to short. */
export function curveScale(height: number, base: string | undefined, ascii: boolean): readonly string[] {
	const amount = `${formatAmount(height, {ascii})}${base ? ` ${base}` : ''}`;
	return [`full height ${amount}`, `height ${amount}`];
}
