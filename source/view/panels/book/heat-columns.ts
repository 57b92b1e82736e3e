import {reachOf, type Snapshot} from '../../../market/liquidity.ts';
import {DecimalSum} from '../../../market/precision.ts';
import type {Side, Trade} from '../../../market/types.ts';
import type {BookColumns} from './book-columns.ts';

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
export function rowOf(price: number, side: 'ask' | 'bid' | undefined, {step, top}: PriceRows): number {
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

export const cellNumber = (column: number, row: number, {count}: PriceRows): number => column * count + row;

/** From this share of the largest dot on, by area, a dot is large. */
const largeFrom = 0.25;

const sides = ['buy', 'sell', undefined] as const;

/** The trades (newest first) at these times and prices: bought ones in the row of asks of their price, sold ones in that of bids. */
export function tradeDots(trades: readonly Trade[], columns: BookColumns, rows: PriceRows): TradeDots {
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
