import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {DepthBook} from '../../source/market/types.ts';
import {createRecorder} from '../../source/recording/recorder.ts';
import {closeRecorded, openToRecord} from '../../source/recording/recording-file.ts';
import {openRecording} from '../../source/recording/recording-reader.ts';
import {candle, info, market, ticker, timeout, trade, tradePage} from '../store/samples.ts';
import {
	answered,
	exchange,
	failed,
	noneAlive,
	openSample,
	query,
	recordSample,
	start,
	startedAt,
	symbol,
} from './recordings.ts';

const at = (seconds: number) => startedAt + seconds * 1000;
const book: DepthBook = {asks: [[101.5, 2]], bids: [[100.25, 3]]};

test('the view trades has every trade once, as the exchange sent it', () => {
	const path = recordSample([
		answered.trades([trade(12, at(0), 100.5, 0.25), trade(11, at(-1), 100.25, 3)], at(1)),
		answered.trades([{...trade(13, at(1), 1e-9, 7), side: 'sell'}, trade(12, at(0), 100.5, 0.25)], at(2)),
		answered.trades([{id: 'a-1', time: at(2), price: 5, quantity: 1e15, sideText: 'odd'}, trade(13, at(1))], at(3)),
	]);
	expect(query(path, 'SELECT * FROM trades ORDER BY answer, time')).toEqual([
		{market: symbol, time: at(-1), id: '11', price: 100.25, quantity: 3, side: 'buy', interface: 'v2', answer: 1},
		{market: symbol, time: at(0), id: '12', price: 100.5, quantity: 0.25, side: 'buy', interface: 'v2', answer: 1},
		{market: symbol, time: at(1), id: '13', price: 1e-9, quantity: 7, side: 'sell', interface: 'v2', answer: 2},
		{market: symbol, time: at(2), id: 'a-1', price: 5, quantity: 1e15, side: null, interface: 'v2', answer: 3},
	]);
});

test('the view best has the best prices of every book, also of one without bids', () => {
	const path = recordSample([
		answered.depth(book, at(1)),
		answered.depth({asks: [[102, 1]]}, at(2)),
		failed({ask: 'depth', market: symbol}, at(3)),
		answered.depth({asks: [], bids: []}, at(4)),
	]);
	expect(query(path, 'SELECT * FROM best')).toEqual([
		{market: symbol, time: at(1), bid: 100.25, ask: 101.5, answer: 1},
		{market: symbol, time: at(2), bid: null, ask: 102, answer: 2},
		{market: symbol, time: at(4), bid: null, ask: null, answer: 4},
	]);
});

test('the view candles has each candle as it became', () => {
	const [first, second] = [at(0), at(60)];
	const path = recordSample([
		answered.candles([candle(first, 100, 1)], at(1)),
		answered.candles([candle(first, 101, 2), candle(second, 102, 1)], at(61)),
		answered.candles([candle(first, 90, 9)], at(62), 5),
	]);
	const row = (period: number, time: number, price: number, volume: number) => ({
		...{market: symbol, period, time, open: price, high: price, low: price, close: price, volume},
	});
	expect(query(path, 'SELECT * FROM candles')).toEqual([
		row(1, first, 101, 2),
		row(1, second, 102, 1),
		row(5, first, 90, 9),
	]);
	expect(query(path, 'SELECT count(*) AS count FROM candle')).toEqual([{count: 4}]);
});

test('the view gaps has each stretch of more than 10 s without data, and why', () => {
	const path = recordSample([
		answered.depth(book, at(0)),
		answered.depth(book, at(10)),
		answered.depth(book, at(21)),
		failed({ask: 'depth', market: symbol}, at(27)),
		failed({ask: 'trades', market: symbol}, at(30)),
		answered.depth(book, at(40)),
	]);
	recordSample([answered.depth(book, at(100))], path, at(99));
	expect(query(path, 'SELECT * FROM gaps')).toEqual([
		{market: symbol, operation: 'depth', from_time: at(10), to_time: at(21), reason: 'not recorded'},
		{market: symbol, operation: 'depth', from_time: at(21), to_time: at(40), reason: 'timeout'},
		{market: symbol, operation: 'depth', from_time: at(40), to_time: at(100), reason: 'not recorded'},
	]);
});

test('a recorder that polls rarely has a gap only where more than three of its polls are missing', () => {
	const options = {intervalsMs: {depth: 20_000}};
	const reads = [0, 20, 80, 141].map(seconds => answered.depth(book, at(seconds)));
	const path = recordSample(reads, undefined, at(0), options);
	const gap = {operation: 'depth', from: at(80), to: at(141), reason: 'not recorded'} as const;
	expect(query(path, 'SELECT from_time, to_time FROM gaps')).toEqual([{from_time: gap.from, to_time: gap.to}]);
	const reader = openRecording(path);
	expect([reader.gaps(), reader.intervals(1).depth, reader.intervals(1).trades]).toEqual([
		[{symbol, ...gap}],
		20_000,
		1000,
	]);
	reader.close();
});

test('the table answer has how every read ended', () => {
	const {recorder, db, path} = openSample();
	recorder.add({
		question: {ask: 'info'},
		...{sentAt: at(0), endedAt: at(1)},
		answer: {data: info, interface: 'v2', receivedAt: at(1), dropped: 0},
	});
	const more = {
		serverTime: at(2) + 250,
		dropped: 3,
		rounded: 1,
		preferredFailure: timeout('depth'),
		interface: 'legacy',
	} as const;
	recorder.add(answered.depth({...book, bidsFailure: timeout()}, at(2), more));
	recorder.add(failed({ask: 'candles', market: symbol, period: 5}, at(3)));
	recorder.end(at(4));
	closeRecorded(db);
	const failure = {
		...{kind: 'timeout', operation: 'depth', interface: 'v2', brief: 'timed out', message: timeout().message},
		words: timeout().words,
	};
	const none = {period: null, symbol: null, server_time: null, dropped: 0, bid: null, ask: null, error: null};
	const rows = query(path, 'SELECT * FROM answer').map(({notes, ...row}) => ({
		...row,
		notes: JSON.parse(String(notes)),
	}));
	expect(rows).toEqual([
		{...none, id: 1, session: 1, operation: 'info', interface: 'v2', received_at: at(1), took: 1000, notes: {info}},
		{
			...{
				id: 2,
				session: 1,
				operation: 'depth',
				symbol: 1,
				period: null,
				interface: 'legacy',
				received_at: at(2),
				took: 40,
			},
			...{server_time: at(2) + 250, dropped: 3, bid: 100.25, ask: 101.5, error: null},
			notes: {rounded: 1, preferredFailure: failure, bidsFailure: failure},
		},
		{
			...{...none, id: 3, session: 1, operation: 'candles', symbol: 1, period: 5, interface: 'v2', received_at: at(3)},
			...{took: 5000, error: 'timeout'},
			notes: {
				...{kind: 'timeout', operation: 'candles', interface: 'v2', brief: 'timed out'},
				message: 'no complete answer within 5000 ms (v2 candles)',
			},
		},
	]);
	expect(recorder.counts).toEqual({answers: 2, failures: 1, trades: 0, books: 1, gaps: 0});
	const [session] = query(path, 'SELECT * FROM session');
	expect(session).toEqual({
		...{id: 1, from_time: startedAt, to_time: at(4), clock_skew: 250, version: '1.2.3', host: null, process: null},
		options: '{"markets":["BTCUSDT"]}',
	});
});

test('of tickers and markets only what changed is written, and what is listed no more', () => {
	const path = recordSample([
		answered.markets([market('BTCUSDT'), market('ETHUSDT')], at(0)),
		answered.ticker([ticker('BTCUSDT', 1), ticker('ETHUSDT', 2)], at(1)),
		answered.ticker([ticker('BTCUSDT', 1), ticker('ETHUSDT', 3)], at(2)),
		answered.ticker([ticker('BTCUSDT', 1)], at(3)),
		answered.markets([market('BTCUSDT')], at(4)),
	]);
	const rows = query(
		path,
		'SELECT answer, name, last, state FROM ticker JOIN symbol ON id = symbol ORDER BY answer, name',
	);
	expect(rows).toEqual([
		{answer: 2, name: 'BTCUSDT', last: 1, state: 'active'},
		{answer: 2, name: 'ETHUSDT', last: 2, state: 'active'},
		{answer: 3, name: 'ETHUSDT', last: 3, state: 'active'},
		{answer: 4, name: 'ETHUSDT', last: null, state: null},
	]);
	expect(query(path, 'SELECT answer, symbol, place, state FROM market ORDER BY answer, symbol')).toEqual([
		{answer: 1, symbol: 1, place: 0, state: 'active'},
		{answer: 1, symbol: 2, place: 1, state: 'active'},
		{answer: 5, symbol: 2, place: -1, state: null},
	]);
});

test('two pairs of one concatenated name stay two markets, also before a list names them', () => {
	const path = recordSample([
		answered.trades([trade(1, at(0), 300)], at(1), {}, 'AB_USD'),
		answered.trades([trade(1, at(0), 1.5)], at(2), {}, 'A_BUSD'),
		answered.trades([trade(2, at(1), 301)], at(3), {}, 'AB_USD'),
	]);
	expect(query(path, 'SELECT market, price FROM trades ORDER BY answer')).toEqual([
		{market: 'AB_USD', price: 300},
		{market: 'A_BUSD', price: 1.5},
		{market: 'AB_USD', price: 301},
	]);
});

test('a market is one, however it is spelled, under the name that the exchange lists', () => {
	const path = recordSample([
		answered.depth(book, at(0), {}, 'btc-usdt'),
		answered.markets([market('BTCUSDT'), market('ETHUSDT')], at(1)),
		answered.depth(book, at(2), {}, 'BTCUSDT'),
		answered.depth(book, at(3), {}, 'eth/usdt'),
	]);
	expect(query(path, 'SELECT * FROM symbol')).toEqual([
		{id: 1, name: 'BTCUSDT'},
		{id: 2, name: 'ETHUSDT'},
	]);
	expect(query(path, 'SELECT market, count(*) AS books FROM best GROUP BY market')).toEqual([
		{market: 'BTCUSDT', books: 2},
		{market: 'ETHUSDT', books: 1},
	]);
});

test('a second recorder appends a session, with its own whole lists, and writes no trade again', () => {
	const path = recordSample([
		answered.ticker([ticker(symbol)], at(0)),
		answered.trades(tradePage(20, 20, at(0)), at(1)),
	]);
	recordSample(
		[answered.ticker([ticker(symbol)], at(60)), answered.trades(tradePage(25, 10, at(5)), at(61))],
		path,
		at(59),
	);
	expect(query(path, 'SELECT id, from_time, to_time FROM session')).toEqual([
		{id: 1, from_time: startedAt, to_time: at(1)},
		{id: 2, from_time: at(59), to_time: at(61)},
	]);
	expect(query(path, 'SELECT answer, count(*) AS count FROM trades GROUP BY answer')).toEqual([
		{answer: 2, count: 20},
		{answer: 4, count: 5},
	]);
	expect(query(path, 'SELECT answer FROM ticker')).toEqual([{answer: 1}, {answer: 3}]);
	expect(query(path, 'SELECT gaps FROM trade')).toEqual([{gaps: null}, {gaps: null}]);
});

test('the trades of each interface are written once, though ids of the two may be equal', () => {
	const legacy = {interface: 'legacy'} as const;
	const path = recordSample([
		answered.trades(tradePage(20, 5, at(0)), at(0)),
		answered.trades(tradePage(20, 5, at(0)), at(1), legacy),
		answered.trades(tradePage(21, 5, at(1)), at(2)),
	]);
	recordSample([answered.trades(tradePage(21, 5, at(1)), at(9), legacy)], path, at(8));
	expect(query(path, 'SELECT interface, answer, count(*) AS count FROM trades GROUP BY answer')).toEqual([
		{interface: 'v2', answer: 1, count: 5},
		{interface: 'legacy', answer: 2, count: 5},
		{interface: 'v2', answer: 3, count: 1},
		{interface: 'legacy', answer: 4, count: 1},
	]);
});

test('a gap stays where it was known, and the answer that closed it says so', () => {
	const path = recordSample([
		answered.trades(tradePage(20, 5, at(20)), at(20)),
		answered.trades(tradePage(40, 5, at(40)), at(40)),
		answered.trades(tradePage(41, 30, at(41)), at(41)),
	]);
	expect(query(path, 'SELECT answer, first_id, gaps, closed_gaps FROM trade')).toEqual([
		{answer: 1, first_id: '16', gaps: null, closed_gaps: null},
		{answer: 2, first_id: '36', gaps: '[0]', closed_gaps: null},
		// Those older than the first page, those that were missing, and a new one.
		{answer: 3, first_id: '12', gaps: null, closed_gaps: '["36"]'},
	]);
	recordSample([answered.trades(tradePage(42, 30, at(42)), at(50))], path, at(49));
	expect(query(path, 'SELECT count(*) AS count, sum(gaps IS NOT NULL) AS gaps FROM trade')).toEqual([
		{count: 4, gaps: 1},
	]);
	expect(query(path, 'SELECT count(DISTINCT id) AS ids, count(*) AS count FROM trades')).toEqual([
		{ids: 31, count: 31},
	]);
});

test('a gap stays that so many trades followed that it is not looked at any more', () => {
	const page = (newest: number) => answered.trades(tradePage(newest, 1000, at(newest)), at(newest));
	const path = recordSample([answered.trades(tradePage(20, 5, at(20)), at(20)), ...[1999, 2998, 3997, 4996].map(page)]);
	expect(
		query(path, 'SELECT answer, gaps, closed_gaps FROM trade WHERE coalesce(gaps, closed_gaps) IS NOT NULL'),
	).toEqual([{answer: 2, gaps: '[0]', closed_gaps: null}]);
});

test('a clock that is set back begins another session, once, with whole lists', () => {
	const path = recordSample([
		answered.ticker([ticker(symbol)], at(0)),
		answered.depth(book, at(100)),
		answered.depth(book, at(50)),
		answered.ticker([ticker(symbol)], at(51)),
		answered.depth(book, at(52)),
		// By less than 2 s: the order of answers.
		answered.depth(book, at(51)),
		answered.depth(book, at(53)),
	]);
	expect(query(path, 'SELECT id, from_time, to_time, process FROM session')).toEqual([
		{id: 1, from_time: startedAt, to_time: at(100), process: null},
		{id: 2, from_time: at(50), to_time: at(53), process: null},
	]);
	expect(query(path, 'SELECT session, received_at, notes FROM answer')).toEqual([
		{session: 1, received_at: at(0), notes: null},
		{session: 1, received_at: at(100), notes: null},
		{session: 2, received_at: at(50), notes: null},
		{session: 2, received_at: at(51), notes: null},
		{session: 2, received_at: at(52), notes: null},
		{session: 2, received_at: at(52), notes: `{"receivedAt":${at(51)}}`},
		{session: 2, received_at: at(53), notes: null},
	]);
	expect(query(path, 'SELECT answer FROM ticker')).toEqual([{answer: 1}, {answer: 4}]);
	expect(query(path, 'SELECT answer FROM book')).toEqual([{answer: 2}, {answer: 3}]);
});

test('an answer that was kept back has the time at which it was known', () => {
	const {recorder, db, path} = openSample();
	recorder.add(answered.depth(book, at(1)), at(5));
	recorder.add(answered.depth(book, at(6)), at(6) + 3);
	recorder.end(at(7));
	closeRecorded(db);
	expect(query(path, 'SELECT received_at, took, notes FROM answer')).toEqual([
		{received_at: at(5), took: 40, notes: `{"receivedAt":${at(1)}}`},
		{received_at: at(6), took: 40, notes: null},
	]);
});

test('the texts of rounded numbers are written once', () => {
	const more = {rounded: 1, sentNumbers: ['0.12345678901234567890', '1e400']};
	const path = recordSample([answered.depth(book, at(1), more), answered.depth(book, at(2), more)]);
	expect(query(path, 'SELECT * FROM sent_number ORDER BY text')).toEqual([
		{answer: 1, value: 0.12345678901234568, text: '0.12345678901234567890'},
		{answer: 1, value: Infinity, text: '1e400'},
	]);
});

test('calls of alerts are written with their market', () => {
	const {recorder, db, path} = openSample();
	recorder.addAlert({time: at(1), symbol: 'btc/usdt', rule: 'last > 1', message: 'last 2'});
	recorder.add(answered.markets([market(symbol)], at(2)));
	recorder.end(at(3));
	closeRecorded(db);
	expect(query(path, 'SELECT name, time, rule, message FROM alert JOIN symbol ON id = symbol')).toEqual([
		{name: symbol, time: at(1), rule: 'last > 1', message: 'last 2'},
	]);
});

test('a flush that another recorder overtook fails and changes nothing', () => {
	const {recorder, db, path} = openSample();
	recorder.add(answered.depth(book, at(1)));
	recorder.flush(at(1));
	// As a process that was stopped for long: it counts as dead.
	const other = openToRecord(path, exchange, start(at(60)), noneAlive);
	const second = createRecorder(other, start(at(60)));
	second.add(answered.depth(book, at(61)));
	second.end(at(62));
	other.close();
	recorder.add(answered.depth(book, at(70)));
	expect(() => recorder.flush(at(70))).toThrow('another program records into the file');
	db.close();
	expect(query(path, 'SELECT session, received_at FROM answer')).toEqual([
		{session: 1, received_at: at(1)},
		{session: 2, received_at: at(61)},
	]);
});

test('a file that ended is one file, also if somebody read it meanwhile', () => {
	const path = recordSample([answered.depth(book, at(1))]);
	expect(query(path, 'PRAGMA journal_mode')).toEqual([{journal_mode: 'delete'}]);
	const {recorder, db} = openSample(path, at(10));
	const reader = openToRecord(join(path, '..', 'other.twr'), exchange, start(), noneAlive);
	reader.exec(`ATTACH '${path}' AS read; BEGIN; SELECT count(*) FROM read.answer`);
	recorder.end(at(11));
	closeRecorded(db);
	reader.close();
	expect(query(path, 'SELECT count(*) AS count FROM session')).toEqual([{count: 2}]);
});
