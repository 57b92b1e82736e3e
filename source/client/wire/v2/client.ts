import {countOffPeriod} from '../../../market/candles.ts';
import {steadyNow, systemClock} from '../../../market/clock.ts';
import type {Candle} from '../../../market/types.ts';
import {minuteMs} from '../../../market/units.ts';
import {AbortedError, HttpStatusError} from '../../errors.ts';
import type {Answer, CallOptions, CandlesOptions, TradesOptions} from '../../exchange.ts';
import type {Http} from '../../http.ts';
import type {MarketId} from '../../question.ts';
import {respectsRange, toLimit} from '../lists.ts';
import {createRead, type Read, type ReadOptions} from '../read.ts';
import {
	decodeCandles,
	decodeDepth,
	decodeEverySummary,
	decodeEveryTicker,
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

const summaryRememberedMs = minuteMs;

/**
 * Reads the v2 interface. Every method rejects with an ExchangeError and nothing else. `depth` has no bids if the interface
 * shows none. A `symbol` is sent as it is. `trades` are newest first. `candles` are oldest first, none outside `from` and `to`.
 */
export function createV2Client(http: Http, baseUrl: URL, options: ReadOptions = {}) {
	const read = createRead(http, 'v2', baseUrl, options);
	const now = steadyNow(options.clock ?? systemClock);
	let remembered = {summaryHelps: true, until: Number.NEGATIVE_INFINITY};

	const summary = (options: CallOptions = {}, decode = decodeSummary) =>
		read({operation: 'summary', path: v2Paths.summary}, options, decode);
	const ticker = (options: CallOptions = {}, decode = decodeTickers) =>
		read({operation: 'ticker', path: v2Paths.ticker, jsonContentType: true}, options, decode);

	async function summaryInstead(error: unknown, options: CallOptions) {
		try {
			const answer = await summary(options, decodeEverySummary);
			remembered = {summaryHelps: true, until: now() + summaryRememberedMs};
			return answer;
		} catch (second) {
			if (second instanceof AbortedError) throw second;
			remembered = {summaryHelps: false, until: now() + summaryRememberedMs};
			throw error;
		}
	}

	return {
		baseUrl: baseUrl.href,
		info: (options: CallOptions = {}) => read({operation: 'info', path: v2Paths.info}, options, decodeInfo),
		markets: (options: CallOptions = {}) => read({operation: 'markets', path: v2Paths.markets}, options, decodeMarkets),
		summary: (options?: CallOptions) => summary(options),
		ticker: (options?: CallOptions) => ticker(options),
		/**
		 * Reads the tickers, of which several markets may have one symbol, or the summary, which has the same entries, if the exchange has no ticker (404 or 5xx). Whether
		 * the summary worked is remembered for a minute.
		 */
		async tickers(options: CallOptions = {}) {
			const remembers = now() < remembered.until;
			const asksSummary = remembers && remembered.summaryHelps;
			try {
				return await (asksSummary ? summary(options, decodeEverySummary) : ticker(options, decodeEveryTicker));
			} catch (error) {
				if (asksSummary) remembered.until = Number.NEGATIVE_INFINITY;
				else if (!remembers && hasNoTicker(error)) return summaryInstead(error, options);
				throw error;
			}
		},
		depth: (symbol: string, options: CallOptions = {}) =>
			read({operation: 'depth', path: v2Paths.depth, query: {symbol}}, options, decodeDepth),
		trades(market: string | MarketId, options: TradesOptions = {}) {
			const which = typeof market === 'string' ? {symbol: market} : {marketId: market.id};
			const query = {...which, limit: toLimit(options.limit)};
			return read({operation: 'trades', path: v2Paths.trades, query}, options, decodeTrades);
		},
		candles: createReadCandles(read),
	};
}

const hasNoTicker = (error: unknown): boolean =>
	error instanceof HttpStatusError && (error.status === 404 || error.status >= 500);

type RangeUnit = 'ms' | 's';
type Candles = Answer<readonly Candle[]>;

/**
 * Creates the read of candles (K-line). The specification does not name the unit of `startTime` and `endTime`:
 * milliseconds are sent first, then seconds if that answer is outside the range. The unit that works is remembered.
 */
function createReadCandles(read: Read): (symbol: string, options: CandlesOptions) => Promise<Candles> {
	let workingUnit: RangeUnit | undefined;

	const readIn = async (unit: RangeUnit, symbol: string, options: CandlesOptions): Promise<Candles> => {
		const query = {
			symbol,
			period: options.period,
			limit: toLimit(options.limit),
			startTime: toUnit(options.from, unit),
			endTime: toUnit(options.to, unit),
		};
		const answer = await read({operation: 'candles', path: v2Paths.candles, query}, options, decodeCandles);
		const offPeriod = countOffPeriod(answer.data, options.period);
		return {...answer, ...(offPeriod && {offPeriod})};
	};

	return async (symbol, options) => {
		const first = await readIn(workingUnit ?? 'ms', symbol, options);
		if (options.from === undefined && options.to === undefined) return first;
		if (workingUnit !== undefined) return within(first, options);
		if (respectsRange(first.data, options)) {
			workingUnit = 'ms';
			return within(first, options);
		}

		const second = await readIn('s', symbol, options).catch((error: unknown) => {
			if (error instanceof AbortedError) throw error;
			return undefined;
		});
		if (!second) return within(first, options);
		const [ms, seconds] = [fitOf(first, options), fitOf(second, options)];
		const hasNone = hasNoneInSeconds(first, second, options);
		const unit = hasNone || seconds > ms ? 's' : 'ms';
		// An empty answer beside one that is outside the range decides no unit; two that are outside ignore both.
		if (hasNone || ms + seconds > 1) workingUnit = unit;
		return within(unit === 's' ? second : first, options);
	};
}

/** 3: the answer respects the range; 2: it has candles of it; 1: it has others only; 0: it has none. */
function fitOf(answer: Candles, options: CandlesOptions): number {
	if (respectsRange(answer.data, options)) return 3;
	if (within(answer, options).data.length > 0) return 2;
	return Math.min(answer.data.length, 1);
}

/** Whether the end of the range was far in the future in ms, and before the first candle in seconds. */
const hasNoneInSeconds = (inMs: Candles, inSeconds: Candles, {to = Infinity}: CandlesOptions): boolean =>
	inSeconds.data.length === 0 && inMs.data.length > 0 && inMs.data.every(({time}) => time > to);

const toUnit = (time: number | undefined, unit: RangeUnit): number | undefined =>
	time === undefined ? undefined : Math.floor(unit === 's' ? time / 1000 : time);

function within(answer: Candles, options: CandlesOptions): Candles {
	const {from = -Infinity, to = Infinity} = options;
	const data = answer.data.filter(candle => candle.time >= from && candle.time <= to);
	if (answer.data.length === 0 || respectsRange(answer.data, options)) return {...answer, data};
	const before = answer.data.some(({time}) => time < from);
	const after = answer.data.some(({time}) => time > to);
	return {...answer, data, outside: {before, after}};
}
