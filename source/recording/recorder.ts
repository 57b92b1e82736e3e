import type {DatabaseSync} from 'node:sqlite';
import type {ExchangeInfo} from '../market/types.ts';
import {createAnswerGaps} from './answer-gaps.ts';
import {createChangedLists} from './changed-lists.ts';
import {type AnsweredRead, endOf, type ReadOutcome, type RecordedFailure, recordedFailure} from './read-outcome.ts';
import {RecordingError, type SessionStart} from './recording-file.ts';
import {inserter, inTransaction, numberOf, type Row} from './table-rows.ts';
import {trimBefore} from './trim.ts';
import {createWrittenBooks} from './written-books.ts';
import {createWrittenSymbols} from './written-symbols.ts';
import {createWrittenTrades} from './written-trades.ts';

/** Writes what the exchange answers into an open recording. Answers are on disk after `flush`. */
export type Recorder = {
	/** `now`: when it became known. Default: when the read ended. */
	add(outcome: ReadOutcome, now?: number): void;
	addAlert(alert: RecordedAlert): void;
	/**
	 * Writes what was added since the last flush in one transaction. Throws what SQLite throws, or a `RecordingError` if another
	 * recorder writes the file; the file then is as before, and this recorder must not be used any more, unless the file was only
	 * busy.
	 */
	flush(now: number): void;
	/** Removes what was received before `time`, except for what is needed to read what is newer. Throws as `flush`. */
	trim(time: number): void;
	/** Flushes, and marks the session as ended. Throws as `flush`. */
	end(now: number): void;
	readonly counts: RecordedCounts;
};

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

/** A clock that is set back by more begins another session. */
export const leastSetBackMs = 2000;
/** An answer that was received earlier was kept back, as while another interface was asked. */
export const leastKeptBackMs = 100;
/** A trade that is dated less after its answer may be due to a clock that is slightly off. */
const leastAheadMs = 2000;
/** As many texts of numbers are not written again. */
const mostSentNumbers = 10_000;

/** `db`: opened to record. Times are epoch ms. */
export function createRecorder(db: DatabaseSync, start: SessionStart): Recorder {
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

	function write(outcome: ReadOutcome, now: number): void {
		const endedAt = endOf(outcome);
		const knownAt = timeAt(now - endedAt >= leastKeptBackMs ? now : endedAt);
		const symbol = 'symbol' in outcome ? symbols.asked(outcome.symbol) : null;
		lastAnswer++;
		insert('answer', {
			...{id: lastAnswer, session, operation: outcome.operation, symbol},
			period: 'period' in outcome ? outcome.period : null,
			...{received_at: knownAt, took: endedAt - outcome.sentAt},
			...('failure' in outcome ? failureColumns(outcome.failure) : answerColumns(outcome, knownAt)),
		});
		if (symbol !== null && (outcome.operation === 'depth' || outcome.operation === 'trades')) {
			const error = 'failure' in outcome ? outcome.failure.kind : undefined;
			if (answerGaps.add({operation: outcome.operation, symbol, session, at: knownAt, error})) endedGaps++;
		}

		if ('failure' in outcome) {
			counts.failures++;
			return;
		}

		const {receivedAt, serverTime, sentNumbers = []} = outcome.answer;
		counts.answers++;
		if (serverTime !== undefined) stampSkew = serverTime - receivedAt;
		if (outcome.operation === 'trades') {
			const newest = outcome.answer.data.reduce((time, trade) => Math.max(time, trade.time), -Infinity);
			tradesAheadMs = Math.max(tradesAheadMs, newest - receivedAt);
		}

		writeData(lastAnswer, symbol ?? 0, outcome, knownAt);
		writeSentNumbers(lastAnswer, sentNumbers);
	}

	function writeData(id: number, symbol: number, outcome: AnsweredRead, knownAt: number): void {
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
				books.add(symbol, {answer: id, book: outcome.answer.data}, knownAt);
		}
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
		add(outcome, now = endOf(outcome)) {
			waiting.push(() => write(outcome, now));
		},
		addAlert({symbol, ...alert}) {
			waiting.push(() => insert('alert', {...alert, symbol: symbols.asked(symbol)}));
		},
		flush,
		trim(time) {
			inTransaction(db, () => trimBefore(db, time, session));
			// Those of removed answers are gone.
			sentNumbers.clear();
		},
		end(now) {
			flush(now);
			inTransaction(db, () => {
				books.close();
				close();
			});
		},
	};
}

/** What most answers do not have is written as notes. */
function answerColumns(read: AnsweredRead, knownAt: number): Row {
	const {interface: from, receivedAt, serverTime = null, dropped} = read.answer;
	const {cache, rounded, cut, misdated, offPeriod, outside, preferredFailure} = read.answer;
	const notes = {
		...(receivedAt !== knownAt && {receivedAt}),
		...{cache, rounded, cut, misdated, offPeriod, outside},
		preferredFailure: preferredFailure && recordedFailure(preferredFailure),
		...ownNotes(read),
	};
	const isPlain = Object.values(notes).every(value => value === undefined);
	return {
		...{interface: from, server_time: serverTime, dropped},
		notes: isPlain ? null : JSON.stringify(notes),
		...best(read),
	};
}

const failureColumns = (failure: RecordedFailure): Row => ({
	...{interface: failure.interface, dropped: 0},
	...{error: failure.kind, notes: JSON.stringify(failure)},
});

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
