import {memo} from './memo.ts';
import {symbolKey} from './symbol.ts';
import type {DepthBook, Level} from './types.ts';
import {hourMs, minuteMs, secondMs} from './units.ts';

/** The best levels of a book at one time, interleaved: price, quantity, price, quantity, best first. */
export type Snapshot = {
	/** Epoch ms. */
	readonly time: number;
	readonly asks: Float64Array;
	/** Absent: the interface showed none. */
	readonly bids?: Float64Array | undefined;
};

/** A market's books of the last hour, in bounded memory. */
export type BookHistory = {
	/** The book before the current one. */
	readonly previous?: DepthBook | undefined;
	readonly current?: DepthBook | undefined;
	/** Oldest first: at most one per second, and always the newest. */
	readonly snapshots: readonly Snapshot[];
	/** Up to this time (epoch ms) there is at most one snapshot per `intervalMs`. Absent: nothing was left out. */
	readonly thinned?: {readonly until: number; readonly intervalMs: number} | undefined;
};

/** Older snapshots are dropped. */
const longestMs = hourMs;
/** Newer snapshots keep one per second when older ones are thinned out. */
const recentMs = 10 * minuteMs;
/** Enough for the recent ones, and one per two seconds of the rest of the hour. */
const mostSnapshots = 2200;
/** Maximum snapshots of a market that is not selected. */
const mostInBackground = 300;
/** Levels of a side that a snapshot keeps. */
const levelsKept = 200;

export const emptyHistory: BookHistory = {snapshots: []};

/** The history with a book that was received at `time` (epoch ms). */
export function remember(history: BookHistory, book: DepthBook, time: number): BookHistory {
	const {current, snapshots, thinned} = history;
	const snapshot: Snapshot = {time, asks: interleaved(book.asks), bids: book.bids && interleaved(book.bids)};
	const last = snapshots.at(-1);
	const isLater = last === undefined || intervalOf(last, secondMs) !== intervalOf(snapshot, secondMs);
	const added = isLater ? [...snapshots, snapshot] : snapshots.with(-1, snapshot);
	const first = added.findIndex(each => each.time >= time - longestMs);
	const kept = first > 0 ? added.slice(first) : added;
	return {
		previous: current,
		current: book,
		...(kept.length > mostSnapshots ? thinnedOut(kept, mostSnapshots, time - recentMs) : {snapshots: kept, thinned}),
	};
}

/** The history without books to compare with: what changed while another market was selected is unknown. */
export const interrupted = ({snapshots, thinned}: BookHistory): BookHistory => ({snapshots, thinned});

/** At most `most` snapshots: all since `until`, if these are fewer, and of those before the last one of each of equal intervals. */
function thinnedOut(
	snapshots: readonly Snapshot[],
	most: number,
	until: number,
): Pick<BookHistory, 'snapshots' | 'thinned'> {
	const recent = snapshots.filter(({time}) => time >= until);
	const older = snapshots.filter(({time}) => time < until);
	for (let intervalMs = 2 * secondMs; ; intervalMs *= 2) {
		const left = [...lastOfEach(older, intervalMs), ...recent];
		if (left.length <= most || older.length === 0) return {snapshots: left, thinned: {until, intervalMs}};
	}
}

const intervalOf = ({time}: Snapshot, intervalMs: number): number => Math.floor(time / intervalMs);

/** The last snapshot of each interval of `intervalMs`. */
function lastOfEach(snapshots: readonly Snapshot[], intervalMs: number): readonly Snapshot[] {
	return snapshots.filter((snapshot, index) => {
		const next = snapshots[index + 1];
		return !next || intervalOf(next, intervalMs) !== intervalOf(snapshot, intervalMs);
	});
}

/** The history with few enough snapshots for a market that is not selected. */
function inBackground(history: BookHistory): BookHistory {
	const {snapshots} = history;
	if (snapshots.length <= mostInBackground) return history;
	return {...history, ...thinnedOut(snapshots, mostInBackground, (snapshots.at(-1)?.time ?? 0) + 1)};
}

/** Cached, so that all viewers share one copy of each book: an hour of books takes megabytes. */
const interleaved = memo((levels: readonly Level[]): Float64Array => {
	const numbers = new Float64Array(Math.min(levels.length, levelsKept) * 2);
	let place = 0;
	for (const [price, quantity] of levels) {
		if (place === numbers.length) break;
		numbers[place++] = price;
		numbers[place++] = quantity;
	}

	return numbers;
});

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

/** Their histories take at most 20 MB: a full one 14 MB, one in the background 2 MB. */
const mostMarkets = 4;

/** Keeps the histories of the markets that were selected last. */
export function createBookHistories(): BookHistories {
	const histories = new Map<string, BookHistory>();

	function put(symbol: string, history: BookHistory): BookHistory {
		const key = symbolKey(symbol);
		// A map keeps the order in which its keys were added.
		histories.delete(key);
		histories.set(key, history);
		for (const [other, left] of histories) {
			if (histories.size > mostMarkets) histories.delete(other);
			else if (other !== key) histories.set(other, inBackground(left));
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
