import {expect, test} from 'vitest';
import type {Exchange} from '../../source/client/exchange.ts';
import {withMiddleware} from '../../source/client/middleware.ts';
import type {Outcome} from '../../source/recording/outcome-log.ts';
import {createLatestReads, recordedIn} from '../../source/recording/recording-exchange.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../helpers/fake-exchange.ts';
import {aborted, book, candle, info, market, ticker, timeout, trade, tradePage} from '../store/samples.ts';
import {answered, failed} from './recordings.ts';

const now = 1_000_000;

function setUp() {
	const clock = createFakeClock(now);
	const fake = createFakeExchange(clock);
	const outcomes: Outcome[] = [];
	const exchange = withMiddleware(fake, recordedIn({add: outcome => outcomes.push(outcome)}, clock));
	return {clock, fake, exchange, outcomes};
}

const data = {
	...{info, markets: [market('BTCUSDT')], tickers: [ticker('BTCUSDT')], depth: book(100)},
	...{trades: tradePage(3, 3, now), candles: [candle(now)]},
};

const cases: ReadonlyArray<{
	readonly name: keyof typeof data;
	readonly read: (exchange: Exchange) => Promise<unknown>;
	readonly question: object;
}> = [
	{name: 'info', read: exchange => exchange.info(), question: {ask: 'info'}},
	{name: 'markets', read: exchange => exchange.markets({}), question: {ask: 'markets'}},
	{name: 'tickers', read: exchange => exchange.tickers({use: 'v2'}), question: {ask: 'tickers'}},
	{name: 'depth', read: exchange => exchange.depth('X'), question: {ask: 'depth', market: 'X'}},
	{
		name: 'trades',
		read: exchange => exchange.trades('X', {limit: 5}),
		question: {ask: 'trades', market: 'X', limit: 5},
	},
	{
		name: 'candles',
		read: exchange => exchange.candles('X', {period: 5, limit: 5}),
		question: {ask: 'candles', market: 'X', period: 5, limit: 5},
	},
];

/** Settles the last call of the fake exchange. */
const answer = (fake: FakeExchange, name: keyof typeof data) => fake.last(name).answer(data[name] as never);

test.each(cases)('passes on the answer to $name and adds it', async ({name, read, question}) => {
	const {clock, fake, exchange, outcomes} = setUp();
	const reading = read(exchange);
	await clock.advance(40);
	answer(fake, name);
	const answered = await reading;
	expect(answered).toMatchObject({data: data[name], receivedAt: now + 40});
	expect(outcomes).toEqual([{question, sentAt: now, endedAt: now + 40, answer: answered}]);
});

test.each(cases)('passes on the failure of $name and adds it', async ({name, read, question}) => {
	const {clock, fake, exchange, outcomes} = setUp();
	const reading = read(exchange);
	await clock.advance(5000);
	const error = timeout('depth');
	fake.last(name).fail(error);
	await expect(reading).rejects.toBe(error);
	const {kind, operation, interface: from, brief, message, words} = error;
	const failure = {kind, operation, interface: from, brief, message, words};
	expect(outcomes).toEqual([{question, sentAt: now, endedAt: now + 5000, failure}]);
});

test('does not add what was aborted, or trades by the id of a market', async () => {
	const {fake, exchange, outcomes} = setUp();
	const reading = exchange.depth('X');
	fake.last('depth').fail(aborted());
	await expect(reading).rejects.toThrow('aborted');
	const byId = exchange.trades({id: '17'});
	answer(fake, 'trades');
	await byId;
	expect(outcomes).toEqual([]);
});

test('passes on the options, and says when a request was sent', async () => {
	const {fake, exchange} = setUp();
	const {signal} = new AbortController();
	let sent = 0;
	void exchange.trades('X', {limit: 7, signal, use: 'legacy', priority: 2, onSent: () => sent++});
	expect(fake.last('trades').options).toMatchObject({limit: 7, signal, use: 'legacy', priority: 2});
	expect(sent).toBe(1);
});

test('of a read that was never sent, the request has the time of the failure', async () => {
	const {clock, outcomes} = setUp();
	const refusing = withMiddleware(createFakeExchange(clock), () => () => Promise.reject(timeout()));
	const exchange = withMiddleware(refusing, recordedIn({add: outcome => outcomes.push(outcome)}, clock));
	await expect(exchange.depth('X')).rejects.toThrow();
	expect(outcomes).toMatchObject([{sentAt: now, endedAt: now}]);
});

test('keeps the last answer to each read that is not repeated soon, in the order in which they were known', () => {
	const reads = createLatestReads();
	const markets = answered.markets([market('BTCUSDT')], now);
	const tickers = [1, 2].map(last => answered.ticker([ticker('BTCUSDT', last)], now + last));
	const [minutes, hours] = [1, 60].map(period => answered.candles([candle(now)], now, period));
	const known = [markets, minutes, tickers[0], hours, tickers[1]].flatMap(read => read ?? []);
	for (const read of known) reads.add(read);
	reads.add(answered.depth(book(1), now));
	reads.add(answered.trades([trade(1, now)], now));
	reads.add(failed({ask: 'markets'}, now));
	expect(reads.all()).toEqual([markets, minutes, hours, tickers[1]]);
});

test('keeps 50 answers, the newest', () => {
	const reads = createLatestReads();
	for (let period = 1; period <= 60; period++) reads.add(answered.candles([candle(now)], now, period));
	expect(reads.all().map(({question}) => 'period' in question && question.period)).toEqual(
		Array.from({length: 50}, (_, index) => index + 11),
	);
});
