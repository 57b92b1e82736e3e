import {describe, expect, test} from 'vitest';
import {ready} from '../../source/store/resource.ts';
import {market, ticker, timeout, tooMany} from './samples.ts';
import {setUp, startTime} from './set-up.ts';

const bound = ['depth', 'trades', 'candles'] as const;

describe('while no market is selected', () => {
	test('book, tape and candles wait for the first list', () => {
		const {store, now} = setUp();
		store.start();
		expect(bound.map(name => now()[name])).toEqual(bound.map(() => ({status: 'waiting'})));
		store.stop();
	});

	test('book, tape and candles show the failure of the market list, and its next retry', async () => {
		const {store, exchange, clock, now} = setUp();
		store.start();
		const error = timeout('markets');
		exchange.last('markets').fail(error);
		await clock.advance(0);
		const failure = {error, since: startTime, retryAt: startTime + 4000};
		expect(bound.map(name => now()[name])).toEqual(bound.map(() => ({status: 'failed', failure})));
		store.setPaused(true);
		expect(now().depth).toEqual({status: 'failed', failure: {error, since: startTime}});
		store.stop();
	});

	test('book, tape and candles show the failure of the tickers, which name markets too', async () => {
		const {store, exchange, clock, now} = setUp();
		store.start();
		exchange.last('tickers').fail(tooMany());
		await clock.advance(0);
		expect(now().depth).toMatchObject({status: 'failed', failure: {error: {brief: 'rate-limited (429)'}}});
		store.stop();
	});

	test('book, tape and candles show that the exchange lists no markets', async () => {
		const {store, exchange, clock, now} = setUp();
		store.start();
		exchange.last('markets').answer([]);
		await clock.advance(0);
		expect(now().trades).toMatchObject({
			status: 'failed',
			failure: {
				error: {
					words: {brief: 'no markets yet', advice: 'the exchange lists none; check the address, or name a market'},
				},
				since: startTime,
				retryAt: startTime + 5000,
			},
		});
		store.stop();
	});

	test('an empty list is requested again every 5 s, even when hidden, until it has markets', async () => {
		const {store, exchange, clock, now, times} = setUp();
		store.show(new Set(['depth']));
		store.start();
		exchange.script.markets = () => [];
		exchange.last('markets').answer([]);
		await clock.advance(10_000);
		expect(times('markets')).toEqual([0, 5000, 10_000]);
		exchange.script.markets = () => [market('BTCUSDT')];
		await clock.advance(60_000);
		expect([times('markets').at(-1), now().symbol, now().depth.status]).toEqual([15_000, 'BTCUSDT', 'waiting']);
		store.stop();
	});

	test('a refresh requests an empty list at once', async () => {
		const {store, exchange, clock, times} = setUp();
		store.show(new Set(['depth']));
		store.start();
		exchange.last('markets').answer([]);
		await clock.advance(1000);
		store.refresh();
		expect(times('markets')).toEqual([0, 1000]);
		store.stop();
	});

	test('book, tape and candles wait for their own answers as soon as one is selected', async () => {
		const {store, exchange, clock, now} = setUp();
		store.start();
		exchange.last('markets').fail(timeout('markets'));
		await clock.advance(250);
		exchange.last('tickers').answer([ticker('BTCUSDT')]);
		await clock.advance(250);
		expect(now()).toMatchObject({symbol: 'BTCUSDT', depth: {status: 'waiting'}, markets: {status: 'failed'}});
		exchange.last('depth').answer({asks: []});
		await clock.advance(250);
		const times = {sentAt: startTime + 250, receivedAt: startTime + 500, serverTime: undefined};
		const answer = {interface: 'v2', dropped: 0, ...times} as const;
		expect(now().depth).toEqual(ready({data: undefined, ...answer}, {asks: []}));
		store.stop();
	});
});

test('tickers that name a market that is not listed have the list read again, once', async () => {
	const {store, exchange, clock, now, times} = setUp();
	const listed = ['BTCUSDT', 'ETHUSDT'];
	exchange.script.markets = () => listed.map(symbol => market(symbol));
	exchange.script.tickers = () => [ticker('BTCUSDT')];
	store.start();
	await clock.advance(7000);
	expect(times('markets')).toEqual([0]);
	exchange.script.tickers = () => [ticker('BTCUSDT'), ticker('ZKFUSDT')];
	await clock.advance(60_000);
	expect(times('markets')).toEqual([0, 10_000]);
	listed.push('NEWUSDT');
	exchange.script.tickers = () => [ticker('BTCUSDT'), ticker('ZKFUSDT'), ticker('NEWUSDT')];
	await clock.advance(10_000);
	expect(times('markets')).toEqual([0, 10_000, 70_000]);
	const {markets} = now();
	expect(markets.status === 'ready' && markets.data.map(({symbol}) => symbol)).toEqual(listed);
	store.stop();
});
