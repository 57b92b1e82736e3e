import type {DatabaseSync} from 'node:sqlite';
import type {ExchangeInfo} from '../market/types.ts';
import {createChangedLists} from './changed-lists.ts';
import {type AnsweredRead, type ReadOutcome, type RecordedFailure, recordedFailure} from './read-outcome.ts';
import type {SessionStart} from './recording-file.ts';
import {inserter, numberOf, type Row} from './rows.ts';
import {createWrittenBooks} from './written-books.ts';
import {createWrittenTrades} from './written-trades.ts';

/** Writes what the exchange answers into an open recording. Nothing is on disk before `flush`. */
export type Recorder = {
	add(outcome: ReadOutcome): void;
	addAlert(alert: RecordedAlert): void;
	/**
	 * Writes what was added since the last flush in one transaction. Throws what SQLite throws; the file then is as before, and
	 * this recorder must not be used any more.
	 */
	flush(now: number): void;
	/** Removes what was received before `time`, except for the session that is recorded. */
	trim(time: number): void;
	/** Flushes, and marks the session as ended. */
	end(now: number): void;
	readonly counts: RecordedCounts;
};

/** Since the start of the recorder. */
export type RecordedCounts = {answers: number; failures: number; trades: number; books: number};

/** A call of a rule; `time` in epoch ms. */
export type RecordedAlert = {
	readonly time: number;
	readonly symbol: string;
	readonly rule: string;
	readonly message: string;
};

/** A clock that is set back by more begins another session. */
const leastSetBackMs = 2000;

/** `db`: opened to record. Times are epoch ms. */
export function createRecorder(db: DatabaseSync, start: SessionStart): Recorder {
	const insert = inserter(db);
	const counts: RecordedCounts = {answers: 0, failures: 0, trades: 0, books: 0};
	const symbolIds = new Map<string, number>();
	const trades = createWrittenTrades(db, insert);
	const lists = createChangedLists(insert, symbolId);
	const books = createWrittenBooks(db, insert);
	let waiting: (() => void)[] = [];
	let nextAnswer = 1 + numberOf(db, 'SELECT max(id) AS value FROM answer');
	let session = begin(start.from);
	let receivedLast = start.from;
	let clockSkew: number | null = null;

	function begin(from: number): number {
		const {version, options, host, process} = start;
		const row = {from_time: from, to_time: from, version, options: JSON.stringify(options), host, process};
		return insert('session', row);
	}

	function symbolId(name: string): number {
		const known = symbolIds.get(name);
		if (known !== undefined) return known;
		const written = numberOf(db, 'SELECT id AS value FROM symbol WHERE name = ?', name);
		const id = written || insert('symbol', {name});
		symbolIds.set(name, id);
		return id;
	}

	function followClock(now: number): void {
		if (now < receivedLast - leastSetBackMs) {
			close(receivedLast);
			session = begin(now);
			books.close();
		}

		receivedLast = Math.max(now, receivedLast - leastSetBackMs);
	}

	function close(now: number): void {
		db.prepare('UPDATE session SET to_time = ?, clock_skew = ?, process = NULL, host = NULL WHERE id = ?').run(
			now,
			clockSkew,
			session,
		);
	}

	function write(outcome: ReadOutcome): void {
		const endedAt = 'failure' in outcome ? outcome.failedAt : outcome.answer.receivedAt;
		followClock(endedAt);
		const symbol = 'symbol' in outcome ? symbolId(outcome.symbol) : null;
		const asked = {
			...{session, operation: outcome.operation, symbol, received_at: endedAt, took: endedAt - outcome.sentAt},
			period: 'period' in outcome ? outcome.period : null,
		};
		const id = nextAnswer++;
		if ('failure' in outcome) {
			const {failure} = outcome;
			counts.failures++;
			const error = {error: failure.kind, notes: JSON.stringify(failure)};
			insert('answer', {id, ...asked, interface: failure.interface, dropped: 0, ...error});
			return;
		}

		const {answer} = outcome;
		counts.answers++;
		if (answer.serverTime !== undefined) clockSkew = answer.serverTime - answer.receivedAt;
		insert('answer', {id, ...asked, ...columnsOf(outcome)});
		writeData(id, symbol ?? 0, outcome);
		for (const text of answer.sentNumbers ?? []) {
			insert('sent_number', {answer: id, value: Number(text), text});
		}
	}

	function writeData(id: number, symbol: number, outcome: Exclude<ReadOutcome, {failure: unknown}>): void {
		switch (outcome.operation) {
			case 'info':
				return;
			case 'markets':
				lists.markets(id, outcome.answer.data);
				return;
			case 'ticker':
				lists.tickers(id, outcome.answer.data);
				return;
			case 'candles':
				lists.candles(id, symbol, outcome.period, outcome.answer.data);
				return;
			case 'trades':
				counts.trades += trades.write(id, symbol, outcome.answer);
				return;
			case 'depth':
				counts.books++;
				books.add(symbol, {answer: id, book: outcome.answer.data}, outcome.answer.receivedAt);
		}
	}

	function flush(now: number): void {
		db.exec('BEGIN IMMEDIATE');
		try {
			for (const writeNext of waiting) writeNext();
			books.flush();
			db.prepare('UPDATE session SET to_time = ?, clock_skew = ? WHERE id = ?').run(now, clockSkew, session);
			db.exec('COMMIT');
		} catch (error) {
			if (db.isTransaction) db.exec('ROLLBACK');
			throw error;
		}

		waiting = [];
	}

	return {
		counts,
		add(outcome) {
			waiting.push(() => write(outcome));
		},
		addAlert({symbol, ...alert}) {
			waiting.push(() => insert('alert', {...alert, symbol: symbolId(symbol)}));
		},
		flush,
		trim(time) {
			trimBefore(db, time);
		},
		end(now) {
			flush(now);
			close(now);
		},
	};
}

/** What most answers do not have is written as notes. */
function columnsOf(read: AnsweredRead): Row {
	const {interface: from, serverTime = null, dropped, rounded, cut, misdated, offPeriod, outside} = read.answer;
	const {preferredFailure} = read.answer;
	const failed = preferredFailure && recordedFailure(preferredFailure);
	const notes = {rounded, cut, misdated, offPeriod, outside, preferredFailure: failed, ...ownNotes(read)};
	const isPlain = Object.values(notes).every(value => value === undefined);
	return {
		interface: from,
		server_time: serverTime,
		dropped,
		notes: isPlain ? null : JSON.stringify(notes),
		...best(read),
	};
}

function ownNotes(read: AnsweredRead): {
	readonly info?: ExchangeInfo;
	readonly bidsFailure?: RecordedFailure | undefined;
} {
	if (read.operation === 'info') return {info: read.answer.data};
	const failure = read.operation === 'depth' ? read.answer.data.bidsFailure : undefined;
	return failure ? {bidsFailure: recordedFailure(failure)} : {};
}

function best(read: AnsweredRead): Row {
	if (read.operation !== 'depth') return {};
	const {asks, bids} = read.answer.data;
	return {bid: bids?.[0]?.[0] ?? null, ask: asks[0]?.[0] ?? null};
}

/** Removes what was received before `time`, oldest sessions first; the newest answers of lists stay, as later ones only say what changed. */
function trimBefore(db: DatabaseSync, time: number): void {
	const id = numberOf(db, 'SELECT max(id) AS value FROM answer WHERE received_at < ?', time);
	db.exec('BEGIN IMMEDIATE');
	for (const table of ['trade', 'book'] as const) db.prepare(`DELETE FROM ${table} WHERE answer <= ?`).run(id);
	db.exec('COMMIT');
}
