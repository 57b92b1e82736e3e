import {countOffPeriod} from '../../../market/candles.ts';
import {steadyNow, systemClock} from '../../../market/clock.ts';
import type {Candle} from '../../../market/types.ts';
import {minuteMs} from '../../../market/units.ts';
import {AbortedError, HttpStatusError} from '../../errors.ts';
import type {Answer, CallOptions} from '../../exchange.ts';
import type {Http} from '../../http.ts';
import type {Handlers} from '../../middleware.ts';
import type {QuestionOf} from '../../question.ts';
import {respectsRange, toLimit} from '../lists.ts';
import {createRead, type Read, type ReadOptions} from '../read.ts';
import {
	decodeCandles,
	decodeDepth,
	decodeEverySummary,
	decodeEveryTicker,
	decodeInfo,
	decodeMarkets,
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
 * Reads the v2 interface. Every read rejects with an ExchangeError and nothing else. `depth` has no bids if the interface
 * shows none. A market's name is sent as it is. `trades` are newest first. `candles` are oldest first, none outside `from` and `to`.
 */
export function createV2Client(http: Http, baseUrl: URL, options: ReadOptions = {}) {
	const read = createRead(http, 'v2', baseUrl, options);
	const now = steadyNow(options.clock ?? systemClock);
	let remembered = {summaryHelps: true, until: Number.NEGATIVE_INFINITY};

	const summary = (call: CallOptions) => read({operation: 'summary', path: v2Paths.summary}, call, decodeEverySummary);
	const ticker = (call: CallOptions) =>
		read({operation: 'ticker', path: v2Paths.ticker, jsonContentType: true}, call, decodeEveryTicker);

	async function summaryInstead(error: unknown, call: CallOptions) {
		try {
			const answer = await summary(call);
			remembered = {summaryHelps: true, until: now() + summaryRememberedMs};
			return answer;
		} catch (second) {
			if (second instanceof AbortedError) throw second;
			remembered = {summaryHelps: false, until: now() + summaryRememberedMs};
			throw error;
		}
	}

	const answers: Handlers = {
		info: (_, call) => read({operation: 'info', path: v2Paths.info}, call, decodeInfo),
		markets: (_, call) => read({operation: 'markets', path: v2Paths.markets}, call, decodeMarkets),
		/**
		 * The tickers, of which several markets may have one symbol, or the summary, which has the same entries, if the exchange has no
		 * ticker (404 or 5xx). Whether the summary worked is remembered for a minute.
		 */
		async tickers(_, call) {
			const remembers = now() < remembered.until;
			const asksSummary = remembers && remembered.summaryHelps;
			try {
				return await (asksSummary ? summary(call) : ticker(call));
			} catch (error) {
				if (asksSummary) remembered.until = Number.NEGATIVE_INFINITY;
				else if (!remembers && hasNoTicker(error)) return summaryInstead(error, call);
				throw error;
			}
		},
		depth: ({market}, call) =>
			read({operation: 'depth', path: v2Paths.depth, query: {symbol: market}}, call, decodeDepth),
		trades({market, limit}, call) {
			const which = typeof market === 'string' ? {symbol: market} : {marketId: market.id};
			const query = {...which, limit: toLimit(limit)};
			return read({operation: 'trades', path: v2Paths.trades, query}, call, decodeTrades);
		},
		candles: createReadCandles(read),
	};
	return {baseUrl: baseUrl.href, answers};
}

const hasNoTicker = (error: unknown): boolean =>
	error instanceof HttpStatusError && (error.status === 404 || error.status >= 500);

type RangeUnit = 'ms' | 's';
type Candles = Answer<readonly Candle[]>;
type CandleQuestion = QuestionOf<'candles'>;

/**
 * Creates the read of candles (K-line). The specification does not name the unit of `startTime` and `endTime`:
 * milliseconds are sent first, then seconds if that answer is outside the range. The unit that works is remembered.
 */
function createReadCandles(read: Read): Handlers['candles'] {
	let workingUnit: RangeUnit | undefined;

	const readIn = async (unit: RangeUnit, question: CandleQuestion, call: CallOptions): Promise<Candles> => {
		const query = {
			symbol: question.market,
			period: question.period,
			limit: toLimit(question.limit),
			startTime: toUnit(question.from, unit),
			endTime: toUnit(question.to, unit),
		};
		const answer = await read({operation: 'candles', path: v2Paths.candles, query}, call, decodeCandles);
		const offPeriod = countOffPeriod(answer.data, question.period);
		return {...answer, ...(offPeriod && {offPeriod})};
	};

	return async (question, call) => {
		const first = await readIn(workingUnit ?? 'ms', question, call);
		if (question.from === undefined && question.to === undefined) return first;
		if (workingUnit !== undefined) return within(first, question);
		if (respectsRange(first.data, question)) {
			workingUnit = 'ms';
			return within(first, question);
		}

		const second = await readIn('s', question, call).catch((error: unknown) => {
			if (error instanceof AbortedError) throw error;
			return undefined;
		});
		if (!second) return within(first, question);
		const [ms, seconds] = [fitOf(first, question), fitOf(second, question)];
		const hasNone = hasNoneInSeconds(first, second, question);
		const unit = hasNone || seconds > ms ? 's' : 'ms';
		// An empty answer beside one that is outside the range decides no unit; two that are outside ignore both.
		if (hasNone || ms + seconds > 1) workingUnit = unit;
		return within(unit === 's' ? second : first, question);
	};
}

/** 3: the answer respects the range; 2: it has candles of it; 1: it has others only; 0: it has none. */
function fitOf(answer: Candles, question: CandleQuestion): number {
	if (respectsRange(answer.data, question)) return 3;
	if (within(answer, question).data.length > 0) return 2;
	return Math.min(answer.data.length, 1);
}

/** Whether the end of the range was far in the future in ms, and before the first candle in seconds. */
const hasNoneInSeconds = (inMs: Candles, inSeconds: Candles, {to = Infinity}: CandleQuestion): boolean =>
	inSeconds.data.length === 0 && inMs.data.length > 0 && inMs.data.every(({time}) => time > to);

const toUnit = (time: number | undefined, unit: RangeUnit): number | undefined =>
	time === undefined ? undefined : Math.floor(unit === 's' ? time / 1000 : time);

function within(answer: Candles, question: CandleQuestion): Candles {
	const {from = -Infinity, to = Infinity} = question;
	const data = answer.data.filter(candle => candle.time >= from && candle.time <= to);
	if (answer.data.length === 0 || respectsRange(answer.data, question)) return {...answer, data};
	const before = answer.data.some(({time}) => time < from);
	const after = answer.data.some(({time}) => time > to);
	return {...answer, data, outside: {before, after}};
}
