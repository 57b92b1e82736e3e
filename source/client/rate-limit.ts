import {secondMs} from '../market/units.ts';
import {longestRetryAfterMs, probeAnswerMs, rateLimitRetries, retryWaitMs} from './retry.ts';

/** What the answers of a host have shown of one rate limit. All times are of one clock that never goes back, in ms. */
export type RateLimit = ReturnType<typeof createRateLimit>;

/** How far back `starts` reaches. */
export const usedMs = 5000;

/**
 * `aim`: requests per second just below the limit. `rate`: those right after the refusal. `inRow`: refusals since the last
 * answer. `confirmed`: how often a rate beyond the aim was refused.
 */
type Refusal = {
	readonly at: number;
	readonly aim: number;
	readonly rate: number;
	readonly inRow: number;
	readonly confirmed: number;
};

type RateLimitOptions = {
	/** Requests per second while nothing is refused. */
	readonly rate: number;
	/** Maximum requests per second. */
	readonly maxRate: number;
	/** In [0, 1): keeps several programs at one exchange out of step. */
	readonly random: () => number;
};

/** One request in 50 s: several programs may share a limit below one per second. */
const leastRate = 0.02;
/** Time from rate 0 back to the aim. */
const recoveryMs = 10_000;
/**
 * How long the rate stays at the aim, and then takes back to the free rate. With the longest pause after a 429 and the
 * recovery it is less than a minute.
 */
const leastStayMs = 15_000;
const longestStayMs = 900_000;
/** Refusals on the way back before the limit is believed: no more than a minute of refusals can have. */
const believedAfter = 2;
/** A refusal after a longer time without one says nothing about the limit before. */
const forgottenMs = 2 * longestStayMs;
/** Programs that were refused together start again at random times within this, or a tenth of the pause if that is longer. */
const longestSpreadMs = 5000;
/** Share of a refused rate that becomes the aim: below the limit, but by less than a tenth even with jitter. */
const backedOff = 0.91;
/** Share of a rate refused on the way back that becomes the aim: by then the rate is beyond the limit. */
const overshot = 0.7;
/** Share of the aim that the next one is at least. */
const kept = 0.6;
/** Requests are spaced by up to this share more than the rate requires. */
const jitter = 0.05;

/**
 * Learns one limit. A token returns one second after its use, so that no second has more starts than the rate; a bucket that
 * fills steadily would let through twice as many. Until the first refusal a whole second's tokens may go at once. After it,
 * requests are spaced evenly: the rate recovers to an aim just below the refused rate, stays there, and then returns to the
 * free rate. If that is refused again and again, the limit is real, and each stay is twice as long as the last.
 */
export function createRateLimit({rate, maxRate, random}: RateLimitOptions) {
	let starts: readonly number[] = [];
	/** Requests a second while no limit is in sight. */
	let free = Math.min(rate, maxRate);
	let refusal: Refusal | undefined;
	let pausedUntil = Number.NEGATIVE_INFINITY;
	let lastRetryAfterMs: number | undefined;
	/** While the pause is shorter than what the exchange asked for, and until a request after it is answered. */
	let probe: {readonly startedAt: number | undefined} | undefined;
	/** Factor for the gap after the last start, at least 1. */
	let stretch = 1;

	/** Ms since the last refusal or the pause after it. */
	const calmMs = ({at}: Refusal, time: number) => Math.max(time - Math.max(at, pausedUntil), 0);
	/** Share of the way from the aim back to the free rate, from 0 to 1. */
	function returned(time: number): number {
		if (!refusal) return 1;
		const stayMs = Math.min(leastStayMs * 2 ** Math.max(refusal.confirmed - believedAfter, 0), longestStayMs);
		return Math.min(Math.max((calmMs(refusal, time) - recoveryMs) / stayMs - 1, 0), 1);
	}

	function allowedAt(time: number): number {
		if (!refusal) return free;
		const {aim, rate} = refusal;
		const share = returned(time);
		if (share > 0) return aim * (free / aim) ** share;
		return Math.min(aim, rate + (aim * calmMs(refusal, time)) / recoveryMs);
	}

	/** How many requests may start at once, and how long after them the next may start. */
	function spacingAt(time: number): {readonly burst: number; readonly ms: number} {
		const allowed = allowedAt(time);
		const burst = returned(time) === 1 ? Math.ceil(allowed) : 1;
		return {burst, ms: (burst / allowed) * secondMs * stretch};
	}

	return {
		/** Requests per second that may start at `time`. */
		allowedAt,
		/** When the next request may start at the rate of `time`, not before it. */
		nextStart(time: number): number {
			const {burst, ms} = spacingAt(time);
			const oldest = starts.at(-burst) ?? Number.NEGATIVE_INFINITY;
			// The rate before a long pause says nothing about the first request after it.
			if (probe && probe.startedAt === undefined) return Math.max(time, pausedUntil);
			const answeredBy = probe?.startedAt === undefined ? Number.NEGATIVE_INFINITY : probe.startedAt + probeAnswerMs;
			return Math.max(time, pausedUntil, oldest + ms, answeredBy);
		},
		/** Requests per second while no limit is in sight. */
		freeRate: (): number => free,
		/** Whether no limit is in sight: none was refused, or the rate has risen back to the free rate. */
		isFree: (time: number): boolean => returned(time) === 1,
		/** Whether the rate rises by itself after a refusal, so that the next request may start before `nextStart`. */
		isRising: (time: number): boolean => time >= pausedUntil && returned(time) < 1,
		/** Forgets all refusals and their pause. */
		forget(): void {
			refusal = undefined;
			pausedUntil = Number.NEGATIVE_INFINITY;
			probe = undefined;
		},
		/** A request starts at `time`. */
		started(time: number): void {
			const most = Math.max(Math.ceil(free), 1);
			const recent = starts.findIndex(start => start > time - usedMs);
			const first = Math.min(recent < 0 ? starts.length : recent, Math.max(starts.length - most, 0));
			starts = [...starts.slice(first), time];
			stretch = returned(time) < 1 ? 1 + jitter * random() : 1;
			if (probe) probe = {startedAt: time};
		},
		/** The request that started at `startedAt` was answered with any status but 429. Returns whether requests waited for that. */
		accepted(startedAt: number): boolean {
			if (refusal && startedAt >= refusal.at) refusal = {...refusal, inRow: 0};
			if (probe?.startedAt === undefined || startedAt < probe.startedAt) return false;
			probe = undefined;
			return true;
		},
		/**
		 * The request that started at `startedAt` was answered 429: halves the rate and starts nothing until a retry is due
		 * (`retryWaitMs`). Requests that started before the last halving do not halve again. After a pause that is shorter
		 * than `retryAfterMs`, one request goes first, and the others wait for its answer.
		 */
		refused(startedAt: number, time: number, retryAfterMs?: number): void {
			if (!refusal || startedAt >= refusal.at) {
				const allowed = allowedAt(time);
				const last = refusal && time - refusal.at < forgottenMs ? refusal : undefined;
				refusal = {
					...{at: time, rate: Math.max(leastRate, allowed / 2), inRow: (last?.inRow ?? 0) + 1},
					...learned(allowed, allowedAt(starts.findLast(start => start < startedAt) ?? time), last),
				};
			}

			const pauseMs = retryWaitMs({retryAfterMs}, {schedule: rateLimitRetries, failures: refusal.inRow, random: 0});
			const spreadMs = random() * Math.max(Math.min(secondMs / refusal.rate, longestSpreadMs), pauseMs / 10);
			const waitMs = Math.min(pauseMs + spreadMs, longestRetryAfterMs);
			pausedUntil = Math.max(pausedUntil, time + waitMs);
			if (probe || (retryAfterMs ?? 0) > waitMs) probe = {startedAt: undefined};
			lastRetryAfterMs = retryAfterMs;
		},
		/** Raises the free rate by what `perSecond` adds in `waitedMs`; no effect near a limit. */
		grow(perSecond: number, waitedMs: number, time: number): void {
			if (returned(time) < 1) return;
			// Time that the computer was asleep does not count as waiting: at most the gap that the rate requires does.
			const countedMs = Math.min(waitedMs, spacingAt(time).ms);
			if (countedMs > 0) free = Math.min(free + (perSecond * countedMs) / secondMs, maxRate);
		},
		/** Ends the pause after a 429, if there is one: one request goes first, and the others wait for its answer. */
		endPause(time: number): void {
			if (time >= pausedUntil) return;
			pausedUntil = time;
			probe = {startedAt: undefined};
		},
		/** The end of the last pause after a 429. */
		pausedUntil: (): number => pausedUntil,
		/** What the exchange asked to wait, in ms, while requests wait for that. */
		retryAfterMs: (time: number): number | undefined => (time < pausedUntil || probe ? lastRetryAfterMs : undefined),
		/** Counts the first requests, which open connections, from the answer of the first: the exchange may count them that late. */
		redate(startedAt: number, time: number): void {
			starts = starts.map(start => (start === startedAt ? time : start)).sort((a, b) => a - b);
		},
		/** Start times, oldest first, of the last `usedMs` at least. */
		starts: (): readonly number[] => starts,
	};
}

/** What a refusal at the rate `allowed` shows after the last one, when the request before it was accepted at the rate `accepted`. */
function learned(allowed: number, accepted: number, last: Refusal | undefined): Pick<Refusal, 'aim' | 'confirmed'> {
	const {aim = 0, confirmed = 0, inRow = 0} = last ?? {};
	// Refusals in a row are an outage: only the first shows a limit.
	if (inRow > 0) return {aim, confirmed};
	if (last && allowed > aim) return {aim: Math.max(aim, accepted * overshot), confirmed: confirmed + 1};
	return {aim: Math.max(leastRate, allowed * backedOff, aim * kept), confirmed};
}
