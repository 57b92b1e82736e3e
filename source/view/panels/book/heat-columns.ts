import {type BookHistory, reachOf, type Snapshot} from '../../../market/liquidity.ts';
import {percentile} from '../../../market/numbers.ts';
import {addTo, type DecimalSum} from '../../../market/precision.ts';

/** Snapshots of a book in columns of equal time, the oldest first. */
export type BookColumns = {
	/** The newest snapshot of each column; undefined where there is none. The last column is never empty. */
	readonly snapshots: ReadonlyArray<Snapshot | undefined>;
	readonly columnMs: number;
	/** Times of the first and the newest snapshot, epoch ms. */
	readonly from: number;
	readonly to: number;
};

/** Snapshots farther apart than this many usual distances leave a gap; a single late answer does not. */
const gapFrom = 2;

/**
 * The whole session in at most `most` columns, or only the part after a gap if more than half of the columns would otherwise
 * be empty. Undefined without a snapshot or room.
 */
export function bookColumns({snapshots: all, intervalMs}: BookHistory, most: number): BookColumns | undefined {
	const newest = all.at(-1);
	if (!newest || most < 1) return undefined;
	// A clock that was set back leaves snapshots from the future.
	const snapshots = all.filter(({time}) => time <= newest.time).sort((a, b) => a.time - b.time);
	const usualMs = usualDistance(snapshots, intervalMs);
	let columns: BookColumns | undefined;
	for (const [index, {time}] of snapshots.entries()) {
		const before = snapshots[index - 1];
		if (before && time - before.time <= gapFrom * usualMs) continue;
		columns = columnsOf(snapshots.slice(index), usualMs, most);
		const filled = columns.snapshots.filter(snapshot => snapshot !== undefined);
		if (filled.length * 2 >= columns.snapshots.length) break;
	}

	return columns;
}

/** The usual distance of snapshots in whole intervals, as polls may be rarer than snapshots may be taken. */
function usualDistance(snapshots: readonly Snapshot[], intervalMs: number): number {
	const distances = snapshots.slice(1).map(({time}, index) => time - (snapshots[index]?.time ?? time));
	return Math.max(Math.round((percentile(distances, 0.5) ?? 0) / intervalMs), 1) * intervalMs;
}

function columnsOf(snapshots: readonly Snapshot[], usualMs: number, most: number): BookColumns {
	const from = snapshots[0]?.time ?? 0;
	const to = snapshots.at(-1)?.time ?? 0;
	const columnMs = usualMs * (Math.floor((to - from) / (most * usualMs)) + 1);
	const columnAt = (time: number) => Math.floor((time - from) / columnMs);
	const columns = Array<Snapshot | undefined>(columnAt(to) + 1).fill(undefined);
	for (const [index, snapshot] of snapshots.entries()) {
		const column = columnAt(snapshot.time);
		const next = snapshots[index + 1]?.time ?? to;
		// The last snapshot holds until a late answer arrives.
		const isFollowed = next - snapshot.time <= gapFrom * usualMs;
		columns.fill(snapshot, column, isFollowed ? Math.max(columnAt(next), column + 1) : column + 1);
	}

	return {snapshots: columns, columnMs, from, to};
}

/** One price row of a heatmap column. */
export type HeatCell =
	/** The price is beyond the levels of the snapshot. */
	| undefined
	/** No order rests there. */
	| 'empty'
	/** Between the best prices or, where they lie in one row or in neighbouring rows, the row of the mid. */
	| 'spread'
	| {readonly side: 'ask' | 'bid' /** In base asset. */; readonly quantity: number};

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

/**
 * A heatmap column, from the top row down. A row shows the quantity of its levels (of the larger side, if both fall into
 * it). Without levels it shows where it lies: among the levels of a side (empty), between the best prices (spread), or beyond
 * the levels. The spread always has a row: where rows are too coarse for one, the row of the mid.
 */
export function heatColumn({asks, bids}: Snapshot, rows: PriceRows): readonly HeatCell[] {
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
	const mid = hasNoSpreadRow ? top - Math.round((ask.price + bid.price) / 2 / step) : undefined;
	if (mid !== undefined && mid >= 0 && mid < count) cells[mid] = 'spread';
	return cells;
}

function addQuantities(
	cells: HeatCell[],
	side: 'ask' | 'bid',
	levels: Float64Array,
	{step, top, count}: PriceRows,
): void {
	const sums = new Map<number, DecimalSum>();
	for (let index = 0; index + 1 < levels.length; index += 2) {
		const row = top - stepOf[side](levels[index] ?? 0, step);
		if (row >= 0 && row < count) addTo(sums, row, levels[index + 1] ?? 0);
	}

	for (const [row, {total: quantity}] of sums) {
		const cell = cells[row];
		if (typeof cell !== 'object' || cell.quantity < quantity) cells[row] = {side, quantity};
	}
}

/** The best price of a side, and the steps of its best and worst. */
function edgesOf(side: 'ask' | 'bid', levels: Float64Array, step: number) {
	const reach = reachOf(levels);
	return reach && {price: reach.best, best: stepOf[side](reach.best, step), worst: stepOf[side](reach.worst, step)};
}
