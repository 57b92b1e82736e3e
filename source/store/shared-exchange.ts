import type {Answer, CallOptions, Exchange, Read} from '../client/exchange.ts';
import {abortedRead, exchangeOf, operationOf, readBy} from '../client/middleware.ts';
import type {Answers, Ask, QuestionOf} from '../client/question.ts';
import {type Clock, steadyNow} from '../market/clock.ts';
import {reachOf} from '../market/tape.ts';
import {largestPage, type Trade} from '../market/types.ts';
import {minuteMs, secondMs} from '../market/units.ts';
import {createSharedCandles} from './shared-candles.ts';
import {createSharedReads, type SharedReadOf} from './shared-reads.ts';
import {emptyListRetryMs} from './sources.ts';
import {fetchTape, firstPage, pageOfTape, type TapeAnswer} from './tape-feed.ts';

type Intervals = Readonly<Record<Ask, number>>;

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
export function createSharedExchange(options: SharedExchangeOptions) {
	const {exchange, clock, random, intervals, leastMs = {}} = options;
	const now = steadyNow(clock);
	const [preferred = 'v2'] = exchange.interfaces;
	const reads = createSharedReads({clock, random, preferred});
	const viewers = new Set<object>();
	let retriedAt = Number.NEGATIVE_INFINITY;

	const paceOf = (name: Ask) => ({
		keptMs: intervals[name],
		leastMs: Math.min(leastMs[name] ?? intervals[name], intervals[name], longestLeastMs),
	});
	/** The reads of answers as they come. */
	const pagesOf = <Kind extends Ask>(ask: Kind): Pages<Kind> =>
		reads.add<QuestionOf<Kind>, Answer<Answers[Kind]>>({
			...{...paceOf(ask), operation: operationOf(ask), dated: answer => answer},
			entriesOf: ({data}) => (ask === 'candles' ? lengthOf(data) : 0),
			wantedMs: ({data}) => (ask === 'markets' && lengthOf(data) === 0 ? emptyListRetryMs : Infinity),
			request: (question, call) => exchange.read(question, call),
		});
	const pages: {readonly [Kind in Ask]: Pages<Kind>} = {
		...{info: pagesOf('info'), markets: pagesOf('markets'), tickers: pagesOf('tickers')},
		...{depth: pagesOf('depth'), trades: pagesOf('trades'), candles: pagesOf('candles')},
	};
	const tapes = reads.add<TapeQuestion, SharedTape>({
		...{...paceOf('trades'), operation: 'trades'},
		dated: ({answer}) => answer,
		sizeOf: ({size}) => size,
		entriesOf: ({answer}) => answer.data.trades.length,
		wantedMs: ({answer}) => answer.wantedMs,
		request: ({market}, call, last, size) =>
			fetchSharedTape(exchange, {symbol: market, now: clock.now(), call}, last, size),
	});
	const candles = createSharedCandles({...paceOf('candles'), exchange, clock, reads, pages: pages.candles});

	return {
		/**
		 * The exchange for one more viewer. `close` ends its reads, and so the requests that nobody else waits for; the exchange
		 * itself stays open. `owner`: whose requests they are, see `CallOptions.owners`.
		 */
		join(owner?: object): Exchange {
			const viewer = {owner};
			viewers.add(viewer);
			const read = readBy(
				{
					async trades(question, call) {
						const {market, limit} = question;
						// Who reads once gets a page with its own counts of what was dropped or rounded.
						if (typeof market !== 'string' || limit === undefined || call.newerThan === undefined)
							return pages.trades(question, call.use).read(viewer, call);
						const {answer} = await tapes({ask: 'trades', market}, call.use).read(viewer, call, limit);
						return pageOfTape(answer, limit);
					},
					candles: (question, call) => candles(viewer, question, call),
				},
				(question, call = {}) => pages[question.ask](question as never, call.use).read(viewer, call) as never,
			);
			return exchangeOf(
				whileIn(read, () => viewers.has(viewer)),
				{
					interfaces: exchange.interfaces,
					budget: of => exchange.budget(of),
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
				},
			);
		},
		/** How many viewers have joined and not left. */
		viewers: (): number => viewers.size,
		/** Of how many reads the answers are kept. */
		reads: reads.count,
	};
}

/** The reads of a viewer, which are aborted once it has left. */
const whileIn =
	(read: Read, isIn: () => boolean): Read =>
	async (question, call) => {
		if (!isIn()) throw abortedRead(question, call);
		return read(question, call);
	};

const lengthOf = (data: unknown): number => (Array.isArray(data) ? data.length : Number.NaN);

type Pages<Kind extends Ask> = SharedReadOf<QuestionOf<Kind>, Answer<Answers[Kind]>>;

type TapeQuestion = QuestionOf<'trades'> & {readonly market: string};

type SharedTape = {
	readonly answer: TapeAnswer;
	/** How many trades can be asked for, with none missing between them; there may be fewer. */
	readonly size: number;
};

/** The newest trades, which continue the last ones, and at least `size` with none missing between them as far as the exchange shows them. */
async function fetchSharedTape(
	exchange: Exchange,
	request: {readonly symbol: string; readonly now: number; readonly call: CallOptions},
	last: SharedTape | undefined,
	size: number,
): Promise<SharedTape> {
	const least = last ? size : Math.max(size, firstPage);
	const answer = await fetchTape(exchange, {...request, last: last?.answer, least});
	const whole = wholeOf(answer);
	const isContinued = last !== undefined && whole.at(-1) === wholeOf(last.answer).at(-1);
	return {
		answer: {...answer, line: last?.answer.line ?? {}},
		size: Math.max(least, whole.length, isContinued ? last.size : 0),
	};
}

const wholeOf = ({data}: TapeAnswer): readonly Trade[] => data.trades.slice(0, Math.min(reachOf(data), largestPage));
