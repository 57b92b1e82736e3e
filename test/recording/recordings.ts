import {temporaryFolder} from '../helpers/folders.ts';

export {temporaryFolder} from '../helpers/folders.ts';

import {join} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {onTestFinished} from 'vitest';
import type {Answer} from '../../source/client/exchange.ts';
import {operationOf} from '../../source/client/middleware.ts';
import type {Answers, Ask, Question, QuestionOf} from '../../source/client/question.ts';
import type {Answered, Failed, Outcome} from '../../source/recording/outcome-log.ts';
import {createRecorder, type Recorder} from '../../source/recording/recorder.ts';
import {closeRecorded, openToRead, openToRecord, type SessionStart} from '../../source/recording/recording-file.ts';
import {openRecording, type RecordingReader} from '../../source/recording/recording-reader.ts';
import {arrivedAt} from '../../source/store/resource.ts';

export const symbol = 'BTCUSDT';
export const startedAt = Date.UTC(2026, 10, 22, 14);
export const exchange = {name: 'sample.example', baseUrl: 'https://sample.example/'};

/** Ended processes: no file is being recorded. */
export const noneAlive = (): boolean => false;

export const start = (from = startedAt, options: SessionStart['options'] = {markets: [symbol]}): SessionStart => ({
	...{from, version: '1.2.3', options, host: 'here', process: 17},
});

export type OpenRecording = {readonly path: string; readonly db: DatabaseSync; readonly recorder: Recorder};

export function openSample(
	path = join(temporaryFolder(), 'sample.twr'),
	from = startedAt,
	options?: SessionStart['options'],
): OpenRecording {
	const db = openToRecord(path, exchange, start(from, options), noneAlive);
	onTestFinished(() => {
		if (db.isOpen) db.close();
	});
	return {path, db, recorder: createRecorder(db, start(from, options))};
}

/** Records one session and closes the file. Returns its path. */
export function recordSample(
	outcomes: readonly Outcome[],
	path?: string,
	from = startedAt,
	options?: SessionStart['options'],
): string {
	const {recorder, db, path: written} = openSample(path, from, options);
	for (const outcome of outcomes) recorder.add(outcome);
	const last = outcomes.at(-1);
	recorder.end(last ? last.endedAt : from);
	closeRecorded(db);
	return written;
}

/** Opened to read until the end of the test. */
export function readSample(path: string): RecordingReader {
	const reader = openRecording(path);
	onTestFinished(() => reader.close());
	return reader;
}

type More<Kind extends Ask> = Partial<Answer<Answers[Kind]>>;

function answeredTo<Kind extends Ask>(
	question: QuestionOf<Kind>,
	data: Answers[Kind],
	receivedAt: number,
	more: More<Kind> = {},
): Answered<Kind> {
	const answer: Answer<Answers[Kind]> = {...{data, interface: 'v2', receivedAt, dropped: 0}, ...more};
	return {question, sentAt: receivedAt - 40, endedAt: arrivedAt(answer), answer} as never;
}

/** An answer to each read, received at `at` after 40 ms. */
export const answered = {
	depth: (data: Answers['depth'], at: number, more?: More<'depth'>, of = symbol) =>
		answeredTo<'depth'>({ask: 'depth', market: of}, data, at, more),
	trades: (data: Answers['trades'], at: number, more?: More<'trades'>, of = symbol) =>
		answeredTo<'trades'>({ask: 'trades', market: of}, data, at, more),
	ticker: (data: Answers['tickers'], at: number, more?: More<'tickers'>) =>
		answeredTo<'tickers'>({ask: 'tickers'}, data, at, more),
	markets: (data: Answers['markets'], at: number) => answeredTo<'markets'>({ask: 'markets'}, data, at),
	candles: (data: Answers['candles'], at: number, period = 1) =>
		answeredTo<'candles'>({ask: 'candles', market: symbol, period}, data, at),
};

export const failed = (question: Question, at: number): Failed => ({
	...{question, sentAt: at - 5000, endedAt: at},
	failure: {
		...{kind: 'timeout', operation: operationOf(question.ask), interface: 'v2', brief: 'timed out'},
		message: `no complete answer within 5000 ms (v2 ${operationOf(question.ask)})`,
	},
});

/** The rows of a query on a closed recording, as plain objects. */
export function query(path: string, sql: string): readonly Record<string, unknown>[] {
	const db = openToRead(path);
	try {
		return db
			.prepare(sql)
			.all()
			.map(row => ({...row}));
	} finally {
		db.close();
	}
}

/**
 * Two markets around the times that documents and help ask recordings for: a trade and a book of each every five seconds, at
 * prices around `price`, and 3 % lower in the last five minutes.
 */
export function recordQuarterHour(path: string, price = 101): void {
	const [from, stepMs] = [Date.UTC(2026, 10, 20, 13, 58), 5000];
	const symbols = ['BTCUSDT', 'ETHUSDT'];
	const midAt = (index: number) => price * (index < 120 ? 1 : 0.97);
	const tradeAt = (index: number) => ({
		...{id: String(index), time: from + index * stepMs, price: midAt(index) + (index % 3) - 1, quantity: 1},
		...({side: 'buy', sideText: 'buy'} as const),
	});
	const outcomes = Array.from({length: 180}, (_, index) => {
		const [at, mid, {price: last}] = [from + index * stepMs, midAt(index), tradeAt(index)];
		// With the one before, none can be missing.
		const page = [tradeAt(index), ...(index > 0 ? [tradeAt(index - 1)] : [])];
		return [
			answered.ticker(
				symbols.map(each => ({symbol: each, state: 'active', last})),
				at,
			),
			...symbols.flatMap(each => [
				answered.depth({asks: [[mid + 1, 1]], bids: [[mid - 1, 1 + (index % 3)]]}, at, {}, each),
				answered.trades(page, at + 1, {}, each),
			]),
		];
	}).flat();
	recordSample(outcomes, path, from, {markets: symbols});
}
