import {AbortedError, type Operation} from '../client/errors.ts';
import type {CallOptions, Exchange} from '../client/exchange.ts';
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

	async function turn(operation: Operation, {signal}: CallOptions = {}): Promise<void> {
		const {promise, resolve, reject} = Promise.withResolvers<void>();
		const abort = () => {
			waiting.delete(begin);
			reject(new AbortedError({operation, interface: exchange.interfaces[0] ?? 'v2', url: ''}));
			serve();
		};
		const begin = () => {
			signal?.removeEventListener('abort', abort);
			resolve();
		};
		if (signal?.aborted) abort();
		else {
			signal?.addEventListener('abort', abort, {once: true});
			waiting.add(begin);
			serve();
		}

		return promise;
	}

	return {
		...exchange,
		async info(options) {
			await turn('info', options);
			return exchange.info(options);
		},
		async markets(options) {
			await turn('markets', options);
			return exchange.markets(options);
		},
		async tickers(options) {
			await turn('ticker', options);
			return exchange.tickers(options);
		},
		async depth(symbol, options) {
			await turn('depth', options);
			return exchange.depth(symbol, options);
		},
		async trades(market, options) {
			await turn('trades', options);
			return exchange.trades(market, options);
		},
		async candles(symbol, options) {
			await turn('candles', options);
			return exchange.candles(symbol, options);
		},
	};
}
