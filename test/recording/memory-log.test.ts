import {expect, test} from 'vitest';
import type {Level, Trade} from '../../source/market/types.ts';
import {hourMs, minuteMs, secondMs} from '../../source/market/units.ts';
import {createMemoryLog} from '../../source/recording/memory-log.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {answered, failed, startedAt, symbol} from './recordings.ts';

const openLog = (keepMs = hourMs, mostBytes?: number) => {
	const clock = createFakeClock(startedAt);
	return {clock, log: createMemoryLog({clock, keepMs, intervals: pollIntervals(), mostBytes})};
};

const depth = {ask: 'depth', market: symbol} as const;
const trades = {ask: 'trades', market: symbol} as const;
const bookOf = (ask: number) => ({asks: [[ask, 1]] as readonly Level[], bids: [[ask - 1, 1]] as readonly Level[]});
const tradeOf = (id: number, time: number): Trade => ({
	...{id: String(id), time, price: 60_000 + (id % 97), quantity: 1 + (id % 7), side: 'buy', sideText: 'buy'},
});

test('is bounded with 20 trades a second and books of 5,000 levels, and has all since its start', () => {
	const mostBytes = 150_000;
	const {clock, log} = openLog(hourMs, mostBytes);
	const sizes = (second: number) => (index: number) =>
		1 + ((index * 31 + (index % 50 === second % 50 ? second : 0)) % 977);
	const side = (second: number, sign: 1 | -1) =>
		Array.from({length: 5000}, (_, index): Level => [60_000 + sign * (index + 1), sizes(second)(index)]);
	const bookAt = (second: number) => ({asks: side(second, 1), bids: side(second, -1)});
	for (let second = 0; second < 150; second++) {
		const now = clock.now();
		log.add(answered.depth(bookAt(second), now));
		const page = Array.from({length: 100}, (_, index) => tradeOf(second * 20 + 100 - index, now - index * 50));
		log.add(answered.trades(page, now));
		expect(log.bytes()).toBeLessThanOrEqual(mostBytes);
		clock.jump(secondMs);
	}

	const [session] = log.sessions();
	const {from = 0, to = 0} = session ?? {};
	expect([from > startedAt, to]).toEqual([true, clock.now()]);
	for (const share of [0, 0.3, 0.7, 1]) {
		const second = Math.ceil((from + share * (to - from) - startedAt) / secondMs - share);
		const id = log.idAt(1, startedAt + second * secondMs);
		expect(log.data({ask: 'depth', market: symbol}, id)).toEqual(bookAt(second));
		expect(log.tape(symbol, id, 20).trades[0]?.id).toBe(String(second * 20 + 100));
	}
});

test('keeps what it was given for as long as wanted, and lists that are read rarely', () => {
	const {clock, log} = openLog(minuteMs);
	log.add(answered.markets([{symbol, state: 'active'}], clock.now()));
	for (let second = 0; second < 7200; second++) {
		log.add(answered.depth(bookOf(second + 2), clock.now()));
		clock.jump(secondMs);
	}

	const [{from, to} = {from: 0, to: 0}] = log.sessions();
	expect([to, to - from <= 2 * minuteMs]).toEqual([clock.now(), true]);
	expect(log.bytes()).toBeLessThan(300_000);
	expect(log.data({ask: 'markets'}, log.idAt(1, to))).toEqual([{symbol, state: 'active'}]);
	for (const moment of [from, from + minuteMs / 2, to]) {
		const second = Math.min(Math.floor((moment - startedAt) / secondMs), 7199);
		expect(log.data({ask: 'depth', market: symbol}, log.idAt(1, moment)).asks).toEqual([[second + 2, 1]]);
	}
});

test('forgets markets that are not read any more', () => {
	const {clock, log} = openLog(minuteMs);
	for (let market = 0; market < 500; market++) {
		log.add(answered.depth(bookOf(2), clock.now(), {}, `M${market}`));
		clock.jump(10 * secondMs);
	}

	expect(log.next(1, {ask: 'depth', market: 'M0'}, 0)).toBeUndefined();
	expect(log.bytes()).toBeLessThan(30_000);
});

test('begins with the first read, as nothing was shown before', () => {
	const {clock, log} = openLog();
	expect(log.sessions()).toEqual([]);
	clock.jump(secondMs);
	log.add(answered.depth(bookOf(5), clock.now()));
	clock.jump(secondMs);
	expect(log.sessions()).toMatchObject([{id: 1, from: startedAt + secondMs, to: clock.now()}]);
	clock.jump(-minuteMs);
	log.add(answered.depth(bookOf(7), clock.now()));
	expect(log.sessions().map(({id}) => id)).toEqual([1, 2]);
});

test('a clock that is set back begins another session, whose reads do not mix with those before', () => {
	const {clock, log} = openLog();
	log.add(answered.depth(bookOf(5), clock.now()));
	clock.jump(-minuteMs);
	log.add(answered.depth(bookOf(7), clock.now()));
	expect(log.sessions().map(({id, from}) => [id, from])).toEqual([
		[1, startedAt],
		[2, startedAt - minuteMs],
	]);
	const last = (session: number) => log.last(session, depth, log.idAt(session, startedAt), {from: 0, count: 9});
	const asks = [1, 2].map(session =>
		last(session).map(({id}) => log.data({ask: 'depth', market: symbol}, id).asks[0]?.[0]),
	);
	expect(asks).toEqual([[5], [7]]);
	expect(log.next(1, depth, last(1)[0]?.id ?? 0)).toBeUndefined();
});

test('keeps failures, since when reads fail, and what was missing', () => {
	const {clock, log} = openLog();
	log.add(answered.trades([tradeOf(1, startedAt)], startedAt));
	for (const second of [6, 12, 18])
		log.add(failed(trades, startedAt + second * secondMs), startedAt + second * secondMs);
	clock.jump(20 * secondMs);
	log.add(answered.trades([tradeOf(2, startedAt), tradeOf(1, startedAt)], clock.now()));
	const reads = log.last(1, trades, log.idAt(1, clock.now()), {from: 0, count: 9});
	expect(reads.map(read => ('failure' in read ? read.failure.kind : 'answer'))).toEqual([
		...['answer', 'timeout', 'timeout', 'timeout', 'answer'],
	]);
	expect(log.failingSince(1, trades, reads[3]?.id ?? 0)).toBe(startedAt + 6 * secondMs);
	expect(log.gaps()).toEqual([{symbol, operation: 'trades', from: startedAt, to: clock.now(), reason: 'timeout'}]);
});

test('has a market under its listed name that was asked for in another spelling', () => {
	const {clock, log} = openLog();
	log.add(answered.depth(bookOf(5), clock.now(), {}, 'btc-usdt'));
	log.add(answered.markets([{symbol, state: 'active'}], clock.now()));
	expect(log.data({ask: 'depth', market: symbol}, log.idAt(1, clock.now())).asks).toEqual([[5, 1]]);
	clock.jump(minuteMs);
	log.add(answered.depth(bookOf(6), clock.now()));
	expect(log.gaps().map(gap => gap.symbol)).toEqual([symbol]);
});

test('has tickers, and those that changed, of a hostile name too', () => {
	const {clock, log} = openLog();
	const ticker = (last: number) => [
		{symbol: '__proto__', state: 'active', last: 1},
		{symbol, state: 'active', last},
	];
	for (const last of [1, 2, 2]) {
		log.add(answered.ticker(ticker(last), clock.now()));
		clock.jump(5 * secondMs);
	}

	log.add(answered.ticker([{symbol, state: 'active'}], clock.now()));
	const reads = log.last(1, {ask: 'tickers'}, log.idAt(1, clock.now()), {from: 0, count: 9});
	expect(reads.map(({id}) => log.data({ask: 'tickers'}, id).map(each => each.last))).toEqual([
		[1, 1],
		[1, 2],
		[1, 2],
		[undefined],
	]);
});

test('has each list whole, also where an entry did not change for long', () => {
	const {clock, log} = openLog();
	const list = (last: number) =>
		Array.from({length: 300}, (_, index) => ({symbol: `M${index}`, state: 'active', last: index % 3 ? index : last}));
	for (let last = 1; last <= 60; last++) {
		log.add(answered.ticker(list(last), clock.now()));
		clock.jump(5 * secondMs);
	}

	const reads = log.last(1, {ask: 'tickers'}, log.idAt(1, clock.now()), {from: 0, count: 99});
	expect(reads.map(({id}) => log.data({ask: 'tickers'}, id))).toEqual(reads.map((_, index) => list(index + 1)));
});

test('a clock that is set back by a second moves nothing of the past', () => {
	const {clock, log} = openLog();
	for (const ask of [5, 6, 7]) {
		log.add(answered.depth(bookOf(ask), clock.now()));
		clock.jump(ask === 5 ? -secondMs : secondMs);
	}

	const reads = log.last(1, depth, log.idAt(1, clock.now()), {from: 0, count: 9});
	expect(reads.map(({endedAt}) => endedAt - startedAt)).toEqual([0, 0, 0]);
});

test('has what was read since it was read last', () => {
	const {clock, log} = openLog();
	for (const ask of [5, 6, 7]) {
		log.add(answered.depth(bookOf(ask), clock.now()));
		log.add(answered.ticker([{symbol, state: 'active', last: ask}], clock.now()));
		log.add(answered.trades([tradeOf(ask, clock.now())], clock.now()));
		const id = log.idAt(1, clock.now());
		const lists = [log.data({ask: 'tickers'}, id)[0]?.last, log.tape(symbol, id, 1).trades[0]?.id];
		expect([log.data(depth, id).asks[0]?.[0], ...lists]).toEqual([ask, ask, String(ask)]);
		expect(log.last(1, trades, id, {from: 0, count: 9})).toHaveLength(ask - 4);
		clock.jump(secondMs);
	}
});

test('has all candles, also where an answer has the newest ones alone, and those that it changed', () => {
	const {clock, log} = openLog();
	const candle = (minute: number, close: number) => ({
		...{time: startedAt + minute * minuteMs, open: 1, high: 9, low: 1, close, volume: 1},
	});
	log.add(answered.candles([candle(0, 2), candle(1, 3)], clock.now()));
	clock.jump(minuteMs);
	log.add(answered.candles([candle(1, 3), candle(2, 4)], clock.now()));
	const question = {ask: 'candles', market: symbol, period: 1} as const;
	const [{id} = {id: 0}] = log.last(1, question, log.idAt(1, clock.now()), {from: 0, count: 1});
	expect(log.data(question, id)).toEqual([candle(0, 2), candle(1, 3), candle(2, 4)]);
	expect(log.changedCandles(question, id)).toEqual([candle(2, 4)]);
});

test('says why a book has no bids', () => {
	const {clock, log} = openLog();
	const {failure} = failed(depth, clock.now());
	log.add(answered.depth({asks: [[5, 1]], bidsFailure: failure}, clock.now()));
	const {asks, bids, bidsFailure} = log.data(depth, log.idAt(1, clock.now()));
	expect([asks, bids, bidsFailure?.message]).toEqual([[[5, 1]], undefined, failure.message]);
});

test('forgets where trades are missing as long ago as it keeps nothing', () => {
	const {clock, log} = openLog(minuteMs);
	const page = (from: number) => Array.from({length: 100}, (_, index) => tradeOf(from - index, clock.now() - index));
	for (const from of [1100, 1300]) {
		log.add(answered.trades(page(from), clock.now()));
		clock.jump(secondMs);
	}

	expect(log.gaps().map(({reason}) => reason)).toEqual(['more trades than a page']);
	clock.jump(2 * minuteMs);
	log.add(answered.trades(page(1310), clock.now()));
	expect(log.gaps().map(({reason}) => reason)).not.toContain('more trades than a page');
});
