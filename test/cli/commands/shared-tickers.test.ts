import {expect, test} from 'vitest';
import {sharedTickers} from '../../../source/cli/commands/shared-tickers.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange} from '../../helpers/fake-exchange.ts';
import {info, market, ticker, timeout} from '../../store/samples.ts';

function open() {
	const clock = createFakeClock();
	const exchange = createFakeExchange(clock);
	return {clock, exchange, shared: sharedTickers(exchange, clock)};
}

test('stores that ask within a second get one answer', async () => {
	const {clock, exchange, shared} = open();
	const first = shared.tickers();
	await clock.advance(999);
	const second = shared.tickers();
	expect(exchange.calls.tickers.length).toBe(1);
	exchange.last('tickers').answer([ticker('BTCUSDT')]);
	expect(await second).toBe(await first);
	expect((await first).data).toEqual([ticker('BTCUSDT')]);
});

test('later ones are asked for anew', async () => {
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
	for (const each of both) await expect(each).rejects.toThrow('no whole answer within 5000 ms');
	await clock.advance(1000);
	const again = shared.markets();
	exchange.last('markets').answer([market('BTCUSDT')]);
	expect((await again).data).toEqual([market('BTCUSDT')]);
});

test('one store that gives up does not take the answer from the others', async () => {
	const {exchange, shared} = open();
	const gone = new AbortController();
	void shared.info({signal: gone.signal});
	const stays = shared.info();
	gone.abort();
	expect(exchange.last('info').options.signal).toBeUndefined();
	exchange.last('info').answer(info);
	expect((await stays).data).toBe(info);
});

test('answers of one interface do not stand in for those of another', () => {
	const {exchange, shared} = open();
	void shared.tickers({use: 'v2'});
	void shared.tickers({use: 'v1'});
	void shared.tickers();
	void shared.tickers({use: 'auto'});
	expect(exchange.calls.tickers.map(({options}) => options.use)).toEqual(['v2', 'v1', undefined]);
});

test('what belongs to one market is asked for each time', () => {
	const {exchange, shared} = open();
	void shared.depth('BTCUSDT');
	void shared.depth('BTCUSDT');
	void shared.trades('BTCUSDT');
	void shared.trades('BTCUSDT');
	expect([exchange.calls.depth.length, exchange.calls.trades.length]).toEqual([2, 2]);
});
