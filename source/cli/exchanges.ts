import type {Budget, Exchange} from '../client/exchange.ts';
import type {Clock} from '../market/clock.ts';

type LateExchange = Pick<Exchange, 'interfaces'> & {
	/** Called once, with the first read. */
	open(): Promise<Exchange>;
	/** The budget until then. */
	readonly budget: Budget;
};

/** An exchange that is opened when it is first read: what is drawn of it need not wait for it. */
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
		close: async () => (await opening)?.close(),
	};
}

/** One answer serves every store that asks within this time. */
const sharedMs = 1000;

/**
 * The same exchange for several stores: tickers, market list and info are of all markets, so one request serves all.
 * A store that gives up does not take the request from the others; it ends by the client's own deadline.
 */
export function sharedTickers(exchange: Exchange, clock: Clock): Exchange {
	return {
		...exchange,
		tickers: shared(exchange.tickers, clock),
		markets: shared(exchange.markets, clock),
		info: shared(exchange.info, clock),
	};
}

type Call<T> = (options?: Parameters<Exchange['markets']>[0]) => Promise<T>;

function shared<T>(call: Call<T>, clock: Clock): Call<T> {
	const running = new Map<string, {readonly startedAt: number; readonly answer: Promise<T>}>();
	return (options = {}) => {
		const use = options.use ?? 'auto';
		const now = clock.now();
		const known = running.get(use);
		if (known && now - known.startedAt < sharedMs) return known.answer;
		const answer = call({...options, signal: undefined});
		running.set(use, {startedAt: now, answer});
		return answer;
	};
}
