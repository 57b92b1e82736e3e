import type {Clock} from '../market/clock.ts';
import {
	type Candle,
	type DepthBook,
	type ExchangeInfo,
	type Interface,
	interfaceName,
	type Market,
	type Period,
	type Ticker,
	type Trade,
} from '../market/types.ts';
import {AbortedError, HttpStatusError, UnavailableError} from './errors.ts';

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

/** One interface, as the combined exchange reads it. */
type Source = Pick<Exchange, 'markets' | 'tickers' | 'depth' | 'trades'> &
	Partial<Pick<Exchange, 'info' | 'candles'>> & {readonly baseUrl: string};

type Parts = Pick<Exchange, 'budget' | 'close'> & {
	readonly v2?: Source | undefined;
	readonly v1?: Source | undefined;
	readonly clock: Clock;
};

/** How long a v2 book without bids is taken as "v2 shows none" before v2 is asked again. */
const askV2AgainMs = 5 * 60_000;

/** What the user reads for an operation that an interface does not offer. */
const nouns = {
	info: 'exchange info',
	markets: 'market list',
	ticker: 'ticker',
	depth: 'order book',
	trades: 'trades',
	candles: 'candles',
} as const;

/**
 * One exchange of up to two interfaces. `auto` reads v2 and takes from legacy what v2 does not show: the book, where v2's
 * has no bids. When the preferred interface fails, the other answers this call if it can; when both fail, the preferred
 * one's error is thrown. The two sides of a book are always of one snapshot.
 */
export function combine({v2, v1, clock, budget, close}: Parts): Exchange {
	const sources = {v2, v1};
	let askV2DepthAt = Number.NEGATIVE_INFINITY;
	/** Of the last v2 list: base and quote for legacy's bare symbols. */
	let listed: ReadonlyMap<string, Market> = new Map();

	/** The first answer of `order`; `call` gives nothing for an interface that does not offer the operation. */
	async function firstAnswer<T>(
		operation: keyof typeof nouns,
		order: readonly Interface[],
		call: (source: Source) => Promise<Answer<T>> | undefined,
	): Promise<Answer<T>> {
		let preferredError: unknown;
		for (const name of order) {
			const source = sources[name];
			try {
				const answer = source && (await call(source));
				if (answer) return answer;
			} catch (error) {
				if (error instanceof AbortedError) throw error;
				preferredError ??= error;
				// The other interface shares the budget: asking it at once would make it worse.
				if (error instanceof HttpStatusError && error.status === 429) break;
			}
		}

		throw preferredError ?? unavailable(operation, order);
	}

	function unavailable(operation: keyof typeof nouns, order: readonly Interface[]): UnavailableError {
		const name = order.find(candidate => sources[candidate]) ?? order[0] ?? 'v2';
		const source = sources[name];
		const lacking = source ? `has no ${nouns[operation]}` : 'is not configured';
		const flag = source || name === 'v2' ? '--base-url' : '--legacy-base-url';
		return new UnavailableError({
			operation,
			interface: name,
			url: source?.baseUrl ?? '',
			brief: `the ${interfaceName(name)} interface ${lacking}`,
			remedy: v2 && v1 ? 'use --interface auto' : `give ${flag}`,
		});
	}

	/** v2's book if it shows bids, else legacy's whole book, else v2's asks. */
	async function autoDepth(symbol: string, options: CallOptions, v1: Source): Promise<Answer<DepthBook>> {
		const call = (source: Source) => source.depth(symbol, options);
		if (clock.now() < askV2DepthAt) return firstAnswer('depth', ['v1', 'v2'], call);
		const answer = await firstAnswer('depth', ['v2', 'v1'], call);
		// Legacy's book has both sides by its schema.
		if (answer.data.bids) return answer;
		askV2DepthAt = clock.now() + askV2AgainMs;
		try {
			return await v1.depth(symbol, options);
		} catch (error) {
			if (error instanceof AbortedError) throw error;
			return answer;
		}
	}

	function withListedNames(answer: Answer<readonly Market[]>): Answer<readonly Market[]> {
		if (answer.interface === 'v2') {
			listed = new Map(answer.data.map(market => [market.symbol, market]));
			return answer;
		}

		const data = answer.data.map(market => {
			const known = listed.get(market.symbol);
			return known ? {...market, base: known.base, quote: known.quote} : market;
		});
		return {...answer, data};
	}

	return {
		info: (options = {}) => firstAnswer('info', order(options), source => source.info?.(options)),
		markets: async (options = {}) =>
			withListedNames(await firstAnswer('markets', order(options), source => source.markets(options))),
		tickers: (options = {}) => firstAnswer('ticker', order(options), source => source.tickers(options)),
		depth: (symbol, options = {}) =>
			v2 && v1 && order(options).length === 2
				? autoDepth(symbol, options, v1)
				: firstAnswer('depth', order(options), source => source.depth(symbol, options)),
		trades: (symbol, options = {}) => firstAnswer('trades', order(options), source => source.trades(symbol, options)),
		candles: (symbol, options) => firstAnswer('candles', order(options), source => source.candles?.(symbol, options)),
		interfaces: (['v2', 'v1'] as const).filter(name => sources[name]),
		budget,
		close,
	};
}

const order = ({use = 'auto'}: CallOptions): readonly Interface[] => (use === 'auto' ? ['v2', 'v1'] : [use]);
