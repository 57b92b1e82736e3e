import {onTestFinished} from 'vitest';
import {type ExchangeServer, legacy, paths, type Reply, startExchangeServer, v2} from './exchange-server.ts';
import {market} from './wire-entries.ts';

export const ticker = {
	...{
		symbol: 'BTCUSDT',
		priceChange: 1,
		priceChangePercent: 1,
		lastPrice: 10,
		bidPrice: 9,
		bidQuantity: 1,
		askPrice: 11,
	},
	...{askQuantity: 1, openPrice: 9, highPrice: 12, lowPrice: 8, volume: 5, state: 'active', type: 'spot'},
};
export const legacyTicker = {
	...{percentChange: 1, high24hr: 12, higestBid: 9, last: 10, id: null, quoteVolume: 50, isFrozen: 0},
	...{low24hr: 8, lowestAsk: 11},
};
const text = 'text';
export const info = {
	...{name: text, description: text, location: text, logo: text, website: text, twitter: text, version: text},
	capability: {
		...{markets: true, trades: true, tradesByTimestamp: false, tradesSocket: null, orders: null},
		...{ordersSocket: null, ordersSnapshot: false, candles: true},
	},
};

/** An exchange that answers everything exactly as the specification says, but for the `changes`. Closed after the test. */
export async function startSpecifiedExchange(changes: Readonly<Record<string, Reply>> = {}): Promise<ExchangeServer> {
	const server = await startExchangeServer();
	onTestFinished(server.close);
	const asks = [[11, 1]];
	const bids = [[9, 1]];
	const replies: Readonly<Record<string, Reply>> = {
		[paths.info]: v2(info),
		[paths.markets]: v2([market('BTC')]),
		[paths.summary]: v2({markets: [ticker]}),
		[paths.ticker]: v2([ticker]),
		[paths.depth]: v2({asks}),
		[paths.trades]: v2([{id: 1, quantity: 1, price: 10, time: 1_723_161_298_000, side: 'buy'}]),
		[paths.candles]: v2([{id: 1_723_161_600, open: 9, close: 10, low: 8, high: 12, volume: 5}]),
		[paths.legacyTicker]: legacy({BTCUSDT: legacyTicker}),
		[paths.legacyDepth]: legacy({asks, bids}),
		[paths.legacyTrades]: legacy([{tradeId: 1, quantity: 1, price: 10, createdOn: '2024-08-08T23:54:58+0000'}]),
		...changes,
	};
	for (const [path, reply] of Object.entries(replies)) server.answer(path, reply);
	return server;
}
