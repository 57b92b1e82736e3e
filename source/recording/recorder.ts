import type {DatabaseSync} from 'node:sqlite';
import {operationOf} from '../client/middleware.ts';
import {marketOf} from '../client/question.ts';
import {createAnswerGaps} from './answer-gaps.ts';
import {endColumns} from './answer-table.ts';
import {createWrittenBooks} from './book-table.ts';
import {createChangedLists} from './list-tables.ts';
import {type Answered, answerTo, leastSetBackMs, logTime, type Outcome, periodOf} from './outcome-log.ts';
import {RecordingError} from './recorded-columns.ts';
import type {SessionStart} from './recording-file.ts';
import {createWrittenSymbols} from './symbol-table.ts';
import {inserter, inTransaction, numberOf} from './table-rows.ts';
import {createWrittenTrades} from './trade-table.ts';
import {trimBefore} from './trim.ts';

/** Writes what the exchange answers into an open recording. Answers are on disk after `flush`. */
export type Recorder = ReturnType<typeof createRecorder>;

/** Since the start of the recorder. `gaps`: at the last flush, with those that last; what earlier sessions lack does not count. */
export type RecordedCounts = {answers: number; failures: number; trades: number; books: number; gaps: number};

export const nothingRecorded: RecordedCounts = {answers: 0, failures: 0, trades: 0, books: 0, gaps: 0};

/** A call of a rule; `time` in epoch ms. */
export type RecordedAlert = {
	readonly time: number;
	readonly symbol: string;
	readonly rule: string;
	readonly message: string;
};

/** A trade that is dated less after its answer may be due to a clock that is slightly off. */
const leastAheadMs = 2000;
/** Texts of numbers that are remembered, so that they are not written again. */
const mostSentNumbers = 10_000;

/** `db`: opened to record. Times are epoch ms. */
export function createRecorder(db: DatabaseSync, start: SessionStart) {
	const insert = inserter(db);
	const counts = {...nothingRecorded};
	const answerGaps = createAnswerGaps(db);
	let endedGaps = 0;
	const symbols = createWrittenSymbols(db, insert);
	const trades = createWrittenTrades(db, insert);
	const books = createWrittenBooks(db, insert);
	let lists = createChangedLists(insert, symbols);
	const sentNumbers = new Set<string>();
	let waiting: (() => void)[] = [];
	let lastAnswer = newestAnswer();
	let session = begin(start.from);
	// A copy of the file without its log has to show that it is recorded.
	db.exec('PRAGMA wal_checkpoint');
	/** By the clock, which is never set back within a session. */
	let lastTime = start.from;
	let stampSkew: number | null = null;
	/** At most in this session. */
	let tradesAheadMs = -Infinity;
	/** Of answers, or of trades where these were further ahead: readers look for what happened in answers from then on. */
	const clockSkew = () => (tradesAheadMs >= Math.max(leastAheadMs, stampSkew ?? 0) ? tradesAheadMs : stampSkew);

	function newestAnswer(): number {
		return numberOf(db, 'SELECT max(id) AS value FROM answer');
	}

	function begin(from: number): number {
		const {version, options, host, process} = start;
		const row = {from_time: from, to_time: from, version, options: JSON.stringify(options), host, process};
		return insert('session', row);
	}

	/** The time in this session: that of the clock, unless it was set back a little; if it was set back more, a session begins. */
	function timeAt(now: number): number {
		if (now < lastTime - leastSetBackMs) {
			books.close();
			close();
			session = begin(now);
			tradesAheadMs = -Infinity;
			// A reader of a session needs none before it.
			lists = createChangedLists(insert, symbols);
			lastTime = now;
		}

		lastTime = Math.max(now, lastTime);
		return lastTime;
	}

	function close(): void {
		db.prepare('UPDATE session SET to_time = ?, clock_skew = ?, process = NULL, host = NULL WHERE id = ?').run(
			lastTime,
			clockSkew(),
			session,
		);
	}

	function write(outcome: Outcome, now: number): void {
		const {question, sentAt, endedAt} = outcome;
		const loggedAt = timeAt(logTime(outcome, now));
		const market = marketOf(question);
		const symbol = market === undefined ? null : symbols.spelled(market);
		lastAnswer++;
		insert('answer', {
			...{id: lastAnswer, session, operation: operationOf(question.ask), symbol, period: periodOf(question) ?? null},
			...{received_at: loggedAt, took: endedAt - sentAt, ...endColumns(outcome, loggedAt)},
		});
		if (symbol !== null && (question.ask === 'depth' || question.ask === 'trades')) {
			const error = 'failure' in outcome ? outcome.failure.kind : undefined;
			if (answerGaps.add({operation: question.ask, symbol, session, at: loggedAt, error})) endedGaps++;
		}

		if ('failure' in outcome) {
			counts.failures++;
			return;
		}

		const {receivedAt, serverTime, sentNumbers = []} = outcome.answer;
		counts.answers++;
		if (serverTime !== undefined) stampSkew = serverTime - receivedAt;
		const newest = answerTo('trades', outcome)?.data.reduce((time, trade) => Math.max(time, trade.time), -Infinity);
		tradesAheadMs = Math.max(tradesAheadMs, (newest ?? -Infinity) - receivedAt);
		writeData(lastAnswer, symbol ?? 0, outcome, loggedAt);
		writeSentNumbers(lastAnswer, sentNumbers);
	}

	function writeData(id: number, symbol: number, outcome: Answered, loggedAt: number): void {
		const [book, page] = [answerTo('depth', outcome)?.data, answerTo('trades', outcome)];
		if (book) {
			counts.books++;
			books.add(symbol, {answer: id, book}, loggedAt);
		} else if (page) counts.trades += trades.write(id, symbol, page);
		else lists.write(id, symbol, outcome);
	}

	function writeSentNumbers(answer: number, texts: readonly string[]): void {
		if (sentNumbers.size > mostSentNumbers) sentNumbers.clear();
		for (const text of texts) {
			if (!sentNumbers.has(text)) insert('sent_number', {answer, value: Number(text), text});
			sentNumbers.add(text);
		}
	}

	function flush(now: number): void {
		inTransaction(db, () => {
			// As after a suspended process was resumed.
			if (newestAnswer() !== lastAnswer) throw new RecordingError('another program records into the file');
			for (const writeNext of waiting) writeNext();
			books.flush();
			db.prepare('UPDATE session SET to_time = ?, clock_skew = ? WHERE id = ?').run(timeAt(now), clockSkew(), session);
		});
		waiting = [];
		counts.gaps = endedGaps + answerGaps.lasting().length + trades.gaps();
	}

	return {
		counts,
		/** `now`: when it became known. Default: when the read ended. */
		add(outcome: Outcome, now = outcome.endedAt): void {
			waiting.push(() => write(outcome, now));
		},
		addAlert({symbol, ...alert}: RecordedAlert): void {
			waiting.push(() => insert('alert', {...alert, symbol: symbols.spelled(symbol)}));
		},
		/**
		 * Writes what was added since the last flush in one transaction. Throws what SQLite throws, or a `RecordingError` if another
		 * recorder writes the file; the file then is as before, and this recorder must not be used any more, unless the file was only
		 * busy.
		 */
		flush,
		/** Removes what was received before `time`, except for what is needed to read what is newer. Throws as `flush`. */
		trim(time: number): void {
			inTransaction(db, () => trimBefore(db, time, session));
			// Those of removed answers are gone.
			sentNumbers.clear();
		},
		/** Flushes, and marks the session as ended. Throws as `flush`. */
		end(now: number): void {
			flush(now);
			inTransaction(db, () => {
				books.close();
				close();
			});
		},
	};
}
