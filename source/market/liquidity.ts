import {symbolKey} from './symbol.ts';
import type {DepthBook, Level} from './types.ts';

/** The best levels of a book at one time, interleaved: price, quantity, price, quantity, best first. */
export type Snapshot = {
	/** Epoch ms. */
	readonly time: number;
	readonly asks: Float64Array;
	/** Absent: the interface showed none. */
	readonly bids?: Float64Array | undefined;
};

/** A market's books since the start, in bounded memory. */
export type BookHistory = {
	/** The book before the current one. */
	readonly previous?: DepthBook | undefined;
	readonly current?: DepthBook | undefined;
	/** Oldest first: at most one per interval, and always the newest. */
	readonly snapshots: readonly Snapshot[];
	/** Doubles whenever there are too many snapshots. */
	readonly intervalMs: number;
};

const mostSnapshots = 240;
/** Levels of a side that a snapshot keeps. */
const levelsKept = 200;

export const emptyHistory: BookHistory = {snapshots: [], intervalMs: 1000};

/** The history with a book that was received at `time` (epoch ms). */
export function remember(history: BookHistory, book: DepthBook, time: number): BookHistory {
	const {current, snapshots, intervalMs} = history;
	const snapshot: Snapshot = {time, asks: interleaved(book.asks), bids: book.bids && interleaved(book.bids)};
	const last = snapshots.at(-1);
	const isLater = last === undefined || intervalOf(last, intervalMs) !== intervalOf(snapshot, intervalMs);
	const added = isLater ? [...snapshots, snapshot] : snapshots.with(-1, snapshot);
	const full = added.length > mostSnapshots;
	return {
		previous: current,
		current: book,
		snapshots: full ? lastOfEach(added, intervalMs * 2) : added,
		intervalMs: full ? intervalMs * 2 : intervalMs,
	};
}

/** The history without books to compare with: what changed while another market was selected is unknown. */
export const interrupted = ({snapshots, intervalMs}: BookHistory): BookHistory => ({snapshots, intervalMs});

const intervalOf = ({time}: Snapshot, intervalMs: number): number => Math.floor(time / intervalMs);

/** The last snapshot of each interval of `intervalMs`. */
function lastOfEach(snapshots: readonly Snapshot[], intervalMs: number): readonly Snapshot[] {
	return snapshots.filter((snapshot, index) => {
		const next = snapshots[index + 1];
		return !next || intervalOf(next, intervalMs) !== intervalOf(snapshot, intervalMs);
	});
}

function interleaved(levels: readonly Level[]): Float64Array {
	const numbers = new Float64Array(Math.min(levels.length, levelsKept) * 2);
	let place = 0;
	for (const [price, quantity] of levels) {
		if (place === numbers.length) break;
		numbers[place++] = price;
		numbers[place++] = quantity;
	}

	return numbers;
}

/** The best and the worst price of an interleaved side. */
export function reachOf(side: Float64Array): {readonly best: number; readonly worst: number} | undefined {
	const best = side[0];
	const worst = side.at(-2);
	return best === undefined || worst === undefined ? undefined : {best, worst};
}

export type BookHistories = {
	/** The market's history with a book that was received at `time` (epoch ms). */
	add(symbol: string, book: DepthBook, time: number): BookHistory;
	/** The history of a market that is selected again, without books to compare with. */
	resume(symbol: string): BookHistory;
};

/** Each full history takes about 1.5 MB. */
const mostMarkets = 4;

/** Keeps the histories of the markets that were selected last. */
export function createBookHistories(): BookHistories {
	const histories = new Map<string, BookHistory>();

	function put(symbol: string, history: BookHistory): BookHistory {
		const key = symbolKey(symbol);
		// A map keeps the order in which its keys were added.
		histories.delete(key);
		histories.set(key, history);
		for (const oldest of histories.keys()) {
			if (histories.size <= mostMarkets) break;
			histories.delete(oldest);
		}

		return history;
	}

	const of = (symbol: string) => histories.get(symbolKey(symbol)) ?? emptyHistory;
	return {
		add: (symbol, book, time) => put(symbol, remember(of(symbol), book, time)),
		resume(symbol) {
			const history = histories.get(symbolKey(symbol));
			return history ? put(symbol, interrupted(history)) : emptyHistory;
		},
	};
}
