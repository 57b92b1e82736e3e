import {addTo, type DecimalSum} from './precision.ts';
import type {DepthBook, Level} from './types.ts';

/** A book as it was at one time, its best levels packed: price and quantity by turns, best first. */
export type Snapshot = {
	/** Epoch ms. */
	readonly time: number;
	readonly asks: Float64Array;
	/** Absent: the interface showed none. */
	readonly bids?: Float64Array | undefined;
};

/** What was seen of a market's book since the start, in a memory of fixed size. */
export type BookHistory = {
	/** The book before the current one. */
	readonly previous?: DepthBook | undefined;
	readonly current?: DepthBook | undefined;
	/** Oldest first, at most one in each interval, and the newest always. */
	readonly snapshots: readonly Snapshot[];
	/** Doubles whenever the memory is full. */
	readonly intervalMs: number;
};

const mostSnapshots = 240;
/** Levels of a side that a snapshot keeps. */
const levelsKept = 200;

export const emptyHistory: BookHistory = {snapshots: [], intervalMs: 1000};

/** The history with a book that was received at `time` (epoch ms). */
export function remember(history: BookHistory, book: DepthBook, time: number): BookHistory {
	const {current, snapshots, intervalMs} = history;
	const snapshot: Snapshot = {time, asks: packed(book.asks), bids: book.bids && packed(book.bids)};
	const added = thinned([...snapshots, snapshot], intervalMs);
	const full = added.length > mostSnapshots;
	return {
		previous: current,
		current: book,
		snapshots: full ? thinned(added, intervalMs * 2) : added,
		intervalMs: full ? intervalMs * 2 : intervalMs,
	};
}

/** The history without the books to compare with: the market was left, and what changes meanwhile nobody sees. */
export const interrupted = ({snapshots, intervalMs}: BookHistory): BookHistory => ({snapshots, intervalMs});

/** The last snapshot of each interval. */
function thinned(snapshots: readonly Snapshot[], intervalMs: number): readonly Snapshot[] {
	const interval = ({time}: Snapshot) => Math.floor(time / intervalMs);
	return snapshots.filter((snapshot, index) => {
		const next = snapshots[index + 1];
		return !next || interval(next) !== interval(snapshot);
	});
}

function packed(levels: readonly Level[]): Float64Array {
	const kept = levels.slice(0, levelsKept);
	const numbers = new Float64Array(kept.length * 2);
	for (const [index, [price, quantity]] of kept.entries()) {
		numbers[index * 2] = price;
		numbers[index * 2 + 1] = quantity;
	}

	return numbers;
}

/** The best price of a packed side, and the worst that is known. */
export function reachOf(side: Float64Array): {readonly best: number; readonly worst: number} | undefined {
	const best = side[0];
	const worst = side.at(-2);
	return best === undefined || worst === undefined ? undefined : {best, worst};
}

/** A price row of a heatmap at one time. */
export type HeatCell =
	/** Nothing is known of this price. */
	| undefined
	/** Nothing lay there. */
	| 'empty'
	/** Between the best prices; where they lie in neighbouring rows or in one, the row of the mid. */
	| 'spread'
	| {readonly side: 'ask' | 'bid' /** In base asset. */; readonly quantity: number};

export type PriceRows = {
	/** Width of a row, in quote asset. */
	readonly step: number;
	/** The top row's price in whole steps. */
	readonly top: number;
	readonly count: number;
};

// Prices are whole multiples of the finest step; the quotient of two decimals is off by less than this.
const rounding = 1e-6;

/** Asks count for the step above them, bids for the one below, as in a grouped ladder. */
const stepOf = {
	ask: (price: number, step: number): number => Math.ceil(price / step - rounding),
	bid: (price: number, step: number): number => Math.floor(price / step + rounding),
};

/** One column of a heatmap, from the top row down. Where both sides fall into a row the larger one is shown. */
export function heatColumn({asks, bids}: Snapshot, {step, top, count}: PriceRows): readonly HeatCell[] {
	const cells = Array<HeatCell>(count).fill(undefined);
	const edges = {ask: edgesOf('ask', asks, step), bid: bids && edgesOf('bid', bids, step)};
	for (let row = 0; row < count; row++) {
		const at = top - row;
		const {ask, bid} = edges;
		if ((ask && at >= ask.best && at <= ask.worst) || (bid && at <= bid.best && at >= bid.worst)) cells[row] = 'empty';
		else if (ask && bid && at < ask.best && at > bid.best) cells[row] = 'spread';
	}

	for (const [side, levels] of [
		['ask', asks],
		['bid', bids ?? new Float64Array()],
	] as const) {
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

	const {ask, bid} = edges;
	const [bestAsk, bestBid] = [reachOf(asks)?.best, bids && reachOf(bids)?.best];
	if (ask && bid && ask.best - bid.best <= 1 && bestAsk !== undefined && bestBid !== undefined) {
		const row = top - Math.round((bestAsk + bestBid) / 2 / step);
		if (row >= 0 && row < count) cells[row] = 'spread';
	}

	return cells;
}

function edgesOf(side: 'ask' | 'bid', levels: Float64Array, step: number) {
	const reach = reachOf(levels);
	return reach && {best: stepOf[side](reach.best, step), worst: stepOf[side](reach.worst, step)};
}
