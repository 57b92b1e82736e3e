import {formatAmount, formatFixed, formatPrice} from '../../format/number.ts';
import {
	type BookSide,
	type CumulativeLevel,
	imbalance,
	type Spread,
	spreadOf,
	tradedVolume,
} from '../../market/depth.ts';
import type {Decimals} from '../../market/precision.ts';
import type {DepthBook, Trade} from '../../market/types.ts';
import {fitLine, type Line, type Size} from '../line.ts';
import {firstFitting, type Marks, marksFor, rule, sizeBar} from '../marks.ts';
import {type LadderColumns, type LadderWidths, ladderColumns, tradedFrom} from './columns.ts';
import {type Rungs, rungsOf} from './rungs.ts';

export type LadderInput = {
	readonly book: DepthBook;
	/** The ticker's best bid, named as such where the interface shows no bids. */
	readonly tickerBid?: number | undefined;
	readonly tickerBidQuantity?: number | undefined;
	/** The trades seen: what they add up to at each price stands beside the book where there is room. */
	readonly trades?: readonly Trade[] | undefined;
	readonly decimals: Decimals;
	/** Index of `ladderSteps`; 0 is the finest. */
	readonly grouping: number;
	/** Rows down from the spread in the middle, negative: up. Held inside `ladderScrollRange`. */
	readonly scroll: number;
	readonly size: Size;
	readonly ascii: boolean;
};

/** A body this high has its columns named. */
const headerFrom = 12;
/** Rows for what is said in place of bids that the interface does not show. */
const absentBidRows = 2;

/** Where the spread stands: rows above it, below it, and above the ladder. */
type Frame = {readonly header: number; readonly above: number; readonly below: number};

function frameOf(rows: number, hasBids: boolean): Frame {
	const header = rows >= headerFrom ? 1 : 0;
	const sides = Math.max(rows - header - 1, 0);
	const below = hasBids ? Math.floor(sides / 2) : Math.min(absentBidRows, Math.floor(sides / 2));
	return {header, above: sides - below, below};
}

function scrollRange({asks, bids}: Rungs, {above, below}: Frame): {min: number; max: number} {
	const up = Math.max(asks.length - above, 0);
	return {min: up === 0 ? 0 : -up, max: Math.max((bids?.length ?? 0) - below, 0)};
}

/** How far a ladder of `rows` scrolls: `min` shows the highest ask at the top, `max` the lowest bid at the bottom. */
export function ladderScrollRange(
	{book, decimals, grouping}: Pick<LadderInput, 'book' | 'decimals' | 'grouping'>,
	rows: number,
): {min: number; max: number} {
	return scrollRange(rungsOf(book, decimals, grouping), frameOf(rows, book.bids !== undefined));
}

/**
 * Asks above, bids below, the best of both at the spread row in the middle: exactly `size`. The spread is that of the
 * ungrouped best prices, the bids' share that of the rows on screen. Sums run from the best price outwards.
 */
export function ladderBody(input: LadderInput): readonly Line[] {
	const {book, decimals, size, ascii} = input;
	const marks = marksFor(ascii);
	const rungs = rungsOf(book, decimals, input.grouping);
	const frame = frameOf(size.rows, rungs.bids !== undefined);
	const range = scrollRange(rungs, frame);
	const scroll = Math.min(Math.max(input.scroll, range.min), range.max);

	const offsets = Array.from({length: size.rows - frame.header}, (_, row) => row - frame.above + scroll);
	const trades = size.columns < tradedFrom ? undefined : input.trades;
	const tradedOn = (side: BookSide) => tradedVolume(trades ?? [], side, rungs.step);
	const tradedAt = {ask: tradedOn('ask'), bid: tradedOn('bid')};
	const rungAt = (offset: number): Rung | undefined => {
		const side = offset < 0 ? 'ask' : 'bid';
		const rung = side === 'ask' ? rungs.asks[-offset - 1] : rungs.bids?.[offset - 1];
		return rung && {...rung, side, traded: tradedAt[side](rung.price)};
	};
	const visible = offsets.flatMap(offset => rungAt(offset) ?? []);
	const text = rungTexts(rungs.priceDecimals, decimals.quantity, ascii);
	const widths = widthsOf(visible, text, {
		quantityDecimals: decimals.quantity,
		labelled: frame.header > 0,
		hasTrades: trades !== undefined,
	});
	const columns = ladderColumns(widths, size.columns);
	const largest = visible.reduce((max, {quantity}) => Math.max(max, quantity), 0);

	const lines = offsets.map(offset => {
		if (offset === 0) return spreadRow(input, rungs, frame, marks);
		const rung = rungAt(offset);
		if (!rung) return absentRow(offset, input, rungs, marks);
		return rungRow(rung, {text, columns, largest, marks});
	});
	if (frame.header > 0) lines.unshift(headerRow(columns));
	return lines.slice(0, size.rows).map(line => fitLine(line, size.columns));
}

/** A level of the ladder with what was traded at its price, where anything was. */
type Rung = CumulativeLevel & {readonly side: BookSide; readonly traded: number | undefined};

type RungTexts = Record<
	'price' | 'shortPrice' | 'quantity' | 'total' | 'shortTotal' | 'traded',
	(rung: Rung) => string
>;

const rungTexts = (price: number, quantity: number, ascii: boolean): RungTexts => {
	const full = (rung: CumulativeLevel) => formatPrice(rung.price, {decimals: price, ascii});
	return {
		price: full,
		shortPrice: rung => formatPrice(rung.price, {decimals: price, ascii, width: full(rung).length - 1}),
		quantity: rung => formatFixed(rung.quantity, quantity),
		total: rung => formatFixed(rung.cumulative, quantity),
		shortTotal: rung => shortTotal(rung.cumulative, quantity, ascii),
		traded: rung => (rung.traded === undefined ? '' : formatFixed(rung.traded, quantity)),
	};
};

/** A sum for a narrow column: two decimals below 1,000, then `12,346`, `3.25 M`. What would read 0.00 is `<0.01`. */
function shortTotal(total: number, quantityDecimals: number, ascii: boolean): string {
	if (total >= 1000) return formatAmount(total, {ascii});
	const decimals = Math.min(quantityDecimals, 2);
	return total < 10 ** -decimals ? `<${formatFixed(10 ** -decimals, decimals)}` : formatFixed(total, decimals);
}

const labels = {price: 'price', quantity: 'size', total: 'total', traded: 'traded'} as const;

/** Room for two digits before the point is kept, so that the columns stay where they are when sizes pass 10. */
function widthsOf(
	rungs: readonly Rung[],
	text: RungTexts,
	{quantityDecimals, labelled, hasTrades}: {quantityDecimals: number; labelled: boolean; hasTrades: boolean},
): LadderWidths {
	const reserve = formatFixed(10, quantityDecimals).length;
	const widest = (form: keyof RungTexts, least: number, label: string) =>
		rungs.reduce(
			(width, rung) => Math.max(width, text[form](rung).length),
			Math.max(least, labelled ? label.length : 0),
		);
	return {
		price: widest('price', 0, labels.price),
		shortPrice: widest('shortPrice', 0, ''),
		quantity: widest('quantity', reserve, labels.quantity),
		total: widest('total', reserve, labels.total),
		shortTotal: widest('shortTotal', 0, labels.total),
		traded: hasTrades ? widest('traded', reserve, labels.traded) : 0,
	};
}

type Texts = Record<'price' | 'quantity' | 'total' | 'traded', string>;

const cells = (columns: LadderColumns, texts: Texts): Texts => ({
	price: ' '.repeat(columns.lead) + texts.price.padStart(columns.price),
	quantity: columns.quantity ? ' '.repeat(columns.gap) + texts.quantity.padStart(columns.quantity) : '',
	total: columns.total ? ' '.repeat(columns.gap) + texts.total.padStart(columns.total) : '',
	traded: columns.traded ? ' '.repeat(columns.gap) + texts.traded.padStart(columns.traded) : '',
});

function headerRow(columns: LadderColumns): Line {
	const {price, quantity, total, traded} = cells(columns, labels);
	return [{text: price + quantity + total + traded, tone: 'muted'}];
}

type RungStyle = {
	readonly text: RungTexts;
	readonly columns: LadderColumns;
	/** The size that fills the whole bar. */
	readonly largest: number;
	readonly marks: Marks;
};

function rungRow(rung: Rung, {text, columns, largest, marks}: RungStyle): Line {
	const price = text[columns.priceForm](rung);
	const shown = price.length > columns.price ? marks.ellipsis : price;
	const row = cells(columns, {
		price: shown,
		quantity: text.quantity(rung),
		total: text[columns.totalForm](rung),
		traded: text.traded(rung),
	});
	const asked = rung.side === 'ask';
	return [
		{text: row.price, tone: asked ? 'down' : 'up'},
		{text: row.quantity},
		{text: row.total, tone: 'muted'},
		{text: row.traded},
		{
			text: columns.bar > 0 ? ` ${sizeBar(rung.quantity / largest, columns.bar, marks)}` : '',
			tone: asked ? 'downBar' : 'upBar',
		},
	];
}

function spreadRow({book, decimals, size}: LadderInput, rungs: Rungs, frame: Frame, marks: Marks): Line {
	const spread = spreadOf(book);
	if (!spread) return rule([`spread ${marks.none}`], size.columns, marks, 'muted');
	const between = ` ${marks.separator} `;
	const points = basisPoints(spread);
	if (spread.crossed) {
		const by = `CROSSED by ${formatFixed(-spread.spread, decimals.price)}`;
		return rule([by + between + points, by, 'CROSSED'], size.columns, marks, 'warn');
	}

	const width = `spread ${formatFixed(spread.spread, decimals.price)}`;
	const share = imbalance({asks: rungs.asks, bids: rungs.bids ?? []}, Math.min(frame.above, frame.below));
	const bids = share === undefined ? [] : [[width, points, `bids ${formatFixed(share * 100, 0)} %`].join(between)];
	return rule([...bids, width + between + points, width], size.columns, marks, 'plain', 'muted');
}

function basisPoints(spread: Spread): string {
	const points = Math.abs(spread.basisPoints);
	return points > 0 && points < 0.01 ? '<0.01 bp' : `${formatFixed(points, 2)} bp`;
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
		return [{text: fitting('no bids shown by this interface', 'no bids shown', 'no bids'), tone: 'warn'}];
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
	const frame = frameOf(size.rows, true);
	const dots = (length: number) => marks.skeleton.repeat(length);
	const columns = ladderColumns(
		{price: 9, shortPrice: 9, quantity: 8, total: 8, shortTotal: 5, traded: 0},
		size.columns,
	);
	const {price, quantity, total} = cells(columns, {
		price: dots(columns.price),
		quantity: dots(columns.quantity),
		total: dots(columns.total),
		traded: '',
	});
	return Array.from({length: size.rows}, (_, row): Line => {
		if (row < frame.header) return fitLine(headerRow(columns), size.columns);
		if (row === frame.header + frame.above) return rule([`spread ${marks.none}`], size.columns, marks, 'muted');
		return fitLine([{text: price + quantity + total, tone: 'muted'}], size.columns);
	});
}
