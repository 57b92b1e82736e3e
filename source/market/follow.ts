import {memo} from './memo.ts';
import type {Candle} from './types.ts';

/** One result per candle, by the candle's index; undefined at other indexes. */
export type Results<Result> = {
	readonly length: number;
	at(index: number): Result | undefined;
};

/** Computes one result per candle, in order. */
export type Walk<Result> = {
	next(candle: Candle): Result;
	/** The result of `candle`, which replaces the last one. */
	replace(candle: Candle): Result;
};

/** How many candles both lists have in common at their beginning. */
export function commonStart(a: readonly Candle[], b: readonly Candle[]): number {
	const most = Math.min(a.length, b.length);
	let index = 0;
	while (index < most && isEqual(a[index], b[index])) index++;
	return index;
}

const isEqual = (a: Candle | undefined, b: Candle | undefined): boolean =>
	a === b ||
	(a !== undefined &&
		b !== undefined &&
		a.time === b.time &&
		a.open === b.open &&
		a.high === b.high &&
		a.low === b.low &&
		a.close === b.close &&
		a.volume === b.volume);

/**
 * Computes results for lists of candles (oldest first) and caches them. A list that continues the previous one with the
 * same first candle (only the newest candle moved, or others follow it) costs only the new steps.
 */
export function incremental<Figures extends ReadonlyArray<string | number>, Result>(
	begin: (...figures: Figures) => Walk<Result>,
): (candles: readonly Candle[], ...figures: Figures) => Results<Result> {
	const followerOf = memo<[Candle, ...Figures], Follower<Result>>((_first, ...figures) =>
		createFollower(() => begin(...figures)),
	);
	return (candles, ...figures) => (candles[0] ? followerOf(candles[0], ...figures)(candles) : none);
}

const none = {length: 0, at: () => undefined};

/** `commonStart` once for all that follow the same two lists. */
const sharedStart = memo<[readonly Candle[], readonly Candle[]], number>(commonStart);

type Follower<Result> = (candles: readonly Candle[]) => Results<Result>;

/**
 * Invariant: `walk` has taken all of `candles`, and `results[i]` is the result of `candles[i]`. Only the newest result is
 * ever replaced. `resultsOf` copies it, so that earlier results do not change and share all others.
 */
function createFollower<Result>(begin: () => Walk<Result>): Follower<Result> {
	let candles: readonly Candle[] = [];
	let walk = begin();
	let results: Result[] = [];
	let latest: Results<Result> = none;
	return list => {
		if (list === candles) return latest;
		const isContinued = list.length >= candles.length && sharedStart(candles, list) >= candles.length - 1;
		if (!isContinued) {
			candles = [];
			walk = begin();
			results = [];
		}

		const newest = list[candles.length - 1];
		if (newest) results[candles.length - 1] = walk.replace(newest);
		for (const candle of list.slice(candles.length)) results.push(walk.next(candle));
		candles = list;
		latest = resultsOf(results, list.length);
		return latest;
	};
}

/** Results that do not change when a later list replaces the newest one. */
function resultsOf<Result>(results: readonly Result[], length: number): Results<Result> {
	const newest = results[length - 1];
	return {length, at: index => (index === length - 1 ? newest : index < length ? results[index] : undefined)};
}
