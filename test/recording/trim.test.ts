import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Outcome} from '../../source/recording/outcome-log.ts';
import {closeRecorded} from '../../source/recording/recording-file.ts';
import {candle, market, ticker, tradePage} from '../store/samples.ts';
import {
	answered,
	failed,
	openSample,
	query,
	readSample,
	recordSample,
	startedAt,
	symbol,
	temporaryFolder,
} from './recordings.ts';

const at = (seconds: number) => startedAt + seconds * 1000;

/** A minute of a market: every read each 10 s, the markets once. */
function minute(from: number, symbols = [symbol, 'ETHUSDT']): readonly Outcome[] {
	return [0, 10, 20, 30, 40, 50].flatMap(second => {
		const time = from + second * 1000;
		const step = (time - startedAt) / 1000;
		const reads: Outcome[] = [
			answered.ticker(
				symbols.map((name, index) => ticker(name, index === 0 ? 100 + step : 7)),
				time,
			),
			answered.depth({asks: [[200 + step, 1]], bids: [[100, 1]]}, time + 1),
			answered.trades(tradePage(1000 + step, 8, time), time + 2),
			answered.candles([candle(Math.floor(time / 60_000) * 60_000, 100, 1 + step)], time + 3),
		];
		if (second > 0) return reads;
		return [
			answered.markets(
				symbols.map(name => market(name)),
				time,
			),
			...reads,
		];
	});
}

function trimmed(sessions: readonly (readonly [from: number, outcomes: readonly Outcome[]])[], time: number): string {
	const path = join(temporaryFolder(), 'sample.twr');
	for (const [from, outcomes] of sessions.slice(0, -1)) recordSample(outcomes, path, from);
	const [from, outcomes] = sessions.at(-1) ?? [startedAt, []];
	const {recorder, db} = openSample(path, from);
	for (const outcome of outcomes) recorder.add(outcome);
	recorder.flush(at(900));
	recorder.trim(time);
	recorder.add(answered.depth({asks: [[999, 1]]}, at(1000)));
	recorder.end(at(1000));
	closeRecorded(db);
	return path;
}

test('what is older is removed, but for the last answer to each read, which has all that was known', () => {
	const path = trimmed([[startedAt, minute(startedAt)]], at(35));
	const answers = query(path, 'SELECT operation, received_at FROM answer ORDER BY id');
	expect(answers).toEqual([
		{operation: 'markets', received_at: at(0)},
		{operation: 'ticker', received_at: at(30)},
		{operation: 'depth', received_at: at(30) + 1},
		{operation: 'trades', received_at: at(30) + 2},
		{operation: 'candles', received_at: at(30) + 3},
		...[40, 50].flatMap(second => [
			{operation: 'ticker', received_at: at(second)},
			{operation: 'depth', received_at: at(second) + 1},
			{operation: 'trades', received_at: at(second) + 2},
			{operation: 'candles', received_at: at(second) + 3},
		]),
		{operation: 'depth', received_at: at(1000)},
	]);
	const tickers = query(
		path,
		'SELECT received_at, name, last FROM ticker, symbol, answer ON symbol.id = ticker.symbol AND answer.id = answer ORDER BY 1, 2',
	);
	expect(tickers).toEqual([
		{received_at: at(30), name: 'BTCUSDT', last: 130},
		{received_at: at(30), name: 'ETHUSDT', last: 7},
		{received_at: at(40), name: 'BTCUSDT', last: 140},
		{received_at: at(50), name: 'BTCUSDT', last: 150},
	]);
	expect(query(path, 'SELECT count(*) AS count FROM market JOIN answer ON id = answer')).toEqual([{count: 2}]);
	expect(query(path, 'SELECT time, volume, received_at FROM candle JOIN answer ON id = answer')).toEqual([
		{time: at(0), volume: 31, received_at: at(30) + 3},
		{time: at(0), volume: 41, received_at: at(40) + 3},
		{time: at(0), volume: 51, received_at: at(50) + 3},
	]);
	expect(query(path, 'SELECT received_at, first_id FROM trade JOIN answer ON id = answer')).toEqual([
		{received_at: at(30) + 2, first_id: '1023'},
		{received_at: at(40) + 2, first_id: '1033'},
		{received_at: at(50) + 2, first_id: '1043'},
	]);
	expect(query(path, 'SELECT from_time FROM session')).toEqual([{from_time: at(35)}]);
});

test('older sessions are removed as a whole, and their markets are not taken for listed', () => {
	const path = trimmed(
		[
			[startedAt, minute(startedAt, [symbol, 'OLDUSDT'])],
			[at(100), minute(at(100))],
		],
		at(145),
	);
	expect(query(path, 'SELECT id, from_time FROM session')).toEqual([{id: 2, from_time: at(145)}]);
	expect(query(path, 'SELECT DISTINCT session FROM answer')).toEqual([{session: 2}]);
	const names = 'SELECT DISTINCT name FROM ticker JOIN symbol ON id = symbol ORDER BY name';
	expect(query(path, names)).toEqual([{name: 'BTCUSDT'}, {name: 'ETHUSDT'}]);
	expect(query(path, names.replace('ticker', 'market'))).toEqual([{name: 'BTCUSDT'}, {name: 'ETHUSDT'}]);
});

test('a candle that did not change stays at the last answer that had it', () => {
	const candles = [candle(startedAt, 100, 1)];
	const path = trimmed([[startedAt, [0, 10, 20].map(second => answered.candles(candles, at(second)))]], at(15));
	expect(query(path, 'SELECT received_at FROM candle JOIN answer ON id = answer')).toEqual([{received_at: at(10)}]);
});

test('the chunk of books that reaches beyond the time stays', () => {
	const books = Array.from({length: 300}, (_, second) => answered.depth({asks: [[100 + second, 1]]}, at(second)));
	const path = trimmed([[startedAt, books]], at(130));
	expect(query(path, 'SELECT DISTINCT coalesce(begins_at, answer) AS chunk FROM book')).toEqual([
		{chunk: 121},
		{chunk: 241},
		{chunk: 301},
	]);
	expect(query(path, 'SELECT min(id) AS id FROM answer')).toEqual([{id: 130}]);
});

test('of trades the newest ones of the interface that answered last stay, though later answers had none', () => {
	const v1 = {interface: 'legacy'} as const;
	const path = trimmed(
		[
			[
				startedAt,
				[
					answered.trades(tradePage(20, 5, at(1)), at(1), v1),
					answered.trades(tradePage(90, 5, at(2)), at(2)),
					answered.trades(tradePage(20, 5, at(1)), at(3), v1),
					answered.trades(tradePage(30, 5, at(4)), at(4), v1),
					// Closes the gap before the trade 26.
					answered.trades(tradePage(30, 15, at(4)), at(5), v1),
					answered.trades(tradePage(30, 5, at(4)), at(6), v1),
					answered.trades(tradePage(31, 5, at(5)), at(8), v1),
				],
			],
		],
		at(7),
	);
	expect(query(path, 'SELECT answer, first_id, gaps FROM trade')).toEqual([
		{answer: 6, first_id: '26', gaps: '[0]'},
		{answer: 7, first_id: '31', gaps: null},
	]);
});

test('since when trades are known is also known after a trim to an answer that only closed a gap', () => {
	const path = trimmed(
		[
			[
				startedAt,
				[
					answered.trades(tradePage(20, 5, at(20)), at(20)),
					answered.trades(tradePage(25, 2, at(25)), at(25)),
					answered.trades(tradePage(23, 5, at(23)), at(26)),
					answered.trades(tradePage(25, 9, at(25)), at(27)),
					answered.depth({asks: [[1, 1]]}, at(40)),
				],
			],
		],
		at(30),
	);
	const reader = readSample(path);
	expect(reader.tradeExtent(symbol)?.first).toBe(at(24));
});

test('alerts, texts of numbers and failures that are older are removed', () => {
	const path = join(temporaryFolder(), 'sample.twr');
	const {recorder, db} = openSample(path);
	const more = {rounded: 1, sentNumbers: ['0.1000000000000000000001']};
	const book = {asks: [[1, 1]]} as const;
	recorder.add(answered.depth(book, at(0), more));
	recorder.addAlert({time: at(1), symbol, rule: 'last > 1', message: 'first'});
	for (const second of [2, 3, 4]) recorder.add(failed({ask: 'depth', market: symbol}, at(second)));
	recorder.addAlert({time: at(10), symbol, rule: 'last > 1', message: 'second'});
	recorder.add(answered.depth(book, at(6), more));
	recorder.flush(at(9));
	recorder.trim(at(5));
	recorder.add(answered.depth(book, at(11), more));
	recorder.end(at(12));
	closeRecorded(db);
	expect(query(path, 'SELECT id, error FROM answer')).toEqual([
		{id: 1, error: null},
		{id: 4, error: 'timeout'},
		{id: 5, error: null},
		{id: 6, error: null},
	]);
	expect(query(path, 'SELECT message FROM alert')).toEqual([{message: 'second'}]);
	expect(query(path, 'SELECT answer FROM sent_number')).toEqual([{answer: 6}]);
});

test('nothing is removed that is newer, also if a clock was wrong', () => {
	const outcomes = minute(at(3600));
	const path = trimmed(
		[
			[at(3600), outcomes],
			[startedAt, minute(startedAt)],
		],
		at(600),
	);
	expect(query(path, 'SELECT count(*) AS count FROM answer')).toEqual([{count: 2 * outcomes.length + 1}]);
});

test('the ids of answers do not begin anew after all are removed', () => {
	const path = trimmed([[startedAt, minute(startedAt)]], at(900));
	expect(query(path, 'SELECT max(id) AS id FROM answer')).toEqual([{id: 26}]);
	expect(query(path, 'PRAGMA integrity_check')).toEqual([{integrity_check: 'ok'}]);
	recordSample(minute(at(2000)), path, at(2000));
	expect(query(path, 'SELECT min(id) AS id FROM answer WHERE session = 2')).toEqual([{id: 27}]);
});

test('a recording can be trimmed again and again while it is recorded', () => {
	const {recorder, db, path} = openSample();
	for (let count = 0; count < 10; count++) {
		for (const outcome of minute(at(count * 60))) recorder.add(outcome);
		recorder.flush(at(count * 60 + 59));
		recorder.trim(at(count * 60 - 60));
	}

	recorder.end(at(600));
	closeRecorded(db);
	expect(query(path, 'SELECT count(*) AS count FROM answer')).toEqual([{count: 50 + 5}]);
	expect(query(path, 'SELECT count(DISTINCT answer) AS count FROM best')).toEqual([{count: 13}]);
});
