import {expect, test} from 'vitest';
import {createSecondTicker} from '../../source/store/second-ticker.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {timeout} from './samples.ts';

function setUp() {
	const clock = createFakeClock();
	const exchange = createFakeExchange(clock);
	const ticker = createSecondTicker({exchange, clock, random: () => 0});
	return {clock, exchange, ticker};
}

const btc = {symbol: 'BTCUSDT', last: 1, state: 'active'};

test('asks nothing until it is shown, then the interface every 15 s, after all others', async () => {
	const {clock, exchange, ticker} = setUp();
	exchange.script.tickers = () => [btc];
	await clock.advance(60_000);
	ticker.show('legacy');
	await clock.advance(30_000);

	expect(exchange.calls.tickers.map(({options: {use, priority}}) => [use, priority])).toEqual(
		Array(3).fill(['legacy', 2]),
	);
	expect(ticker.getSnapshot()).toMatchObject({status: 'ready', data: [btc]});
});

test('keeps its answer while hidden or failing, and forgets it for another interface', async () => {
	const {clock, exchange, ticker} = setUp();
	exchange.script.tickers = () => [btc];
	ticker.show('legacy');
	await clock.advance(0);
	ticker.show(undefined);
	await clock.advance(60_000);
	expect(exchange.calls.tickers.length).toBe(1);

	exchange.script.tickers = () => timeout();
	ticker.show('legacy');
	await clock.advance(0);
	expect(ticker.getSnapshot()).toMatchObject({status: 'ready', data: [btc], failure: {error: {kind: 'timeout'}}});

	exchange.script.tickers = () => undefined;
	ticker.show('v2');
	expect(ticker.getSnapshot()).toEqual({status: 'waiting'});
});
