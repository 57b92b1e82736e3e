/** All panels of a store on one request budget that is too small for them. */

import {expect, test} from 'vitest';
import {createPace} from '../../source/client/pace.ts';
import type {Ask} from '../../source/client/question.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../helpers/fake-exchange.ts';
import {answering, startTime} from './set-up.ts';

type Read = keyof FakeExchange['calls'];

/** When each read was let go, in seconds after the start. Of the panels, the list is not shown. */
async function watch(rate: number, seconds: number, focused: Ask) {
	const clock = createFakeClock(startTime);
	const pace = createPace({rate, maxRate: rate, clock, random: () => 0});
	const exchange = createFakeExchange(clock, answering, pace);
	const store = createMarketStore({exchange, clock, random: () => 0, symbol: 'BTCUSDT'});
	store.show(new Set<Ask>(['depth', 'trades', 'tickers', 'candles']), focused);
	store.start();
	await clock.advance(seconds * 1000);
	store.stop();
	const secondsOf = (name: Read) => exchange.calls[name].map(({at}) => (at - startTime) / 1000);
	return {
		info: secondsOf('info'),
		markets: secondsOf('markets'),
		tickers: secondsOf('tickers'),
		depth: secondsOf('depth'),
		trades: secondsOf('trades'),
		candles: secondsOf('candles'),
	};
}

test('ends an hour that the exchange asks for at a refresh: one panel first, the others with its answer', async () => {
	const clock = createFakeClock(startTime);
	const pace = createPace({rate: 5, clock, random: () => 0});
	const exchange = createFakeExchange(clock, answering, pace);
	const store = createMarketStore({exchange, clock, random: () => 0, symbol: 'BTCUSDT'});
	const counts = () => Object.values(exchange.calls).reduce((sum, calls) => sum + calls.length, 0);
	pace.refused('depth', clock.now(), 3_600_000);
	exchange.currentBudget = pace.budget();
	store.start();
	await clock.advance(10_000);
	const {depth} = store.getSnapshot();
	expect(counts()).toBe(0);
	expect(depth).toMatchObject({held: {error: {retryAfterMs: 3_600_000}, retryAt: startTime + 300_000}});
	store.refresh();
	await clock.advance(1000);
	expect(counts()).toBe(1);
	pace.accepted('depth', clock.now());
	await clock.advance(4000);
	expect(counts()).toBeGreaterThanOrEqual(6);
	store.stop();
});

test('lets each panel send a request every two seconds, the focused one most often', async () => {
	const started = await watch(0.5, 600, 'depth');
	const counts = Object.fromEntries(Object.entries(started).map(([name, times]) => [name, times.length]));
	expect(counts).toMatchObject({info: 1, markets: 1});
	expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(301);
	for (const name of ['trades', 'tickers', 'candles'] as const) {
		const pauses = started[name].slice(1).map((at, index) => at - (started[name][index] ?? 0));
		expect(Math.max(...pauses), name).toBeLessThanOrEqual(30);
		expect(started.depth.length, name).toBeGreaterThan(started[name].length);
	}

	// The list and the info are in the background.
	expect([started.markets, started.info].flat().every(at => at > 2 && at < 30)).toBe(true);
});
