import {AbortedError, type Operation} from '../client/errors.ts';
import type {Answer, CallOptions, Exchange, MarketId} from '../client/exchange.ts';
import {type Clock, steadyNow} from '../market/clock.ts';
import {memo} from '../market/memo.ts';
import {tradeKey} from '../market/tape.ts';
import {largestPage, type Market, type Trade} from '../market/types.ts';
import {minuteMs, secondMs} from '../market/units.ts';
import type {AnswerDate} from './resource.ts';
import {createSharedCandles} from './shared-candles.ts';
import type {SharedRead} from './shared-read.ts';
import {createSharedReads} from './shared-reads.ts';
import {emptyListRetryMs} from './sources.ts';
import type {ResourceName} from './state.ts';
import {fetchTape, firstPage, type TapeAnswer} from './tape-feed.ts';

/** One exchange for many viewers. */
export type SharedExchange = {
	/**
	 * The exchange for one more viewer. `close` ends its reads, and so the requests that nobody else waits for; the exchange
	 * itself stays open. `owner`: whose requests they are, see `CallOptions.owners`.
	 */
	join(owner?: object): Exchange;
	/** How many viewers have joined and not left. */
	viewers(): number;
	/** Of how many reads the answers are kept. */
	reads(): number;
};

type Intervals = Readonly<Record<ResourceName, number>>;

type SharedExchangeOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	/** In [0, 1), for the jitter of retries. */
	readonly random: () => number;
	/** Ms between two requests for the same, and for which an answer serves who has none. */
	readonly intervals: Intervals;
	/** Ms between two requests for the same if a viewer wants newer ones sooner than that. Default: `intervals`. */
	readonly leastMs?: Partial<Intervals> | undefined;
};

/** All waits of the exchange are ended at most so often, whoever wants it. */
const retryNowGapMs = 5 * secondMs;
/** Also what is needed once, such as the info, can be wanted again. */
const longestLeastMs = minuteMs;

/**
 * Lets any number of viewers look at one exchange for the requests of one. What several read is requested once, and what
 * nobody reads is not requested (`createSharedRead`); failures are shared as answers are, and retried once for all. A viewer
 * that joins gets at once what is known, also by those who have left: of trades and candles as many as it asks for, though only
 * the newest are requested.
 */
export function createSharedExchange(options: SharedExchangeOptions): SharedExchange {
	const {exchange, clock, random, intervals, leastMs = {}} = options;
	const now = steadyNow(clock);
	const [preferred = 'v2'] = exchange.interfaces;
	const reads = createSharedReads({clock, random, preferred});
	const viewers = new Set<object>();
	let retriedAt = Number.NEGATIVE_INFINITY;

	const paceOf = (name: ResourceName) => ({
		keptMs: intervals[name],
		leastMs: Math.min(leastMs[name] ?? intervals[name], intervals[name], longestLeastMs),
	});
	const dated = (answer: Answer<unknown>): AnswerDate => answer;
	const infos = reads.add({
		...{...paceOf('info'), operation: 'info', dated},
		request: (_: null, call) => exchange.info(call),
	});
	const lists = reads.add<null, Answer<readonly Market[]>>({
		...{...paceOf('markets'), operation: 'markets', dated},
		wantedMs: ({data}) => (data.length > 0 ? Infinity : emptyListRetryMs),
		request: (_, call) => exchange.markets(call),
	});
	const tickers = reads.add({
		...{...paceOf('tickers'), operation: 'ticker', dated},
		request: (_: null, call) => exchange.tickers(call),
	});
	const depths = reads.add({
		...{...paceOf('depth'), operation: 'depth', dated},
		request: (symbol: string, call) => exchange.depth(symbol, call),
	});
	const tapes = reads.add<string, SharedTape>({
		...{...paceOf('tape'), operation: 'trades'},
		dated: ({answer}) => answer,
		sizeOf: ({size}) => size,
		entriesOf: ({answer}) => answer.data.trades.length,
		wantedMs: ({answer}) => answer.wantedMs,
		request: (symbol, call, last, size) => fetchSharedTape(exchange, {symbol, now: clock.now(), call}, last, size),
	});
	const otherTrades = reads.add({
		...{...paceOf('tape'), operation: 'trades', dated},
		request: ({market, limit}: {market: string | MarketId; limit: number | undefined}, call) =>
			exchange.trades(market, {...call, limit}),
	});
	const candles = createSharedCandles({...paceOf('candles'), exchange, clock, reads});

	return {
		join(owner) {
			const viewer = {owner};
			viewers.add(viewer);
			const left = (operation: Operation): Promise<never> =>
				Promise.reject(new AbortedError({operation, interface: preferred, url: ''}));
			const read = <T>(
				operation: Operation,
				from: () => SharedRead<T>,
				call: CallOptions,
				size?: number,
			): Promise<T> => (viewers.has(viewer) ? from().read(viewer, call, size) : left(operation));

			return {
				interfaces: exchange.interfaces,
				budget: of => exchange.budget(of),
				info: (call = {}) => read('info', () => infos(null, call.use), call),
				markets: (call = {}) => read('markets', () => lists(null, call.use), call),
				tickers: (call = {}) => read('ticker', () => tickers(null, call.use), call),
				depth: (symbol, call = {}) => read('depth', () => depths(symbol, call.use), call),
				async trades(market, call = {}) {
					const {limit, use, newerThan} = call;
					// Who reads once gets a page with its own counts of what was dropped or rounded.
					if (typeof market !== 'string' || limit === undefined || newerThan === undefined)
						return read('trades', () => otherTrades({market, limit}, use), call);
					return tradesOf(await read('trades', () => tapes(market, use), call, limit), limit);
				},
				candles: (symbol, call) => (viewers.has(viewer) ? candles(viewer, symbol, call) : left('candles')),
				retryNow() {
					if (!viewers.has(viewer) || now() - retriedAt < retryNowGapMs) return;
					retriedAt = now();
					exchange.retryNow();
					reads.retryNow();
				},
				async close() {
					viewers.delete(viewer);
					reads.leave(viewer);
				},
			};
		},
		viewers: () => viewers.size,
		reads: reads.count,
	};
}

/** The newest trades, with none missing between them. */
type SharedTape = {
	readonly answer: TapeAnswer;
	/** How many can be asked for; there may be fewer. */
	readonly size: number;
};

/** The newest trades, which continue the last ones as far as the exchange shows, and at least `size`. */
async function fetchSharedTape(
	exchange: Exchange,
	request: {readonly symbol: string; readonly now: number; readonly call: CallOptions},
	last: SharedTape | undefined,
	size: number,
): Promise<SharedTape> {
	const least = last ? size : Math.max(size, firstPage);
	const answer = await fetchTape(exchange, {...request, last: last?.answer, least});
	const {trades, gaps} = answer.data;
	const end = trades.findIndex(trade => gaps.has(tradeKey(trade)));
	const whole = trades.slice(0, Math.min(end < 0 ? trades.length : end + 1, largestPage));
	const isContinued = whole.at(-1) === last?.answer.data.trades.at(-1);
	return {
		answer: {...answer, data: {trades: whole, gaps: new Set()}},
		size: Math.max(least, whole.length, isContinued && last ? last.size : 0),
	};
}

const tradesOf = memo(({answer}: SharedTape, limit: number): Answer<readonly Trade[]> => {
	const {rate, lost, sinceMs, wantedMs, ...page} = answer;
	return {...page, data: page.data.trades.slice(0, limit)};
});
