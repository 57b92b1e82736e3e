import {expect, test} from 'vitest';
import {clockSkew, liveSkew} from '../../source/store/clock-skew.ts';
import type {Resource} from '../../source/store/resource.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {book, candle, ticker, timeout, trade} from './samples.ts';
import {hour, setUp, setUpAnswering, startTime} from './set-up.ts';

const answer = (serverTime?: number) => ({
	status: 'ready' as const,
	data: null,
	interface: 'v2' as const,
	receivedAt: startTime,
	serverTime,
	dropped: 0,
});
const failed: Resource<null> = {status: 'failed', failure: {error: timeout(), since: startTime}};

test('reports the largest clock error, and none within what a slow answer explains', () => {
	expect(clockSkew([answer(startTime + 20_000), answer(startTime - 2 * hour), answer()])).toBe(-2 * hour);
	expect(clockSkew([answer(startTime + 9999), answer(startTime - 9999), answer(), failed])).toBe(undefined);
	expect(clockSkew([])).toBe(undefined);
});

test.each([
	['this computer’s clock', (clock: FakeClock) => clock.jump(2 * hour), 0],
	['the exchange’s clock', () => {}, -2 * hour],
])('forgets the error that all answers had with the next answer of any after %s is set', async (_, set, errorMs) => {
	const {store, exchange, clock, now} = setUp({symbol: 'BTCUSDT'});
	const from = clock.now();
	let aheadMs = 2 * hour;
	const serverTime = () => ({serverTime: elapsed.now() + aheadMs});
	const elapsed = createFakeClock(from);
	store.start();
	exchange.last('candles').answer([candle(from, 100)], serverTime());
	exchange.last('tickers').answer([ticker('BTCUSDT')], serverTime());
	exchange.last('depth').answer(book(100), serverTime());
	await clock.advance(1000);
	await elapsed.advance(1000);
	expect(liveSkew(now())).toBe(2 * hour);
	set(clock);
	if (errorMs !== 0) aheadMs = 0;
	exchange.last('depth').answer(book(101), serverTime());
	await clock.advance(250);
	expect(liveSkew(now())).toBe(undefined);
	exchange.last('trades').answer([trade(1, from)], serverTime());
	await clock.advance(250);
	expect(liveSkew(now())).toBe(undefined);
	store.stop();
});

test('keeps the error of the one operation whose clock is wrong', async () => {
	const {store, exchange, clock, now} = setUp({symbol: 'BTCUSDT'});
	store.start();
	exchange.last('tickers').answer([ticker('BTCUSDT')], {serverTime: clock.now() + hour});
	for (let poll = 0; poll < 3; poll++) {
		exchange.last('depth').answer(book(100 + poll), {serverTime: clock.now()});
		await clock.advance(1000);
	}

	expect(liveSkew(now())).toBe(hour);
	store.stop();
});

test('keeps the error of one interface when the other one, whose clock is right, answers', async () => {
	const {store, exchange, clock, now} = setUp({symbol: 'BTCUSDT'});
	store.start();
	const wrong = {serverTime: clock.now() + hour};
	exchange.last('tickers').answer([ticker('BTCUSDT')], wrong);
	exchange.last('depth').answer(book(100), wrong);
	await clock.advance(1000);
	exchange.last('depth').answer(book(101), {interface: 'legacy', serverTime: clock.now()});
	await clock.advance(250);
	expect(liveSkew(now())).toBe(hour);
	store.stop();
});

test('ignores the market list, which is polled too rarely', () => {
	const state = setUpAnswering().store.getSnapshot();
	const off = answer(startTime + hour);
	expect(liveSkew({...state, markets: {...off, data: []}})).toBe(undefined);
	expect(liveSkew({...state, depth: {...off, data: {asks: []}}})).toBe(hour);
});
