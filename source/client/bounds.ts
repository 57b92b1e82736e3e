import type {Decoded} from './decode.ts';

/** Of each side of a book: more than any screen has rows, and what an exchange of this kind lists at most. */
export const mostLevels = 5000;
/** The largest `limit` of trades and candles: an exchange that sends more does not heed it. */
export const largestPage = 1000;

type Bounded = {
	readonly entries: readonly unknown[];
	/** How many were left out. */
	readonly cut: number;
};

/** The `most` entries of the lowest rank, in their order, before anything else is done with them. */
export function boundedTo(most: number, entries: readonly unknown[], rankOf: (entry: unknown) => number): Bounded {
	if (entries.length <= most) return {entries, cut: 0};
	const ranks = new Float64Array(entries.length);
	for (const [index, entry] of entries.entries()) ranks[index] = rankOf(entry);
	const sorted = ranks.toSorted();
	const highest = sorted[most - 1];
	// Of those that share the highest rank the first ones.
	let room = most - sorted.indexOf(highest ?? Infinity);
	const kept = entries.filter((_, index) => {
		const rank = ranks[index] ?? Infinity;
		return rank === highest ? room-- > 0 : rank < (highest ?? Infinity);
	});
	return {entries: kept, cut: entries.length - kept.length};
}

/** By so much an entry may be dated after the answer that it is in: its stamps need not be of one clock. */
const mostAheadMs = 60_000;

/**
 * Without the entries that are dated after the answer, which happened to nobody: they count as dropped. Where all of them
 * are, or the others lead up to them, it is a clock that is off, and they stay.
 */
export function happened<T extends {readonly time: number}>(
	{data, dropped}: Decoded<T[]>,
	asOf = Infinity,
): Decoded<T[]> {
	const isPast = ({time}: T) => time <= asOf + mostAheadMs;
	const past = data.filter(isPast);
	const newest = past.reduce((time, entry) => Math.max(time, entry.time), -Infinity);
	const next = data.reduce((time, entry) => (isPast(entry) ? time : Math.min(time, entry.time)), Infinity);
	if (past.length === 0 || next - newest <= mostAheadMs) return {data, dropped};
	return {data: past, dropped: dropped + data.length - past.length};
}
