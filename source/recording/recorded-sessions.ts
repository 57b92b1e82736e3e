import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';
import type {Ask} from '../client/question.ts';
import {type IntervalChoices, pollIntervals} from '../store/polling.ts';
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
	intervals(session: number): Readonly<Record<Ask, number>>;
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
export const mostSessions = 5000;
/** Of the options of all sessions, each text counted once: those of a recorder are mostly the same. */
const mostOptionsCharacters = 5_000_000;

export function createRecordedSessions(db: DatabaseSync): RecordedSessions {
	const rows = db.prepare(`SELECT * FROM session ORDER BY id LIMIT ${mostSessions + 1}`);
	const rowFrom = db.prepare('SELECT id, session, received_at FROM answer WHERE id >= ? ORDER BY id LIMIT 1');
	const rowUpTo = db.prepare('SELECT id, session, received_at FROM answer WHERE id <= ? ORDER BY id DESC LIMIT 1');
	const optionsRow = db.prepare('SELECT options FROM session WHERE id = ?');
	const newestRow = db.prepare('SELECT id, session, received_at FROM answer ORDER BY id DESC LIMIT 1');
	const dataVersion = db.prepare('PRAGMA data_version');
	/** As of a state of the file. */
	let latest: {readonly version: number; readonly list: readonly RecordedSession[]} | undefined;
	/** They do not change once they are there. */
	const firstIds = new Map<number, number>();
	/** Of sessions that another one follows. */
	const ranges = new Map<number, Range>();
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

	/** `newest`: the newest answer. */
	function rangeOf(session: number, newest = newestRow.get()): Range {
		const known = ranges.get(session);
		if (known) return known;
		const end = requiredNumber(newest?.id ?? 0) + 1;
		const first = firstIdOf(session, end);
		if (requiredNumber(newest?.session ?? 0) <= session) return [first, end - 1, numberIn(newest?.received_at)];
		const next = firstAfter(first, end, session);
		const last = rowUpTo.get(next - 1);
		const range: Range = [first, numberIn(last?.id) ?? first - 1, numberIn(last?.received_at)];
		const following = rowFrom.get(next);
		if (following) firstIds.set(requiredNumber(following.session), requiredNumber(following.id));
		ranges.set(session, range);
		return range;
	}

	function all(): readonly RecordedSession[] {
		const version = requiredNumber(dataVersion.get()?.data_version);
		if (latest?.version !== version) latest = {version, list: readAll()};
		return latest.list;
	}

	function readAll(): readonly RecordedSession[] {
		const optionsOf = createOptionsReader();
		const newest = newestRow.get();
		const found = rows.all();
		if (found.length > mostSessions) throw new DamagedError(`at most ${mostSessions} sessions`, found.length);
		return found.flatMap(row => {
			const id = requiredNumber(row.id);
			const [firstId, lastId, lastAt] = rangeOf(id, newest);
			if (lastId < firstId) return [];
			const clockSkew = numberIn(row.clock_skew);
			return {
				...{id, firstId, lastId, lastAt: requiredTime(lastAt)},
				...{from: requiredTime(row.from_time), to: requiredTime(row.to_time)},
				...(clockSkew !== undefined && {clockSkew}),
				version: textOf(row.version) ?? '',
				options: optionsOf(row.options),
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
		rangeOf(session) {
			const [first, last] = rangeOf(session);
			return [first, last];
		},
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

/** The ids of the first and the last answer of a session, and when the last was known. */
type Range = readonly [first: number, last: number, lastAt: number | undefined];

function createOptionsReader(): (options: SQLOutputValue | undefined) => RecordedSession['options'] {
	const read = new Map<SQLOutputValue | undefined, RecordedSession['options']>();
	let characters = 0;
	return text => {
		const known = read.get(text);
		if (known) return known;
		characters += typeof text === 'string' ? text.length : 0;
		if (characters > mostOptionsCharacters) throw new DamagedError('shorter options', text);
		const options = jsonOf<RecordedSession['options']>(text) ?? {};
		read.set(text, options);
		return options;
	};
}

/** Those of a session's options that were chosen, as far as they can be used. */
function chosenIntervals(options: SQLOutputValue | undefined): IntervalChoices {
	const {intervalsMs = {}} = jsonOf<{readonly intervalsMs?: object}>(options) ?? {};
	return Object.fromEntries(Object.entries(intervalsMs).filter(([, ms]) => Number.isFinite(ms) && ms > 0));
}
