import {formatPrice} from '../../../format/number.ts';
import {spreadOf, stepSize, stepsFrom} from '../../../market/depth.ts';
import {type BookHistory, reachOf, type Snapshot} from '../../../market/liquidity.ts';
import {clamp} from '../../../market/numbers.ts';
import type {Decimals} from '../../../market/precision.ts';
import {ownStep} from '../../../market/price-steps.ts';
import type {DepthBook, Trade} from '../../../market/types.ts';
import type {Drawing} from '../../line.ts';
import {type BookColumns, bookColumns} from './book-columns.ts';
import type {BookState, MapCursor} from './book-state.ts';
import {
	cellNumber,
	type HeatCell,
	heatColumn,
	type PriceRows,
	rowOf,
	type TradeDot,
	tradeDots,
} from './heat-columns.ts';

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
