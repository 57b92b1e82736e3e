import {
	type BookSide,
	type CumulativeLevel,
	cumulative,
	cumulativeGroups,
	type PriceStep,
	stepDecimals,
	stepSize,
	stepsFrom,
} from '../../../market/depth.ts';
import type {Decimals} from '../../../market/precision.ts';
import {bestPrice, groupSteps, ownStep} from '../../../market/price-steps.ts';
import type {DepthBook} from '../../../market/types.ts';
import type {Marks} from '../../marks.ts';
import type {Anchor, BookState} from './book-state.ts';

export type Rungs = ReturnType<typeof rungsOf>;

/** The steps that `+` and `-` go through for this book, finest first. */
export const ladderSteps = (book: DepthBook, decimals: Decimals): readonly PriceStep[] =>
	groupSteps(book, decimals.price);

/** The chosen step, limited to what the book's prices allow; without a choice the book's own. */
export function ladderStep(book: DepthBook, decimals: Decimals, chosen: PriceStep | undefined): PriceStep {
	const own = ownStep(book, decimals.price);
	if (!chosen || stepSize(chosen) <= stepSize(own)) return own;
	// Fewer rows than ten are possible, so that a choice stays while levels come and go.
	const coarsest = stepsFrom(own, bestPrice(book)).at(-1) ?? own;
	return stepSize(chosen) > stepSize(coarsest) ? coarsest : chosen;
}

/** The next coarser (`by` −1: finer) step; undefined: there is none. */
export function nextStep(
	book: DepthBook,
	decimals: Decimals,
	chosen: PriceStep | undefined,
	by: 1 | -1,
): PriceStep | undefined {
	const steps = ladderSteps(book, decimals);
	const size = stepSize(ladderStep(book, decimals, chosen));
	return by > 0 ? steps.find(step => stepSize(step) > size) : steps.findLast(step => stepSize(step) < size);
}

/** Texts for an interface without bids, from long to short. */
export const noBidsTexts = ['no bids shown by this interface', 'no bids shown'] as const;

/** A book as the ladder shows it: grouped, with sums, best first. */
export function rungsOf(book: DepthBook, decimals: Decimals, grouping: PriceStep | undefined) {
	const step = ladderStep(book, decimals, grouping);
	const own = ownStep(book, decimals.price);
	/** Whether a row can hold several levels. */
	const isGrouped = stepSize(step) > stepSize(own);
	const side = (levels: DepthBook['asks'], name: BookSide): readonly CumulativeLevel[] =>
		isGrouped ? cumulativeGroups(levels, name, step) : cumulative(levels);
	return {
		asks: side(book.asks, 'ask'),
		/** Undefined: the interface shows no bids. */
		bids: book.bids && side(book.bids, 'bid'),
		step,
		isGrouped,
		priceDecimals: isGrouped ? stepDecimals(step) : decimals.price,
	};
}

/**
 * The row of an anchor. The spread is row 0, the best ask row −1, the best bid row 1, and each row away from 0 is one level
 * worse. If the anchor's level is gone, the next worse level takes its place; if the market has passed it, it is looked up
 * on the other side.
 */
export function anchorRow(rungs: Rungs, {side, price}: Anchor): number {
	const {asks, bids = []} = rungs;
	const ask = asks[0]?.price ?? Infinity;
	const bid = bids[0]?.price ?? -Infinity;
	const isAsk = side === 'ask' ? price >= ask || price > bid : price > bid && price >= ask;
	return rowIn(rungs, isAsk, price, 0);
}

/** The row of a side's best level that is no better than the price; `beyond` the last row where there is none. */
function rowIn({asks, bids = []}: Rungs, isAsk: boolean, price: number, beyond: 0 | 1): number {
	const rungs = isAsk ? asks : bids;
	const index = rungs.findIndex(rung => (isAsk ? rung.price >= price : rung.price <= price));
	const row = index < 0 ? rungs.length + beyond : index + 1;
	return isAsk ? -row : row;
}

/**
 * The marks of levels by their rows, counted as by `anchorRow`. A level inside the spread is at the spread, one
 * between two rows at the worse one, and one beyond the rows from `first` to `last`, which are shown, is an arrow at the end.
 */
export function levelMarks(
	rungs: Rungs,
	book: DepthBook,
	levels: readonly number[],
	[first, last]: readonly [first: number, last: number],
	mark: string,
	{above, below}: Marks,
): ReadonlyMap<number, string> {
	const top = Math.max(first, -rungs.asks.length);
	const bottom = Math.min(last, rungs.bids?.length ?? 0);
	const rows = levels.map(level => levelRow(rungs, book, level));
	return new Map([
		...rows.filter(row => row < top).map(() => [top, above] as const),
		...rows.filter(row => row > bottom).map(() => [bottom, below] as const),
		...rows.filter(row => row >= top && row <= bottom).map(row => [row, mark] as const),
	]);
}

/** Beyond the last row of a side if the level is beyond the book, or on the side that the interface does not show. */
function levelRow(rungs: Rungs, book: DepthBook, level: number): number {
	const {asks, bids = []} = rungs;
	const [ask, bid] = [book.asks[0]?.[0] ?? Infinity, book.bids?.[0]?.[0] ?? -Infinity];
	if (level > bid && level < ask && asks.length > 0 && bids.length > 0) return 0;
	return rowIn(rungs, level > bid && (level >= ask || asks.length === 0), level, 1);
}

/** The price of the row that a ladder was scrolled to; undefined: it was not, or the book is empty. */
export function scrolledPrice(
	book: DepthBook,
	decimals: Decimals,
	{grouping, anchor}: Pick<BookState, 'grouping' | 'anchor'>,
): number | undefined {
	if (!anchor) return undefined;
	const rungs = rungsOf(book, decimals, grouping);
	return anchorAt(rungs, anchorRow(rungs, anchor))?.price;
}

/** The anchor at a row, counted as by `anchorRow`; undefined at the spread and beyond the last level. */
export function anchorAt({asks, bids = []}: Rungs, row: number): Anchor | undefined {
	const price = (row < 0 ? asks[-row - 1] : bids[row - 1])?.price;
	return price === undefined ? undefined : {side: row < 0 ? 'ask' : 'bid', price};
}
