import type {Operation} from '../../errors.ts';
import type {CallOptions, TradesOptions} from '../../exchange.ts';
import type {Http} from '../../http.ts';
import {decodeBook, toLimit} from '../lists.ts';
import {createRead, type ReadOptions, type Request} from '../read.ts';
import {decodeMarkets, decodeTickers, decodeTrades} from './schemas.ts';

/** Appended to the legacy base address. exchange-api.md, Endpoints. */
export const v1Paths = {
	ticker: '/api-ordermatch/api/v1/public/ticker',
	depth: '/api-ordermatch/api/v1/public/depth',
	trades: '/api-tradeservice/api/v1/public/trade',
} as const;

/**
 * Reads the legacy interface. Every method rejects with an ExchangeError and nothing else. `markets` are the ticker's keys,
 * with base and quote where the symbol shows them. A `symbol` is sent as it is. `trades` are newest first and have no sides.
 */
export function createV1Client(http: Http, baseUrl: URL, options?: ReadOptions) {
	const read = createRead(http, 'legacy', baseUrl, options);
	const get = (operation: Operation, path: string, query: Request['query'] = {}): Request => ({
		operation,
		path,
		query,
		jsonContentType: true,
	});

	return {
		baseUrl: baseUrl.href,
		markets: (options: CallOptions = {}) => read(get('markets', v1Paths.ticker), options, decodeMarkets),
		tickers: (options: CallOptions = {}) => read(get('ticker', v1Paths.ticker), options, decodeTickers),
		depth: (symbol: string, options: CallOptions = {}) =>
			read(get('depth', v1Paths.depth, {symbol}), options, decodeBook),
		trades(symbol: string, options: TradesOptions = {}) {
			const query = {symbol, limit: toLimit(options.limit)};
			return read(get('trades', v1Paths.trades, query), options, decodeTrades);
		},
	};
}
