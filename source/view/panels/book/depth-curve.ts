import {cumulative, spreadOf} from '../../../market/depth.ts';
import type {DepthBook, Level} from '../../../market/types.ts';

/** The prices of a depth curve, with the mid (or the only best price) in the middle. */
export type CurveRange = {readonly from: number; readonly middle: number; readonly to: number};

/** Cumulative size by price, in columns of equal width from the lowest price to the highest. */
export type Curve = {
	/** Base asset that a taker gets up to each column's farther price; beyond the last level that of all levels. Undefined before the first level. */
	readonly asks: ReadonlyArray<number | undefined>;
	readonly bids: ReadonlyArray<number | undefined>;
	/** The columns that lie wholly beyond the last level received, of the asks from here on, of the bids before here. */
	readonly asksEnd: number;
	readonly bidsEnd: number;
	/** The largest size in any column; 0 where there is none. */
	readonly highest: number;
};

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

/** The depth curve of a book over this range. */
export function depthCurve({asks, bids = []}: DepthBook, {from, to}: CurveRange, columns: number): Curve {
	// Exact at both ends.
	const edge = (column: number) => (column === columns ? to : from + ((to - from) * column) / columns);
	const toRight = Array.from({length: columns}, (_, column) => edge(column + 1));
	const toLeft = Array.from({length: columns}, (_, column) => edge(column)).reverse();
	const right = sizesUpTo(asks, toRight, 1);
	const left = sizesUpTo(bids, toLeft, -1);
	return {
		asks: right.sums,
		bids: left.sums.toReversed(),
		asksEnd: right.end,
		bidsEnd: columns - left.end,
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
