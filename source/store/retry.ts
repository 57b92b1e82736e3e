import type {ExchangeError} from '../client/errors.ts';
import {backoffMs} from '../market/backoff.ts';
import type {Resource} from './resource.ts';
import type {MarketState, ResourceName} from './state.ts';

const longestRetryMs = 8000;
/** Rare polls do not wait a whole interval for their first retry. */
const longestFirstMs = 4000;
/** Frequent polls do not become retries of the same frequency. */
const leastRetryMs = 1000;

type FailedPoll = {
	readonly error: ExchangeError;
	/** In a row, from 1. */
	readonly failures: number;
	/** Between two polls that succeed. */
	readonly intervalMs: number;
	/** Another poll finds out when the exchange is back. */
	readonly hasProbe: boolean;
	/** In [0, 1). */
	readonly random: number;
};

export type Retry = {
	/** `Infinity`: not before the user asks. */
	readonly afterMs: number;
	/** Set by the exchange: not sooner, even if another poll shows that the exchange is back. */
	readonly isFixed: boolean;
};

/**
 * When to retry a failed poll: after its interval at the latest, so that data is back one poll after the exchange is; within
 * 8 s where another poll probes the exchange meanwhile. Never before a `Retry-After` ends, and never without the user what
 * the exchange does not offer.
 */
export function retryOf({error, failures, intervalMs, hasProbe, random}: FailedPoll): Retry {
	if (error.kind === 'unavailable') return {afterMs: Number.POSITIVE_INFINITY, isFixed: false};
	const firstMs = Math.min(2 * intervalMs, longestFirstMs);
	const longestMs = hasProbe ? longestRetryMs : Math.min(Math.max(intervalMs, leastRetryMs), longestRetryMs);
	const ownMs = backoffMs({failures, firstMs, longestMs, random});
	const {retryAfterMs} = error;
	return {afterMs: Math.max(ownMs, retryAfterMs ?? 0), isFixed: retryAfterMs !== undefined};
}

/** `unavailable`: no request was sent, as the exchange does not offer it. */
type PollOutcome = 'answered' | 'failed' | 'unavailable';

/** Distinguishes an outage of the exchange from a failure of some of its operations. */
export type Outage = {
	/** Records the end of a poll. True: `name` answers again, so the others need not wait out their failures. */
	record(name: ResourceName, outcome: PollOutcome): boolean;
	/**
	 * Whether another poll finds out for `name`, which fails, when the exchange is back: nothing has answered since it
	 * began to fail, and a more frequent poll runs.
	 */
	hasProbe(name: ResourceName): boolean;
};

type OutageOptions = {
	/** Between two polls, in ms. */
	readonly intervals: Readonly<Record<ResourceName, number>>;
	/** Those that are polled now; of equal intervals the first is the probe. */
	polled(): readonly ResourceName[];
};

export function createOutage({intervals, polled}: OutageOptions): Outage {
	/** What fails, and whether anything else has answered since it began to fail. */
	const failing = new Map<ResourceName, {othersAnswer: boolean}>();
	const unavailable = new Set<ResourceName>();
	return {
		record(name, outcome) {
			if (outcome === 'unavailable') unavailable.add(name);
			else unavailable.delete(name);
			if (outcome === 'failed') {
				if (!failing.has(name)) failing.set(name, {othersAnswer: false});
				return false;
			}

			const recovered = failing.delete(name) && outcome === 'answered';
			if (outcome === 'answered') for (const other of failing.values()) other.othersAnswer = true;
			return recovered;
		},
		hasProbe(name) {
			if (failing.get(name)?.othersAnswer !== false) return false;
			const candidates = polled().filter(each => !unavailable.has(each));
			const [probe] = candidates.toSorted((a, b) => intervals[a] - intervals[b]);
			return probe !== undefined && probe !== name;
		},
	};
}

/** The state while paused: nothing announces a next try, as nothing is tried again until the user asks. */
export const withoutRetries = (state: MarketState): MarketState => ({
	...state,
	info: withoutRetry(state.info),
	markets: withoutRetry(state.markets),
	tickers: withoutRetry(state.tickers),
	depth: withoutRetry(state.depth),
	tape: withoutRetry(state.tape),
	candles: withoutRetry(state.candles),
});

function withoutRetry<T>(resource: Resource<T>): Resource<T> {
	if (resource.status === 'waiting' || resource.failure?.retryAt === undefined) return resource;
	const {error, since} = resource.failure;
	return {...resource, failure: {error, since}};
}
