/** An exchange whose last trade, and whose last candle, are 142 minutes old, as on a market that nobody trades. */
import {afterAll, expect, test} from 'vitest';
import {createMarketEvents} from '../../../source/cli/commands/watch-events.ts';
import type {MarketState} from '../../../source/store/state.ts';
import {paths} from '../../helpers/exchange-server.ts';
import {marketState, received} from '../../helpers/market-state.ts';
import {trade} from '../../store/samples.ts';
import {inProcess} from '../in-process.ts';
import {smallExchangeTime, startSmallExchange, v2} from '../small-exchange.ts';

const minute = 60_000;
const lastTradeAt = smallExchangeTime - 142.5 * minute;

const exchange = await startSmallExchange();
const traded = (index: number) => ({
	...{id: 5000 - index, price: 60_001, quantity: 0.1, time: lastTradeAt - index * minute, side: 'buy'},
});
exchange.answer(paths.trades, v2(Array.from({length: 50}, (_, index) => traded(index))));
const hour = Math.floor(lastTradeAt / (60 * minute)) * 3600;
const candle = (id: number) => ({id, open: 60_000, high: 60_002, low: 59_999, close: 60_001, volume: 1});
exchange.answer(paths.candles, v2([hour, hour - 3600, hour - 3 * 3600].map(candle)));
afterAll(() => exchange.close());

const watchArguments = (...args: readonly string[]) => [
	...['watch', 'BTCUSDT', ...args, '--base-url', exchange.url, '--legacy-base-url', exchange.url, '--rate', '1000'],
];
const watch = (...args: readonly string[]) => inProcess(watchArguments(...args));

const quiet = 'last trade 2 h 22 min ago';

test('a line says when the last trade was, and so does the one that --until ends with', async () => {
	for (const option of ['--once', '--until=last > 60000']) {
		const {stdout, stderr, status} = await watch(option);
		expect({stderr, status}).toEqual({stderr: '', status: 0});
		expect(stdout.trimEnd().split('\n').at(-1)).toMatch(RegExp(`  BTCUSDT  +60,001\\.00 .* s  ${quiet}$`));
	}
});

test('a ticker event has the time of the last trade that is known', () => {
	const tickers = received(new Map([['BTCUSDT', {symbol: 'BTCUSDT', last: 1, state: 'active'}]]), 0);
	const eventsOf = (tape: Partial<MarketState>) => createMarketEvents()(marketState({tickers, ...tape}), 0);
	const tape = received({trades: [trade(1, lastTradeAt)], gaps: new Set<string>()}, 0);
	const times = [{}, {trades: tape}].map(each =>
		eventsOf(each).flatMap(event => (event.type === 'ticker' ? event.lastTradeAt : [])),
	);
	expect(times).toEqual([[null], [lastTradeAt]]);
});
