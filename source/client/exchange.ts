import type {Candle, DepthBook, ExchangeInfo, Interface, Market, Period, Ticker, Trade} from '../market/types.ts';

/** What the user asks for: `auto` prefers v2 and takes from legacy what v2 does not show. */
export type InterfaceChoice = 'auto' | Interface;

export type Answer<T> = {
	readonly data: T;
	/** The interface that this answer came from. */
	readonly interface: Interface;
	/** Epoch ms by our clock. */
	readonly receivedAt: number;
	/** Epoch ms by the exchange's clock, where it says. */
	readonly serverTime?: number | undefined;
	/** Entries of a list that were refused because a field was missing or wrong. */
	readonly dropped: number;
};

export type CallOptions = {
	readonly signal?: AbortSignal | undefined;
	/** Default `auto`. */
	readonly use?: InterfaceChoice | undefined;
	/** Lower is sooner when requests wait for the budget. Default 1. */
	readonly priority?: 0 | 1 | 2 | undefined;
};

export type TradesOptions = CallOptions & {
	/** 1 to 1000; absent: the exchange's default. */
	readonly limit?: number | undefined;
};

export type CandlesOptions = CallOptions & {
	readonly period: Period;
	/** 1 to 1000, the exchange's default is 500. */
	readonly limit?: number | undefined;
	/** Epoch ms, inclusive. */
	readonly from?: number | undefined;
	readonly to?: number | undefined;
};

/**
 * A spot exchange, read only. Every method rejects with an `ExchangeError` and nothing else.
 * The one seam between the network and the rest of the program: a recording can stand in for it.
 */
export type Exchange = {
	info(options?: CallOptions): Promise<Answer<ExchangeInfo>>;
	markets(options?: CallOptions): Promise<Answer<readonly Market[]>>;
	tickers(options?: CallOptions): Promise<Answer<readonly Ticker[]>>;
	depth(symbol: string, options?: CallOptions): Promise<Answer<DepthBook>>;
	/** Newest first: by time, then id. */
	trades(symbol: string, options?: TradesOptions): Promise<Answer<readonly Trade[]>>;
	/** Oldest first. */
	candles(symbol: string, options: CandlesOptions): Promise<Answer<readonly Candle[]>>;
	/** The interfaces that are configured. */
	readonly interfaces: readonly Interface[];
	/** The shared request budget, for the status line. */
	budget(): Budget;
	close(): Promise<void>;
};

export type Budget = {
	/** Requests started in the last second. */
	readonly used: number;
	/** Requests a second that the budget allows now. */
	readonly allowed: number;
	/** Ms until the next request may start; 0 when one may start now. */
	readonly waitMs: number;
};
