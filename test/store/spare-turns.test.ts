import {expect, test} from 'vitest';
import {withMiddleware} from '../../source/client/middleware.ts';
import {createPace} from '../../source/client/pace.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {createSpareTurns, inSpareTurns} from '../../source/store/spare-turns.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {answering} from './set-up.ts';

/** `rate`: requests a second of the budget that all share. */
function setUp(rate: number) {
	const clock = createFakeClock(0);
	const pace = createPace({rate, clock, random: () => 0});
	const exchange = {...createFakeExchange(clock, answering, pace), budget: () => pace.budget()};
	const turns = createSpareTurns(exchange, clock);
	const times = () =>
		Object.values(exchange.calls)
			.flat()
			.map(({at}) => at)
			.sort((a, b) => a - b);
	return {clock, pace, exchange, turns, times, spare: withMiddleware(exchange, inSpareTurns(turns))};
}

/** Asks again as soon as it is answered. */
function readOn(read: () => Promise<unknown>): void {
	void read().then(() => readOn(read));
}

/** The most requests within any second. */
const busiest = (times: readonly number[]): number =>
	Math.max(...times.map(time => times.filter(each => each >= time && each < time + 1000).length));

test('begins requests in turn, evenly, nearly as many as the budget allows', async () => {
	const {clock, exchange, spare} = setUp(10);
	const all = Promise.all([
		spare.trades('BTCUSDT', {limit: 50}),
		spare.depth('BTCUSDT'),
		spare.tickers(),
		spare.candles('BTCUSDT', {period: 60}),
		spare.markets(),
		spare.info(),
	]);
	await clock.advance(1000);
	const {trades, depth, tickers, candles, markets, info} = exchange.calls;
	expect([trades, depth, tickers, candles, markets, info].map(([call]) => call && Math.floor(call.at))).toEqual([
		0, 0, 111, 222, 333, 444,
	]);
	expect(trades[0]).toMatchObject({symbol: 'BTCUSDT', options: {limit: 50}});
	expect((await all).map(({receivedAt}) => Math.floor(receivedAt))).toEqual([0, 0, 111, 222, 333, 444]);
	expect(clock.timers).toBe(0);
});

test.for([5, 60])(
	'leaves the screen what it polls of %i requests a second, and uses nearly all the rest',
	async rate => {
		const {clock, pace, exchange, spare, times} = setUp(rate);
		const screen = createMarketStore({exchange, clock, symbol: 'BTCUSDT', random: () => 0});
		screen.start();
		await clock.advance(10_000);
		// Its first requests at once may have let the rate grow.
		const {allowed} = pace.budget();
		for (let market = 0; market < 2 * rate; market++) readOn(() => spare.trades(`M${market}USDT`, {priority: 2}));
		await clock.advance(60_000);
		screen.stop();
		const perSecond = times().filter(time => time > 40_000).length / 30;
		expect(perSecond).toBeGreaterThan(0.88 * rate);
		expect(pace.budget().allowed).toBe(allowed);
		expect(busiest(times())).toBeLessThanOrEqual(Math.ceil(allowed));
		// When they are due, or as soon as the budget has room for one more.
		const lateMs = exchange.calls.depth.map(({at}) => at % 1000).sort((a, b) => a - b);
		expect(lateMs[Math.floor(lateMs.length / 2)]).toBe(0);
		expect(lateMs.at(-1)).toBeLessThan(1000 / rate);
	},
);

test('goes on at a tenth of the budget while others want more than all of it, and does not hold them', async () => {
	const {clock, exchange, spare} = setUp(5);
	for (let market = 0; market < 20; market++) readOn(() => exchange.depth(`S${market}USDT`, {priority: 1}));
	for (let market = 0; market < 20; market++) readOn(() => spare.trades(`M${market}USDT`, {priority: 2}));
	await clock.advance(120_000);
	const {depth, trades} = exchange.calls;
	expect(trades.length / (trades.length + depth.length)).toBeLessThan(0.11);
	expect(trades.length).toBeGreaterThan(20);
});

test('waits while the exchange asks for it, with one request', async () => {
	const {clock, pace, exchange, spare} = setUp(5);
	pace.refused('depth', 0, 20_000);
	const reads = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'].map(market => spare.trades(market, {priority: 2}));
	await clock.advance(19_000);
	expect([exchange.calls.trades.length, clock.timers]).toEqual([0, 1]);
	await clock.advance(3000);
	pace.accepted('depth', clock.now());
	await clock.advance(3000);
	await Promise.all(reads);
	expect(exchange.calls.trades.length).toBe(3);
});

test('leaves out what is aborted, and its turn', async () => {
	const {clock, exchange, spare} = setUp(5);
	const controller = new AbortController();
	await Promise.all([spare.depth('BTCUSDT'), spare.depth('ETHUSDT')]);
	const gone = spare.trades('BTCUSDT', {signal: controller.signal});
	const kept = spare.trades('ETHUSDT');
	controller.abort();
	await expect(gone).rejects.toMatchObject({kind: 'aborted', operation: 'trades'});
	await expect(spare.trades('SOLUSDT', {signal: controller.signal})).rejects.toMatchObject({kind: 'aborted'});
	await clock.advance(500);
	await kept;
	expect([exchange.calls.trades.map(({symbol}) => symbol), clock.timers]).toEqual([['ETHUSDT'], 0]);
});
