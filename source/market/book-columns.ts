import type {BookHistory, Snapshot} from './liquidity.ts';
import {percentile} from './percentile.ts';

/** What was seen of a book in columns of equal time, the oldest first. */
export type BookColumns = {
	/** The newest snapshot of each column; absent: none was taken in its time. The last column is never empty. */
	readonly snapshots: ReadonlyArray<Snapshot | undefined>;
	readonly columnMs: number;
	/** Of the first and the newest snapshot, epoch ms. */
	readonly from: number;
	readonly to: number;
};

/** Snapshots that lie farther apart than so many usual distances leave a gap: a late answer alone does not. */
const gapFrom = 2;

/**
 * The whole session in `most` columns or fewer; only what follows a gap if most of the columns would be empty with it.
 * Absent: nothing was seen, or there is no room.
 */
export function bookColumns({snapshots: seen, intervalMs}: BookHistory, most: number): BookColumns | undefined {
	const newest = seen.at(-1);
	if (!newest || most < 1) return undefined;
	// A clock that was set back leaves snapshots of a time that is still to come.
	const snapshots = seen.filter(({time}) => time <= newest.time).sort((a, b) => a.time - b.time);
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

/** In whole intervals: polls may be rarer than snapshots may be. */
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
		// What a late answer leaves free is still the time of the one before.
		const isFollowed = next - snapshot.time <= gapFrom * usualMs;
		columns.fill(snapshot, column, isFollowed ? Math.max(columnAt(next), column + 1) : column + 1);
	}

	return {snapshots: columns, columnMs, from, to};
}
