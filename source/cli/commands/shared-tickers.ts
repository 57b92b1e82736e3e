import type {Exchange} from '../../client/exchange.ts';
import type {Clock} from '../../market/clock.ts';

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
