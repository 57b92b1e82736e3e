import type {Candle} from './types.ts';

/** One result a candle, by the candle's index; undefined beyond them. */
export type Results<Result> = {
	readonly length: number;
	at(index: number): Result | undefined;
};

/** Takes candles one after the other and says what comes of each. */
export type Walk<Result> = {
	next(candle: Candle): Result;
	/** What comes of `candle` in place of the last one. */
	instead(candle: Candle): Result;
};

type Followed<Result> = {
	readonly walk: Walk<Result>;
	candles: readonly Candle[];
	/** Of `candles`; that of the newest one changes with it, those before stay. */
	readonly results: Result[];
	last: Results<Result>;
};

/** How many candles at the beginning of both lists are the same. */
export function sameBeginning(a: readonly Candle[], b: readonly Candle[]): number {
	const most = Math.min(a.length, b.length);
	let index = 0;
	while (index < most && isSame(a[index], b[index])) index++;
	return index;
}

const isSame = (a: Candle | undefined, b: Candle | undefined): boolean =>
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
 * Walks through lists of candles (oldest first). A list that differs from the last one with the same first candle only in
 * its newest candle, or in candles that came after it, costs the steps that are new.
 */
export function followed<Figures extends ReadonlyArray<string | number>, Result>(
	begin: (...figures: Figures) => Walk<Result>,
): (candles: readonly Candle[], ...figures: Figures) => Results<Result> {
	const known = new WeakMap<Candle, Map<string, Followed<Result>>>();
	return (candles, ...figures) => {
		const [first] = candles;
		if (!first) return none;
		const byFigures = known.get(first) ?? new Map<string, Followed<Result>>();
		known.set(first, byFigures);
		const key = figures.join(' ');
		const before = byFigures.get(key);
		if (before?.candles === candles) return before.last;
		const isMoved =
			before !== undefined &&
			before.candles.length <= candles.length &&
			sameBeginning(before.candles, candles) >= before.candles.length - 1;
		const follower = isMoved ? before : {walk: begin(...figures), candles: [], results: [], last: none};
		byFigures.set(key, follower);
		return moved(follower, candles);
	};
}

const none = {length: 0, at: () => undefined};

function moved<Result>(follower: Followed<Result>, candles: readonly Candle[]): Results<Result> {
	const {walk, results} = follower;
	const last = follower.candles.length - 1;
	const newest = candles[last];
	if (newest) results[last] = walk.instead(newest);
	for (const candle of candles.slice(last + 1)) results.push(walk.next(candle));
	follower.candles = candles;
	follower.last = resultsOf(results, candles.length);
	return follower.last;
}

/** Results that stay when another list moves the newest one on. */
function resultsOf<Result>(results: readonly Result[], length: number): Results<Result> {
	const newest = results[length - 1];
	return {length, at: index => (index === length - 1 ? newest : index < length ? results[index] : undefined)};
}
