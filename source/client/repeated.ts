import {type Clock, waited} from '../market/clock.ts';
import type {DepthBook, ReadFailure} from '../market/types.ts';
import {ExchangeError} from './errors.ts';
import type {Answer} from './exchange.ts';
import {abortedRead, type Middleware} from './middleware.ts';
import {type Repeats, rateLimitRetries, retryWaitMs} from './retry.ts';

type RepeatedOptions = Repeats & {
	readonly clock: Clock;
	/** In [0, 1). */
	readonly random: () => number;
};

/**
 * Reads are tried again, at most `most` times, when neither interface was reached or one had an error of its own (5xx), and a book
 * whose bids are missing for such a reason. A wait is 1 s, doubles up to 8 s, and is never shorter than `Retry-After`; where that is
 * longer than `longestWaitMs`, the read fails at once. Rate limits (429) are left to the reads themselves (`wire/read`), which know the
 * budget.
 */
export function repeated({most, longestWaitMs, onRepeat, clock, random}: RepeatedOptions): Middleware {
	return next => async (question, call) => {
		for (let number = 1; ; number++) {
			const outcome = await outcomeOf(() => next(question, call));
			const failure = 'error' in outcome ? outcome.error : bidsFailureOf(outcome.answer);
			const isFinal = !failure || number > most || !isPassing(failure) || retryAfterOf(failure) > longestWaitMs;
			if (isFinal && 'error' in outcome) throw outcome.error;
			if (isFinal && 'answer' in outcome) return outcome.answer;
			if (!failure) continue;
			const retryAfterMs = retryAfterOf(failure);
			const waitMs = retryWaitMs({retryAfterMs}, {schedule: rateLimitRetries, failures: number, random: random()});
			onRepeat({number, most, waitMs, failure});
			if (!(await waited(clock, waitMs, call?.signal))) throw abortedRead(question, call);
		}
	};
}

const bidsFailureOf = ({data}: Answer<object>): ReadFailure | undefined =>
	'bidsFailure' in data ? (data as DepthBook).bidsFailure : undefined;

type Settled<T> = {readonly answer: T} | {readonly error: ExchangeError};

async function outcomeOf<T>(read: () => Promise<T>): Promise<Settled<T>> {
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
