import {expect, test} from 'vitest';
import {spacedExchange} from '../../source/store/spaced-exchange.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {answering} from './set-up.ts';

function setUp() {
	const clock = createFakeClock(0);
	const exchange = createFakeExchange(clock, answering);
	return {clock, exchange, spaced: spacedExchange(exchange, clock, 500)};
}

test('begins requests in turn, each 500 ms after the one before', async () => {
	const {clock, exchange, spaced} = setUp();
	const all = Promise.all([
		spaced.trades('BTCUSDT', {limit: 50}),
		spaced.depth('BTCUSDT'),
		spaced.tickers(),
		spaced.candles('BTCUSDT', {period: 60}),
		spaced.markets(),
		spaced.info(),
	]);
	await clock.advance(2500);
	const {trades, depth, tickers, candles, markets, info} = exchange.calls;
	expect([trades, depth, tickers, candles, markets, info].map(([call]) => call?.at)).toEqual([
		0, 500, 1000, 1500, 2000, 2500,
	]);
	expect(trades[0]).toMatchObject({symbol: 'BTCUSDT', options: {limit: 50}});
	expect((await all).map(({receivedAt}) => receivedAt)).toEqual([0, 500, 1000, 1500, 2000, 2500]);
	expect(clock.timers).toBe(0);
});

test('leaves out what is aborted, and its turn', async () => {
	const {clock, exchange, spaced} = setUp();
	const controller = new AbortController();
	await spaced.depth('BTCUSDT');
	const gone = spaced.trades('BTCUSDT', {signal: controller.signal});
	const kept = spaced.trades('ETHUSDT');
	controller.abort();
	await expect(gone).rejects.toMatchObject({kind: 'aborted', operation: 'trades'});
	await expect(spaced.trades('SOLUSDT', {signal: controller.signal})).rejects.toMatchObject({kind: 'aborted'});
	await clock.advance(500);
	await kept;
	expect([exchange.calls.trades.map(({symbol}) => symbol), clock.timers]).toEqual([['ETHUSDT'], 0]);
});
