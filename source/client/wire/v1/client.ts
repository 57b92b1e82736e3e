import {symbolKey} from '../../../market/symbol.ts';
import type {DepthBook, Market, Ticker, Trade} from '../../../market/types.ts';
import type {Operation} from '../../errors.ts';
import type {Answer, CallOptions, TradesOptions} from '../../exchange.ts';
import type {Http} from '../../http.ts';
import {toLimit} from '../lists.ts';
import {createRead, type ReadOptions, type Request} from '../read.ts';
import {decodeDepth, decodeMarkets, decodeTickers, decodeTrades} from './schemas.ts';

/** Appended to the legacy base address. exchange-api.md, Endpoints. */
export const v1Paths = {
	ticker: '/api-ordermatch/api/v1/public/ticker',
	depth: '/api-ordermatch/api/v1/public/depth',
	trades: '/api-tradeservice/api/v1/public/trade',
} as const;

/** The legacy interface. Every method rejects with an ExchangeError and nothing else. */
export type V1Client = {
	readonly baseUrl: string;
	/** From the ticker's keys; base and quote where the symbol shows them. */
	markets(options?: CallOptions): Promise<Answer<readonly Market[]>>;
	tickers(options?: CallOptions): Promise<Answer<readonly Ticker[]>>;
	depth(symbol: string, options?: CallOptions): Promise<Answer<DepthBook>>;
	/** Newest first, without sides. */
	trades(symbol: string, options?: TradesOptions): Promise<Answer<readonly Trade[]>>;
};

export function createV1Client(http: Http, baseUrl: URL, options?: ReadOptions): V1Client {
	const read = createRead(http, 'v1', baseUrl, options);
	const get = (operation: Operation, path: string, query: Request['query'] = {}): Request => ({
		operation,
		path,
		query,
		jsonContentType: true,
	});

	return {
		baseUrl: baseUrl.href,
		markets: (options = {}) => read(get('markets', v1Paths.ticker), options, decodeMarkets),
		tickers: (options = {}) => read(get('ticker', v1Paths.ticker), options, decodeTickers),
		depth: (symbol, options = {}) =>
			read(get('depth', v1Paths.depth, {symbol: symbolKey(symbol)}), options, decodeDepth),
		trades(symbol, options = {}) {
			const query = {symbol: symbolKey(symbol), limit: toLimit(options.limit)};
			return read(get('trades', v1Paths.trades, query), options, decodeTrades);
		},
	};
}
