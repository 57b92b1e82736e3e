import {expect, test} from 'vitest';
import {withLateExchange} from '../../source/cli/context.ts';
import {followedReads, lateExchange, sharedTickers} from '../../source/cli/exchanges.ts';
import {mergeSources, type Options} from '../../source/cli/options/options.ts';
import {connect} from '../../source/client/connect.ts';
import {AbortedError} from '../../source/client/errors.ts';
import {startDemo} from '../../source/demo/server.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {info, market, ticker, timeout} from '../store/samples.ts';

const budget = {used: 0, allowed: 7};

test('opens once, with the first read, and passes on all reads', async () => {
	const demo = await startDemo();
	const address = {baseUrl: demo.url, legacyBaseUrl: demo.url};
	let opened = 0;
	const exchange = lateExchange({
		interfaces: ['v2', 'legacy'],
		budget,
		async open() {
			opened++;
			return connect(address);
		},
	});
	try {
		expect([opened, exchange.budget()]).toEqual([0, budget]);
		const [info, markets, tickers, depth, trades, candles] = await Promise.all([
			exchange.info(),
			exchange.markets(),
			exchange.tickers(),
			exchange.depth('BTCUSDT', {use: 'legacy'}),
			exchange.trades('BTCUSDT', {limit: 3}),
			exchange.candles('BTCUSDT', {period: 60, limit: 2}),
		]);
		expect(opened).toBe(1);
		expect(info.data.name).not.toBe('');
		expect(markets.data.some(({symbol}) => symbol === 'BTCUSDT')).toBe(true);
		expect(tickers.data.length).toBe(markets.data.length);
		expect(depth.interface).toBe('legacy');
		expect([trades.data.length, candles.data.length]).toEqual([3, 2]);
		expect(exchange.budget().used).toBeGreaterThan(0);
	} finally {
		await exchange.close();
		await demo.close();
	}
});

test('every read fails with the error of opening', async () => {
	const exchange = lateExchange({interfaces: ['v2'], budget, open: () => Promise.reject(new Error('no port'))});
	await expect(exchange.info()).rejects.toThrow('no port');
	await expect(exchange.depth('BTCUSDT')).rejects.toThrow('no port');
});

test('closes without having been opened', async () => {
	const exchange = lateExchange({interfaces: ['v2'], budget, open: () => Promise.reject(new Error('opened'))});
	await expect(exchange.close()).resolves.toBeUndefined();
});

const options: Options = {...mergeSources([]), exchange: {name: 'mine', baseUrl: 'ftp://127.0.0.1'}};

test('a failure to open ends the command with the reason', async () => {
	const command = withLateExchange(options, async ({exchange}) => (await exchange.info()).data);
	await expect(command).rejects.toThrow('the base URL must begin with http:// or https://');
});

test('an exchange that is not read is not opened', async () => {
	expect(await withLateExchange(options, async ({exchange}) => exchange.interfaces)).toEqual(['v2']);
});

function open() {
	const clock = createFakeClock();
	const exchange = createFakeExchange(clock);
	return {clock, exchange, shared: sharedTickers(exchange, clock)};
}

test('reads within a second share one answer', async () => {
	const {clock, exchange, shared} = open();
	const first = shared.tickers();
	await clock.advance(999);
	const second = shared.tickers();
	expect(exchange.calls.tickers.length).toBe(1);
	exchange.last('tickers').answer([ticker('BTCUSDT')]);
	expect(await second).toBe(await first);
	expect((await first).data).toEqual([ticker('BTCUSDT')]);
});

test('a later read sends another request', async () => {
	const {clock, exchange, shared} = open();
	void shared.tickers();
	await clock.advance(1000);
	void shared.tickers();
	expect(exchange.calls.tickers.length).toBe(2);
});

test('a failure is shared like an answer, and not for longer', async () => {
	const {clock, exchange, shared} = open();
	const both = [shared.markets(), shared.markets()];
	exchange.last('markets').fail(timeout('markets'));
	for (const each of both) await expect(each).rejects.toThrow('no complete answer within 5000 ms');
	await clock.advance(1000);
	const again = shared.markets();
	exchange.last('markets').answer([market('BTCUSDT')]);
	expect((await again).data).toEqual([market('BTCUSDT')]);
});

test('a store that aborts does not abort the answer for the others', async () => {
	const {exchange, shared} = open();
	const leaving = new AbortController();
	void shared.info({signal: leaving.signal});
	const stays = shared.info();
	leaving.abort();
	expect(exchange.last('info').options.signal).toBeUndefined();
	exchange.last('info').answer(info);
	expect((await stays).data).toBe(info);
});

test('interfaces do not share answers', () => {
	const {exchange, shared} = open();
	void shared.tickers({use: 'v2'});
	void shared.tickers({use: 'legacy'});
	void shared.tickers();
	void shared.tickers({use: 'auto'});
	expect(exchange.calls.tickers.map(({options}) => options.use)).toEqual(['v2', 'legacy', undefined]);
});

test('reads of one market are not shared', () => {
	const {exchange, shared} = open();
	void shared.depth('BTCUSDT');
	void shared.depth('BTCUSDT');
	void shared.trades('BTCUSDT');
	void shared.trades('BTCUSDT');
	expect([exchange.calls.depth.length, exchange.calls.trades.length]).toEqual([2, 2]);
});

function openFollowed() {
	const clock = createFakeClock();
	const exchange = createFakeExchange(clock);
	return {clock, exchange, ...followedReads(exchange, clock, {depth: 1000, tape: 1000})};
}

test('a follower takes over what was read a moment ago, and reads itself where that is not enough', async () => {
	const {clock, exchange, leader, follower} = openFollowed();
	const read = leader.trades('BTCUSDT', {limit: 100});
	await clock.advance(999);
	const taken = [follower.trades('BTCUSDT', {limit: 100}), follower.trades('BTCUSDT', {limit: 50})];
	expect(exchange.calls.trades.length).toBe(1);
	exchange.last('trades').answer([]);
	for (const each of taken) expect(await each).toBe(await read);

	void follower.trades('BTCUSDT', {limit: 101});
	void follower.trades('BTCUSDT', {limit: 100, use: 'legacy'});
	void follower.trades('ETHUSDT', {limit: 100});
	expect(exchange.calls.trades.length).toBe(4);
	void leader.depth('BTCUSDT');
	await clock.advance(1000);
	void follower.depth('BTCUSDT');
	expect(exchange.calls.depth.length).toBe(2);
});

test('a follower reads itself where what it waits for is aborted, and fails with what failed', async () => {
	const {exchange, leader, follower} = openFollowed();
	const stop = new AbortController();
	const aborted = leader.depth('BTCUSDT', {signal: stop.signal}).catch(() => undefined);
	const mine = follower.depth('BTCUSDT');
	exchange.last('depth').fail(new AbortedError({operation: 'depth', interface: 'v2', url: ''}));
	await aborted;
	await Promise.resolve();
	expect(exchange.calls.depth.length).toBe(2);
	exchange.last('depth').answer({asks: [], bids: []});
	expect((await mine).data).toEqual({asks: [], bids: []});

	const failing = leader.depth('ETHUSDT');
	const followed = follower.depth('ETHUSDT');
	exchange.last('depth').fail(timeout('depth'));
	for (const each of [failing, followed]) await expect(each).rejects.toThrow('no complete answer within 5000 ms');
});
