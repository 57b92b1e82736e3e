import {type ExchangeServer, sends, startExchangeServer} from '../helpers/exchange-server.ts';
import {market} from '../helpers/wire-entries.ts';

/** Epoch ms that the scripted exchange gives as its own time: 2024-08-08 10:00:00 UTC. */
export const smallExchangeTime = Date.UTC(2024, 7, 8, 10);

/** Digits that a number of JavaScript cannot hold. */
export const raw = (digits: string) => `#${digits}`;

export const v2 = (data: unknown) =>
	sends(
		JSON.stringify({data, success: true, message: 'OK', timestamp: smallExchangeTime}).replace(/"#([^"]+)"/g, '$1'),
	);
const v1 = (data: unknown) =>
	sends({data, message: 'OK', status: 200, timestamp: new Date(smallExchangeTime).toISOString(), isSuccess: true});

/** Three markets, one of them tiny and halted; one bad entry in every list. Both interfaces at one address. */
export async function startSmallExchange(): Promise<ExchangeServer> {
	const server = await startExchangeServer();
	server.answer(
		'/engine/v2/public/markets',
		v2([
			market('BTC'),
			market('ETH', {id: 2}),
			market('PEPE', {id: 3, marketName: 'PEPEBTC', quote: 'BTC', state: 'halted'}),
			{id: 4, state: 'active'},
		]),
	);
	server.answer(
		'/engine/v2/public/ticker',
		v2([
			{
				...{symbol: 'BTCUSDT', priceChange: -13.62, priceChangePercent: -0.022, lastPrice: 61824.01},
				...{bidPrice: 61824, bidQuantity: 0.94, askPrice: 61824.01, askQuantity: 6.67},
				...{openPrice: 61837.63, highPrice: 62745.14, lowPrice: 59535, volume: 48201.5, state: 'active', type: 'spot'},
			},
			{
				...{symbol: 'PEPEBTC', priceChange: null, priceChangePercent: 0, lastPrice: 1.23e-10},
				...{bidPrice: 0, bidQuantity: 0, askPrice: 0, askQuantity: null},
				...{openPrice: 1.23e-10, highPrice: 1.23e-10, lowPrice: 1.23e-10, volume: 1e21, state: 'halted', type: 'spot'},
			},
			{symbol: 'ETHUSDT', lastPrice: 'much'},
		]),
	);
	const asks = [
		[61824.01, 6.67],
		[61825, 0.1],
	];
	server.answer('/engine/v2/public/depth', v2({asks}));
	server.answer('/api-ordermatch/api/v1/public/depth', v1({asks, bids: [[61824, 0.94]]}));
	server.answer(
		'/trade/v2/public/trade',
		v2([
			{id: raw('12345678901234567'), price: 61824.01, quantity: 0.5, time: smallExchangeTime - 1000, side: 'buy'},
			{id: raw('12345678901234566'), price: 61824, quantity: 1.25, time: smallExchangeTime - 2000, side: 'auction'},
			{id: 1},
		]),
	);
	const hour = smallExchangeTime / 1000;
	server.answer(
		'/trade-chart/v2/public/kline',
		v2([
			{id: hour, open: 61800, high: 61900.5, low: 61700, close: 61824.01, volume: 12.5},
			{id: hour - 3 * 3600, open: 61900, high: 61950, low: 61750, close: 61800, volume: 110},
			{id: hour - 4 * 3600, open: 61900, high: 61950, low: 61750, close: 61900, volume: 90.25},
		]),
	);
	server.answer(
		'/metadata/v2/exchange/info',
		v2({
			name: 'Small',
			description: 'Three\u001B[31m markets',
			version: '2.0',
			capability: {markets: true, trades: true, tradesSocket: null, orders: false, candles: true},
		}),
	);
	return server;
}

/** The time at which an answer came and the port are all that differs from run to run. */
export const withoutReceipt = (text: string) =>
	text
		.replace(/127\.0\.0\.1:\d+/g, 'HOST')
		.replace(/"receivedAt":\d{13}/g, '"receivedAt":0')
		.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'NOW');
