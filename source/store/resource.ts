import {type ExchangeError, UnavailableError} from '../client/errors.ts';
import type {Answer, InterfaceChoice} from '../client/exchange.ts';
import {longestRetryAfterMs} from '../client/retry.ts';
import {formatAge} from '../format/time.ts';
import type {TradeClock} from '../market/trade-clock.ts';
import type {ReadFailure} from '../market/types.ts';
import {secondMs} from '../market/units.ts';

/** A failed refresh. Times are epoch ms. */
export type Failure = {
	readonly error: ExchangeError;
	/** When the first of these failures in a row happened. */
	readonly since: number;
	/** When the next try is due; absent: not until the user asks. */
	readonly retryAt?: number | undefined;
};

type WithTradeClock = {
	/** Of the trades on the tape, and in the candles that they move. Absent: no trade has shown it. */
	readonly tradeClock?: TradeClock | undefined;
};

/** An answer with what a resource keeps of it. */
export type KeptAnswer = Answer<unknown> & WithTradeClock;

/** Data state and wire state, kept apart: a failed refresh keeps the last good data. */
export type Resource<T> =
	| {
			readonly status: 'waiting';
			/** Present while the request must not be sent yet: why, and until when. */
			readonly held?: Failure | undefined;
	  }
	| (Answer<T> & {
			readonly status: 'ready';
			/** Present while refreshes fail: the data is stale. */
			readonly failure?: Failure | undefined;
			/** How far a clock was set since the answer: what is to be added to `serverTime` minus `receivedAt`. Absent: not. */
			readonly clockSetMs?: number | undefined;
	  } & WithTradeClock)
	| {readonly status: 'failed'; readonly failure: Failure};

/** A resource with data. */
export type Ready<T> = Resource<T> & {readonly status: 'ready'};

/** ` (exchange asks for 10 min)` where `Retry-After` is longer than Tapewatch waits; else empty. */
export function retryAfterText({error: {retryAfterMs = 0}}: Failure): string {
	return retryAfterMs > longestRetryAfterMs ? ` (exchange asks for ${formatAge(retryAfterMs)})` : '';
}

/** Whether the exchange did not answer at all: the answer is late, or there was no connection. */
export const isUnanswered = ({kind}: ReadFailure): boolean => kind === 'timeout' || kind === 'network';

export const waiting = {status: 'waiting'} as const;

/** The resource after a good answer, with `data` in place of the answer's own. */
export function ready<T>(answer: KeptAnswer, data: T): Resource<T> {
	const {interface: source, sentAt, receivedAt, cache, serverTime, dropped, preferredFailure, tradeClock} = answer;
	const {rounded, cut, misdated, offPeriod} = answer;
	const counts = {dropped, ...(rounded && {rounded}), ...(cut && {cut})};
	const doubtful = {...(misdated && {misdated}), ...(offPeriod && {offPeriod})};
	const from = {...(cache && {cache}), ...(preferredFailure && {preferredFailure}), ...(tradeClock && {tradeClock})};
	const more = {...counts, ...doubtful, ...from};
	const sent = sentAt === undefined ? {} : {sentAt};
	return {status: 'ready', data, interface: source, ...sent, receivedAt, serverTime, ...more};
}

/** When the exchange answered, and how that came. */
export type AnswerDate = Pick<Answer<unknown>, 'receivedAt' | 'cache'>;

/** When the answer came, epoch ms by our clock. */
export const arrivedAt = ({receivedAt, cache}: AnswerDate): number => receivedAt + (cache?.ageMs ?? 0);

/** Caches beside each other differ by less. An exchange whose time stands still seems to give older answers for ever. */
const mostUnmarkedMs = 10 * secondMs;

/**
 * Whether an answer from a cache is older than what is shown, as two caches may give them. Never if our clock was set back, or
 * if the user has chosen another interface than the shown one. Where no cache says that it is one, only for ten seconds.
 */
export function isOlder(answer: Answer<unknown>, shown: Resource<unknown>, choice: InterfaceChoice): boolean {
	if (!answer.cache || shown.status !== 'ready') return false;
	const isWanted = choice === 'auto' || choice === shown.interface;
	const isBelieved = answer.cache.isSaid || arrivedAt(answer) - shown.receivedAt < mostUnmarkedMs;
	const isAfter = arrivedAt(answer) >= arrivedAt(shown);
	return isWanted && isBelieved && isAfter && answer.receivedAt < shown.receivedAt;
}

/** Whether a cache gave what is shown once more. */
export const isAgain = (answer: Answer<unknown>, shown: Resource<unknown>): boolean =>
	answer.cache !== undefined &&
	shown.status === 'ready' &&
	answer.interface === shown.interface &&
	answer.receivedAt === shown.receivedAt;

/** The resource after an answer that is older: its age stays, and requests do not fail any more. */
export function keeping<T>(resource: Resource<T>, older: Answer<unknown>): Resource<T> {
	if (resource.status !== 'ready' || !older.cache) return resource;
	const cache = {...older.cache, ageMs: arrivedAt(older) - resource.receivedAt};
	return {...resource, cache, failure: afterAnswer(resource.failure)};
}

/** The failure that remains after an answer: only a frozen clock. */
export const afterAnswer = (failure: Failure | undefined): Failure | undefined =>
	failure?.error.kind === 'frozen-clock' ? failure : undefined;

/** The resource after a failed refresh: the last good data stays. */
export function failing<T>(resource: Resource<T>, failure: Failure): Resource<T> {
	if (failure.error.kind === 'held') return held(resource, failure);
	return resource.status === 'ready' ? {...resource, failure} : {status: 'failed', failure};
}

/** The resource while its data is not to be used, for a reason that no request has found. `since`: epoch ms. */
export function unusable<T>(
	resource: Resource<T>,
	reason: {readonly brief: string; readonly since: number},
): Resource<T> {
	const {brief, since} = reason;
	const context = {operation: 'markets', interface: 'v2', url: ''} as const;
	return failing(resource, {error: new UnavailableError({...context, brief, remedy: 'wait'}), since});
}

/** The resource while its next request must not be sent yet. An earlier failure stays the reason. */
function held<T>(resource: Resource<T>, wait: Failure): Resource<T> {
	if (resource.status === 'waiting') return {status: 'waiting', held: wait};
	const {failure = wait} = resource;
	return {...resource, failure: failure.error.kind === 'held' ? wait : {...failure, retryAt: wait.retryAt}};
}

/** The resource with other data in place of its own; age and failure stay. */
export function mapData<T, U>(resource: Resource<T>, change: (data: T) => U): Resource<U> {
	return resource.status === 'ready' ? {...resource, data: change(resource.data)} : resource;
}

/** The resource while paused: no time of a retry, as nothing is retried until the user asks. */
export function withoutRetry<T>(resource: Resource<T>): Resource<T> {
	if (resource.status === 'waiting' || resource.failure?.retryAt === undefined) return resource;
	const {error, since} = resource.failure;
	return {...resource, failure: {error, since}};
}

/** The resource when it is paused: no request waits for the rate limit. */
export function withoutHold<T>(resource: Resource<T>): Resource<T> {
	if (resource.status === 'waiting') return waiting;
	const isHeld = resource.status === 'ready' && resource.failure?.error.kind === 'held';
	return isHeld ? {...resource, failure: undefined} : resource;
}

/** The resource when it is requested again: data stays, and a failure without data becomes waiting. */
export function requestedAgain<T>(resource: Resource<T>): Resource<T> {
	return resource.status === 'failed' ? waiting : resource;
}
