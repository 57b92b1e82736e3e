import {steadyNow, systemClock} from '../../market/clock.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {Candle, DepthBook, ExchangeInfo, Market, Ticker, Trade} from '../../market/types.ts';
import {AbortedError, HttpStatusError} from '../errors.ts';
import type {Answer, CallOptions, CandlesOptions, TradesOptions} from '../exchange.ts';
import type {Http} from '../http.ts';
import {createRead, type ReadOptions} from '../read.ts';
import {toLimit} from '../trades.ts';
import {createReadCandles} from './candles.ts';
import {v2Paths} from './paths.ts';
import {decodeDepth, decodeInfo, decodeMarkets, decodeSummary, decodeTickers, decodeTrades} from './schemas.ts';

/** The current interface. Every method rejects with an ExchangeError and nothing else. */
export type V2Client = {
	readonly baseUrl: string;
	info(options?: CallOptions): Promise<Answer<ExchangeInfo>>;
	markets(options?: CallOptions): Promise<Answer<readonly Market[]>>;
	summary(options?: CallOptions): Promise<Answer<readonly Ticker[]>>;
	ticker(options?: CallOptions): Promise<Answer<readonly Ticker[]>>;
	/**
	 * The ticker; the summary, which has the same entries, where the exchange has no ticker to give (404 or 5xx). What
	 * helped, or did not, is remembered for a minute.
	 */
	tickers(options?: CallOptions): Promise<Answer<readonly Ticker[]>>;
	/** `bids` is absent where the interface shows none. */
	depth(symbol: string, options?: CallOptions): Promise<Answer<DepthBook>>;
	/** Newest first. Of a symbol in any spelling, or of a market by its numeric id. */
	trades(market: string | {readonly marketId: string}, options?: TradesOptions): Promise<Answer<readonly Trade[]>>;
	/** Oldest first; none outside `from` and `to`. */
	candles(symbol: string, options: CandlesOptions): Promise<Answer<readonly Candle[]>>;
};

/** How long the summary is taken for the ticker, or taken to be of no help. */
const rememberedMs = 60_000;

export function createV2Client(http: Http, baseUrl: URL, options: ReadOptions = {}): V2Client {
	const read = createRead(http, 'v2', baseUrl, options);
	const {clock = systemClock} = options;
	const now = steadyNow(clock);
	let summary = {helps: true, until: Number.NEGATIVE_INFINITY};
	const client: V2Client = {
		baseUrl: baseUrl.href,
		info: (options = {}) => read({operation: 'info', path: v2Paths.info}, options, decodeInfo),
		markets: (options = {}) => read({operation: 'markets', path: v2Paths.markets}, options, decodeMarkets),
		summary: (options = {}) => read({operation: 'summary', path: v2Paths.summary}, options, decodeSummary),
		ticker: (options = {}) =>
			read({operation: 'ticker', path: v2Paths.ticker, jsonContentType: true}, options, decodeTickers),
		async tickers(options) {
			const remembered = now() < summary.until;
			try {
				return await (remembered && summary.helps ? client.summary(options) : client.ticker(options));
			} catch (error) {
				if (remembered && summary.helps) summary.until = Number.NEGATIVE_INFINITY;
				else if (!remembered && hasNoTicker(error)) return standIn(error, options);
				throw error;
			}
		},
		depth: (symbol, options = {}) =>
			read({operation: 'depth', path: v2Paths.depth, query: {symbol: symbolKey(symbol)}}, options, decodeDepth),
		trades(market, options = {}) {
			const which = typeof market === 'string' ? {symbol: symbolKey(market)} : {marketId: market.marketId};
			const query = {...which, limit: toLimit(options.limit)};
			return read({operation: 'trades', path: v2Paths.trades, query}, options, decodeTrades);
		},
		candles: createReadCandles(read),
	};

	async function standIn(error: unknown, options: CallOptions | undefined) {
		try {
			const answer = await client.summary(options);
			summary = {helps: true, until: now() + rememberedMs};
			return answer;
		} catch (second) {
			if (second instanceof AbortedError) throw second;
			summary = {helps: false, until: now() + rememberedMs};
			throw error;
		}
	}

	return client;
}

const hasNoTicker = (error: unknown): boolean =>
	error instanceof HttpStatusError && (error.status === 404 || error.status >= 500);
