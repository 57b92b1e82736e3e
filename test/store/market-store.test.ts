import {expect, test} from 'vitest';
import {emptyHistory, remember} from '../../source/market/liquidity.ts';
import {withPrices} from '../../source/market/price-trail.ts';
import {book, candle, info, market, ticker, timeout, trade, tradePage, unavailable} from './samples.ts';
import {answering, hour, setUp, setUpAnswering, startTime} from './set-up.ts';

const waiting = {status: 'waiting'};
const clocked = {tradeClock: expect.anything()};
const ready = <T>(data: T, sentAt = startTime) => ({
	status: 'ready',
	data,
	interface: 'v2',
	sentAt,
	receivedAt: sentAt,
	serverTime: undefined,
	dropped: 0,
});

test('shows what the exchange answers, with where it came from and when', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'BTCUSDT'});
	store.start();
	exchange.last('info').answer(info);
	exchange.last('markets').answer([market('BTCUSDT')]);
	exchange.last('tickers').answer([ticker('BTCUSDT', 5)]);
	exchange.last('depth').answer(book(5), {interface: 'legacy', serverTime: 77, dropped: 3});
	exchange.last('trades').answer([trade(1, startTime - 1000, 5)]);
	exchange.last('candles').answer([candle(startTime - 30 * 60_000, 5)]);
	await clock.advance(250);
	expect(now()).toEqual({
		symbol: 'BTCUSDT',
		period: 60,
		decimals: {price: 0, quantity: 0},
		choice: 'auto',
		paused: false,
		budget: {used: 0, allowed: 5},
		pending: {},
		info: ready(info),
		markets: ready([market('BTCUSDT')]),
		tickers: ready(new Map([['BTCUSDT', ticker('BTCUSDT', 5)]])),
		priceTrails: withPrices(new Map(), new Map([['BTCUSDT', ticker('BTCUSDT', 5)]]), startTime),
		depth: {...ready(book(5)), interface: 'legacy', serverTime: 77, dropped: 3},
		bookHistory: remember(emptyHistory, book(5), startTime),
		trades: {...ready({trades: [trade(1, startTime - 1000, 5)], gaps: new Set()}), ...clocked},
		candles: {
			...ready({
				...{period: 60, candles: [candle(startTime - 30 * 60_000, 5)], builtFrom: 'exchange'},
				// The tape does not reach back to what the candle must have.
				partial: new Set([startTime - 30 * 60_000]),
			}),
			...clocked,
		},
		history: {status: 'more'},
	});
});

test('a volume of unknown unit keeps the market’s last v2 volume beside it, to rank by', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'BTCUSDT'});
	const legacy = {...ticker('BTCUSDT'), quoteVolume: 1};
	const unlisted = {...ticker('ETHUSDT'), quoteVolume: 2};
	store.start();
	exchange.last('tickers').answer([{...ticker('BTCUSDT'), volume: 9}]);
	for (let poll = 0; poll < 2; poll++) {
		await clock.advance(5000);
		exchange.last('tickers').answer([legacy, unlisted], {interface: 'legacy'});
	}

	await clock.advance(250);
	const expected = [{...legacy, lastVolume: 9}, unlisted];
	expect(now().tickers).toMatchObject({data: new Map(expected.map(each => [each.symbol, each]))});
});

test('keeps the object of a ticker that has not changed', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'BTCUSDT'});
	const tickerOf = (symbol: string) => {
		const {tickers} = now();
		return tickers.status === 'ready' ? tickers.data.get(symbol) : undefined;
	};
	store.start();
	exchange.last('tickers').answer([ticker('BTCUSDT'), ticker('ETHUSDT')]);
	await clock.advance(5000);
	const before = ['BTCUSDT', 'ETHUSDT'].map(tickerOf);
	exchange.last('tickers').answer([ticker('BTCUSDT'), {...ticker('ETHUSDT'), last: 7}]);
	await clock.advance(250);
	expect(tickerOf('BTCUSDT')).toBe(before[0]);
	expect(before[1]).not.toBe(tickerOf('ETHUSDT'));
	expect(tickerOf('ETHUSDT')).toMatchObject({last: 7});
});

test('polls each resource at its own interval', async () => {
	const {clock, store, times} = setUpAnswering();
	store.start();
	await clock.advance(15_000);
	const every = (ms: number) => Array.from({length: 15_000 / ms + 1}, (_, index) => index * ms);
	expect(times('depth')).toEqual(every(1000));
	expect(times('trades')).toEqual(every(1000));
	expect(times('tickers')).toEqual(every(5000));
	expect(times('candles')).toEqual(every(15_000));
	await clock.advance(300_000 - 15_000);
	expect(times('markets')).toEqual([0, 300_000]);
	expect(times('info')).toEqual([0]);
});

test('waits for the new market, and publishes that, before select returns', async () => {
	const {clock, store, now} = setUpAnswering();
	store.start();
	await clock.advance(1000);
	const before = now();
	const seen: unknown[] = [];
	store.subscribe(() => seen.push(now()));
	store.select('ETHUSDT');
	expect(seen).toEqual([
		{...before, symbol: 'ETHUSDT', depth: waiting, bookHistory: emptyHistory, trades: waiting, candles: waiting},
	]);
	await clock.advance(250);
	expect(now()).toMatchObject({
		depth: {data: book(1000)},
		trades: {data: {trades: [{price: 1000}]}},
		candles: {data: {candles: [{open: 1000}]}},
	});
});

test('is waiting for candles of the new period at once, and leaves book and tape alone', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	store.start();
	await clock.advance(500);
	const before = now();
	delete exchange.script.candles;
	store.setPeriod(15);
	expect(now()).toEqual({...before, period: 15, candles: waiting});
	expect(now().depth).toBe(before.depth);
	expect(now().trades).toBe(before.trades);
	expect(exchange.calls.candles.map(call => [call.options.period, call.options.limit])).toEqual([
		[60, 500],
		[15, 500],
	]);
});

test('keeps what is shown, under its own interface, until the other interface answers', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	store.start();
	await clock.advance(500);
	const before = now();
	for (const name of Object.keys(answering)) Reflect.deleteProperty(exchange.script, name);
	const asked = Object.values(exchange.calls).flat().length;
	store.setChoice('legacy');
	expect(now()).toEqual({...before, choice: 'legacy'});
	expect(
		Object.values(exchange.calls)
			.flat()
			.filter(call => call.options.use === 'legacy').length,
	).toBe(6);
	expect(Object.values(exchange.calls).flat().length).toBe(asked + 6);
	exchange.last('depth').answer(book(7), {interface: 'legacy'});
	await clock.advance(250);
	expect(now().depth).toMatchObject({data: book(7), interface: 'legacy'});
	expect(now().trades).toMatchObject({interface: 'v2'});
});

test('retries on the other interface without the old failure', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'BTCUSDT', choice: 'legacy'});
	store.start();
	exchange.last('info').fail(unavailable('info'));
	exchange.last('candles').fail(timeout('candles'));
	await clock.advance(300);
	expect([now().info.status, now().candles.status]).toEqual(['failed', 'failed']);
	store.setChoice('v2');
	expect([now().info, now().candles]).toEqual([waiting, waiting]);
	exchange.last('info').answer(info);
	await clock.advance(300);
	expect(now().info).toEqual(ready(info, startTime + 300));
});

test('chooses BTC/USDT when no market was named', async () => {
	const {clock, store, now, times} = setUpAnswering({});
	store.start();
	expect(times('depth')).toEqual([]);
	await clock.advance(250);
	expect(now()).toMatchObject({symbol: 'BTCUSDT', depth: {data: book(2000)}});
});

test('takes over the spelling of the market list and keeps what it has', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'btc-usdt'});
	store.start();
	exchange.last('depth').answer(book(5));
	await clock.advance(250);
	const {depth} = now();
	const trades = exchange.last('trades');
	exchange.last('markets').answer([market('BTCUSDT')]);
	await clock.advance(250);
	expect(now().symbol).toBe('BTCUSDT');
	expect(now().depth).toBe(depth);
	expect(trades.options.signal?.aborted).toBe(false);
	trades.answer([trade(1, startTime, 5)]);
	await clock.advance(500);
	expect(now().trades).toMatchObject({status: 'ready'});
	expect(exchange.calls.depth.map(call => call.symbol)).toEqual(['btc-usdt', 'BTCUSDT']);
});

test('selects a market in any spelling under the name that the list gives it', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	store.start();
	await clock.advance(250);
	store.select('eth/usdt');
	expect(now().symbol).toBe('ETHUSDT');
	expect(exchange.last('depth').symbol).toBe('ETHUSDT');
});

test('keeps the last book and marks it stale when a poll fails', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	const error = timeout();
	store.start();
	await clock.advance(250);
	const {depth} = now();
	exchange.script.depth = () => error;
	await clock.advance(3000);
	const failure = {error, since: startTime + 1000, retryAt: startTime + 4000};
	expect(now().depth).toEqual({...depth, failure});
	Object.assign(exchange.script, answering);
	await clock.advance(1000);
	expect(now().depth).toEqual(ready(book(2000), startTime + 4000));
});

test('moves the last candle with each trade between two candle answers', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	const before = [trade(1, startTime - 1000, 2000), trade(0, startTime - hour, 1999)];
	exchange.script.candles = () => [candle(startTime - hour / 2, 2000, 1)];
	exchange.script.trades = () => before;
	store.start();
	await clock.advance(250);
	exchange.script.trades = () => [trade(99, startTime + 900, 1800, 4), ...before];
	await clock.advance(1000);
	expect(exchange.calls.candles).toHaveLength(1);
	expect(now().candles).toEqual({
		...ready({
			period: 60,
			candles: [{time: startTime - hour / 2, open: 2000, high: 2000, low: 1800, close: 1800, volume: 5}],
			builtFrom: 'exchange',
			added: {from: startTime - 30 * 60_000, lastSent: startTime - 30 * 60_000},
		}),
		...clocked,
	});
});

test('builds candles from trades where the exchange has none, stale while the trades fail', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	exchange.script.candles = () => unavailable('candles');
	exchange.script.trades = () => tradePage(10, 3, startTime, 1000);
	store.start();
	await clock.advance(1250);
	expect(now().candles).toEqual({
		...ready(
			{
				...{period: 60, candles: [candle(startTime - hour / 2, 100, 3)]},
				...{builtFrom: 'trades', partial: new Set([startTime - hour / 2])},
			},
			startTime + 1000,
		),
		...clocked,
	});

	const {candles} = now();
	const error = timeout('trades');
	exchange.script.trades = () => error;
	await clock.advance(1000);
	const failure = {error, since: startTime + 2000, retryAt: startTime + 3000};
	expect(now().candles).toEqual({...candles, failure});
});

test('starts again after a stop', async () => {
	const {clock, store, times} = setUpAnswering();
	store.start();
	await clock.advance(500);
	store.stop();
	await clock.advance(10_000);
	store.start();
	await clock.advance(0);
	expect(times('depth')).toEqual([0, 10_500]);
	expect(times('markets')).toEqual([0, 10_500]);
});

test('polls everything at once after a sleep of hours, with the right ages', async () => {
	const {clock, store, now, times} = setUpAnswering();
	store.start();
	await clock.advance(2000);
	clock.jump(8 * hour);
	// The timer of the next second is the first to run; it shows how long the sleep was.
	await clock.advance(1000);
	for (const name of ['depth', 'trades', 'tickers', 'candles', 'markets'] as const) {
		expect([name, times(name).at(-1)]).toEqual([name, 8 * hour + 3000]);
	}

	await clock.advance(250);
	expect(now().candles).toMatchObject({receivedAt: startTime + 8 * hour + 3000});
});
