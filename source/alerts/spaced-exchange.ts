import type {Exchange} from '../client/exchange.ts';
import {type Clock, steadyNow} from '../market/clock.ts';

/** The exchange for requests that can wait: they begin in turn, at least `gapMs` apart, however many there are. */
export function spacedExchange(exchange: Exchange, clock: Clock, gapMs: number): Exchange {
	const now = steadyNow(clock);
	const waiting = new Set<() => void>();
	let freeAt = Number.NEGATIVE_INFINITY;
	let cancelTimer = () => {};

	function serve() {
		cancelTimer();
		for (const begin of waiting) {
			const waitMs = freeAt - now();
			if (waitMs > 0) {
				cancelTimer = clock.after(waitMs, serve);
				return;
			}

			waiting.delete(begin);
			freeAt = now() + gapMs;
			begin();
		}
	}

	async function turn(signal: AbortSignal | undefined): Promise<void> {
		const {promise, resolve, reject} = Promise.withResolvers<void>();
		const abort = () => {
			waiting.delete(begin);
			reject(signal?.reason);
			serve();
		};
		const begin = () => {
			signal?.removeEventListener('abort', abort);
			resolve();
		};
		signal?.addEventListener('abort', abort, {once: true});
		waiting.add(begin);
		serve();
		return promise;
	}

	return {
		...exchange,
		async info(options) {
			await turn(options?.signal);
			return exchange.info(options);
		},
		async markets(options) {
			await turn(options?.signal);
			return exchange.markets(options);
		},
		async tickers(options) {
			await turn(options?.signal);
			return exchange.tickers(options);
		},
		async depth(symbol, options) {
			await turn(options?.signal);
			return exchange.depth(symbol, options);
		},
		async trades(market, options) {
			await turn(options?.signal);
			return exchange.trades(market, options);
		},
		async candles(symbol, options) {
			await turn(options?.signal);
			return exchange.candles(symbol, options);
		},
	};
}
