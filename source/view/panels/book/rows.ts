import {formatFixed} from '../../../format/number.ts';
import {type LevelChange, sideChanges} from '../../../market/book-changes.ts';
import {type BookSide, type PriceStep, spreadOf, tradedVolume} from '../../../market/depth.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {DepthBook, Level, Trade} from '../../../market/types.ts';
import {fitLine, type Line, type Size} from '../../line.ts';
import {firstFitting, type Marks, marksFor, rule} from '../../marks.ts';
import {headerRow, type Rung, type RungStyle, rungRow, rungTexts, rungWidths, skeletonRow} from './cells.ts';
import {ladderColumns, type TotalName, tradedFrom} from './columns.ts';
import {type FillQuestion, fillRowCount, fillRows} from './fill-rows.ts';
import {type Anchor, anchorAt, anchorRow, isFinest, type Rungs, rungsOf} from './rungs.ts';
import {spreadRow, totalsRow} from './spread-row.ts';

export type LadderInput = {
	readonly book: DepthBook;
	/** The book before: what changed since is marked. Absent: no changes are shown. */
	readonly previous?: DepthBook | undefined;
	/** The ticker's best bid, named as such where the interface shows no bids. */
	readonly tickerBid?: number | undefined;
	readonly tickerBidQuantity?: number | undefined;
	/** The trades seen: what they add up to at each price stands beside the book where there is room. */
	readonly trades?: readonly Trade[] | undefined;
	/** Trades may be missing among them. Default false. */
	readonly tradesPartial?: boolean | undefined;
	readonly decimals: Decimals;
	/** Absent: levels are shown as they are. */
	readonly grouping?: PriceStep | undefined;
	/** What stands in the middle. Absent: the spread. */
	readonly anchor?: Anchor | undefined;
	/** Which sum there is where there is room for one. Default: in base asset. */
	readonly total?: TotalName | undefined;
	readonly fill?: FillQuestion | undefined;
	readonly base?: string | undefined;
	readonly quote?: string | undefined;
	readonly size: Size;
	readonly ascii: boolean;
};

/** A body this high has its columns named above and its totals below. */
const namedFrom = 12;
/** Rows for what is said in place of bids that the interface does not show. */
const absentBidRows = 2;

/** Rows of each part, from the top: column names, asks, (the spread), bids, totals, cost to fill. */
type Frame = {
	readonly header: number;
	readonly above: number;
	readonly below: number;
	readonly totals: number;
	readonly fill: number;
};

function frameOf(rows: number, hasBids: boolean, question: FillQuestion | undefined): Frame {
	const fill = Math.min(fillRowCount(question), Math.max(rows - 1, 0));
	const header = rows >= namedFrom ? 1 : 0;
	const totals = hasBids ? header : 0;
	const sides = Math.max(rows - header - totals - fill - 1, 0);
	const below = hasBids ? Math.floor(sides / 2) : Math.min(absentBidRows, Math.floor(sides / 2));
	return {header, above: sides - below, below, totals, fill};
}

/** Rows down from the spread, negative: up. */
function scrollOf(rungs: Rungs, {above, below}: Frame, anchor: Anchor | undefined, by = 0): number {
	const up = Math.max(rungs.asks.length - above, 0);
	const down = Math.max((rungs.bids?.length ?? 0) - below, 0);
	return Math.min(Math.max((anchor ? anchorRow(rungs, anchor) : 0) + by, up === 0 ? 0 : -up), down);
}

/**
 * What a ladder of `rows` has in its middle after a scroll `by` rows, down or (negative) up; absent: the spread. It ends with
 * the highest ask at the top and the lowest bid at the bottom.
 */
export function scrolledAnchor(
	{book, decimals, grouping, anchor, fill}: Pick<LadderInput, 'book' | 'decimals' | 'grouping' | 'anchor' | 'fill'>,
	rows: number,
	by: number,
): Anchor | undefined {
	const rungs = rungsOf(book, decimals, grouping);
	return anchorAt(rungs, scrollOf(rungs, frameOf(rows, book.bids !== undefined, fill), anchor, by));
}

/**
 * Asks above, bids below, the best of both at the spread row in the middle: exactly `size`. The spread is that of the
 * ungrouped best prices, the totals are of all that was received. Sums run from the best price outwards.
 */
export function ladderBody(input: LadderInput): readonly Line[] {
	const {book, decimals, size, ascii, tradesPartial: partial = false} = input;
	const marks = marksFor(ascii);
	const rungs = rungsOf(book, decimals, input.grouping);
	const frame = frameOf(size.rows, rungs.bids !== undefined, input.fill);
	const scroll = scrollOf(rungs, frame, input.anchor);
	const offsets = Array.from({length: frame.above + 1 + frame.below}, (_, row) => row - frame.above + scroll);
	// Without column names nothing would say that trades may be missing.
	const trades = size.columns < tradedFrom || (partial && frame.header === 0) ? undefined : input.trades;
	const shown = {
		ask: shownRungs('ask', rungs, input, trades, frame.above - scroll),
		bid: shownRungs('bid', rungs, input, trades, frame.below + scroll),
	};
	const rungAt = (offset: number) => (offset < 0 ? shown.ask[-offset - 1] : shown.bid[offset - 1]);

	const visible = offsets.flatMap(offset => rungAt(offset) ?? []);
	const most = (name: 'quantity' | 'cumulative' | 'value') =>
		visible.reduce((max, rung) => Math.max(max, rung[name]), 0);
	const quantityDecimals = decimals.quantity;
	const shownDecimals = {price: rungs.priceDecimals, quantity: quantityDecimals};
	const text = rungTexts(shownDecimals, {total: most('cumulative'), value: most('value')}, ascii);
	const labelled = frame.header > 0;
	const widths = rungWidths(visible, text, {
		quantityDecimals,
		labelled,
		hasTrades: trades !== undefined,
		partial,
		marks,
	});
	const columns = ladderColumns(widths, size.columns, input.total ?? 'total');
	const style: RungStyle = {text, columns, largest: most('quantity'), marks};

	const lines = [
		...(frame.header > 0 ? [headerRow(columns, partial, marks)] : []),
		...offsets.map(offset => {
			if (offset === 0) return spreadRow(book, decimals.price, size.columns, marks);
			const rung = rungAt(offset);
			return rung ? rungRow(rung, style) : absentRow(offset, input, rungs, marks);
		}),
		...(frame.totals > 0 ? [totalsRow(book, size.columns, marks)] : []),
		...(input.fill && frame.fill > 0 ? fillRows({...input, ...input.fill, columns: size.columns}) : []),
	];
	return lines.slice(0, size.rows).map(line => fitLine(line, size.columns));
}

/** The first `count` rungs of a side, best first. What was pulled takes no row: the next worse level that stayed is marked. */
function shownRungs(
	side: BookSide,
	rungs: Rungs,
	{book, previous, decimals}: LadderInput,
	trades: readonly Trade[] | undefined,
	count: number,
): readonly Rung[] {
	const levels = (side === 'ask' ? rungs.asks : (rungs.bids ?? [])).slice(0, Math.max(count, 0));
	const [first, last] = [levels[0], levels.at(-1)];
	if (!first || !last) return [];
	const range = {from: first.price, to: last.price, middle: spreadOf(book)?.mid};
	const tradedAt = trades && tradedVolume(trades, side, rungs.step, range);
	const changes = changesTo(last.price, side, rungs, {book, previous, decimals});
	const pulled = [...changes].flatMap(([price, change]) => (change === 'pulled' ? price : []));
	const isBetter = (a: number, b: number) => (side === 'ask' ? a < b : a > b);
	return levels.map((level, index) => {
		const nextBetter = levels[index - 1]?.price;
		const isBefore = (price: number) =>
			isBetter(price, level.price) && (nextBetter === undefined || isBetter(nextBetter, price));
		const change = changes.get(level.price) ?? (pulled.some(isBefore) ? 'pulled' : undefined);
		return {...level, side, traded: tradedAt?.(level.price), change};
	});
}

function changesTo(
	to: number,
	side: BookSide,
	{step}: Rungs,
	{book, previous, decimals}: Pick<LadderInput, 'book' | 'previous' | 'decimals'>,
): ReadonlyMap<number, LevelChange> {
	const levelsOf = ({asks, bids}: DepthBook): readonly Level[] | undefined => (side === 'ask' ? asks : bids);
	const before = previous && levelsOf(previous);
	const after = levelsOf(book);
	if (!before || !after) return new Map();
	return sideChanges(before, after, side, {to, step: isFinest(step, decimals) ? undefined : step}).changes;
}

/** What stands next to the spread where a side has nothing to show. */
function absentRow(offset: number, input: LadderInput, rungs: Rungs, marks: Marks): Line {
	const {tickerBid, tickerBidQuantity, decimals, size} = input;
	const fitting = (...texts: string[]): string => {
		const text = firstFitting(texts, size.columns - 1);
		return text && ` ${text}`;
	};

	if (offset === -1) return [{text: fitting('no asks'), tone: 'muted'}];
	if (rungs.bids) return [{text: offset === 1 ? fitting('no bids') : '', tone: 'muted'}];
	if (offset === 1) {
		const {bidsFailure} = input.book;
		const texts =
			bidsFailure === undefined
				? ['no bids shown by this interface', 'no bids shown']
				: [
						`v2 shows no bids, legacy fails: ${bidsFailure}`,
						`no bids, legacy: ${bidsFailure}`,
						`legacy: ${bidsFailure}`,
					];
		return [{text: fitting(...texts, 'no bids'), tone: 'warn'}];
	}

	if (offset !== 2 || tickerBid === undefined) return [];
	const bid = `ticker bid ${formatFixed(tickerBid, decimals.price)}`;
	const quantity =
		tickerBidQuantity === undefined ? [] : [` ${marks.times} ${formatFixed(tickerBidQuantity, decimals.quantity)}`];
	return [{text: fitting(...quantity.map(text => bid + text), bid), tone: 'up'}];
}

/** The ladder's shape while its first book is awaited. */
export function ladderSkeleton(size: Size, ascii: boolean): readonly Line[] {
	const marks = marksFor(ascii);
	const frame = frameOf(size.rows, true, undefined);
	const widths = {price: 9, shortPrice: 9, quantity: 8, total: 8, shortTotal: 5, value: 7, traded: 0};
	const columns = ladderColumns(widths, size.columns, 'total');
	return Array.from({length: size.rows}, (_, row): Line => {
		if (row < frame.header) return fitLine(headerRow(columns, false, marks), size.columns);
		if (row === frame.header + frame.above) return rule([`spread ${marks.none}`], size.columns, marks, 'muted');
		const isRung = row < frame.header + frame.above + 1 + frame.below;
		return fitLine(isRung ? skeletonRow(columns, marks) : [], size.columns);
	});
}
