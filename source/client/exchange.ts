import type {Candle, DepthBook, ExchangeInfo, Interface, Market, ReadFailure, Ticker, Trade} from '../market/types.ts';
import type {ExchangeError, Operation} from './errors.ts';
import type {Answers, CandleSelection, MarketId, Question} from './question.ts';

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
	/** Keys of trades next to which some were dropped, as their times are wrong. Absent: none were. */
	readonly besideDropped?: readonly string[] | undefined;
	/** Candles apart from the one before by no multiple of the period. Absent: none. */
	readonly offPeriod?: number | undefined;
	/** On which sides candles were left out, some more than one period outside the requested range. Absent: none were. */
	readonly outside?: {readonly before: boolean; readonly after: boolean} | undefined;
	/** Why candles may be missing, or were built from trades, as a clause. Absent: they are whole. */
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
	 * Skips cached outcomes up to this time (epoch ms; 0: none), for pollers: a later one ends the read at once. Used by reads that
	 * answer several readers (`store/shared-exchange`), ignored by others.
	 * @internal
	 */
	readonly newerThan?: number | undefined;
	/**
	 * Owners of this request now, for fair queueing: where requests wait for the budget, the least-served owner is first. Default:
	 * everybody.
	 * @internal
	 */
	readonly owners?: (() => readonly object[]) | undefined;
};

/** How trades are read. */
export type TradesOptions = CallOptions & {
	/** 1 to 1000; absent: the exchange's default. */
	readonly limit?: number | undefined;
};

/** How candles are read. */
export type CandlesOptions = CallOptions & CandleSelection;

/** Answers a question. Rejects with an `ExchangeError` and nothing else. */
export type Read = <Wanted extends Question>(
	question: Wanted,
	call?: CallOptions,
) => Promise<Answer<Answers[Wanted['ask']]>>;

/**
 * A spot exchange, read-only. Every read rejects with an `ExchangeError` and nothing else. A `symbol` is any spelling of the
 * pair: `BTCUSDT`, `BTC_USDT`, `btc-usdt`. The rest of the program reaches the network only through this type, so that a fake
 * or a recording can replace it.
 */
export type Exchange = {
	/** Every read, of which the six below are the short forms. */
	readonly read: Read;
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
