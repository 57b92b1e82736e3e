import {type Clock, steadyNow} from '../market/clock.ts';
import type {
	Candle,
	DepthBook,
	ExchangeInfo,
	Interface,
	Market,
	Period,
	ReadFailure,
	Ticker,
	Trade,
} from '../market/types.ts';
import {minuteMs} from '../market/units.ts';
import {setLast} from './bounded-map.ts';
import {AbortedError, ExchangeError, type Operation, UnavailableError} from './errors.ts';
import {createFailover, mostRefusedMarkets} from './failover.ts';
import {remedies} from './messages.ts';

/**
 * Which interface is read. `auto` prefers v2, takes from legacy what v2 does not show, and reads from the other one while the
 * preferred one fails. `v2` and `legacy` read only that one.
 */
export type InterfaceChoice = 'auto' | Interface;

/** What an answer had to do with caches on its way. */
export type CacheUse = {
	/** How old it was when it arrived, ms. */
	readonly ageMs: number;
	/** Whether it was kept since an earlier request. */
	readonly isHit: boolean;
	/** Whether its headers tell of a cache. Otherwise an answer that came twice did. */
	readonly isSaid: boolean;
};

/** What one read has brought. */
export type Answer<T> = {
	readonly data: T;
	/** The interface that answered. */
	readonly interface: Interface;
	/** When the request was sent, epoch ms by our clock: the answer was made later. Absent: unknown, or a cache had kept it. */
	readonly sentAt?: number | undefined;
	/** When the exchange answered, epoch ms by our clock: at the arrival, but for an answer from a cache. */
	readonly receivedAt: number;
	/** Absent: no cache is known. */
	readonly cache?: CacheUse | undefined;
	/** Epoch ms by the exchange's clock, where the answer has it. */
	readonly serverTime?: number | undefined;
	/** Entries of a list that were dropped because a field was missing or wrong, or contradicted an earlier entry. */
	readonly dropped: number;
	/** Entries with a number of more digits than a double holds, which was rounded. Absent: none. */
	readonly rounded?: number | undefined;
	/** The texts of such numbers in the answer, each once, at most 100. Absent: none was rounded. */
	readonly sentNumbers?: readonly string[] | undefined;
	/** Entries beyond the maximum length of a list, which were not decoded. Absent: none. */
	readonly cut?: number | undefined;
	/** Trades or candles with a time that is implausible or later than the answer. Absent: none. */
	readonly misdated?: number | undefined;
	/** Candles apart from the one before by no multiple of the period. Absent: none. */
	readonly offPeriod?: number | undefined;
	/** On which sides candles were left out, some more than one period outside the requested range. Absent: none were. */
	readonly outside?: {readonly before: boolean; readonly after: boolean} | undefined;
	/** Why candles of the range or limit may be missing, as a clause. Absent: they are whole, or were one answer. */
	readonly incomplete?: string | undefined;
	/** How the preferred interface failed, where the other one answered. */
	readonly preferredFailure?: ReadFailure | undefined;
};

/** How one read is made. */
export type CallOptions = {
	/** Aborting it ends the read, also while that waits for the budget: it rejects with an `AbortedError`. */
	readonly signal?: AbortSignal | undefined;
	/** Default `auto`. */
	readonly use?: InterfaceChoice | undefined;
	/** Lower goes first when requests wait for the budget. Default 1. */
	readonly priority?: 0 | 1 | 2 | undefined;
	/** Asks caches on the way for a new answer. Default: they may answer as they do. */
	readonly fresh?: boolean | undefined;
	/** Called when a request is sent, after its wait for the budget. */
	readonly onSent?: (() => void) | undefined;
	/**
	 * For who reads again and again: has had every outcome up to this time, epoch ms; 0: none. Only what answers several readers
	 * heeds it (`store/shared-exchange`): a later outcome that is there already ends the read at once.
	 * @internal
	 */
	readonly newerThan?: number | undefined;
	/**
	 * Whom it is for, now: where requests wait for the budget, who wants much waits behind the others. Default: everybody.
	 * @internal
	 */
	readonly owners?: (() => readonly object[]) | undefined;
};

/** The number of a market in the list of v2, as decimal text. */
export type MarketId = {readonly id: string};

/** How trades are read. */
export type TradesOptions = CallOptions & {
	/** 1 to 1000; absent: the exchange's default. */
	readonly limit?: number | undefined;
};

/** How candles are read. */
export type CandlesOptions = CallOptions & {
	/** In minutes, sent as it is. The exchange may refuse some: its specification lists none. */
	readonly period: Period;
	/** 1 to 1000; absent: the exchange's default, 500. */
	readonly limit?: number | undefined;
	/** The earliest start of a candle, epoch ms, inclusive; absent: the exchange decides. */
	readonly from?: number | undefined;
	/** The latest start of a candle, epoch ms, inclusive; absent: the newest. */
	readonly to?: number | undefined;
};

/**
 * A spot exchange, read-only. Every read rejects with an `ExchangeError` and nothing else. A `symbol` is any spelling of the
 * pair: `BTCUSDT`, `BTC_USDT`, `btc-usdt`. The rest of the program reaches the network only through this type, so that a fake
 * or a recording can replace it.
 */
export type Exchange = {
	/** Name, addresses and capability flags of the exchange. Only v2 has them. */
	info(options?: CallOptions): Promise<Answer<ExchangeInfo>>;
	/** All markets, in the exchange's order. Legacy lists those of its ticker. */
	markets(options?: CallOptions): Promise<Answer<readonly Market[]>>;
	/** The 24-hour summaries of all markets, in the exchange's order. */
	tickers(options?: CallOptions): Promise<Answer<readonly Ticker[]>>;
	/**
	 * The order book, best prices first, at most 5000 levels a side. With `auto` a book without bids is replaced by legacy's,
	 * both sides of one snapshot; where that fails too, `data.bidsFailure` is the reason.
	 */
	depth(symbol: string, options?: CallOptions): Promise<Answer<DepthBook>>;
	/** Newest first: by time, then id. Only v2 reads a market by its id. */
	trades(market: string | MarketId, options?: TradesOptions): Promise<Answer<readonly Trade[]>>;
	/** Oldest first; the last one may still be forming. Only v2 has them. */
	candles(symbol: string, options: CandlesOptions): Promise<Answer<readonly Candle[]>>;
	/** The interfaces that are configured, the preferred one first. */
	readonly interfaces: readonly Interface[];
	/** The request budget that all reads share; `of`: `freeAt` and `retryAfterMs` are those of its requests. */
	budget(of?: {readonly operation: Operation; readonly interface: Interface}): Budget;
	/** Ends the waits after 429 and other failures: one request to each host goes at once, the others after its answer. */
	retryNow(): void;
	/** Aborts all reads, also those that follow, and closes the connections. */
	close(): Promise<void>;
};

/** The request budget, of all hosts together. */
export type Budget = {
	/** Requests started per second, over the last 5 s. */
	readonly used: number;
	/** Requests per second that the budget allows now. */
	readonly allowed: number;
	/** When the next request may start, epoch ms; absent: now. */
	readonly freeAt?: number | undefined;
	/** How long the exchange asked to wait, in ms, as long as requests wait for that. */
	readonly retryAfterMs?: number | undefined;
};

/** How one request ended. Aborted requests have no outcome. */
export type Outcome = {
	readonly operation: Operation;
	readonly interface: Interface;
	/** Absent if the operation has no market, or the market was named by its id. */
	readonly symbol?: string | undefined;
	/** Without credentials. */
	readonly url: string;
	/** When the request was sent, epoch ms. */
	readonly startedAt: number;
	/** From `startedAt` to the decoded answer or the failure. */
	readonly durationMs: number;
	/** HTTP status; absent if no head arrived or the answer is unreadable. */
	readonly status?: number | undefined;
	/** Size of the body as sent; absent if it is incomplete. */
	readonly bytes?: number | undefined;
	/** Entries of a list that could not be read. */
	readonly dropped: number;
	/** Absent: no cache is known. */
	readonly cache?: CacheUse | undefined;
	/** Absent after a success. */
	readonly error?: ExchangeError | undefined;
};

/** Called at the end of every request, for a log. Must not throw. */
export type Observe = (outcome: Outcome) => void;

/** Where an exchange is, and how it is read. */
export type ConnectOptions = {
	/**
	 * Address of the v2 interface, `http:` or `https:`, which may have a path prefix, but no credentials. One of the two
	 * addresses is needed.
	 */
	readonly baseUrl?: string | undefined;
	/** Address of the legacy interface. */
	readonly legacyBaseUrl?: string | undefined;
	/** Limit for a whole request in ms, from when it is sent to the last byte of its answer. Default 5000. */
	readonly timeoutMs?: number | undefined;
	/** Initial requests per second, to each host. Default 5. */
	readonly rate?: number | undefined;
	/** Maximum requests per second, however many the exchange allows; also limits `rate`. Default: no limit. */
	readonly maxRate?: number | undefined;
	/**
	 * Maximum size of an answer's body in bytes, as sent and decompressed. Default: 2 MiB; a list of all markets may have up
	 * to 4.9 MiB once a shorter one has shown that there are so many.
	 */
	readonly maxBytes?: number | undefined;
	/** Called at the end of every request. */
	readonly observe?: Observe | undefined;
};

/** One interface of the exchange. */
type Source = Pick<Exchange, 'markets' | 'tickers' | 'depth' | 'trades'> &
	Partial<Pick<Exchange, 'info' | 'candles'>> & {readonly baseUrl: string};

type Parts = Pick<Exchange, 'budget' | 'close'> & {
	readonly v2?: Source | undefined;
	readonly legacy?: Source | undefined;
	readonly clock: Clock;
	/** In [0, 1), for the jitter of probes. */
	readonly random: () => number;
	/** Ends the pauses of the request budget after 429. */
	readonly endPauses: () => void;
};

/** After a v2 book without bids, v2 is tried again when this has passed. */
const retryV2Ms = 5 * minuteMs;

/** Legacy's ticker has no opening price and a volume of unknown unit: it replaces v2's only if that fails for longer. */
const keepTickersMs = 10_000;

/** Each read's name for the user, and its operation. */
const reads = {
	info: {noun: 'exchange info', operation: 'info'},
	markets: {noun: 'market list', operation: 'markets'},
	tickers: {noun: 'ticker', operation: 'ticker'},
	depth: {noun: 'order book', operation: 'depth'},
	trades: {noun: 'trades', operation: 'trades'},
	candles: {noun: 'candles', operation: 'candles'},
	tradesOfId: {noun: 'trades by market id', operation: 'trades'},
} as const satisfies Record<string, {noun: string; operation: Operation}>;

type ReadName = Exclude<keyof typeof reads, 'tradesOfId'>;

/** `call` is undefined for an interface that does not offer the read. */
type Request<T> = {
	readonly read: ReadName;
	readonly symbol?: string | undefined;
	readonly options: CallOptions;
	/** Whether the second interface's answer lacks something. */
	readonly isLacking?: boolean | undefined;
	/** For how long a failing interface's last answer is kept, before the second one answers instead. Default 0. */
	readonly keepMs?: number | undefined;
	call(source: Source, options: CallOptions): Promise<Answer<T>> | undefined;
};

/**
 * Combines up to two interfaces into one exchange. `auto` reads v2, and takes the book from legacy where v2's has no bids.
 * While the preferred interface fails, the other one answers; when both fail, the preferred one's error is thrown. Both
 * sides of a book always come from one snapshot.
 * @internal
 */
export function combine({v2, legacy, clock, random, budget, endPauses, close}: Parts): Exchange {
	const sources = {v2, legacy};
	const oneHost = v2 !== undefined && legacy !== undefined && new URL(v2.baseUrl).host === new URL(legacy.baseUrl).host;
	const failover = createFailover({clock, random, oneHost});
	const now = steadyNow(clock);
	let retryV2At = Number.NEGATIVE_INFINITY;
	/** How the legacy book failed last, by symbol. */
	const legacyFailures = new Map<string, ReadFailure>();
	/** How it failed last for any symbol: while it is down, a market's book comes from v2 without asking legacy. */
	let legacyFailure: ReadFailure | undefined;
	/** Markets of the last v2 list, which know base and quote of legacy's bare symbols. */
	let v2Markets: ReadonlyMap<string, Market> = new Map();

	async function answer<T>(request: Request<T>, order = orderOf(request.options)): Promise<Answer<T>> {
		const {read, symbol, options, isLacking, keepMs, call} = request;
		const {operation} = reads[read];
		const from = (name: Interface, probing = false): Promise<Answer<T>> => {
			const source = sources[name];
			const called = source && call(source, probing ? {...options, priority: 2} : options);
			return called ?? Promise.reject(unavailable(read, [name]));
		};
		const [first, second] = order.filter(name => sources[name]?.[read]);
		if (!first) throw unavailable(read, order);
		if (!second) return from(first);
		const {answer, failure} = await failover.answer({
			operation,
			symbol,
			order: [first, second],
			isLacking,
			keepMs,
			request: from,
		});
		// What is lacking has a reason of its own.
		return failure && !isLacking ? {...answer, preferredFailure: failure} : answer;
	}

	function unavailable(read: keyof typeof reads, order: readonly Interface[]): UnavailableError {
		const name = order.find(candidate => sources[candidate]) ?? order[0] ?? 'v2';
		const source = sources[name];
		const problem = source ? `has no ${reads[read].noun}` : 'is not configured';
		const address = source || name === 'v2' ? 'v2' : 'legacy';
		return new UnavailableError({
			operation: reads[read].operation,
			interface: name,
			url: source?.baseUrl ?? '',
			brief: `the ${name} interface ${problem}`,
			remedy: v2 && legacy ? remedies.allowBoth : remedies[address],
		});
	}

	/** v2's book if it has bids, else legacy's whole book, else v2's asks and why legacy failed. */
	async function autoDepth(symbol: string, options: CallOptions, legacy: Source): Promise<Answer<DepthBook>> {
		const legacyDepth = async (callOptions: CallOptions): Promise<Answer<DepthBook>> => {
			try {
				return await legacy.depth(symbol, callOptions);
			} catch (error) {
				if (error instanceof ExchangeError && error.kind !== 'aborted') {
					setLast(legacyFailures, symbol, error, mostRefusedMarkets);
					legacyFailure = error;
				}

				throw error;
			}
		};
		const withReason = (book: Answer<DepthBook>): Answer<DepthBook> => {
			const bidsFailure = legacyFailures.get(symbol) ?? legacyFailure;
			if (!book.data.bids) return bidsFailure === undefined ? book : {...book, data: {...book.data, bidsFailure}};
			legacyFailures.delete(symbol);
			legacyFailure = undefined;
			return book;
		};
		const request: Request<DepthBook> = {
			read: 'depth',
			symbol,
			options,
			call: (source, callOptions) => (source === legacy ? legacyDepth(callOptions) : source.depth(symbol, callOptions)),
		};
		if (now() < retryV2At) return withReason(await answer({...request, isLacking: true}, ['legacy', 'v2']));
		const book = await answer(request);
		// Legacy's book always has both sides.
		if (book.data.bids) return withReason(book);
		retryV2At = now() + retryV2Ms;
		try {
			return withReason(await legacyDepth(options));
		} catch (error) {
			if (error instanceof AbortedError) throw error;
			return withReason(book);
		}
	}

	function withListedNames(answer: Answer<readonly Market[]>): Answer<readonly Market[]> {
		if (answer.interface === 'v2') {
			v2Markets = new Map(answer.data.map(market => [market.symbol, market]));
			return answer;
		}

		const data = answer.data.map(market => {
			const v2Market = v2Markets.get(market.symbol);
			return v2Market && !v2Market.unreadable ? {...market, base: v2Market.base, quote: v2Market.quote} : market;
		});
		return {...answer, data};
	}

	return {
		info: (options = {}) => answer({read: 'info', options, call: (source, call) => source.info?.(call)}),
		markets: async (options = {}) =>
			withListedNames(await answer({read: 'markets', options, call: (source, call) => source.markets(call)})),
		tickers: (options = {}) =>
			answer({read: 'tickers', options, keepMs: keepTickersMs, call: (source, call) => source.tickers(call)}),
		depth: (symbol, options = {}) =>
			v2 && legacy && orderOf(options).length === 2
				? autoDepth(symbol, options, legacy)
				: answer({read: 'depth', symbol, options, call: (source, call) => source.depth(symbol, call)}),
		trades: async (market, options = {}) => {
			if (typeof market !== 'string' && !v2) throw unavailable('tradesOfId', ['legacy']);
			return answer({
				read: 'trades',
				...(typeof market === 'string' ? {symbol: market, options} : {options: {...options, use: 'v2'}}),
				call: (source, call) => source.trades(market, {...call, limit: options.limit}),
			});
		},
		candles: (symbol, options) =>
			answer({
				read: 'candles',
				symbol,
				options,
				call: (source, call) => source.candles?.(symbol, {...options, ...call}),
			}),
		interfaces: (['v2', 'legacy'] as const).filter(name => sources[name]),
		budget,
		retryNow() {
			failover.probeNow();
			endPauses();
		},
		close,
	};
}

const orderOf = ({use = 'auto'}: CallOptions): readonly Interface[] => (use === 'auto' ? ['v2', 'legacy'] : [use]);
