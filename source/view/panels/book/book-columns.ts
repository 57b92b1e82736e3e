import type {BookHistory, Snapshot} from '../../../market/liquidity.ts';
import {clamp, percentile} from '../../../market/numbers.ts';
import {hourMs, minuteMs, secondMs} from '../../../market/units.ts';

/** Snapshots of a book in columns of equal time, the oldest first. */
export type BookColumns = {
	/** The newest snapshot of each column; undefined where there is none. The last column is never empty unless it was chosen. */
	readonly snapshots: ReadonlyArray<Snapshot | undefined>;
	readonly columnMs: number;
	/** When the first column begins, a multiple of `columnMs`, epoch ms. */
	readonly from: number;
};

/** What part of the history is shown. */
export type TimeWindow = {
	/** The time of a column. Absent: as short as the whole session allows. */
	readonly columnMs?: number | undefined;
	/** A time in the last column (epoch ms). Absent: the newest snapshot's. */
	readonly until?: number | undefined;
};

/** The times that a column can have. Columns begin at multiples of them, so that they keep their snapshots while time goes on. */
export const columnTimes: readonly number[] = [
	...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map(seconds => seconds * secondMs),
	...[1, 2, 3, 5, 10, 20, 30].map(minutes => minutes * minuteMs),
	...[1, 2].map(hours => hours * hourMs),
];

/** Snapshots farther apart than this many usual distances leave a gap; a late answer does not. */
const gapFrom = 3;
/** Distances that tell how rare polls are. */
const distancesRead = 100;

/**
 * The window in at most `most` columns. The whole session leaves out everything before a pause if more than half of the columns
 * would otherwise be empty. Undefined without a snapshot or room.
 */
export function bookColumns(history: BookHistory, most: number, window: TimeWindow = {}): BookColumns | undefined {
	const session = sessionOf(history);
	const {snapshots, leastMs, isFollowed} = session;
	const newest = snapshots.at(-1)?.time;
	if (newest === undefined || most < 1) return undefined;
	const oldest = snapshots[0]?.time ?? newest;
	const until = clamp(window.until ?? newest, oldest, newest);
	if (window.columnMs !== undefined || window.until !== undefined) {
		const columnMs = Math.max(window.columnMs ?? columnTime(oldest, newest, most, leastMs), leastMs);
		const last = Math.floor(until / columnMs);
		return columnsOf(session, {columnMs, last, first: Math.max(last - most + 1, Math.floor(oldest / columnMs))});
	}

	let columns: BookColumns | undefined;
	for (const [index, {time}] of snapshots.entries()) {
		if (index > 0 && isFollowed(index - 1)) continue;
		const columnMs = columnTime(time, newest, most, leastMs);
		const range = {columnMs, first: Math.floor(time / columnMs), last: Math.floor(newest / columnMs)};
		columns = columnsOf(session, range);
		const filled = columns.snapshots.filter(snapshot => snapshot !== undefined);
		if (filled.length * 2 >= columns.snapshots.length) break;
	}

	return columns;
}

/** A session in the order of time, and where it pauses. */
function sessionOf({snapshots: all, thinned}: BookHistory) {
	const newest = all.at(-1)?.time ?? 0;
	// A clock that was set back leaves snapshots from the future.
	const snapshots = all.filter(({time}) => time <= newest).sort((a, b) => a.time - b.time);
	const usualMs = usualDistance(snapshots);
	/** Whether the snapshot at this index holds until the next one. */
	const isFollowed = (index: number): boolean => {
		const [snapshot, next] = [snapshots[index], snapshots[index + 1]];
		if (!snapshot || !next) return false;
		const expectedMs = snapshot.time < (thinned?.until ?? 0) ? Math.max(usualMs, thinned?.intervalMs ?? 0) : usualMs;
		return next.time - snapshot.time <= gapFrom * expectedMs;
	};
	/** The shortest time of a column: polls may be rarer than snapshots may be taken. */
	const leastMs = columnTimes.find(time => time >= usualMs) ?? usualMs;
	return {snapshots, leastMs, isFollowed};
}

type Session = ReturnType<typeof sessionOf>;

/** The usual distance of the newest snapshots in whole seconds. */
function usualDistance(snapshots: readonly Snapshot[]): number {
	const read = snapshots.slice(-distancesRead - 1);
	const distances = read.slice(1).map(({time}, index) => time - (read[index]?.time ?? time));
	return Math.max(Math.round((percentile(distances, 0.5) ?? 0) / secondMs), 1) * secondMs;
}

/** The shortest time of a column with which as many columns reach from one time to the other. */
function columnTime(from: number, to: number, most: number, leastMs: number): number {
	const fits = (time: number) => Math.floor(to / time) - Math.floor(from / time) < most;
	let time = columnTimes.find(each => each >= leastMs && fits(each)) ?? leastMs;
	while (!fits(time)) time *= 2;
	return time;
}

type ColumnRange = {readonly columnMs: number; readonly first: number; readonly last: number};

function columnsOf({snapshots, isFollowed}: Session, {columnMs, first, last}: ColumnRange): BookColumns {
	const columns = Array<Snapshot | undefined>(last - first + 1).fill(undefined);
	const columnAt = (time: number) => Math.floor(time / columnMs) - first;
	for (const [index, snapshot] of snapshots.entries()) {
		const column = columnAt(snapshot.time);
		// The last snapshot holds until a late answer arrives.
		const next = isFollowed(index) ? columnAt(snapshots[index + 1]?.time ?? snapshot.time) : column;
		const end = Math.max(next, column + 1);
		if (end > 0 && column < columns.length) columns.fill(snapshot, Math.max(column, 0), end);
	}

	return {snapshots: columns, columnMs, from: first * columnMs};
}
