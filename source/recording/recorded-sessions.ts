import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';
import {type IntervalChoices, pollIntervals} from '../store/polling.ts';
import type {ResourceName} from '../store/state.ts';
import {DamagedError, jsonOf, numberIn, requiredNumber, requiredTime, textOf} from './recorded-columns.ts';

/** From the start of a recorder to its last write, or until its clock was set back. Times are epoch ms. */
export type RecordedSession = {
	readonly id: number;
	readonly from: number;
	readonly to: number;
	/** Ids of its first and last answer. */
	readonly firstId: number;
	readonly lastId: number;
	/** When the last answer was known. */
	readonly lastAt: number;
	/** Ms that the exchange's clock was ahead; absent: not known. */
	readonly clockSkew?: number | undefined;
	/** Tapewatch's. */
	readonly version: string;
	/** What was recorded, and `intervalsMs`: between two polls, where they are not the defaults. */
	readonly options: Readonly<Record<string, unknown>>;
	/** It is recorded now, or its recorder was killed. */
	readonly isOpen: boolean;
};

/** A moment of a recording: of the last session that has it. Epoch ms. */
export type RecordedMoment = {readonly session: number; readonly time: number};

export type RecordedSessions = {
	/** Those with answers, in order. */
	all(): readonly RecordedSession[];
	/** Ms between two polls of its recorder. */
	intervals(session: number): Readonly<Record<ResourceName, number>>;
	/** The newest answer that was received at or before `time` (epoch ms); the one before the session's first if there is none. */
	idAt(session: number, time: number): number;
	/** The ids of its first and last answer; the last is before the first if it has none. */
	rangeOf(session: number): readonly [first: number, last: number];
	/** The first answer of those that can have what happened at or after `time`, by the exchange's clock (epoch ms). */
	firstSince(time: number): number;
	/** The first answer of the session of an answer. */
	firstOf(answer: number): number;
};

/** One every ten minutes of a month. */
const mostSessions = 5000;

export function createRecordedSessions(db: DatabaseSync): RecordedSessions {
	const rows = db.prepare(`SELECT * FROM session ORDER BY id LIMIT ${mostSessions + 1}`);
	const rowFrom = db.prepare('SELECT id, session, received_at FROM answer WHERE id >= ? ORDER BY id LIMIT 1');
	const rowUpTo = db.prepare('SELECT id, session FROM answer WHERE id <= ? ORDER BY id DESC LIMIT 1');
	const optionsRow = db.prepare('SELECT options FROM session WHERE id = ?');
	const newestRow = db.prepare('SELECT id, session FROM answer ORDER BY id DESC LIMIT 1');
	/** They do not change once they are there. */
	const firstIds = new Map<number, number>();
	/** Of sessions that another one follows. */
	const ranges = new Map<number, readonly [number, number]>();
	/** Answers of one session, of which was asked last. */
	let asked = {first: 0, last: -1};

	/** The least id from `low` to `high` whose answer has more than `value` in a column that never falls; `high` if none has. */
	function firstBeyond(low: number, high: number, column: 'session' | 'received_at', value: number): number {
		let [from, to] = [low, high];
		while (from < to) {
			const middle = Math.floor((from + to) / 2);
			if (requiredNumber(rowFrom.get(middle)?.[column] ?? Number.MAX_VALUE) > value) to = middle;
			else from = middle + 1;
		}

		return from;
	}

	/** The first answer after a session from `first` on: sessions may be short, and many. */
	function firstAfter(first: number, end: number, session: number): number {
		let step = 1;
		while (first + step < end && requiredNumber(rowFrom.get(first + step)?.session ?? session + 1) <= session)
			step *= 2;
		return firstBeyond(first, Math.min(first + step, end), 'session', session);
	}

	/** `end` if it has no answer yet. */
	function firstIdOf(session: number, end: number): number {
		const known = firstIds.get(session);
		if (known !== undefined) return known;
		const id = numberIn(rowFrom.get(firstBeyond(0, end, 'session', session - 1))?.id);
		if (id !== undefined) firstIds.set(session, id);
		return id ?? end;
	}

	function rangeOf(session: number): readonly [number, number] {
		const known = ranges.get(session);
		if (known) return known;
		const newest = newestRow.get();
		const end = requiredNumber(newest?.id ?? 0) + 1;
		const first = firstIdOf(session, end);
		if (requiredNumber(newest?.session ?? 0) <= session) return [first, end - 1];
		const next = firstAfter(first, end, session);
		const range = [first, numberIn(rowUpTo.get(next - 1)?.id) ?? first - 1] as const;
		ranges.set(session, range);
		return range;
	}

	function all(): readonly RecordedSession[] {
		const found = rows.all();
		if (found.length > mostSessions) throw new DamagedError(`at most ${mostSessions} sessions`, found.length);
		return found.flatMap(row => {
			const id = requiredNumber(row.id);
			const [firstId, lastId] = rangeOf(id);
			if (lastId < firstId) return [];
			const clockSkew = numberIn(row.clock_skew);
			return {
				...{id, firstId, lastId, lastAt: requiredTime(rowFrom.get(lastId)?.received_at)},
				...{from: requiredTime(row.from_time), to: requiredTime(row.to_time)},
				...(clockSkew !== undefined && {clockSkew}),
				version: textOf(row.version) ?? '',
				options: jsonOf<Record<string, unknown>>(row.options) ?? {},
				isOpen: row.process !== null,
			};
		});
	}

	return {
		all,
		intervals: session => pollIntervals(chosenIntervals(optionsRow.get(session)?.options)),
		idAt(session, time) {
			const [first, last] = rangeOf(session);
			return firstBeyond(first, last + 1, 'received_at', time) - 1;
		},
		rangeOf,
		firstSince(time) {
			const firsts = all().flatMap(({id, lastAt, lastId, clockSkew = 0}) => {
				// Only the last one is known: if the clock was set back, what is older was received at its own time.
				const known = time - Math.max(clockSkew, 0);
				if (lastAt < known) return [];
				const [first] = rangeOf(id);
				return Math.min(lastId, firstBeyond(first, lastId + 1, 'received_at', known - 1));
			});
			return Math.min(...firsts, Infinity);
		},
		firstOf(answer) {
			if (answer < asked.first || answer > asked.last) {
				const [first] = rangeOf(requiredNumber(rowUpTo.get(answer)?.session));
				asked = {first, last: answer};
			}

			return asked.first;
		},
	};
}

/** Those of a session's options that were chosen, as far as they can be used. */
function chosenIntervals(options: SQLOutputValue | undefined): IntervalChoices {
	const {intervalsMs = {}} = jsonOf<{readonly intervalsMs?: object}>(options) ?? {};
	return Object.fromEntries(Object.entries(intervalsMs).filter(([, ms]) => Number.isFinite(ms) && ms > 0));
}
