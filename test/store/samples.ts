import {
	AbortedError,
	HttpStatusError,
	type Operation,
	RefusedError,
	TimeoutError,
	UnavailableError,
} from '../../source/client/errors.ts';
import type {Candle, DepthBook, ExchangeInfo, Market, Ticker, Trade} from '../../source/market/types.ts';

const context = (operation: Operation) => ({operation, interface: 'v2', url: 'http://127.0.0.1/'}) as const;

export const timeout = (operation: Operation = 'depth') => new TimeoutError({...context(operation), timeoutMs: 5000});
export const aborted = (operation: Operation = 'depth') => new AbortedError(context(operation));
export const tooMany = (retryAfterMs?: number) =>
	new HttpStatusError({...context('depth'), status: 429, retryAfterMs, body: '', message: ''});
export const refusedPeriod = () => new RefusedError({...context('candles'), status: 200, body: '', message: ''});
export const unavailable = (operation: Operation) =>
	new UnavailableError({...context(operation), brief: 'not offered', remedy: 'set the base URL'});

export const info: ExchangeInfo = {
	name: 'Sample',
	capability: {
		markets: true,
		trades: true,
		tradesByTimestamp: false,
		tradesSocket: null,
		orders: true,
		ordersSocket: null,
		ordersSnapshot: false,
		candles: true,
	},
};

export const market = (symbol: string, state = 'active'): Market => ({symbol, state});
export const ticker = (symbol: string, last = 100): Ticker => ({symbol, last, state: 'active'});
export const book = (mid: number): DepthBook => ({asks: [[mid + 1, 2]], bids: [[mid - 1, 3]]});
export const trade = (id: number, time: number, price = 100, quantity = 1): Trade => ({
	id: String(id),
	time,
	price,
	quantity,
	side: 'buy',
});

/** Newest first: ids from `newest` down, one every `everyMs`, the newest at `time`. */
export const tradePage = (newest: number, count: number, time: number, everyMs = 1000): readonly Trade[] =>
	Array.from({length: count}, (_, index) => trade(newest - index, time - index * everyMs));

export const candle = (time: number, price = 100, volume = 10): Candle => ({
	time,
	open: price,
	high: price,
	low: price,
	close: price,
	volume,
});
