import type {ExchangeError} from '../client/errors.ts';
import type {Interface} from '../market/types.ts';

/** A refresh that failed: what, since when, and when the next try is due (epoch ms). */
export type Failure = {
	readonly error: ExchangeError;
	readonly since: number;
	readonly retryAt?: number | undefined;
};

/** Data state and wire state, kept apart: a failed refresh keeps the last good data. */
export type Resource<T> =
	| {readonly status: 'waiting'}
	| {
			readonly status: 'ready';
			readonly data: T;
			readonly interface: Interface;
			/** Epoch ms by our clock. */
			readonly receivedAt: number;
			readonly serverTime?: number | undefined;
			readonly dropped: number;
			/** Present while refreshes fail: the data is stale. */
			readonly failure?: Failure | undefined;
	  }
	| {readonly status: 'failed'; readonly failure: Failure};
