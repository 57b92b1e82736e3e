import {monthMinutes} from './units.ts';

/** Which of the exchange's two interfaces an answer came from. */
export type Interface = 'v2' | 'legacy';

/** Either interface alone, or `auto`: both. */
export const interfaceChoices = ['auto', 'v2', 'legacy'] as const;

/** An operation as the user reads it, such as `v2 depth`. */
export const operationTitle = (of: {readonly interface: Interface; readonly operation: string}): string =>
	`${of.interface} ${of.operation}`;

/** A trading pair as the exchange lists it. */
export type Market = {
	/**
	 * Concatenated pair in capitals, e.g. `BTCUSDT`. The key of a market everywhere: where several have one name, each is `ABUSD#3`,
	 * with its id.
	 */
	readonly symbol: string;
	/** The exchange's own name for it, by which it is asked for. Absent: it is the symbol. */
	readonly name?: string | undefined;
	/** Decimal text: ids can pass 2^53. Absent where the interface has none. */
	readonly id?: string | undefined;
	/** Absent where neither the interface nor the list of quote assets shows it. */
	readonly base?: string | undefined;
	readonly quote?: string | undefined;
	/** The exchange's own word, e.g. `active`; on the legacy interface `active` or `frozen N`. */
	readonly state: string;
	readonly type?: string | undefined;
	/** The list's entry could not be read, except for its name: it counts as dropped, but the market can be read. */
	readonly unreadable?: true | undefined;
};

/**
 * 24-hour summary, which the exchange itself calls delayed. Prices are in quote asset. Absent fields: unknown, or a price of 0
 * that means "none".
 */
export type Ticker = {
	readonly symbol: string;
	/** Price of the last trade. */
	readonly last?: number | undefined;
	/** In quote asset, over 24 hours. */
	readonly change?: number | undefined;
	/** 1 is one percent. */
	readonly changePercent?: number | undefined;
	/** Price 24 hours ago; only v2 has it. */
	readonly open?: number | undefined;
	readonly high?: number | undefined;
	readonly low?: number | undefined;
	readonly bid?: number | undefined;
	/** In base asset, as `askQuantity`. */
	readonly bidQuantity?: number | undefined;
	readonly ask?: number | undefined;
	readonly askQuantity?: number | undefined;
	/** In base asset. */
	readonly volume?: number | undefined;
	/** Only the legacy interface has one; its specification calls it "total volume" without a unit. */
	readonly quoteVolume?: number | undefined;
	/** In base asset, of the market's last v2 ticker, beside a `quoteVolume`, whose unit is unknown. */
	readonly lastVolume?: number | undefined;
	readonly state: string;
	/** The exchange's own word, e.g. `spot`; absent where the interface has none. */
	readonly type?: string | undefined;
};

export const activeState = 'active';
/** The state of a market whose entry in the list could not be read. */
export const unknownState = 'unknown';

/** The exchange's word for a market's state: that of the list or of the ticker, whichever answer is newer; by default `active`. */
export function stateOf(market: Market | undefined, ticker: Ticker | undefined, listIsNewer = false): string {
	const listed = listedState(market);
	return (listIsNewer ? (listed ?? ticker?.state) : (ticker?.state ?? listed)) ?? activeState;
}

/** The state by the list; undefined: it is not known. */
export const listedState = (market: Market | undefined): string | undefined =>
	market?.unreadable ? undefined : market?.state;

/** `[price, quantity]`, both positive: price in quote asset, quantity in base asset. */
export type Level = readonly [price: number, quantity: number];

/** One snapshot of the order book. Asks ascending, bids descending: best first. */
export type DepthBook = {
	readonly asks: readonly Level[];
	/** Absent: the interface shows no bids (not: there are none). */
	readonly bids?: readonly Level[] | undefined;
	/** How the interface that has bids failed; absent: it did not fail, or there is none. */
	readonly bidsFailure?: ReadFailure | undefined;
};

/** A failed read of the exchange, as data: every error of the client is one. */
export type ReadFailure = {
	readonly interface: Interface;
	readonly operation: string;
	readonly kind: string;
	/** What failed, in a few words. */
	readonly brief: string;
	/** One line: what failed, which read, where. */
	readonly message: string;
	/** HTTP status; absent if no answer arrived or its status is not the reason. */
	readonly status?: number | undefined;
	/** How long the exchange asks to wait, in ms. */
	readonly retryAfterMs?: number | undefined;
	/** How the other interface failed, which was read too. */
	readonly other?: ReadFailure | undefined;
};

/** The taker's side. */
export type Side = 'buy' | 'sell';

/** One trade, as the exchange reports it. */
export type Trade = {
	/** Decimal text: ids can pass 2^53. Where the interface has only ids of orders, the fills of one order share it. */
	readonly id: string;
	/** Identifies the trade within its interface; absent: the id does. */
	readonly key?: string | undefined;
	/** Epoch ms, UTC. */
	readonly time: number;
	/** In quote asset. */
	readonly price: number;
	/** In base asset. */
	readonly quantity: number;
	/** Absent: unknown. */
	readonly side?: Side | undefined;
	/** The exchange's own word for the side, also where it is understood; absent where the exchange sent none. */
	readonly sideText?: string | undefined;
};

/** Whole minutes. In the monitor, whole multiples of the mean month stand for calendar months. */
export type Period = number;

/** The periods that the keys step through. The exchange may refuse some: its specification lists none. */
export const commonPeriods: readonly Period[] = [1, 3, 5, 15, 30, 60, 120, 240, 360, 720, 1440, 10_080, monthMinutes];

/** One candle. Prices are in quote asset. */
export type Candle = {
	/** Start of the candle, epoch ms, UTC. */
	readonly time: number;
	readonly open: number;
	readonly high: number;
	readonly low: number;
	readonly close: number;
	/** In base asset. */
	readonly volume: number;
	/** It was built from trades, as the exchange has not sent it whole. Absent: the exchange sent it. */
	readonly builtFrom?: 'trades' | undefined;
	/** Trades may be missing from it. Absent: none are. */
	readonly partial?: boolean | undefined;
};

export const capabilityFlags = [
	'markets',
	'trades',
	'tradesByTimestamp',
	'tradesSocket',
	'orders',
	'ordersSocket',
	'ordersSnapshot',
	'candles',
] as const;
/** What an exchange may say that it offers. */
export type CapabilityFlag = (typeof capabilityFlags)[number];

/** What an exchange says of itself. Absent fields: missing in the answer. */
export type ExchangeInfo = {
	readonly name?: string | undefined;
	readonly description?: string | undefined;
	readonly location?: string | undefined;
	readonly logo?: string | undefined;
	readonly website?: string | undefined;
	readonly twitter?: string | undefined;
	readonly version?: string | undefined;
	/** `null`: the flag carries no value. */
	readonly capability: Readonly<Record<CapabilityFlag, boolean | null>>;
};

/** The largest `limit` of trades and candles; of an answer with more, the rest is cut. */
export const largestPage = 1000;
/** Maximum candles of a range, which is read in pages. */
export const mostRangeCandles = 100_000;

/** The most levels of each side of a book: more than any screen has rows, and the most that such exchanges list. */
export const mostLevels = 5000;
