import {formatPrice} from '../../../format/number.ts';
import {spreadOf, stepSize, stepsFrom} from '../../../market/depth.ts';
import {type BookHistory, reachOf, type Snapshot} from '../../../market/liquidity.ts';
import {clamp} from '../../../market/numbers.ts';
import {DecimalSum, type Decimals} from '../../../market/precision.ts';
import {ownStep} from '../../../market/price-steps.ts';
import type {DepthBook, Side, Trade} from '../../../market/types.ts';
import type {Drawing} from '../../line.ts';
import {type BookColumns, bookColumns} from './book-columns.ts';
import type {BookState, MapCursor} from './book-state.ts';

/** Defaults: the whole session, no cursor, no trades, shades instead of heat. */
export type HeatmapInput = Partial<Pick<BookState, 'window' | 'cursor'>> &
	Drawing & {
		readonly history: BookHistory;
		readonly book: DepthBook;
		readonly decimals: Decimals;
		/** Steps coarser than the default, which shows all best prices; negative: finer. */
		readonly zoom: number;
		/** Newest first. */
		readonly trades?: readonly Trade[] | undefined;
		/** Whether sizes are colours behind the cells instead of shades. */
		readonly hasHeat?: boolean | undefined;
	};

/** A cell of the map, counted from the left and from the top. */
export type MapCell = {readonly column: number; readonly row: number};

export type Heatmap = NonNullable<ReturnType<typeof heatmapOf>>;

/** Levels of each side that the price rows cover without zoom. */
const reachedLevels = 20;

/** The rows move by this part of the map at once, as all cells are written again whenever they do. */
const stridesPerMap = 8;

/** The heatmap of a session; undefined if there is nothing to draw. */
export function heatmapOf(input: HeatmapInput) {
	const {history, size, window, trades = [], cursor} = input;
	const labels = labelColumns(input);
	/** Columns of the map that have room, filled or not, and those of the prices beside it. */
	const [room, rows] = [size.columns - labels, size.rows - 1];
	const session = rows < 1 ? undefined : bookColumns(history, room, window);
	if (!session) return undefined;
	const scale = priceRowsOf(input, new Set(session.snapshots), rows);
	if (!scale) return undefined;
	const {priceRows} = scale;
	/** From the oldest to the newest, each from the top row down; undefined: there is no book. */
	const columns = session.snapshots.map(snapshot => snapshot && heatColumn(snapshot, priceRows));
	const map = {
		...{...session, ...scale, columns, room, labels},
		dots: tradeDots(trades, session, priceRows),
		/** The largest cell, in base asset. */
		largest: largestOf(columns),
	};
	return {...map, cursor: cursor && cellOf(map, cursor)};
}

function largestOf(columns: ReadonlyArray<readonly HeatCell[] | undefined>): number {
	let largest = 0;
	for (const column of columns) {
		for (const cell of column ?? []) if (typeof cell === 'object') largest = Math.max(largest, cell.quantity);
	}

	return largest;
}

/** Price rows with the mid near the middle, in the finest step that shows the best prices of the session and the nearest levels now. */
function priceRowsOf(
	{book, decimals, zoom}: HeatmapInput,
	snapshots: ReadonlySet<Snapshot | undefined>,
	count: number,
) {
	const touches = [...snapshots].flatMap(snapshot => {
		const sides = [snapshot?.asks, snapshot?.bids];
		return sides.flatMap(side => (side && reachOf(side)?.best) ?? []);
	});
	const near = [book.asks, book.bids ?? []].flatMap(
		levels => levels[Math.min(reachedLevels, levels.length - 1)]?.[0] ?? [],
	);
	const middle = spreadOf(book)?.mid ?? book.asks[0]?.[0] ?? book.bids?.[0]?.[0] ?? touches.at(-1);
	if (middle === undefined) return undefined;
	const away = [...touches, ...near].reduce((most, price) => Math.max(most, Math.abs(price - middle)), 0);
	const steps = stepsFrom(ownStep(book, decimals.price), middle);
	const stride = Math.max(Math.floor(count / stridesPerMap), 1);
	const enough = steps.findIndex(step => (stepSize(step) * (count - stride)) / 2 >= away);
	const standard = enough < 0 ? steps.length - 1 : enough;
	const index = clamp(standard + zoom, 0, steps.length - 1);
	const step = steps[index];
	if (!step) return undefined;
	const size = stepSize(step);
	const centre = Math.round(middle / size / stride) * stride;
	if (!Number.isFinite(centre)) return undefined;
	const priceRows: PriceRows = {step: size, top: centre + Math.floor(count / 2), count};
	/** `zoom`: the one that the steps of the book allow. */
	return {step, zoom: index - standard, priceRows};
}

/** Cells of a price and two blanks; 1 if the map is too narrow for labels. */
function labelColumns({book, decimals, size, ascii}: HeatmapInput): number {
	const price = book.asks[0]?.[0] ?? book.bids?.[0]?.[0] ?? 0;
	const width = formatPrice(price, {decimals: decimals.price, ascii}).length + 2;
	return width < size.columns / 2 ? width : 1;
}

export const rowPrice = ({priceRows: {step, top}}: {readonly priceRows: PriceRows}, row: number): number =>
	(top - row) * step;
export const columnTime = ({from, columnMs}: Pick<BookColumns, 'from' | 'columnMs'>, column: number): number =>
	from + column * columnMs;

/** The cell of the cursor, or the nearest one where the map does not reach it. */
function cellOf(
	{from, columnMs, snapshots, priceRows}: BookColumns & {readonly priceRows: PriceRows},
	{time, price}: MapCursor,
): MapCell {
	return {
		column: clamp(Math.floor((time - from) / columnMs), 0, snapshots.length - 1),
		row: clamp(rowOf(price, undefined, priceRows), 0, priceRows.count - 1),
	};
}

export const dotAt = ({dots, priceRows}: Heatmap, {column, row}: MapCell): TradeDot | undefined =>
	dots.get(cellNumber(column, row, priceRows));

/** One price row of a heatmap column. */
export type HeatCell =
	/** The price is beyond the levels of the snapshot. */
	| undefined
	/** No order rests there. */
	| 'empty'
	/** Between the best prices. */
	| 'spread'
	| {
			readonly side: 'ask' | 'bid';
			/** In base asset. */
			readonly quantity: number;
			/** The row of the mid, where the best prices lie in one row or in neighbouring rows. */
			readonly isMid?: true | undefined;
	  };

export type PriceRows = {
	/** Width of a row, in quote asset. */
	readonly step: number;
	/** The top row's price in whole steps. */
	readonly top: number;
	readonly count: number;
};

// Prices are whole multiples of the finest step. The rounding error of the quotient of two decimals is smaller than this.
const rounding = 1e-6;

/** The price in whole steps: asks are rounded up and bids down, as in a grouped ladder. */
const stepOf = {
	ask: (price: number, step: number): number => Math.ceil(price / step - rounding),
	bid: (price: number, step: number): number => Math.floor(price / step + rounding),
};

/** The row of a price, counted from the top; prices of no side are rounded to the nearest row. */
function rowOf(price: number, side: 'ask' | 'bid' | undefined, {step, top}: PriceRows): number {
	return top - (side ? stepOf[side](price, step) : Math.round(price / step));
}

/**
 * A heatmap column, from the top row down. A row shows the quantity of its levels (of the larger side, if both fall into
 * it). Without levels it shows where it lies: among the levels of a side (empty), between the best prices (spread), or beyond
 * the levels. Where rows are too coarse for the spread to have one, the row of the mid is marked.
 */
export function heatColumn(snapshot: Snapshot, rows: PriceRows): readonly HeatCell[] {
	const last = lastColumns.get(snapshot);
	if (last && last.step === rows.step && last.top === rows.top && last.count === rows.count) return last.cells;
	const cells = cellsOf(snapshot, rows);
	lastColumns.set(snapshot, {...rows, cells});
	return cells;
}

/** The column of each snapshot as it was drawn last: a map is drawn again and again in the same rows. */
const lastColumns = new WeakMap<Snapshot, PriceRows & {readonly cells: readonly HeatCell[]}>();

function cellsOf({asks, bids}: Snapshot, rows: PriceRows): readonly HeatCell[] {
	const {step, top, count} = rows;
	const ask = edgesOf('ask', asks, step);
	const bid = bids && edgesOf('bid', bids, step);
	const withoutLevel = (price: number): HeatCell => {
		const isAmongAsks = ask && price >= ask.best && price <= ask.worst;
		const isAmongBids = bid && price <= bid.best && price >= bid.worst;
		if (isAmongAsks || isAmongBids) return 'empty';
		return ask && bid && price < ask.best && price > bid.best ? 'spread' : undefined;
	};
	const cells = Array.from({length: count}, (_, row) => withoutLevel(top - row));
	addQuantities(cells, 'ask', asks, rows);
	if (bids) addQuantities(cells, 'bid', bids, rows);
	const hasNoSpreadRow = ask && bid && ask.best - bid.best <= 1;
	const mid = hasNoSpreadRow ? rowOf((ask.price + bid.price) / 2, undefined, rows) : undefined;
	const atMid = mid === undefined ? undefined : cells[mid];
	if (mid !== undefined && mid >= 0 && mid < count)
		cells[mid] = typeof atMid === 'object' ? {...atMid, isMid: true} : 'spread';
	return cells;
}

/** Whether the cell is between the best prices. */
export const isBetween = (cell: HeatCell): boolean =>
	cell === 'spread' || (typeof cell === 'object' && cell.isMid === true);

/** Adds the levels of a side, which are best first, so that those of a row follow each other. */
function addQuantities(cells: HeatCell[], side: 'ask' | 'bid', levels: Float64Array, rows: PriceRows): void {
	const {count} = rows;
	const rowAt = (index: number) => rowOf(levels[index] ?? 0, side, rows);
	const isPast = (row: number) => (side === 'ask' ? row < 0 : row >= count);
	for (let index = 0; index < levels.length; ) {
		const row = rowAt(index);
		if (isPast(row)) break;
		const sum = new DecimalSum();
		do {
			sum.add(levels[index + 1] ?? 0);
			index += 2;
		} while (index < levels.length && rowAt(index) === row);
		const cell = cells[row];
		const quantity = sum.total;
		if (row < 0 || row >= count || (typeof cell === 'object' && cell.quantity >= quantity)) continue;
		cells[row] = {side, quantity};
	}
}

/** The best price of a side, and the steps of its best and worst. */
function edgesOf(side: 'ask' | 'bid', levels: Float64Array, step: number) {
	const reach = reachOf(levels);
	return reach && {price: reach.best, best: stepOf[side](reach.best, step), worst: stepOf[side](reach.worst, step)};
}

/** The trades of one cell of a heatmap, those of its larger side. */
export type TradeDot = {
	/** Absent: unknown. */
	readonly side: Side | undefined;
	/** In base asset, with the rounding errors of a plain sum. */
	readonly quantity: number;
	/** Whether it is large compared with the largest one of the map. */
	readonly isLarge: boolean;
};

/** Dots by cell, numbered column by column from the left, each from the top row down. */
export type TradeDots = ReadonlyMap<number, TradeDot>;

const cellNumber = (column: number, row: number, {count}: PriceRows): number => column * count + row;

/** From this share of the largest dot on, by area, a dot is large. */
const largeFrom = 0.25;

const sides = ['buy', 'sell', undefined] as const;

/** The trades (newest first) at these times and prices: bought ones in the row of asks of their price, sold ones in that of bids. */
function tradeDots(trades: readonly Trade[], columns: BookColumns, rows: PriceRows): TradeDots {
	const sums = new Map<number, number>();
	for (const {time, price, quantity, side} of trades) {
		if (time < columns.from) break;
		const column = Math.floor((time - columns.from) / columns.columnMs);
		const row = rowOf(price, side && (side === 'buy' ? 'ask' : 'bid'), rows);
		if (column >= columns.snapshots.length || row < 0 || row >= rows.count) continue;
		const key = cellNumber(column, row, rows) * sides.length + sides.indexOf(side);
		sums.set(key, (sums.get(key) ?? 0) + quantity);
	}

	const largest = Math.max(0, ...sums.values());
	const dots = new Map<number, TradeDot>();
	for (const [key, quantity] of sums) {
		const cell = Math.floor(key / sides.length);
		if ((dots.get(cell)?.quantity ?? 0) >= quantity) continue;
		dots.set(cell, {side: sides[key % sides.length], quantity, isLarge: quantity >= largest * largeFrom});
	}

	return dots;
}
