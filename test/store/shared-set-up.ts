import {setImmediate} from 'node:timers/promises';
import type {ExchangeError} from '../../source/client/errors.ts';
import type {Answer, CallOptions} from '../../source/client/exchange.ts';
import type {DepthBook} from '../../source/market/types.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import {createSharedExchange} from '../../source/store/shared-exchange.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {startTime} from './set-up.ts';

export const symbol = 'BTCUSDT';

/** Two viewers of an exchange that leaves every call open. */
export function openShared(leastMs = {}) {
	const clock = createFakeClock(startTime);
	const exchange = createFakeExchange(clock);
	const shared = createSharedExchange({exchange, clock, random: () => 0, intervals: pollIntervals(), leastMs});
	const calls = (name: keyof typeof exchange.calls) => exchange.calls[name].map(({at}) => at - startTime);
	return {clock, exchange, shared, calls, one: shared.join(), other: shared.join()};
}

/** What a read came to: the middle of the book, the words of its failure, or that it is open. */
export function follow(read: Promise<Answer<DepthBook>>): () => number | string {
	let outcome: number | string = 'open';
	read.then(
		({data}) => {
			outcome = (data.asks[0]?.[0] ?? 0) - 1;
		},
		(error: ExchangeError) => {
			outcome = error.kind;
		},
	);
	return () => outcome;
}

export const settle = () => setImmediate();

/** A read that is one of many: `after` ms after the start, the reader had the last outcome; absent: it had none. */
export const since = (after = -startTime): CallOptions => ({newerThan: startTime + after});
