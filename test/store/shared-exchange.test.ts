import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {AbortedError, type ExchangeError} from '../../source/client/errors.ts';
import type {Answer, CallOptions, Exchange} from '../../source/client/exchange.ts';
import type {Candle, DepthBook} from '../../source/market/types.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import {createSharedExchange} from '../../source/store/shared-exchange.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../helpers/fake-exchange.ts';
import {aborted, book, candle, info, market, ticker, timeout, tooMany, tradePage, unavailable} from './samples.ts';
import {hour, startTime} from './set-up.ts';

const minute = 60_000;

const symbol = 'BTCUSDT';

function open(leastMs = {}) {
	const clock = createFakeClock(startTime);
	const exchange = createFakeExchange(clock);
	const shared = createSharedExchange({exchange, clock, random: () => 0, intervals: pollIntervals(), leastMs});
	const calls = (name: keyof typeof exchange.calls) => exchange.calls[name].map(({at}) => at - startTime);
	return {clock, exchange, shared, calls, one: shared.join(), other: shared.join()};
}

/** What a read came to: the middle of the book, the words of its failure, or that it is open. */
function follow(read: Promise<Answer<DepthBook>>): () => number | string {
	let outcome: number | string = 'open';
	read.then(
		({data}) => {
			outcome = (data.asks[0]?.[0] ?? 0) - 1;
		},
		(error: ExchangeError) => {
			outcome = error.kind;
		},
	);
	return () => outcome;
}

const settle = () => setImmediate();

/** A read that is one of many: `after` ms after the start, the reader had the last outcome; absent: it had none. */
const since = (after = -startTime): CallOptions => ({newerThan: startTime + after});

test('a request that runs answers all who ask for the same', async () => {
	const {clock, exchange, one, other, calls} = open();
	const reads = [one.tickers(), other.tickers(), other.tickers({use: 'auto'})];
	void other.tickers({use: 'v2'});
	exchange.calls.tickers[0]?.answer([ticker(symbol)]);
	await clock.advance(0);
	const [first, ...others] = await Promise.all(reads);
	expect(others).toEqual([first, first]);
	for (const each of others) expect(each).toBe(first);
	expect(calls('tickers')).toEqual([0, 0]);
	expect(exchange.calls.tickers.map(({options}) => options.use)).toEqual(['auto', 'v2']);
});

test('an answer serves who has not had it, as long as it is young', async () => {
	const {clock, exchange, one, other, calls} = open();
	const first = follow(one.depth(symbol, since()));
	await clock.advance(50);
	exchange.last('depth').answer(book(7));
	await clock.advance(949);
	const late = [follow(other.depth(symbol, since())), follow(other.depth(symbol))];
	await clock.advance(0);
	expect([first(), ...late.map(each => each())]).toEqual([7, 7, 7]);
	await clock.advance(51);
	const later = follow(other.depth(symbol));
	await clock.advance(0);
	expect([later(), calls('depth')]).toEqual(['open', [0, 1050]]);
});

test('who has had the answer waits for the next request, which begins one interval after the last', async () => {
	const {clock, exchange, one, other, calls} = open();
	exchange.script.depth = () => book(7);
	void one.depth(symbol, since());
	await clock.advance(400);
	const next = follow(one.depth(symbol, since(0)));
	await clock.advance(300);
	const another = follow(other.depth(symbol, since(0)));
	exchange.script.depth = () => book(8);
	await clock.advance(299);
	expect([next(), another(), calls('depth')]).toEqual(['open', 'open', [0]]);
	await clock.advance(1);
	expect([next(), another(), calls('depth')]).toEqual([8, 8, [0, 1000]]);
});

test('who asks past caches waits for the next request, which goes past them for all', async () => {
	const {clock, exchange, one, other, calls} = open();
	const cached = {cache: {ageMs: 0, isHit: true, isSaid: true}};
	void one.depth(symbol, since());
	const refreshed = follow(other.depth(symbol, {...since(), fresh: true}));
	exchange.last('depth').answer(book(7), cached);
	await clock.advance(10);
	const [next, again] = [follow(one.depth(symbol, since(0))), follow(one.depth(symbol))];
	await clock.advance(800);
	expect([again(), refreshed(), next()]).toEqual([7, 'open', 'open']);
	await clock.advance(200);
	exchange.last('depth').answer(book(8), cached);
	await clock.advance(0);
	expect([refreshed(), next()]).toEqual([8, 8]);
	expect(exchange.calls.depth.map(({options}) => options.fresh)).toEqual([false, true]);
	expect(calls('depth')[0]).toBe(0);
});

test('nothing is requested that nobody reads', async () => {
	const {clock, exchange, one, calls} = open();
	exchange.script.depth = () => book(7);
	await one.depth(symbol, since());
	await clock.advance(60_000);
	expect([calls('depth'), clock.timers]).toEqual([[0], 0]);
});

test('a slow answer delays the next request to the next turn, whoever asks', async () => {
	const {clock, exchange, one, other, calls} = open();
	void one.depth(symbol, since());
	await clock.advance(1200);
	exchange.last('depth').answer(book(7));
	await clock.advance(100);
	void other.depth(symbol, since(1200));
	await clock.advance(5000);
	expect(calls('depth')).toEqual([0, 2000]);
});

test('who wants newer ones sooner gets them as often as is allowed', async () => {
	const {clock, exchange, one, calls} = open({markets: 60_000});
	exchange.script.markets = () => [market(symbol)];
	await one.markets(since());
	await clock.advance(1000);
	void one.markets(since(0));
	await clock.advance(120_000);
	await one.markets();
	expect(calls('markets')).toEqual([0, 60_000]);
});

test('an empty list is asked for again soon', async () => {
	const {clock, exchange, one, calls} = open();
	exchange.script.markets = () => [];
	await one.markets(since());
	void one.markets(since(0));
	await clock.advance(5000);
	expect(calls('markets')).toEqual([0, 5000]);
});

test('a reader that aborts does not disturb the others, and the last one aborts the request', async () => {
	const {clock, exchange, one, other} = open();
	const [first, second] = [new AbortController(), new AbortController()];
	const reads = [
		follow(one.depth(symbol, {signal: first.signal})),
		follow(other.depth(symbol, {signal: second.signal})),
	];
	const {signal} = exchange.last('depth').options;
	first.abort();
	await clock.advance(0);
	expect([reads.map(each => each()), signal?.aborted]).toEqual([['aborted', 'open'], false]);
	second.abort();
	await clock.advance(0);
	expect([reads.map(each => each()), signal?.aborted, clock.timers]).toEqual([['aborted', 'aborted'], true, 0]);
	await expect(one.depth(symbol, {signal: AbortSignal.abort()})).rejects.toThrow(AbortedError);
});

test('an aborted request is sent again a second after its start', async () => {
	const {clock, exchange, one, calls} = open();
	const stop = new AbortController();
	void one.candles(symbol, {period: 60, limit: 500, signal: stop.signal}).catch(() => {});
	await clock.advance(100);
	stop.abort();
	const again = one.candles(symbol, {period: 60, limit: 500});
	await clock.advance(5000);
	exchange.last('candles').answer([candle(startTime)]);
	expect((await again).data).toEqual([candle(startTime)]);
	expect(calls('candles')).toEqual([0, 1000]);
});

test('the request goes first whose most urgent reader does, and says to all when it is sent', () => {
	const {exchange, one, other} = open();
	const sent: string[] = [];
	void one.depth(symbol, {priority: 2, onSent: () => sent.push('first')});
	void other.depth(symbol, {priority: 0, onSent: () => sent.push('second')});
	expect([exchange.last('depth').options.priority, sent]).toEqual([2, ['first', 'second']]);
});

test('of those who wait for its turn, the most urgent one sets the priority of a request', async () => {
	const {clock, exchange, one, other} = open();
	exchange.script.depth = () => book(7);
	await one.depth(symbol, since());
	void one.depth(symbol, {...since(0), priority: 2});
	void other.depth(symbol, {...since(0), priority: 0});
	await clock.advance(1000);
	expect(exchange.last('depth').options.priority).toBe(0);
});

test('a failure is told once to each, and tried again once for all', async () => {
	const {clock, exchange, one, other, calls} = open();
	exchange.script.depth = () => timeout('depth');
	const first = follow(one.depth(symbol, since()));
	await clock.advance(500);
	const joined = follow(other.depth(symbol, since()));
	const waiting = follow(one.depth(symbol, since(0)));
	await clock.advance(0);
	expect([first(), joined(), waiting()]).toEqual(['timeout', 'timeout', 'open']);
	const both = follow(other.depth(symbol, since(500)));
	exchange.script.depth = () => book(8);
	await clock.advance(500);
	expect([waiting(), both(), calls('depth')]).toEqual([8, 8, [0, 1000]]);
});

test('while the exchange fails, who joins gets the last answer, then the failure; a single read fails', async () => {
	const {clock, exchange, one, other} = open();
	exchange.script.depth = () => book(7);
	await one.depth(symbol, since());
	exchange.script.depth = () => timeout('depth');
	for (let ms = 0; ms < 20_000; ms += 1000) {
		void one.depth(symbol, since(ms)).catch(() => {});
		await clock.advance(1000);
	}

	const joined = follow(other.depth(symbol, since()));
	await clock.advance(1);
	const next = follow(other.depth(symbol, since(20_000)));
	const single = follow(other.depth(symbol));
	await clock.advance(0);
	expect([joined(), next(), single()]).toEqual([7, 'open', 'timeout']);
});

test('what nobody has seen for a while is not shown as known when it fails to be read', async () => {
	const {clock, exchange, one, other} = open();
	exchange.script.depth = () => book(7);
	await one.depth(symbol, since());
	await clock.advance(30_000);
	exchange.script.depth = () => timeout('depth');
	const reads = [follow(one.depth(symbol, since())), follow(other.depth(symbol, since()))];
	await clock.advance(0);
	expect(reads.map(each => each())).toEqual(['timeout', 'timeout']);
});

test('a slow request does not keep from who joins what the others see', async () => {
	const {clock, exchange, one, other} = open();
	exchange.script.depth = () => book(7);
	await one.depth(symbol, since());
	delete exchange.script.depth;
	void one.depth(symbol, since(0));
	await clock.advance(4000);
	const joined = follow(other.depth(symbol, since()));
	await clock.advance(0);
	expect(joined()).toBe(7);
});

test('one read that succeeds again ends the waits of the others, unless the exchange set them', async () => {
	const {clock, exchange, one, calls} = open();
	exchange.script.depth = () => timeout('depth');
	exchange.script.tickers = () => timeout('ticker');
	exchange.script.info = () => tooMany(20_000);
	const fail = () => Promise.allSettled([one.depth(symbol, since()), one.tickers(since()), one.info(since())]);
	await fail();
	void one.tickers(since(0)).catch(() => {});
	void one.info(since(0)).catch(() => {});
	await clock.advance(900);
	exchange.script.depth = () => book(7);
	exchange.script.tickers = () => [ticker(symbol)];
	void one.depth(symbol, since(0));
	await clock.advance(100);
	expect([calls('depth'), calls('tickers'), calls('info')]).toEqual([[0, 1000], [0, 1000], [0]]);
});

test('in an outage only the most frequent read tries often', async () => {
	const {clock, exchange, one, calls} = open();
	exchange.script.depth = () => timeout('depth');
	exchange.script.trades = () => timeout('trades');
	const poll = async (read: (call: CallOptions) => Promise<unknown>) => {
		for (let had = -startTime; had < 30_000; had = clock.now() - startTime) await read(since(had)).catch(() => {});
	};
	void poll(call => one.depth(symbol, call));
	void poll(call => one.trades(symbol, {...call, limit: 50}));
	await clock.advance(30_000);
	expect(calls('depth').length).toBeGreaterThan(28);
	expect(calls('trades')).toEqual([0, 1000, 3000, 7000, 15_000, 23_000]);
});

test('what the exchange does not offer fails for everyone at once', async () => {
	const {clock, exchange, one, calls} = open();
	exchange.script.candles = () => unavailable('candles');
	for (const had of [-startTime, 0, 0]) {
		await expect(one.candles(symbol, {...since(had), period: 60, limit: 4})).rejects.toThrow('not offered');
	}

	expect([calls('candles'), clock.timers]).toEqual([[0, 0, 0], 0]);
});

test('reads end when the exchange is closed, and with any other error, as they would alone', async () => {
	const {clock, exchange, one, other} = open();
	const closed = Promise.allSettled([one.depth(symbol), other.depth(symbol)]);
	exchange.last('depth').fail(aborted());
	const defects = Promise.allSettled([one.info(), other.info()]);
	const defect = new Error('no port') as ExchangeError;
	exchange.last('info').fail(defect);
	await clock.advance(0);
	for (const each of await closed) expect(each).toMatchObject({reason: expect.any(AbortedError)});
	for (const each of await defects) expect(each).toMatchObject({reason: defect});
});

test('a wait is ended for all by one who wants it, but seldom', async () => {
	const {clock, exchange, one, other, calls} = open();
	let retries = 0;
	exchange.retryNow = () => retries++;
	exchange.script.depth = () => tooMany(60_000);
	await Promise.allSettled([one.depth(symbol, since())]);
	const waiting = follow(other.depth(symbol, since(0)));
	await clock.advance(100);
	one.retryNow();
	one.retryNow();
	await clock.advance(1000);
	void other.depth(symbol, since(1000)).catch(() => {});
	other.retryNow();
	await clock.advance(4000);
	expect([waiting(), calls('depth'), retries]).toEqual(['http', [0, 100], 1]);
	other.retryNow();
	expect([calls('depth'), retries]).toEqual([[0, 100, 5100], 2]);
});

test('a viewer who leaves ends its reads, and the exchange stays open for the others', async () => {
	const {clock, exchange, shared, one, other} = open();
	exchange.close = () => Promise.reject(new Error('closed'));
	const reads = [follow(one.depth(symbol)), follow(other.depth(symbol))];
	await one.close();
	await clock.advance(0);
	expect([reads.map(each => each()), shared.viewers(), shared.reads()]).toEqual([['aborted', 'open'], 1, 1]);
	await expect(one.info()).rejects.toThrow(AbortedError);
	await expect(one.candles(symbol, {period: 1, limit: 3})).rejects.toThrow(AbortedError);
	one.retryNow();
	await other.close();
	await other.close();
	expect([exchange.last('depth').options.signal?.aborted, shared.viewers(), shared.reads(), clock.timers]).toEqual([
		...[true, 0, 0, 0],
	]);
});

test('what nobody has read for a while is forgotten, and the oldest of very many at once', async () => {
	const {clock, exchange, shared, one} = open();
	exchange.script.depth = () => book(7);
	for (let index = 0; index < 300; index++) {
		await one.depth(`M${index}`);
		await clock.advance(1);
	}

	expect(shared.reads()).toBe(256);
	await clock.advance(61_000);
	await one.depth(symbol);
	expect(shared.reads()).toBe(1);
});

test('shows the budget and the interfaces of the exchange', () => {
	const {exchange, one} = open();
	exchange.currentBudget = {used: 1, allowed: 2};
	expect([one.budget(), one.interfaces]).toEqual([{used: 1, allowed: 2}, ['v2', 'legacy']]);
});

test('a read without a limit, by an id or of a range is requested as it is', async () => {
	const {exchange, one, other} = open();
	exchange.script.trades = () => [];
	exchange.script.candles = () => [];
	for (const each of [one, other]) {
		await each.trades(symbol);
		await each.trades({id: '7'}, {limit: 3});
		await each.candles(symbol, {period: 60});
		await each.candles(symbol, {period: 60, from: 0, to: hour, limit: 3});
	}

	expect(exchange.calls.trades.map(({symbol: text, options}) => [text, options.limit])).toEqual([
		['BTCUSDT', undefined],
		['7', 3],
	]);
	expect(exchange.calls.candles.map(({options: {limit, from, to}}) => [limit, from, to])).toEqual([
		[undefined, undefined, undefined],
		[3, 0, hour],
	]);
	exchange.script.info = () => info;
	expect((await one.info()).data).toBe(info);
});

test('trades: who joins gets as many as it asks for, though only the newest are requested', async () => {
	const {clock, exchange, one, other} = open();
	let newest = 1000;
	exchange.script.trades = ({options}) => tradePage(newest, options.limit ?? 0, startTime + newest * 1000);
	const first = await one.trades(symbol, {...since(), limit: 500});
	await clock.advance(1000);
	newest += 10;
	const next = await one.trades(symbol, {...since(0), limit: 50});
	const joined = await other.trades(symbol, {...since(), limit: 500});
	expect(exchange.calls.trades.map(({options}) => options.limit)).toEqual([500, 50]);
	expect(first.data.map(({id}) => Number(id))).toEqual(Array.from({length: 500}, (_, index) => 1000 - index));
	expect(next.data.map(({id}) => Number(id))).toEqual(Array.from({length: 50}, (_, index) => 1010 - index));
	expect(joined.data.map(({id}) => Number(id))).toEqual(Array.from({length: 500}, (_, index) => 1010 - index));
	expect(joined.receivedAt).toBe(next.receivedAt);
});

test('trades: more than is known is requested at once, and then known', async () => {
	const {clock, exchange, one, other, calls} = open();
	exchange.script.trades = ({options}) => tradePage(2000, options.limit ?? 0, startTime);
	await one.trades(symbol, {...since(), limit: 50});
	await clock.advance(100);
	const reads = [other.trades(symbol, {...since(0), limit: 800}), one.trades(symbol, {limit: 700})];
	await clock.advance(0);
	const lengths = (await Promise.all(reads)).map(({data}) => data.length);
	expect(lengths).toEqual([800, 700]);
	await one.trades(symbol, {limit: 800});
	expect([calls('trades'), exchange.calls.trades.map(({options}) => options.limit)]).toEqual([
		[0, 100],
		[500, 800],
	]);
});

test('trades: of a market that has few, all are known', async () => {
	const {clock, exchange, one, other, calls} = open();
	exchange.script.trades = () => tradePage(9, 9, startTime);
	await one.trades(symbol, {...since(), limit: 500});
	await clock.advance(1000);
	await one.trades(symbol, {...since(0), limit: 50});
	expect((await other.trades(symbol, {...since(), limit: 500})).data.length).toBe(9);
	expect(calls('trades')).toEqual([0, 1000]);
});

test('trades: none are handed out that others may be missing between', async () => {
	const {clock, exchange, one, other} = open();
	let newest = 1000;
	exchange.script.trades = ({options}) => tradePage(newest, options.limit ?? 0, startTime + newest * 1000);
	await one.trades(symbol, {...since(), limit: 500});
	newest += 5000;
	await clock.advance(1000);
	await one.trades(symbol, {...since(0), limit: 50});
	const {data} = await other.trades(symbol, {...since(), limit: 1000});
	expect(data.map(({id}) => Number(id))).toEqual(Array.from({length: 1000}, (_, index) => 6000 - index));
});

/** Candles of an hour from the first on, as the exchange has them. */
const candlesFrom =
	(firstAt: number, now: () => number): NonNullable<FakeExchange['script']['candles']> =>
	({options: {limit = 500, to = Infinity}}) => {
		const end = Math.floor(Math.min(to, now()) / hour);
		const starts = Array.from({length: limit}, (_, index) => (end - limit + 1 + index) * hour);
		return starts.filter(time => time >= firstAt).map(time => candle(time));
	};

const hours = (candles: readonly Candle[]) => [
	candles.length,
	(candles[0]?.time ?? 0) / hour,
	(candles.at(-1)?.time ?? 0) / hour,
];

test('candles: who joins gets all that it asks for, though only the newest are requested', async () => {
	const {clock, exchange, one, other} = open();
	exchange.script.candles = candlesFrom(0, clock.now);
	await one.candles(symbol, {...since(), period: 60, limit: 500});
	for (let ms = 0; ms < 2 * hour; ms += minute) {
		await clock.advance(minute);
		await one.candles(symbol, {...since(ms), period: 60, limit: 4});
	}

	const joined = await other.candles(symbol, {...since(), period: 60, limit: 500});
	const limits = exchange.calls.candles.map(({options}) => options.limit);
	expect([limits[0], new Set(limits.slice(1))]).toEqual([500, new Set([4])]);
	const newest = Math.floor(clock.now() / hour);
	expect(hours(joined.data)).toEqual([500, newest - 499, newest]);
	expect(joined.receivedAt).toBe(clock.now());
	const more = await other.candles(symbol, {...since(), period: 60, limit: 1000});
	expect([hours(more.data), exchange.calls.candles.length]).toEqual([[1000, newest - 999, newest], 122]);
});

test('candles: a page of older ones that somebody has read serves all, wherever theirs begin', async () => {
	const {clock, exchange, one, other} = open();
	const newest = startTime / hour - 0.5;
	exchange.script.candles = candlesFrom((newest - 1999) * hour, clock.now);
	const read = (viewer: Exchange, to: number) =>
		viewer.candles(symbol, {period: 60, limit: 1000, to: to * hour - 1, priority: 0});
	await one.candles(symbol, {...since(), period: 60, limit: 500});
	const pages = [
		await read(one, newest - 499),
		await read(other, newest - 495),
		await read(other, newest - 1495),
		await read(one, newest - 1499),
		await read(one, newest - 1999),
	];
	expect(pages.map(({data}) => hours(data))).toEqual([
		[1000, newest - 1499, newest - 500],
		[1000, newest - 1495, newest - 496],
		[504, newest - 1999, newest - 1496],
		[500, newest - 1999, newest - 1500],
		[0, 0, 0],
	]);
	expect(
		exchange.calls.candles.map(({options: {limit, to = 0}}) => [limit, to && newest + 1 - (to + 1) / hour]),
	).toEqual([
		[500, 0],
		[1000, 500],
		[1000, 1500],
		[1000, 2000],
	]);
});

test('candles: a page that does not join what is known is requested as it is', async () => {
	const {clock, exchange, one} = open();
	exchange.script.candles = candlesFrom(0, clock.now);
	const to = startTime - 900 * hour;
	await one.candles(symbol, {period: 60, limit: 3, to});
	await one.candles(symbol, {...since(), period: 60, limit: 500});
	await one.candles(symbol, {period: 60, limit: 4, to});
	delete exchange.script.candles;
	const end = startTime - 499.5 * hour - 1;
	const before = one.candles(symbol, {period: 60, limit: 5, to: end});
	await clock.advance(0);
	exchange.last('candles').answer([candle(0)], {interface: 'legacy'});
	await clock.advance(0);
	expect(exchange.calls.candles.map(({options}) => [options.limit, options.to])).toEqual([
		[3, to],
		[500, undefined],
		[4, to],
		[1000, end],
		[5, end],
	]);
	exchange.last('candles').answer([candle(7)]);
	expect((await before).data).toEqual([candle(7)]);
});

test('tells one reader after another, so that a key waits for the screen of one', async () => {
	const {clock, exchange, shared} = open();
	const told: string[] = [];
	const keys: string[] = [];
	for (const name of ['first', 'second', 'third']) {
		void shared
			.join()
			.depth(symbol)
			.then(() => told.push(name));
	}

	exchange.last('depth').answer(book(7));
	await settle();
	expect(told).toEqual(['first']);
	clock.after(0, () => keys.push(`a key after ${told.join(' and ')}`));
	await clock.advance(0);
	expect([told, keys]).toEqual([['first', 'second', 'third'], ['a key after first and second']]);
});

test('a reader that leaves before it is told is not told', async () => {
	const {clock, exchange, one, other} = open();
	const [stop, stopped] = [new AbortController(), new AbortController()];
	const reads = [
		follow(one.depth(symbol)),
		follow(one.depth(symbol, {signal: stop.signal})),
		follow(other.depth(symbol)),
		follow(one.depth(symbol, {signal: stopped.signal})),
	];
	exchange.last('depth').answer(book(7));
	await settle();
	stop.abort();
	await other.close();
	await clock.advance(0);
	stopped.abort();
	expect(reads.map(each => each())).toEqual([7, 'aborted', 'aborted', 7]);
});

test('a fresh read goes past caches and does not wait for its turn, once a second', async () => {
	const {clock, exchange, one, other, calls} = open();
	exchange.script.tickers = () => [ticker(symbol)];
	await one.tickers(since());
	await clock.advance(100);
	void one.tickers({...since(0), fresh: true});
	await clock.advance(100);
	void other.tickers({...since(0), fresh: true});
	void other.tickers({fresh: true});
	await clock.advance(10_000);
	expect(calls('tickers')).toEqual([0, 100, 1100]);
	expect(exchange.calls.tickers.map(({options}) => options.fresh)).toEqual([false, true, true]);
});

test('a fresh read is not content with what a cache answers to others', async () => {
	const {exchange, one, other} = open();
	const first = follow(one.depth(symbol));
	const fresh = follow(other.depth(symbol, {fresh: true}));
	exchange.last('depth').answer(book(7), {cache: {ageMs: 300, isHit: true, isSaid: true}});
	await settle();
	expect([first(), fresh(), exchange.calls.depth.map(({options}) => options.fresh)]).toEqual([
		7,
		'open',
		[false, true],
	]);
	exchange.last('depth').answer(book(8));
	await settle();
	expect(fresh()).toBe(8);
});

test('a fresh read does not wait for the next try', async () => {
	const {clock, exchange, one, calls} = open();
	exchange.script.tickers = () => timeout('ticker');
	await Promise.allSettled([one.tickers(since())]);
	await clock.advance(500);
	await Promise.allSettled([one.tickers({...since(), fresh: true})]);
	expect(calls('tickers')).toEqual([0, 500]);
});
