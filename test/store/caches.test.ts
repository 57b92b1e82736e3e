import {describe, expect, test} from 'vitest';
import type {Answer} from '../../source/client/exchange.ts';
import {createComparison} from '../../source/store/comparison.ts';
import {createTickerStore} from '../../source/store/market-store.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {book, candle, info, market, ticker, timeout, trade} from './samples.ts';
import {setUp, startTime} from './set-up.ts';

const hour = 3_600_000;
type More = Partial<Answer<never>>;

/** Of an answer that comes from a cache now, and is `ageMs` old. */
const aged = (now: number, ageMs: number, isSaid = false): More => ({
	receivedAt: now - ageMs,
	cache: {ageMs, isHit: true, isSaid},
});

/** A store whose resources are answered by hand. */
function setUpCached(choice: 'auto' | 'legacy' = 'auto') {
	const all = setUp({symbol: 'BTCUSDT', choice});
	const {clock, exchange, store, now} = all;
	store.start();

	/** Answers the next poll of the book. */
	async function bookOf(mid: number, ageMs: number, more: More = {}) {
		while (exchange.last('depth').settled) await clock.advance(10);
		exchange.last('depth').answer(book(mid), {...aged(clock.now(), ageMs), ...more});
		await clock.advance(0);
		const at = clock.now();
		await clock.advance(250);
		return at;
	}

	const depth = () => {
		const shown = now().depth;
		return shown.status === 'ready' ? shown : expect.fail();
	};
	return {...all, bookOf, depth};
}

describe('an answer from a cache', () => {
	test('is shown as old as it was when it came', async () => {
		const {bookOf, depth} = setUpCached();
		const at = await bookOf(5, 1400);
		expect(depth()).toMatchObject({data: book(5), receivedAt: at - 1400});
	});

	test('dates what is remembered of prices and books, too', async () => {
		const {bookOf, clock, exchange, now} = setUpCached();
		const at = clock.now();
		exchange.last('tickers').answer([ticker('BTCUSDT')], aged(at, 900));
		await bookOf(5, 1400);
		expect(now().priceTrails.get('BTCUSDT')).toMatchObject({since: at - 900});
		expect(now().bookHistory.snapshots).toMatchObject([{time: at - 1400}]);
	});

	test('that is older than the shown one changes neither that nor its age', async () => {
		const {bookOf, depth, clock} = setUpCached();
		const at = await bookOf(5, 100);
		await bookOf(4, 3000);
		await bookOf(3, 100 + (clock.now() - at) + 1000);
		expect(depth()).toMatchObject({data: book(5), receivedAt: at - 100});
		const last = await bookOf(6, 20);
		expect(depth()).toMatchObject({data: book(6), receivedAt: last - 20});
	});

	test('that is older ends a failure, as the exchange can be reached', async () => {
		const {bookOf, depth, clock, exchange} = setUpCached();
		await bookOf(5, 0);
		while (exchange.last('depth').settled) await clock.advance(10);
		exchange.last('depth').fail(timeout());
		await clock.advance(250);
		expect(depth().failure).toMatchObject({error: {kind: 'timeout'}});
		await bookOf(4, 20_000);
		expect(depth()).toMatchObject({data: book(5), failure: undefined});
	});

	test('that is older does not end a frozen clock', async () => {
		const {clock, exchange, now} = setUpCached();
		const candles = [candle(startTime - hour / 2)];
		for (let poll = 0; poll < 6; poll++) {
			exchange.last('candles').answer(candles, {serverTime: startTime});
			await clock.advance(15_000);
		}

		const frozen = {failure: {error: {kind: 'frozen-clock'}}};
		expect(now().candles).toMatchObject(frozen);
		expect(exchange.last('candles').settled).toBe(false);
		const older = [candle(startTime - hour / 2, 100, 3)];
		exchange.last('candles').answer(older, aged(clock.now(), clock.now() - startTime + 10_000, true));
		await clock.advance(300);
		expect(now().candles).toMatchObject({...frozen, data: {candles}});
	});

	test('of another interface is refused where it is older, and taken where it is not', async () => {
		const {bookOf, depth} = setUpCached();
		const at = await bookOf(5, 0, {interface: 'legacy', cache: undefined});
		await bookOf(4, 2500);
		expect(depth()).toMatchObject({data: book(5), interface: 'legacy', receivedAt: at});
		await bookOf(6, 500);
		expect(depth()).toMatchObject({data: book(6), interface: 'v2'});
	});

	test('of the interface that the user has chosen is taken however old it is', async () => {
		const {store, bookOf, depth} = setUpCached();
		await bookOf(5, 0);
		store.setChoice('legacy');
		await bookOf(4, 60_000, {interface: 'legacy'});
		expect(depth()).toMatchObject({data: book(4), interface: 'legacy'});
	});

	test('is taken after this computer’s clock was set back', async () => {
		const {clock, bookOf, depth} = setUpCached();
		await bookOf(5, 0);
		clock.jump(-hour);
		const at = await bookOf(6, 700);
		expect(depth()).toMatchObject({data: book(6), receivedAt: at - 700});
	});

	test('is taken after ten seconds where no cache says that it is one, as the time of the exchange may stand still', async () => {
		const {bookOf, depth} = setUpCached();
		await bookOf(5, 0);
		for (let second = 1; second <= 8; second++) await bookOf(6, 60_000);
		expect(depth()).toMatchObject({data: book(5)});
		for (let second = 9; second <= 11; second++) await bookOf(6, 60_000);
		expect(depth()).toMatchObject({data: book(6)});
	});

	test('that comes again is the same answer: its book is compared with the one before', async () => {
		const {bookOf, depth, clock, now} = setUpCached();
		await bookOf(4, 0);
		const at = await bookOf(5, 0);
		const {data} = depth();
		const history = now().bookHistory;
		expect(history.previous).toEqual(book(4));
		await bookOf(5, clock.now() + 640 - at, {receivedAt: at});
		expect(depth().data).toBe(data);
		expect(now().bookHistory).toBe(history);
	});

	test.each([
		['info', {...info, name: 'Old'}, info],
		['markets', [market('OLDUSDT')], [market('BTCUSDT')]],
		['tickers', [ticker('BTCUSDT', 1)], [ticker('BTCUSDT', 2)]],
		['trades', [trade(1, startTime - 9000)], [trade(2, startTime - 100), trade(1, startTime - 9000)]],
		['candles', [candle(startTime - hour / 2, 1)], [{...candle(startTime - hour / 2, 1), close: 2, high: 2}]],
	] as const)('is refused where it is older: %s', async (name, older, newer) => {
		const {clock, exchange, store, now} = setUpCached();
		const answer = async (data: unknown, ageMs: number) => {
			exchange.last(name).answer(data as never, aged(clock.now(), ageMs));
			await clock.advance(300);
		};
		await answer(newer, 100);
		const resource = name;
		const shown = now()[resource];
		store.refresh();
		await clock.advance(0);
		await answer(older, 500);
		const kept = now()[resource];
		if (shown.status !== 'ready' || kept.status !== 'ready') return expect.fail();
		expect([kept.data, kept.receivedAt]).toEqual([shown.data, shown.receivedAt]);
		expect(exchange.calls[name]).toHaveLength(2);
	});

	test('is refused by the tickers of the other interface and the comparison, too', async () => {
		const clock = createFakeClock(startTime);
		const exchange = createFakeExchange(clock);
		const second = createTickerStore({exchange, clock, random: () => 0});
		second.setChoice('legacy');
		const comparison = createComparison({exchange, clock, random: () => 0});
		second.show(new Set(['tickers']));
		comparison.show({symbols: ['BTCUSDT'], period: 60, choice: 'auto'});
		for (const [price, ageMs] of [
			[2, 100],
			[1, 60_000],
		] as const) {
			const fromCache = aged(clock.now(), ageMs, true);
			exchange.last('tickers').answer([ticker('BTCUSDT', price)], {...fromCache, interface: 'legacy'});
			exchange.last('candles').answer([candle(startTime - hour / 2, price)], fromCache);
			await clock.advance(15_000);
		}

		const at = startTime - 100;
		expect(second.getSnapshot().tickers).toMatchObject({
			data: new Map([['BTCUSDT', ticker('BTCUSDT', 2)]]),
			receivedAt: at,
		});
		expect(comparison.getSnapshot()).toMatchObject([{candles: {data: {candles: [{close: 2}]}, receivedAt: at}}]);
	});
});

describe('a refresh', () => {
	test('asks past caches, and no other poll does', async () => {
		const {store, clock, exchange, bookOf} = setUpCached();
		await bookOf(5, 100);
		await bookOf(6, 100);
		store.refresh();
		await bookOf(7, 0);
		await bookOf(8, 100);
		expect(exchange.calls.depth.map(({options}) => options.fresh)).toEqual([false, false, true, false]);
		expect(clock.now()).toBeLessThan(startTime + 5000);
	});

	test('asks again past the cache where that answers a request that was already sent', async () => {
		const {store, exchange, bookOf} = setUpCached();
		store.refresh();
		await bookOf(5, 100);
		expect(exchange.calls.depth.map(({options}) => options.fresh)).toEqual([false, true]);
	});

	test('is over with the answer to a request that was already sent where no cache is known', async () => {
		const {store, exchange, bookOf} = setUpCached();
		store.refresh();
		await bookOf(5, 0, {cache: undefined});
		await bookOf(6, 0, {cache: undefined});
		expect(exchange.calls.depth.map(({options}) => options.fresh)).toEqual([false, false]);
	});
});
