import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';
import type {Ask} from '../client/question.ts';
import {firstWhere} from '../market/numbers.ts';
import {type IntervalChoices, pollIntervals} from '../store/polling.ts';
import {DamagedError, jsonOf, numberIn, requiredNumber, requiredTime, textOf} from './recorded-columns.ts';
import {mostSessions} from './schema.ts';

/** A session lasts from the start of a recorder to its last write, or until its clock was set back. Times are epoch ms. */
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

export type RecordedSessions = ReturnType<typeof createRecordedSessions>;

/** Maximum characters in the options of all sessions. Equal options count once, as most sessions have the same. */
const mostOptionsCharacters = 5_000_000;

export function createRecordedSessions(db: DatabaseSync) {
	// The last answer of each session is searched for in one statement: sessions may be thousands, and have few answers or many.
	const rows = db.prepare(
		`SELECT session.*, first, last, received_at FROM (
			SELECT *, (SELECT min(answer.id) FROM answer WHERE answer.id > before) AS first FROM (
				SELECT *, lag(last, 1, 0) OVER (ORDER BY id) AS before FROM (
					SELECT id, (
						WITH RECURSIVE search (place, step) AS (
							SELECT 0, ?
							UNION ALL SELECT place + iif((
								SELECT answer.session FROM answer WHERE answer.id >= place + step ORDER BY answer.id LIMIT 1
							) <= session.id, step, 0), step >> 1 FROM search WHERE step > 0
						)
						SELECT place FROM search WHERE step = 0
					) AS last FROM session ORDER BY id LIMIT ${mostSessions + 1}
				)
			)
		) AS ranged JOIN session ON session.id = ranged.id LEFT JOIN answer ON answer.id = last ORDER BY session.id`,
	);
	const rowFrom = db.prepare('SELECT id, received_at FROM answer WHERE id >= ? ORDER BY id LIMIT 1');
	const optionsRow = db.prepare('SELECT options FROM session WHERE id = ?');
	const newestRow = db.prepare('SELECT max(id) AS id FROM answer');
	const dataVersion = db.prepare('PRAGMA data_version');
	/** As of a state of the file. */
	let latest: {readonly version: number; readonly byId: ReadonlyMap<number, RecordedSession>} | undefined;

	/** The least id from `low` to `high` whose answer was received after `time` (epoch ms); `high` if none was. */
	const firstAfter = (low: number, high: number, time: number): number =>
		firstWhere(low, high, id => requiredNumber(rowFrom.get(id)?.received_at ?? Number.MAX_VALUE) > time);

	function byId(): ReadonlyMap<number, RecordedSession> {
		const version = requiredNumber(dataVersion.get()?.data_version);
		if (latest?.version !== version) latest = {version, byId: new Map(readAll().map(each => [each.id, each]))};
		return latest.byId;
	}

	const all = (): readonly RecordedSession[] => [...byId().values()];

	function readAll(): readonly RecordedSession[] {
		const optionsOf = createOptionsReader();
		const end = requiredNumber(newestRow.get()?.id ?? 0) + 1;
		const found = rows.all(2 ** Math.floor(Math.log2(end)));
		if (found.length > mostSessions) throw new DamagedError(`at most ${mostSessions} sessions`, found.length);
		return found.flatMap(row => {
			const [firstId = end, lastId] = [numberIn(row.first), requiredNumber(row.last)];
			if (lastId < firstId) return [];
			const clockSkew = numberIn(row.clock_skew);
			return {
				...{id: requiredNumber(row.id), firstId, lastId, lastAt: requiredTime(row.received_at)},
				...{from: requiredTime(row.from_time), to: requiredTime(row.to_time)},
				...(clockSkew !== undefined && {clockSkew}),
				version: textOf(row.version) ?? '',
				options: optionsOf(row.options),
				isOpen: row.process !== null,
			};
		});
	}

	return {
		/** Those with answers, in order. */
		all,
		/** Ms between two polls of its recorder. */
		intervals: (session: number): Readonly<Record<Ask, number>> =>
			pollIntervals(chosenIntervals(optionsRow.get(session)?.options)),
		/** The newest answer that was received at or before `time` (epoch ms); the one before the session's first if there is none. */
		idAt(session: number, time: number): number {
			const {firstId, lastId, lastAt} = byId().get(session) ?? noAnswers;
			return lastAt <= time ? lastId : firstAfter(firstId, lastId + 1, time) - 1;
		},
		/** The ids of its first and last answer; the last is before the first if it has none. */
		rangeOf(session: number): readonly [first: number, last: number] {
			const {firstId, lastId} = byId().get(session) ?? noAnswers;
			return [firstId, lastId];
		},
		/** The first answer of those that can have what happened at or after `time`, by the exchange's clock (epoch ms). */
		firstSince(time: number): number {
			// Only the last one is known: if the clock was set back, what is older was received at its own time.
			const receivedAt = ({clockSkew = 0}: RecordedSession) => time - Math.max(clockSkew, 0);
			const session = all().find(each => each.lastAt >= receivedAt(each));
			return session ? firstAfter(session.firstId, session.lastId + 1, receivedAt(session) - 1) : Infinity;
		},
		/** The first answer of the session of an answer. */
		firstOf: (answer: number): number => all().findLast(({firstId}) => firstId <= answer)?.firstId ?? 0,
	};
}

const noAnswers = {firstId: 0, lastId: -1, lastAt: Infinity};

function createOptionsReader(): (options: SQLOutputValue | undefined) => RecordedSession['options'] {
	const read = new Map<SQLOutputValue | undefined, RecordedSession['options']>();
	let characters = 0;
	return text => {
		const cached = read.get(text);
		if (cached) return cached;
		characters += typeof text === 'string' ? text.length : 0;
		if (characters > mostOptionsCharacters) throw new DamagedError('shorter options', text);
		const options = jsonOf<RecordedSession['options']>(text) ?? {};
		read.set(text, options);
		return options;
	};
}

/** The valid poll intervals in a session's options. */
function chosenIntervals(options: SQLOutputValue | undefined): IntervalChoices {
	const {intervalsMs = {}} = jsonOf<{readonly intervalsMs?: object}>(options) ?? {};
	return Object.fromEntries(Object.entries(intervalsMs).filter(([, ms]) => Number.isFinite(ms) && ms > 0));
}
