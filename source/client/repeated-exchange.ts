import type {Clock} from '../market/clock.ts';
import type {ReadFailure} from '../market/types.ts';
import {AbortedError, ExchangeError, type Operation} from './errors.ts';
import type {CallOptions, Exchange} from './exchange.ts';
import {type Repeats, rateLimitRetries, retryWaitMs} from './retry.ts';

type RepeatedOptions = Repeats & {
	readonly clock: Clock;
	/** In [0, 1). */
	readonly random: () => number;
};

/**
 * The exchange whose reads are tried again, at most `most` times, when neither interface was reached or one had an error of its own
 * (5xx), and a book whose bids are missing for such a reason. A wait is 1 s, doubles up to 8 s, and is never shorter than
 * `Retry-After`; where that is longer than `longestWaitMs`, the read fails at once. Rate limits (429) are left to the reads
 * themselves (`wire/read`), which know the budget.
 */
export function repeatedExchange(exchange: Exchange, options: RepeatedOptions): Exchange {
	const {most, longestWaitMs, onRepeat, clock, random} = options;

	/** `lack`: why a good answer is incomplete. */
	async function repeated<T>(
		operation: Operation,
		{signal}: CallOptions = {},
		read: () => Promise<T>,
		lack: (answer: T) => ReadFailure | undefined = () => undefined,
	): Promise<T> {
		for (let number = 1; ; number++) {
			const outcome = await settled(read);
			const failure = 'error' in outcome ? outcome.error : lack(outcome.answer);
			const isFinal = !failure || number > most || !isPassing(failure) || retryAfterOf(failure) > longestWaitMs;
			if (isFinal && 'error' in outcome) throw outcome.error;
			if (isFinal && 'answer' in outcome) return outcome.answer;
			if (!failure) continue;
			const schedule = rateLimitRetries;
			const retryAfterMs = retryAfterOf(failure);
			const waitMs = retryWaitMs({retryAfterMs}, {schedule, failures: number, random: random()});
			onRepeat({number, most, waitMs, failure});
			await wait(operation, waitMs, signal);
		}
	}

	async function wait(operation: Operation, ms: number, signal: AbortSignal | undefined): Promise<void> {
		const {promise, resolve, reject} = Promise.withResolvers<void>();
		const abort = () => reject(new AbortedError({operation, interface: exchange.interfaces[0] ?? 'v2', url: ''}));
		const cancel = clock.after(ms, resolve);
		if (signal?.aborted) abort();
		signal?.addEventListener('abort', abort, {once: true});
		return promise.finally(() => {
			cancel();
			signal?.removeEventListener('abort', abort);
		});
	}

	return {
		...exchange,
		info: call => repeated('info', call, () => exchange.info(call)),
		markets: call => repeated('markets', call, () => exchange.markets(call)),
		tickers: call => repeated('ticker', call, () => exchange.tickers(call)),
		depth: (symbol, call) =>
			repeated(
				'depth',
				call,
				() => exchange.depth(symbol, call),
				({data}) => data.bidsFailure,
			),
		trades: (market, call) => repeated('trades', call, () => exchange.trades(market, call)),
		candles: (symbol, call) => repeated('candles', call, () => exchange.candles(symbol, call)),
	};
}

type Settled<T> = {readonly answer: T} | {readonly error: ExchangeError};

async function settled<T>(read: () => Promise<T>): Promise<Settled<T>> {
	try {
		return {answer: await read()};
	} catch (error) {
		if (error instanceof ExchangeError) return {error};
		throw error;
	}
}

const interfacesOf = (failure: ReadFailure): readonly ReadFailure[] =>
	failure.other ? [failure, failure.other] : [failure];

/** Whether a read may succeed a little later: one interface failed for a reason that passes, and none limits the rate. */
function isPassing(failure: ReadFailure): boolean {
	const failures = interfacesOf(failure);
	if (failures.some(({status}) => status === 429)) return false;
	return failures.some(
		({kind, status = 0}) => kind === 'network' || kind === 'timeout' || (kind === 'http' && status >= 500),
	);
}

/** Ms; 0: the exchange asks for no wait. */
const retryAfterOf = (failure: ReadFailure): number =>
	Math.max(...interfacesOf(failure).map(({retryAfterMs = 0}) => retryAfterMs));
