import type {Operation} from '../../errors.ts';
import type {Http} from '../../http.ts';
import type {Handlers} from '../../middleware.ts';
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
 * Reads the legacy interface. Every read rejects with an ExchangeError and nothing else. `markets` are the ticker's keys,
 * with base and quote where the symbol shows them. A market's name is sent as it is. `trades` are newest first and have no sides.
 */
export function createV1Client(http: Http, baseUrl: URL, options?: ReadOptions) {
	const read = createRead(http, 'legacy', baseUrl, options);
	const get = (operation: Operation, path: string, query: Request['query'] = {}): Request => ({
		operation,
		path,
		query,
		jsonContentType: true,
	});
	const answers = {
		markets: (_, call) => read(get('markets', v1Paths.ticker), call, decodeMarkets),
		tickers: (_, call) => read(get('ticker', v1Paths.ticker), call, decodeTickers),
		depth: ({market}, call) => read(get('depth', v1Paths.depth, {symbol: market}), call, decodeBook),
		trades: ({market, limit}, call) =>
			read(get('trades', v1Paths.trades, {symbol: String(market), limit: toLimit(limit)}), call, decodeTrades),
	} satisfies Partial<Handlers>;
	return {baseUrl: baseUrl.href, answers};
}
