import {expect, test} from 'vitest';
import {AbortedError} from '../../source/client/errors.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import {createSharedExchange} from '../../source/store/shared-exchange.ts';
import {book, candle, info, market, ticker} from './samples.ts';
import {hour, startTime} from './set-up.ts';
import {follow, openShared, settle, since, symbol} from './shared-set-up.ts';

test('a request that runs answers all who ask for the same', async () => {
	const {clock, exchange, one, other, calls} = openShared();
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
	const {clock, exchange, one, other, calls} = openShared();
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
	const {clock, exchange, one, other, calls} = openShared();
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
	const {clock, exchange, one, other, calls} = openShared();
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
	const {clock, exchange, one, calls} = openShared();
	exchange.script.depth = () => book(7);
	await one.depth(symbol, since());
	await clock.advance(60_000);
	expect([calls('depth'), clock.timers]).toEqual([[0], 0]);
});

test('a slow answer delays the next request to the next turn, whoever asks', async () => {
	const {clock, exchange, one, other, calls} = openShared();
	void one.depth(symbol, since());
	await clock.advance(1200);
	exchange.last('depth').answer(book(7));
	await clock.advance(100);
	void other.depth(symbol, since(1200));
	await clock.advance(5000);
	expect(calls('depth')).toEqual([0, 2000]);
});

test('who wants newer ones sooner gets them as often as is allowed', async () => {
	const {clock, exchange, one, calls} = openShared({markets: 60_000});
	exchange.script.markets = () => [market(symbol)];
	await one.markets(since());
	await clock.advance(1000);
	void one.markets(since(0));
	await clock.advance(120_000);
	await one.markets();
	expect(calls('markets')).toEqual([0, 60_000]);
});

test('an empty list is asked for again soon', async () => {
	const {clock, exchange, one, calls} = openShared();
	exchange.script.markets = () => [];
	await one.markets(since());
	void one.markets(since(0));
	await clock.advance(5000);
	expect(calls('markets')).toEqual([0, 5000]);
});

test('a reader that aborts does not disturb the others, and the last one aborts the request', async () => {
	const {clock, exchange, one, other} = openShared();
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
	const {clock, exchange, one, calls} = openShared();
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
	const {exchange, one, other} = openShared();
	const sent: string[] = [];
	void one.depth(symbol, {priority: 2, onSent: () => sent.push('first')});
	void other.depth(symbol, {priority: 0, onSent: () => sent.push('second')});
	expect([exchange.last('depth').options.priority, sent]).toEqual([2, ['first', 'second']]);
});

test('of those who wait for its turn, the most urgent one sets the priority of a request', async () => {
	const {clock, exchange, one, other} = openShared();
	exchange.script.depth = () => book(7);
	await one.depth(symbol, since());
	void one.depth(symbol, {...since(0), priority: 2});
	void other.depth(symbol, {...since(0), priority: 0});
	await clock.advance(1000);
	expect(exchange.last('depth').options.priority).toBe(0);
});

test('a viewer who leaves ends its reads, and the exchange stays open for the others', async () => {
	const {clock, exchange, shared, one, other} = openShared();
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
		...[true, 0, 1, 0],
	]);
});

test('short visits cost what one long visit does, and nothing between them', async () => {
	const {clock, exchange, shared, one, other, calls} = openShared();
	await Promise.all([one.close(), other.close()]);
	Object.assign(exchange.script, {info: () => info, markets: () => [market(symbol)], tickers: () => [ticker(symbol)]});
	exchange.script.candles = () => [candle(startTime)];
	for (let visit = 0; visit < 60; visit++) {
		const viewer = shared.join();
		await Promise.all([viewer.info(), viewer.markets(), viewer.tickers(), viewer.candles(symbol, {period: 60})]);
		await viewer.close();
		expect(clock.timers).toBe(0);
		await clock.advance(10_000);
	}

	expect([calls('info'), calls('markets')]).toEqual([[0], [0, 300_000]]);
	expect([calls('tickers').length, calls('candles').length]).toEqual([60, 30]);
});

test('what nobody has read for a while is forgotten, and the oldest of very many at once', async () => {
	const {clock, exchange, shared, one} = openShared();
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
	const {exchange, one} = openShared();
	exchange.currentBudget = {used: 1, allowed: 2};
	expect([one.budget(), one.interfaces]).toEqual([{used: 1, allowed: 2}, ['v2', 'legacy']]);
});

test('a read without a limit, by an id or of a range is requested as it is', async () => {
	const {exchange, one, other} = openShared();
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

test('tells each reader by a timer of its own, so that a clock can hear keys in between', async () => {
	const {clock, exchange, shared} = openShared();
	const told: string[] = [];
	for (const name of ['first', 'second', 'third']) {
		void shared
			.join()
			.depth(symbol)
			.then(() => told.push(name));
	}

	exchange.last('depth').answer(book(7));
	await settle();
	expect([told, clock.timers]).toEqual([['first'], 2]);
	await clock.advance(0);
	expect([told, clock.timers]).toEqual([['first', 'second', 'third'], 0]);
});

test('a reader that leaves before it is told is not told', async () => {
	const {clock, exchange, one, other} = openShared();
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
	const {clock, exchange, one, other, calls} = openShared();
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

test('one owner asks past caches once in five seconds, however many viewers it has, and gets what is known in between', async () => {
	const {clock, exchange, shared, calls} = openShared();
	exchange.script.depth = () => book(7);
	exchange.script.markets = () => [market(symbol)];
	const owner = {};
	const [first, second, stranger] = [shared.join(owner), shared.join(owner), shared.join({})];
	await Promise.all([first.depth(symbol, since()), first.markets(since())]);
	const answers: unknown[] = [];
	for (let key = 0; key < 100; key++) {
		await clock.advance(100);
		const viewer = key % 2 ? first : second;
		const newerThan = clock.now();
		void viewer.depth(symbol, {newerThan, fresh: true}).then(({data}) => answers.push(data));
		void viewer.markets({newerThan, fresh: true}).then(({data}) => answers.push(data));
	}

	await clock.advance(1000);
	expect(answers.length).toBe(200);
	expect(calls('markets')).toEqual([0, 100, 5100]);
	expect(exchange.calls.depth.filter(({options}) => options.fresh).length).toBe(2);
	expect(calls('depth').length).toBeLessThanOrEqual(13);
	void stranger.markets({...since(), fresh: true});
	await clock.advance(0);
	expect(calls('markets').at(-1)).toBe(11_000);
});

test('a fresh read is not content with what a cache answers to others', async () => {
	const {exchange, one, other} = openShared();
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

test('what a viewer shares among its own screens is requested when they need it', async () => {
	const {clock, exchange, one, calls} = openShared();
	const own = createSharedExchange({exchange: one, clock, random: () => 0, intervals: pollIntervals()}).join();
	const first = follow(own.depth(symbol, since()));
	await clock.advance(100);
	exchange.last('depth').answer(book(7));
	await clock.advance(100);
	const next = follow(own.depth(symbol, since(100)));
	await clock.advance(800);
	expect([first(), next(), calls('depth')]).toEqual([7, 'open', [0, 1000]]);
	exchange.last('depth').answer(book(8));
	await clock.advance(0);
	expect(next()).toBe(8);
});

test('a request is for all who wait for it, also those who came later', async () => {
	const {exchange, shared} = openShared();
	const [one, other] = [{}, {}];
	const owners = () => exchange.last('depth').options.owners?.();
	void shared.join(one).depth(symbol);
	expect(owners()).toEqual([one]);
	const late = shared.join(other);
	follow(late.depth(symbol));
	void shared.join(one).depth(symbol);
	void shared.join().depth(symbol);
	expect(owners()).toEqual([one, other]);
	await late.close();
	expect([owners(), exchange.calls.depth.length]).toEqual([[one], 1]);
});
