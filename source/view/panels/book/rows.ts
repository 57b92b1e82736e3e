import type {Size} from '../../../format/cells.ts';
import {formatAmount, formatAtLeast, formatBasisPoints, formatFixed} from '../../../format/number.ts';
import {type LevelChange, sideChanges} from '../../../market/book-changes.ts';
import {type BookSide, spreadOf, totalsOf, tradedVolume} from '../../../market/depth.ts';
import {clamp} from '../../../market/numbers.ts';
import type {DepthBook, Level, Trade} from '../../../market/types.ts';
import type {MarkedLevels} from '../../drawn-levels.ts';
import {fitLine, fitLines, type Line} from '../../line.ts';
import {alertMark, balanceRow, firstFitting, type Marks, marksFor, rule} from '../../marks.ts';
import {shortPrice} from '../../price-texts.ts';
import type {Anchor, BookState, FillQuestion} from './book-state.ts';
import {type FillInput, fillRowCount, fillRows} from './fill-rows.ts';
import {
	headerRow,
	ladderColumns,
	ladderNumbers,
	markTone,
	type Rung,
	type RungStyle,
	rungRow,
	skeletonNumbers,
	skeletonRow,
	tradedFrom,
} from './rung-rows.ts';
import {anchorAt, anchorRow, levelMarks, noBidsTexts, type Rungs, rungsOf} from './rungs.ts';

/** Defaults: ungrouped levels, the spread in the middle, sums in base asset, no cost to fill. */
export type LadderInput = Partial<Pick<BookState, 'grouping' | 'anchor' | 'total'>> &
	MarkedLevels &
	Omit<FillInput, keyof FillQuestion | 'columns'> & {
		readonly fill?: FillQuestion | undefined;
		/** The previous book, against which changes are marked. Absent: none are. */
		readonly previous?: DepthBook | undefined;
		/** The ticker's best bid, which is shown, marked as such, if the interface shows no bids. */
		readonly tickerBid?: number | undefined;
		readonly tickerBidQuantity?: number | undefined;
		/** Trades whose volume at each price is shown beside the book if there is room. */
		readonly trades?: readonly Trade[] | undefined;
		/** Whether trades may be missing. Default false. */
		readonly tradesPartial?: boolean | undefined;
		/** Whether the row that the ladder was scrolled to is marked. Default false. */
		readonly focused?: boolean | undefined;
		readonly size: Size;
	};

/** Ladders from this height on have a row of column names and a row of totals. */
const labelledFrom = 12;
/** Rows of the note that replaces bids which the interface does not show. */
const absentBidRows = 2;

/** Rows of each part, from the top: column names, asks (then the spread), bids, totals, cost to fill. */
type Parts = {
	readonly header: number;
	readonly above: number;
	readonly below: number;
	readonly totals: number;
	readonly fill: number;
};

function partsOf(rows: number, hasBids: boolean, question: FillQuestion | undefined): Parts {
	const fill = Math.min(fillRowCount(question), Math.max(rows - 1, 0));
	const header = rows >= labelledFrom ? 1 : 0;
	const totals = hasBids ? header : 0;
	const sides = Math.max(rows - header - totals - fill - 1, 0);
	const below = hasBids ? Math.floor(sides / 2) : Math.min(absentBidRows, Math.floor(sides / 2));
	return {header, above: sides - below, below, totals, fill};
}

/**
 * The row in the middle of the ladder, counted as by `anchorRow`, after scrolling `by` rows down. The ladder shows the rows
 * from `scroll − above` to `scroll + below`; neither end passes the last level of its side.
 */
function scrollOf(rungs: Rungs, {above, below}: Parts, anchor: Anchor | undefined, by = 0): number {
	const highest = Math.min(above - rungs.asks.length, 0);
	const lowest = Math.max((rungs.bids?.length ?? 0) - below, 0);
	return clamp((anchor ? anchorRow(rungs, anchor) : 0) + by, highest, lowest);
}

/** The anchor of a ladder of `rows` after scrolling `by` rows down (negative: up); undefined: the spread. */
export function scrolledAnchor(
	{book, decimals, grouping, anchor, fill}: Pick<LadderInput, 'book' | 'decimals' | 'grouping' | 'anchor' | 'fill'>,
	rows: number,
	by: number,
): Anchor | undefined {
	const rungs = rungsOf(book, decimals, grouping);
	return anchorAt(rungs, scrollOf(rungs, partsOf(rows, book.bids !== undefined, fill), anchor, by));
}

/** The anchor of a row of a ladder of `rows`, from the top; undefined: the spread, or no level is there. */
export function anchorInRow(
	{book, decimals, grouping, anchor, fill}: Pick<LadderInput, 'book' | 'decimals' | 'grouping' | 'anchor' | 'fill'>,
	rows: number,
	row: number,
): Anchor | undefined {
	const rungs = rungsOf(book, decimals, grouping);
	const parts = partsOf(rows, book.bids !== undefined, fill);
	const fromMiddle = row - parts.header - parts.above;
	if (fromMiddle < -parts.above || fromMiddle > parts.below) return undefined;
	return anchorAt(rungs, fromMiddle + scrollOf(rungs, parts, anchor));
}

/**
 * The ladder: asks above, bids below, the spread between them. Exactly `size`. The spread is that of the ungrouped best
 * prices, and totals are of the whole book. Sums run from the best price outwards.
 */
export function ladderBody(input: LadderInput): readonly Line[] {
	const {book, decimals, size, ascii, tradesPartial: partial = false} = input;
	const marks = marksFor(ascii);
	const rungs = rungsOf(book, decimals, input.grouping);
	const parts = partsOf(size.rows, rungs.bids !== undefined, input.fill);
	const scroll = scrollOf(rungs, parts, input.anchor);
	const offsets = Array.from({length: parts.above + 1 + parts.below}, (_, row) => row - parts.above + scroll);
	const labelled = parts.header > 0;
	// Without a row of column names, the ladder could not show that trades may be missing.
	const trades = size.columns < tradedFrom || (partial && !labelled) ? undefined : input.trades;
	const shown = [-parts.above + scroll, parts.below + scroll] as const;
	const drawnPrices = (input.drawnLevels ?? []).map(({price}) => price);
	const drawn = levelMarks(rungs, book, drawnPrices, shown, marks.level, marks);
	const alerts = levelMarks(rungs, book, input.levels ?? [], shown, alertMark, marks);
	const marked = jointMarks(drawn, alerts, marks);
	const asks = shownRungs('ask', rungs, input, {trades, marked, count: parts.above - scroll});
	const bids = shownRungs('bid', rungs, input, {trades, marked, count: parts.below + scroll});
	const rungAt = (offset: number) => (offset < 0 ? asks[-offset - 1] : bids[offset - 1]);

	const visible = offsets.flatMap(offset => rungAt(offset) ?? []);
	const labels = {labelled, hasTrades: trades !== undefined, partial};
	const numbers = ladderNumbers(visible, {...decimals, price: rungs.priceDecimals}, labels, ascii);
	const columns = ladderColumns(numbers, size.columns, input.total ?? 'total');
	const largest = visible.reduce((max, {quantity}) => Math.max(max, quantity), 0);
	const style: RungStyle = {numbers, columns, largest, marks};
	const rows = new Map(visible.map((rung, index) => [rung, rungRow(rung, index, style)]));

	const lines = [
		...(labelled ? [headerRow(columns, partial, marks)] : []),
		...offsets.map(offset => {
			if (offset === 0) return markedSpread(marked.get(0), input);
			const rung = rungAt(offset);
			return (rung && rows.get(rung)) ?? absentRow(offset, input, marks);
		}),
		...(parts.totals > 0 ? [totalsRow(book, size.columns, marks)] : []),
		...(input.fill && parts.fill > 0 ? fillRows({...input, ...input.fill, columns: size.columns}) : []),
	];
	return fitLines(lines, size);
}

/** The marks of drawn levels and of alerts, by row. A mark in the row goes before an arrow to what lies beyond. */
function jointMarks(
	drawn: ReadonlyMap<number, string>,
	alerts: ReadonlyMap<number, string>,
	{level, alertAndLevel}: Marks,
): ReadonlyMap<number, string> {
	const joint = new Map(drawn);
	for (const [row, mark] of alerts) {
		if (mark === alertMark) joint.set(row, drawn.get(row) === level ? alertAndLevel : mark);
		else if (!drawn.has(row)) joint.set(row, mark);
	}

	return joint;
}

function markedSpread(level: string | undefined, {book, decimals, size, ascii}: LadderInput): Line {
	if (level === undefined) return spreadRow(book, decimals.price, size.columns, ascii);
	return [
		{text: level, tone: markTone(level, marksFor(ascii))},
		...spreadRow(book, decimals.price, size.columns - 1, ascii),
	];
}

/** `── spread 0.01 · <0.01 bp ───`, `columns` wide; a book whose sides touch or cross is a warning. */
export function spreadRow(book: DepthBook, priceDecimals: number, columns: number, ascii: boolean): Line {
	const marks = marksFor(ascii);
	const spread = spreadOf(book);
	if (!spread) return rule([`spread ${marks.none}`], columns, marks, 'muted');
	const between = ` ${marks.separator} `;
	const points = formatBasisPoints(Math.abs(spread.basisPoints));
	const size = Math.abs(spread.spread);
	const full = formatAtLeast(size, priceDecimals);
	const sizes = [full, shortPrice(size, priceDecimals, ascii)];
	const texts = (name: string) => [
		...sizes.map(text => name + text + between + points),
		...sizes.map(text => name + text),
	];
	switch (spread.state) {
		case 'open':
			return rule(texts('spread '), columns, marks, 'plain', 'muted');
		case 'locked':
			return rule([`LOCKED${between}spread ${full}`, 'LOCKED'], columns, marks, 'warn');
		case 'crossed':
			return rule([...texts('CROSSED by '), 'CROSSED'], columns, marks, 'warn');
	}
}

/** Minimum cells of the bar in the row of totals. */
const leastTotalsBar = 8;

/** The balance of the whole book, at most `columns` wide: `bids 12.3 56 % █████▒▒▒▒ 9.87 asks`. */
function totalsRow(book: DepthBook, columns: number, marks: Marks): Line {
	const totals = totalsOf(book);
	if (!totals) return [];
	const bids = formatAmount(totals.bids, {padded: true});
	const asks = formatAmount(totals.asks, {padded: true});
	const percent = `${formatFixed(totals.bidShare * 100, 0)} %`;
	const labels = [
		[`bids ${bids} ${marks.separator} ${percent}`, `${asks} asks`],
		[`bids ${bids} ${percent}`, asks],
		[`bids ${percent}`, ''],
	] as const;
	return balanceRow({share: totals.bidShare, labels, leastBar: leastTotalsBar}, columns, marks);
}

type Shown = {
	readonly trades: readonly Trade[] | undefined;
	/** The marks of levels by row. */
	readonly marked: ReadonlyMap<number, string>;
	readonly count: number;
};

/** The first `count` rungs of a side, best first. A pulled level has no row, so the next worse level that stayed is marked. */
function shownRungs(
	side: BookSide,
	rungs: Rungs,
	{book, previous, focused = false, anchor}: LadderInput,
	{trades, marked, count}: Shown,
): readonly Rung[] {
	const levels = (side === 'ask' ? rungs.asks : (rungs.bids ?? [])).slice(0, Math.max(count, 0));
	const [first, last] = [levels[0], levels.at(-1)];
	if (!first || !last) return [];
	const range = {from: first.price, to: last.price, middle: spreadOf(book)?.mid};
	const tradedAt = trades && tradedVolume(trades, side, rungs.step, range);
	const changes = changesTo(last.price, side, rungs, {book, previous});
	const pulled = [...changes].flatMap(([price, change]) => (change === 'pulled' ? price : []));
	const isBetter = (a: number, b: number) => (side === 'ask' ? a < b : a > b);
	const cursor = focused && anchor ? anchorAt(rungs, anchorRow(rungs, anchor)) : undefined;
	return levels.map((level, index) => {
		const nextBetter = levels[index - 1]?.price;
		const isBefore = (price: number) =>
			isBetter(price, level.price) && (nextBetter === undefined || isBetter(nextBetter, price));
		const change = changes.get(level.price) ?? (pulled.some(isBefore) ? 'pulled' : undefined);
		return {
			...{...level, side, traded: tradedAt?.(level.price), change},
			level: marked.get(side === 'ask' ? -index - 1 : index + 1),
			isCursor: cursor?.side === side && cursor.price === level.price,
		};
	});
}

function changesTo(
	to: number,
	side: BookSide,
	{step, isGrouped}: Rungs,
	{book, previous}: Pick<LadderInput, 'book' | 'previous'>,
): ReadonlyMap<number, LevelChange> {
	const levelsOf = ({asks, bids}: DepthBook): readonly Level[] | undefined => (side === 'ask' ? asks : bids);
	const before = previous && levelsOf(previous);
	const after = levelsOf(book);
	if (!before || !after) return new Map();
	return sideChanges(before, after, side, {to, step: isGrouped ? step : undefined}).changes;
}

/** The row at `offset` from the spread on a side without a level there: a note next to the spread, else empty. */
function absentRow(offset: number, input: LadderInput, marks: Marks): Line {
	const {book, tickerBid, tickerBidQuantity, decimals, size} = input;
	const fitting = (texts: readonly string[]): string => {
		const text = firstFitting(texts, size.columns - 1);
		return text && ` ${text}`;
	};

	if (offset === -1) return [{text: fitting(['no asks']), tone: 'muted'}];
	if (book.bids) return offset === 1 ? [{text: fitting(['no bids']), tone: 'muted'}] : [];
	if (offset === 1) {
		const failure = book.bidsFailure?.brief;
		const failed = [`v2 shows no bids, legacy fails: ${failure}`, `no bids, legacy: ${failure}`, `legacy: ${failure}`];
		return [{text: fitting([...(failure === undefined ? noBidsTexts : failed), 'no bids']), tone: 'warn'}];
	}

	if (offset !== 2 || tickerBid === undefined) return [];
	const bid = `ticker bid ${formatAtLeast(tickerBid, decimals.price)}`;
	const quantity =
		tickerBidQuantity === undefined ? [] : [` ${marks.times} ${formatAtLeast(tickerBidQuantity, decimals.quantity)}`];
	return [{text: fitting([...quantity.map(text => bid + text), bid]), tone: 'up'}];
}

/** The ladder's shape while its first book is loading. */
export function ladderSkeleton(size: Size, ascii: boolean): readonly Line[] {
	const marks = marksFor(ascii);
	const parts = partsOf(size.rows, true, undefined);
	const columns = ladderColumns(skeletonNumbers, size.columns, 'total');
	return Array.from({length: size.rows}, (_, row): Line => {
		if (row < parts.header) return fitLine(headerRow(columns, false, marks), size.columns);
		if (row === parts.header + parts.above) return rule([`spread ${marks.none}`], size.columns, marks, 'muted');
		const isRung = row < parts.header + parts.above + 1 + parts.below;
		return fitLine(isRung ? skeletonRow(columns, marks) : [], size.columns);
	});
}
