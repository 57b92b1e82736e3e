import {onTestFinished} from 'vitest';
import {candlesFromTrades} from '../../source/market/candles.ts';
import type {Trade} from '../../source/market/types.ts';
import {minuteMs, secondMs} from '../../source/market/units.ts';
import {demoNow} from '../helpers/environment.ts';
import {paths, sends, startExchangeServer} from '../helpers/exchange-server.ts';
import {info, ticker} from '../helpers/specified-exchange.ts';
import {market} from '../helpers/wire-entries.ts';

/** An exchange whose market BTCUSDT trades only when a test says so. */
type TradedExchange = {
	readonly url: string;
	/** Trades now, once for each price. */
	trade(...prices: readonly number[]): void;
	/** How many requests it has received. */
	requests(): number;
};

/** An answer tells no more trades than this. */
const page = 5;

/** `price`: of all trades so far, the last of which were more than a minute ago. Closed after the test. */
export async function startTradedExchange(price: number): Promise<TradedExchange> {
	const started = demoNow();
	// Oldest first.
	const trades: Trade[] = [];
	function trade(time: number, tradePrice: number) {
		trades.push({id: String(trades.length + 1), time, price: tradePrice, quantity: 1, side: 'buy'});
	}

	for (let index = page; index > 0; index--) trade(started - minuteMs - index * secondMs, price);
	const candles = () =>
		candlesFromTrades(trades.toReversed(), 1).candles.map(({time, ...candle}) => ({id: time / secondMs, ...candle}));
	const server = await startExchangeServer();
	onTestFinished(server.close);
	const answers: Readonly<Record<string, () => unknown>> = {
		[paths.info]: () => info,
		[paths.markets]: () => [market('BTC')],
		[paths.ticker]: () => [{...ticker, lastPrice: price, bidPrice: price - 1, askPrice: price, highPrice: price}],
		[paths.depth]: () => ({asks: [[price, 1]], bids: [[price - 1, 1]]}),
		[paths.trades]: () => trades.slice(-page).toReversed(),
		[paths.candles]: candles,
	};
	for (const [path, data] of Object.entries(answers)) {
		server.answer(path, (response, request) =>
			sends({data: data(), success: true, message: '', timestamp: demoNow()})(response, request),
		);
	}

	return {
		url: server.url,
		trade(...prices) {
			for (const each of prices) trade(Math.max(demoNow(), (trades.at(-1)?.time ?? 0) + 1), each);
		},
		requests: () => server.requests.length,
	};
}
