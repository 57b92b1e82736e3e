import type {Side, Trade} from '../../../market/types.ts';
import type {BookColumns} from './book-columns.ts';
import {type PriceRows, rowOf} from './heat-columns.ts';

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
