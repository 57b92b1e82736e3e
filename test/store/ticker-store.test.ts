import {expect, test} from 'vitest';
import type {Interface} from '../../source/market/types.ts';
import {createTickerStore} from '../../source/store/market-store.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {ticker, timeout} from './samples.ts';

function setUp() {
	const clock = createFakeClock();
	const exchange = createFakeExchange(clock);
	const store = createTickerStore({exchange, clock, random: () => 0});
	const show = (use: Interface) => {
		store.setChoice(use);
		store.show(new Set(['tickers']));
	};
	return {clock, exchange, store, show, hide: () => store.show(new Set())};
}

const btc = ticker('BTCUSDT', 1);
const tickers = new Map([['BTCUSDT', btc]]);

test('asks nothing until it is shown, then the interface every 15 s, after all others', async () => {
	const {clock, exchange, store, show} = setUp();
	exchange.script.tickers = () => [btc];
	await clock.advance(60_000);
	show('legacy');
	await clock.advance(30_000);

	expect(exchange.calls.tickers.map(({options: {use, priority}}) => [use, priority])).toEqual(
		Array(3).fill(['legacy', 2]),
	);
	expect(Object.values(exchange.calls).flat().length).toBe(3);
	expect(store.getSnapshot().tickers).toMatchObject({status: 'ready', data: tickers});
});

test('keeps its answer while hidden or failing, and asks another interface at once', async () => {
	const {clock, exchange, store, show, hide} = setUp();
	exchange.script.tickers = () => [btc];
	show('legacy');
	await clock.advance(0);
	hide();
	await clock.advance(10_000);
	show('legacy');
	await clock.advance(0);
	expect([exchange.calls.tickers.length, clock.timers]).toEqual([1, 1]);

	exchange.script.tickers = () => timeout();
	await clock.advance(5000);
	expect(store.getSnapshot().tickers).toMatchObject({data: tickers, failure: {error: {kind: 'timeout'}}});

	exchange.script.tickers = () => undefined;
	show('v2');
	expect(exchange.last('tickers').options.use).toBe('v2');
	hide();
	await clock.advance(250);
	expect([exchange.last('tickers').options.signal?.aborted, clock.timers]).toEqual([true, 0]);
});
