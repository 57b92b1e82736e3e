import {AbortedError} from '../client/errors.ts';
import type {Budget, Exchange, TradesOptions} from '../client/exchange.ts';
import type {Clock} from '../market/clock.ts';

type LateExchange = Pick<Exchange, 'interfaces'> & {
	/** Called once, with the first read. */
	open(): Promise<Exchange>;
	/** The budget until then. */
	readonly budget: Budget;
};

/** An exchange that is opened by its first read, so that the screen can be drawn before. */
export function lateExchange({interfaces, budget, open}: LateExchange): Exchange {
	let opening: Promise<Exchange> | undefined;
	let opened: Exchange | undefined;
	async function exchange(): Promise<Exchange> {
		opening ??= open();
		opened = await opening;
		return opened;
	}

	return {
		interfaces,
		budget: () => opened?.budget() ?? budget,
		info: async options => (await exchange()).info(options),
		markets: async options => (await exchange()).markets(options),
		tickers: async options => (await exchange()).tickers(options),
		depth: async (symbol, options) => (await exchange()).depth(symbol, options),
		trades: async (symbol, options) => (await exchange()).trades(symbol, options),
		candles: async (symbol, options) => (await exchange()).candles(symbol, options),
		retryNow: () => opened?.retryNow(),
		close: async () => (await opening)?.close(),
	};
}

/** Reads within this time share one answer. */
const sharedMs = 1000;

/**
 * Lets several stores use one exchange: a request for tickers, market list or info serves all of them. Aborting one
 * store's read does not abort the shared request, which the client's own timeout ends.
 */
export function sharedTickers(exchange: Exchange, clock: Clock): Exchange {
	return {
		...exchange,
		tickers: shared(exchange.tickers, clock),
		markets: shared(exchange.markets, clock),
		info: shared(exchange.info, clock),
	};
}

type Followed = {
	/** Reads as before. */
	readonly leader: Exchange;
	/** Takes over what the leader has just read of a book, or of at least as many trades; else it reads itself. */
	readonly follower: Exchange;
};

/** Lets a screen go without reads of its own where another one, which polls at these intervals (ms), reads the same. */
export function followedReads(
	exchange: Exchange,
	clock: Clock,
	everyMs: {readonly depth: number; readonly tape: number},
): Followed {
	const depth = followed(exchange.depth, clock, everyMs.depth);
	const trades = followed(exchange.trades, clock, everyMs.tape);
	return {
		leader: {...exchange, depth: depth.leader, trades: trades.leader},
		follower: {...exchange, depth: depth.follower, trades: trades.follower},
	};
}

type MarketCall<Of, T> = (market: Of, options?: TradesOptions) => Promise<T>;

function followed<Of, T>(call: MarketCall<Of, T>, clock: Clock, keptMs: number) {
	const recent = new Map<
		string,
		{readonly at: number; readonly limit: number | undefined; readonly answer: Promise<T>}
	>();
	const keyOf = (market: Of, {use = 'auto'}: TradesOptions) => `${use} ${JSON.stringify(market)}`;
	const leader: MarketCall<Of, T> = (market, options = {}) => {
		const answer = call(market, options);
		recent.set(keyOf(market, options), {at: clock.now(), limit: options.limit, answer});
		return answer;
	};
	const follower: MarketCall<Of, T> = (market, options = {}) => {
		const {limit} = options;
		const read = recent.get(keyOf(market, options));
		const isEnough = read && (read.limit === limit || (read.limit ?? 0) >= (limit ?? Infinity));
		if (!isEnough || clock.now() - read.at >= keptMs) return call(market, options);
		options.onSent?.();
		return read.answer.catch(error => {
			if (error instanceof AbortedError) return call(market, options);
			throw error;
		});
	};
	return {leader, follower};
}

type Call<T> = (options?: Parameters<Exchange['markets']>[0]) => Promise<T>;

function shared<T>(call: Call<T>, clock: Clock): Call<T> {
	const running = new Map<
		string,
		{readonly startedAt: number; readonly answer: Promise<T>; readonly sent: Promise<void>}
	>();
	return (options = {}) => {
		const use = options.use ?? 'auto';
		const now = clock.now();
		let recent = running.get(use);
		if (!recent || now - recent.startedAt >= sharedMs) {
			const {promise: sent, resolve: onSent} = Promise.withResolvers<void>();
			recent = {startedAt: now, answer: call({...options, signal: undefined, onSent}), sent};
			running.set(use, recent);
		}

		if (options.onSent) void recent.sent.then(options.onSent);
		return recent.answer;
	};
}
