import {clamp} from '../market/numbers.ts';
import type {ReadFailure} from '../market/types.ts';
import {minuteMs} from '../market/units.ts';
import type {ExchangeError} from './errors.ts';
import type {Headers} from './transport.ts';

/** The wait after the first failure, and the longest one. */
type Schedule = {readonly firstMs: number; readonly longestMs: number};

type Failures = {
	readonly schedule: Schedule;
	/** In a row, from 1. */
	readonly failures: number;
	/** In [0, 1). */
	readonly random: number;
};

/** Waits of all requests to a host that has answered 429. */
export const rateLimitRetries: Schedule = {firstMs: 1000, longestMs: 8000};
/** Waits between probes of the preferred interface while the other one answers. */
export const interfaceRetries: Schedule = {firstMs: 2000, longestMs: 30_000};
/** No waits: the preferred interface is read each time while the other one's answer lacks something. */
export const everyReadRetries: Schedule = {firstMs: 0, longestMs: 0};
/** For a request of an inspection (`inspect`), and how often it is sent again. */
export const inspectionRetries: Schedule = {firstMs: 1000, longestMs: 4000};
export const mostInspectionRetries = 2;

/** Wait between two probes of the preferred interface once it answers again. */
export const betweenGoodProbesMs = 1000;
/** Maximum resends, without a wait, of a request that a stale keep-alive connection ended: several connections can be stale. */
export const mostResends = 2;

const longestPollRetryMs = 8000;
/** Rare polls do not wait a whole interval for their first retry, nor others longer than one. */
const longestFirstPollRetryMs = 4000;
/** Frequent polls do not become retries of the same frequency. */
const leastPollRetryMs = 1000;

/**
 * For a poll that succeeds every `intervalMs`: after the interval at the latest, so that data is back one poll after the
 * exchange is; 8 s where another poll detects meanwhile that the exchange is back (`hasProbe`).
 */
export function pollRetries(intervalMs: number, hasProbe: boolean): Schedule {
	const firstMs = Math.min(intervalMs, longestFirstPollRetryMs);
	const longestMs = hasProbe ? Infinity : Math.max(intervalMs, leastPollRetryMs);
	return {firstMs, longestMs: Math.min(longestMs, longestPollRetryMs)};
}

const jitterShare = 0.25;
/** After a longer `Retry-After`, one request is sent this early: the limit may be gone long before. */
export const longestRetryAfterMs = 5 * minuteMs;
/** How long that request's answer is awaited before the next request. */
export const probeAnswerMs = 5000;

/**
 * Decides when a failed request is sent again: ms from the failure, `Infinity` if the exchange does not offer it. The wait
 * starts at `firstMs`, doubles with each failure in a row up to `longestMs`, is shortened at random by up to a quarter (so
 * that clients do not return all at once) and is never shorter than `Retry-After`, of which five minutes at most count.
 *
 * It applies to polls, older candles, inspections, probes of the preferred interface (`failover`), and the pause after a 429
 * (`pace`), which is also the wait of a repeated read (`wire/read`), and to other failures of a read (`repeated`). These do not wait for it: a poll when another one shows that the
 * exchange is back (`Poller.retry`), a request that a stale keep-alive connection ended (`http`), and a probe after a good one or
 * during an outage of both interfaces.
 */
export function retryWaitMs(
	{kind, retryAfterMs = 0}: Partial<Pick<ExchangeError, 'kind' | 'retryAfterMs'>>,
	{schedule, failures, random}: Failures,
): number {
	if (kind === 'unavailable') return Number.POSITIVE_INFINITY;
	const fullMs = Math.min(schedule.firstMs * 2 ** (failures - 1), schedule.longestMs);
	return Math.max(Math.round(fullMs * (1 - jitterShare * random)), Math.min(retryAfterMs, longestRetryAfterMs));
}

/** How a read repeats its failed requests. Those that are answered 429 wait until the pause after that is over. */
export type Repeats = {
	/** For each request. */
	readonly most: number;
	/** Maximum sum of the waits of one request for a rate limit, and the maximum `Retry-After` otherwise. */
	readonly longestWaitMs: number;
	/** Repeats also what neither interface answered (`repeated`). Default: only what is answered 429. */
	readonly ofFailures?: boolean | undefined;
	/** Called before each wait. */
	readonly onRepeat: (repeat: Repeat) => void;
};

export type Repeat = {
	/** From 1. */
	readonly number: number;
	readonly most: number;
	readonly waitMs: number;
	readonly failure: ReadFailure;
};

/**
 * Ms to wait by the `Retry-After` header, in seconds or as an HTTP date: 0 when the date has passed, undefined when
 * unreadable. A date is counted from the answer's `Date` header, so that a wrong clock here does no harm;
 * without one, from `now` (epoch ms).
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
	const text = headers['retry-after']?.trim();
	if (!text) return undefined;
	const sentAt = Date.parse(headers.date ?? '');
	let ms = Number.NaN;
	if (/^\d+(\.\d+)?$/.test(text)) ms = Number(text) * 1000;
	else if (text.endsWith('GMT')) ms = Date.parse(text) - (Number.isNaN(sentAt) ? now : sentAt);
	return Number.isNaN(ms) ? undefined : clamp(ms, 0, Number.MAX_SAFE_INTEGER);
}
