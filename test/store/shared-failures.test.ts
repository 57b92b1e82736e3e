import {expect, test} from 'vitest';
import {AbortedError, type ExchangeError} from '../../source/client/errors.ts';
import type {CallOptions} from '../../source/client/exchange.ts';
import type {Clock} from '../../source/market/clock.ts';
import {aborted, book, ticker, timeout, tooMany, unavailable} from './samples.ts';
import {startTime} from './set-up.ts';
import {follow, openShared, since, symbol} from './shared-set-up.ts';

/** Reads again as soon as it has an outcome, for half a minute. */
async function poll(clock: Clock, read: (call: CallOptions) => Promise<unknown>): Promise<void> {
	for (let had = -startTime; had < 30_000; had = clock.now() - startTime) await read(since(had)).catch(() => {});
}

test('a failure is told once to each, and tried again once for all', async () => {
	const {clock, exchange, one, other, calls} = openShared();
	exchange.script.depth = () => timeout('depth');
	const first = follow(one.depth(symbol, since()));
	await clock.advance(500);
	const joined = follow(other.depth(symbol, since()));
	const waiting = follow(one.depth(symbol, since(0)));
	await clock.advance(0);
	expect([first(), joined(), waiting()]).toEqual(['timeout', 'timeout', 'open']);
	let sent = 0;
	await other.depth(symbol, {...since(), onSent: () => sent++}).catch(() => {});
	expect(sent).toBe(1);
	const both = follow(other.depth(symbol, since(500)));
	exchange.script.depth = () => book(8);
	await clock.advance(500);
	expect([waiting(), both(), calls('depth')]).toEqual([8, 8, [0, 1000]]);
});

test('while the exchange fails, who joins gets the last answer, then the failure; a single read fails', async () => {
	const {clock, exchange, one, other} = openShared();
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
	const {clock, exchange, one, other} = openShared();
	exchange.script.depth = () => book(7);
	await one.depth(symbol, since());
	await clock.advance(30_000);
	exchange.script.depth = () => timeout('depth');
	const reads = [follow(one.depth(symbol, since())), follow(other.depth(symbol, since()))];
	await clock.advance(0);
	expect(reads.map(each => each())).toEqual(['timeout', 'timeout']);
});

test('a slow request does not keep from who joins what the others see', async () => {
	const {clock, exchange, one, other} = openShared();
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
	const {clock, exchange, one, other, calls} = openShared();
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
	const later = one.info(since(0));
	one.close();
	// Nobody waits any more: the next one who asks is told the failure, and nothing is sent.
	expect(await other.info(since()).catch(({kind}) => kind)).toBe('http');
	await expect(later).rejects.toThrow();
	expect([calls('depth'), calls('tickers'), calls('info')]).toEqual([[0, 1000], [0, 1000], [0]]);
});

test('one read that succeeds again does not repeat at once what failed a moment ago', async () => {
	const {clock, exchange, one, other, calls} = openShared();
	exchange.script.depth = () => timeout('depth');
	exchange.script.tickers = () => timeout('ticker');
	await Promise.allSettled([one.depth(symbol, since())]);
	await clock.advance(900);
	await Promise.allSettled([one.tickers(since())]);
	void one.tickers(since(900)).catch(() => {});
	exchange.script.depth = () => book(7);
	void one.depth(symbol, since(0));
	await clock.advance(100);
	await Promise.allSettled([other.tickers(since(900)), clock.advance(1000)]);
	expect([calls('depth'), calls('tickers')]).toEqual([
		[0, 1000],
		[900, 1900],
	]);
});

test('in an outage only the most frequent read tries often', async () => {
	const {clock, exchange, one, calls} = openShared();
	exchange.script.depth = () => timeout('depth');
	exchange.script.trades = () => timeout('trades');
	void poll(clock, call => one.depth(symbol, call));
	void poll(clock, call => one.trades(symbol, {...call, limit: 50}));
	await clock.advance(30_000);
	expect(calls('depth').length).toBeGreaterThan(28);
	expect(calls('trades')).toEqual([0, 1000, 3000, 7000, 15_000, 23_000]);
});

test('an outage is one once nothing has answered for ten seconds, though others answered when it began', async () => {
	const {clock, exchange, one, calls} = openShared();
	exchange.script.depth = () => book(7);
	exchange.script.trades = () => timeout('trades');
	void poll(clock, call => one.depth(symbol, call));
	void poll(clock, call => one.trades(symbol, {...call, limit: 50}));
	await clock.advance(5000);
	exchange.script.depth = () => timeout('depth');
	await clock.advance(25_000);
	expect(calls('depth').filter(at => at > 16_000).length).toBeGreaterThan(12);
	expect(calls('trades').filter(at => at > 16_000).length).toBeLessThan(4);
});

test('an answer that was on its way when an outage began does not make the others try more often', async () => {
	const {clock, exchange, one, other, calls} = openShared();
	const early = other.depth('ETHUSDT', since());
	const slow = exchange.last('depth');
	exchange.script.depth = () => timeout('depth');
	exchange.script.trades = () => timeout('trades');
	void poll(clock, call => one.depth(symbol, call));
	void poll(clock, call => one.trades(symbol, {...call, limit: 50}));
	await clock.advance(100);
	slow.answer(book(7));
	await early;
	await clock.advance(16_000);
	expect(calls('trades')).toEqual([0, 1000, 3000, 7000, 15_000]);
});

test('what the exchange does not offer fails for everyone at once', async () => {
	const {clock, exchange, one, calls} = openShared();
	exchange.script.candles = () => unavailable('candles');
	for (const had of [-startTime, 0, 0]) {
		await expect(one.candles(symbol, {...since(had), period: 60, limit: 4})).rejects.toThrow('not offered');
	}

	expect([calls('candles'), clock.timers]).toEqual([[0, 0, 0], 0]);
});

test('reads end when the exchange is closed, and with any other error, as they would alone', async () => {
	const {clock, exchange, one, other} = openShared();
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
	const {clock, exchange, one, other, calls} = openShared();
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

test('a fresh read does not wait for the next try', async () => {
	const {clock, exchange, one, calls} = openShared();
	exchange.script.tickers = () => timeout('ticker');
	await Promise.allSettled([one.tickers(since())]);
	await clock.advance(500);
	await Promise.allSettled([one.tickers({...since(), fresh: true})]);
	expect(calls('tickers')).toEqual([0, 500]);
});
