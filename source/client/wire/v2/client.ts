import {steadyNow, systemClock} from '../../../market/clock.ts';
import {symbolKey} from '../../../market/symbol.ts';
import type {Candle, DepthBook, ExchangeInfo, Market, Ticker, Trade} from '../../../market/types.ts';
import {AbortedError, HttpStatusError} from '../../errors.ts';
import type {Answer, CallOptions, CandlesOptions, TradesOptions} from '../../exchange.ts';
import type {Http} from '../../http.ts';
import {toLimit} from '../lists.ts';
import {createRead, type Read, type ReadOptions} from '../read.ts';
import {
	decodeCandles,
	decodeDepth,
	decodeInfo,
	decodeMarkets,
	decodeSummary,
	decodeTickers,
	decodeTrades,
} from './schemas.ts';

/** Appended to the base address. exchange-api.md, Endpoints. */
export const v2Paths = {
	info: '/metadata/v2/exchange/info',
	markets: '/engine/v2/public/markets',
	summary: '/engine/v2/public/summary',
	ticker: '/engine/v2/public/ticker',
	depth: '/engine/v2/public/depth',
	trades: '/trade/v2/public/trade',
	candles: '/trade-chart/v2/public/kline',
} as const;

/** The current interface. Every method rejects with an ExchangeError and nothing else. */
export type V2Client = {
	readonly baseUrl: string;
	info(options?: CallOptions): Promise<Answer<ExchangeInfo>>;
	markets(options?: CallOptions): Promise<Answer<readonly Market[]>>;
	summary(options?: CallOptions): Promise<Answer<readonly Ticker[]>>;
	ticker(options?: CallOptions): Promise<Answer<readonly Ticker[]>>;
	/**
	 * The ticker; the summary, which has the same entries, where the exchange has no ticker (404 or 5xx). Whether the
	 * summary helped is remembered for a minute.
	 */
	tickers(options?: CallOptions): Promise<Answer<readonly Ticker[]>>;
	/** `bids` is absent where the interface shows none. */
	depth(symbol: string, options?: CallOptions): Promise<Answer<DepthBook>>;
	/** Newest first. Of a symbol in any spelling, or of a market by its numeric id. */
	trades(market: string | {readonly marketId: string}, options?: TradesOptions): Promise<Answer<readonly Trade[]>>;
	/** Oldest first; none outside `from` and `to`. */
	candles(symbol: string, options: CandlesOptions): Promise<Answer<readonly Candle[]>>;
};

const summaryRememberedMs = 60_000;

export function createV2Client(http: Http, baseUrl: URL, options: ReadOptions = {}): V2Client {
	const read = createRead(http, 'v2', baseUrl, options);
	const now = steadyNow(options.clock ?? systemClock);
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
				else if (!remembered && hasNoTicker(error)) return summaryInstead(error, options);
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

	async function summaryInstead(error: unknown, options: CallOptions | undefined) {
		try {
			const answer = await client.summary(options);
			summary = {helps: true, until: now() + summaryRememberedMs};
			return answer;
		} catch (second) {
			if (second instanceof AbortedError) throw second;
			summary = {helps: false, until: now() + summaryRememberedMs};
			throw error;
		}
	}

	return client;
}

const hasNoTicker = (error: unknown): boolean =>
	error instanceof HttpStatusError && (error.status === 404 || error.status >= 500);

type RangeUnit = 'ms' | 's';
type Candles = Answer<readonly Candle[]>;

/**
 * The K-line read. The specification does not name the unit of `startTime` and `endTime`: milliseconds are sent first,
 * and seconds when that answer is outside the range. The unit that works is kept for the connection's life.
 */
function createReadCandles(read: Read): (symbol: string, options: CandlesOptions) => Promise<Candles> {
	let workingUnit: RangeUnit | undefined;

	const readIn = (unit: RangeUnit, symbol: string, options: CandlesOptions): Promise<Candles> => {
		const query = {
			symbol: symbolKey(symbol),
			period: options.period,
			limit: toLimit(options.limit),
			startTime: toUnit(options.from, unit),
			endTime: toUnit(options.to, unit),
		};
		return read({operation: 'candles', path: v2Paths.candles, query}, options, decodeCandles);
	};

	return async (symbol, options) => {
		const first = await readIn(workingUnit ?? 'ms', symbol, options);
		if (options.from === undefined && options.to === undefined) return first;
		if (workingUnit !== undefined) return within(first, options);
		if (liesIn(first, options)) {
			workingUnit = 'ms';
			return within(first, options);
		}

		const second = await readIn('s', symbol, options).catch((error: unknown) => {
			if (error instanceof AbortedError) throw error;
			return undefined;
		});
		if (second && liesIn(second, options)) {
			workingUnit = 's';
			return within(second, options);
		}

		// Candles outside the range in either unit: the exchange ignores the range, and a second request never helps.
		if (first.data.length > 0 && second && second.data.length > 0) workingUnit = 'ms';
		return within(first, options);
	};
}

const toUnit = (time: number | undefined, unit: RangeUnit): number | undefined =>
	time === undefined ? undefined : Math.floor(unit === 's' ? time / 1000 : time);

/** Whether the answer has candles, all in the range or overlapping one of its ends. */
function liesIn({data}: Candles, {from = -Infinity, to = Infinity, period}: CandlesOptions): boolean {
	const periodMs = period * 60_000;
	return data.length > 0 && data.every(candle => candle.time > from - periodMs && candle.time < to + periodMs);
}

const within = (answer: Candles, {from = -Infinity, to = Infinity}: CandlesOptions): Candles => ({
	...answer,
	data: answer.data.filter(candle => candle.time >= from && candle.time <= to),
});
