import type {Budget, Exchange} from '../client/exchange.ts';

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
