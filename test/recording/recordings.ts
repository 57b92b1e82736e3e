import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {onTestFinished} from 'vitest';
import type {Answer} from '../../source/client/exchange.ts';
import {
	type AnsweredRead,
	endOf,
	type FailedRead,
	type Question,
	type ReadOutcome,
} from '../../source/recording/read-outcome.ts';
import {createRecorder, type Recorder} from '../../source/recording/recorder.ts';
import {closeRecorded, openToRead, openToRecord, type SessionStart} from '../../source/recording/recording-file.ts';

export const symbol = 'BTCUSDT';
export const startedAt = Date.UTC(2026, 10, 22, 14);
export const exchange = {name: 'sample.example', baseUrl: 'https://sample.example/'};

/** Ended processes: no file is being recorded. */
export const noneAlive = (): boolean => false;

export const start = (from = startedAt, options: SessionStart['options'] = {markets: [symbol]}): SessionStart => ({
	...{from, version: '1.2.3', options, host: 'here', process: 17},
});

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-recording-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
	return folder;
}

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
	outcomes: readonly ReadOutcome[],
	path?: string,
	from = startedAt,
	options?: SessionStart['options'],
): string {
	const {recorder, db, path: written} = openSample(path, from, options);
	for (const outcome of outcomes) recorder.add(outcome);
	const last = outcomes.at(-1);
	recorder.end(last ? endOf(last) : from);
	closeRecorded(db);
	return written;
}

type Data<Operation> = Extract<AnsweredRead, {readonly operation: Operation}>['answer']['data'];

/** An answer to each read, received at `at` after 40 ms. */
export const answered = {
	depth: (data: Data<'depth'>, at: number, more?: Partial<Answer<Data<'depth'>>>, of = symbol): AnsweredRead => ({
		...{operation: 'depth', symbol: of, sentAt: at - 40, answer: answer(data, at, more)},
	}),
	trades: (data: Data<'trades'>, at: number, more?: Partial<Answer<Data<'trades'>>>, of = symbol): AnsweredRead => ({
		...{operation: 'trades', symbol: of, sentAt: at - 40, answer: answer(data, at, more)},
	}),
	ticker: (data: Data<'ticker'>, at: number, more?: Partial<Answer<Data<'ticker'>>>): AnsweredRead => ({
		...{operation: 'ticker', sentAt: at - 40, answer: answer(data, at, more)},
	}),
	markets: (data: Data<'markets'>, at: number): AnsweredRead => ({
		...{operation: 'markets', sentAt: at - 40, answer: answer(data, at)},
	}),
	candles: (data: Data<'candles'>, at: number, period = 1): AnsweredRead => ({
		...{operation: 'candles', symbol, period, sentAt: at - 40, answer: answer(data, at)},
	}),
};

const answer = <T>(data: T, receivedAt: number, more: Partial<Answer<T>> = {}): Answer<T> => ({
	...{data, interface: 'v2', receivedAt, dropped: 0},
	...more,
});

export const failed = (question: Question, at: number): FailedRead => ({
	...question,
	...{sentAt: at - 5000, failedAt: at},
	failure: {
		...{kind: 'timeout', operation: question.operation, interface: 'v2', brief: 'timed out'},
		message: `no complete answer within 5000 ms (v2 ${question.operation})`,
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
