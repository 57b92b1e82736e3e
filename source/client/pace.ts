import {type Clock, steadyNow} from '../market/clock.ts';
import {secondMs} from '../market/units.ts';
import type {Budget} from './exchange.ts';
import {createFairTurns} from './fair-turns.ts';
import {longestRetryAfterMs, probeAnswerMs, rateLimitRetries, retryWaitMs} from './retry.ts';

/** The request budget of one host, shared by all requests and learned from the host's answers. */
export type Pace = {
	/**
	 * Waits until a request may start, counts it, and resolves with its start time by the pace's own clock. Rejects with
	 * the signal's reason when aborted while waiting. `owners`: whom it is for, now. While many wait, each owner has as many
	 * starts as any other, and `priority` orders those of one. Default: everybody, as one owner.
	 */
	start(options: StartOptions): Promise<number>;
	/** The request that started at `startedAt` was answered, with any status but 429. */
	accepted(startedAt: number): void;
	/**
	 * The request that started at `startedAt` was answered 429: halves the rate and starts nothing until a retry is due
	 * (`retryWaitMs`). Requests that started before the last halving do not halve again. After a pause that is shorter
	 * than `retryAfterMs`, one request goes first, and the others wait for its answer.
	 */
	refused(startedAt: number, retryAfterMs?: number): void;
	/** A request ended with a complete answer, or failed in any way but an abort: the rate grows only after an answer. */
	ended(hasAnswer: boolean): void;
	/** Ends the pause after a 429, if there is one: one request goes first, and the others wait for its answer. */
	endPause(): void;
	budget(): Budget;
};

/** 0 the focused panel, 1 visible, 2 background. */
export type Priority = 0 | 1 | 2;
const backgroundPriority: Priority = 2;

type StartOptions = {
	readonly priority: Priority;
	readonly owners?: (() => readonly object[]) | undefined;
	readonly signal?: AbortSignal | undefined;
};

type PaceOptions = {
	/** Initial requests per second. */
	readonly rate: number;
	/** Maximum requests per second. Default: no limit. */
	readonly maxRate?: number | undefined;
	readonly clock: Clock;
	/** In [0, 1): keeps several programs at one exchange out of step. */
	readonly random: () => number;
};

type Waiter = {
	readonly priority: Priority;
	readonly owners?: (() => readonly object[]) | undefined;
	readonly since: number;
	/** Waiters start in this order: by `since`, with a lower priority counted as later. */
	readonly rank: number;
	readonly go: (startedAt: number) => void;
};

/** `rate`: requests per second after it. `inRow`: refusals since the last answer. */
type Refusal = {readonly at: number; readonly rate: number; readonly inRow: number};

/** How far back `Budget.used` looks. */
const usedMs = 5000;
/** A request of the next lower priority goes first if it has waited this much longer, so that nothing starves. */
const headStartMs = 2000;
/** One request in 50 s: several programs may share a limit below one per second. */
const leastRate = 0.02;
/** Time from rate 0 back to the aim. */
const recoveryMs = 10_000;
/** Programs that were refused together start again at random times within this, or a tenth of the pause if that is longer. */
const longestSpreadMs = 5000;
/** Share of the first rate that each second of waiting adds before the first refusal. */
const growth = 0.1;
/** Share of a refused rate that becomes the aim: below the limit, but by less than a tenth even with jitter. */
const backedOff = 0.91;
/**
 * Near a limit the aim grows by `creep` in this time, and twice as fast after each such time without a refusal, but
 * never faster than before the first refusal. Programs that share a limit cause each other's refusals: at this pace, two
 * rarely fall into one minute.
 */
const creepMs = 600_000;
const creep = 0.05;
/** Requests are spaced by up to this share more than the rate requires. */
const jitter = 0.05;

/**
 * Creates a token bucket that learns its rate; it decides when requests may start, not whether one is repeated. A token
 * returns one second after its use, so that no second has more starts than the rate; a bucket that fills steadily would let
 * through twice as many. Until the first refusal a whole second's tokens may go at once, and the rate grows as long as
 * requests wait for it and the exchange answers. After that, requests are spaced evenly. Each refusal halves the rate, which
 * recovers to an aim just below the refused rate, then grows slowly.
 */
export function createPace({rate, maxRate = Infinity, clock, random}: PaceOptions): Pace {
	/** Every time below is by this clock, which never goes back; only `Budget.freeAt` is converted to epoch ms. */
	const now = steadyNow(clock);
	const createdAt = now();
	/** Start times, oldest first: those of the last 5 s, and at least as many as may start at once. */
	let starts: readonly number[] = [];
	/** The requests before it open connections first: the exchange counts them later, at their answers at the latest. */
	let firstAnswerAt: number | undefined;
	/** Ordered by rank. */
	const waiters: Waiter[] = [];
	const turns = createFairTurns();
	/** Requests a second to recover to, and to grow from. */
	let aim = Math.min(rate, maxRate);
	let refusal: Refusal | undefined;
	let pausedUntil = Number.NEGATIVE_INFINITY;
	let lastRetryAfterMs: number | undefined;
	/** While the pause is shorter than what the exchange asked for, and until a request after it is answered. */
	let probe: {readonly startedAt: number | undefined} | undefined;
	/** Factor for the gap after the last start, at least 1. */
	let stretch = 1;
	let cancelTimer: (() => void) | undefined;
	/** Whether the request that ended last has failed. */
	let isFailing = false;

	function allowedAt(time: number): number {
		if (!refusal) return aim;
		const recovering = Math.max(time - Math.max(refusal.at, pausedUntil), 0);
		return Math.min(aim, refusal.rate + (aim * recovering) / recoveryMs);
	}

	/** How many requests may start at once, and how long after them the next may start. */
	function spacingAt(time: number): {readonly burst: number; readonly ms: number} {
		const allowed = allowedAt(time);
		const burst = refusal ? 1 : Math.ceil(allowed);
		return {burst, ms: (burst / allowed) * secondMs * stretch};
	}

	function nextStart(time: number): number {
		const {burst, ms} = spacingAt(time);
		const oldest = starts.at(-burst) ?? Number.NEGATIVE_INFINITY;
		// The rate before a long pause says nothing about the first request after it.
		if (probe && probe.startedAt === undefined) return Math.max(time, pausedUntil);
		const answeredBy = probe?.startedAt === undefined ? Number.NEGATIVE_INFINITY : probe.startedAt + probeAnswerMs;
		return Math.max(time, pausedUntil, oldest + ms, answeredBy);
	}

	/** `isDue`: the rate has held the waiters until now. */
	function serve(isDue = false): void {
		cancelTimer?.();
		cancelTimer = undefined;
		for (let waiter = turns.firstOf(waiters); waiter; waiter = turns.firstOf(waiters)) {
			const time = now();
			const waitMs = nextStart(time) - time;
			if (waitMs > 0) {
				cancelTimer = clock.after(Math.ceil(waitMs), () => serve(true));
				return;
			}

			if (isDue && waiter.priority < backgroundPriority)
				grow(Math.max(waiter.since, starts.at(-1) ?? waiter.since, pausedUntil), time);
			const burst = Math.max(Math.ceil(aim), 1);
			starts = [...starts.filter((start, index) => start > time - usedMs || index >= starts.length - burst), time];
			stretch = refusal ? 1 + jitter * random() : 1;
			if (probe) probe = {startedAt: time};
			waiters.splice(waiters.indexOf(waiter), 1);
			turns.take(waiter);
			waiter.go(time);
		}
	}

	/** Raises the aim: a request has waited since `since` only because of the rate. */
	function grow(since: number, time: number): void {
		// Time that the computer was asleep does not count as waiting: at most the gap that the rate requires does.
		const waitedMs = Math.min(time - since, spacingAt(time).ms);
		if (isFailing || waitedMs <= 0 || allowedAt(time) < aim) return;
		const freely = rate * growth;
		const creeping = (refusedAt: number) => aim * creep * (secondMs / creepMs) * 2 ** ((time - refusedAt) / creepMs);
		const perSecond = refusal ? Math.min(creeping(refusal.at), freely) : freely;
		aim = Math.min(aim + (perSecond * waitedMs) / secondMs, maxRate);
	}

	return {
		start({priority, owners, signal}) {
			const {promise, resolve, reject} = Promise.withResolvers<number>();
			if (signal?.aborted) {
				reject(signal.reason);
				return promise;
			}

			const since = now();
			// At a slow rate, two seconds would be no head start.
			const rank = since + priority * Math.max(headStartMs, (2 * secondMs) / allowedAt(since));
			const waiter: Waiter = {
				priority,
				owners,
				since,
				rank,
				go(startedAt) {
					signal?.removeEventListener('abort', abort);
					resolve(startedAt);
				},
			};
			const abort = () => {
				waiters.splice(waiters.indexOf(waiter), 1);
				reject(signal?.reason);
				serve();
			};
			signal?.addEventListener('abort', abort, {once: true});
			waiters.splice(waiters.findLastIndex(other => other.rank <= rank) + 1, 0, waiter);
			serve();
			return promise;
		},
		accepted(startedAt) {
			const time = now();
			firstAnswerAt ??= time;
			if (startedAt < firstAnswerAt) {
				starts = starts.map(start => (start === startedAt ? time : start)).sort((a, b) => a - b);
			}

			if (refusal && startedAt >= refusal.at) refusal = {...refusal, inRow: 0};
			if (probe?.startedAt === undefined || startedAt < probe.startedAt) return;
			probe = undefined;
			serve();
		},
		refused(startedAt, retryAfterMs) {
			const time = now();
			if (!refusal || startedAt >= refusal.at) {
				const allowed = allowedAt(time);
				const inRow = (refusal?.inRow ?? 0) + 1;
				// Refusals in a row are an outage: only the first shows a limit.
				if (inRow === 1) aim = Math.max(leastRate, allowed * backedOff);
				refusal = {at: time, rate: Math.max(leastRate, allowed / 2), inRow};
			}

			const failures = refusal.inRow;
			const pauseMs = retryWaitMs({retryAfterMs}, {schedule: rateLimitRetries, failures, random: 0});
			const spreadMs = random() * Math.max(Math.min(secondMs / refusal.rate, longestSpreadMs), pauseMs / 10);
			const waitMs = Math.min(pauseMs + spreadMs, longestRetryAfterMs);
			pausedUntil = Math.max(pausedUntil, time + waitMs);
			if (probe || (retryAfterMs ?? 0) > waitMs) probe = {startedAt: undefined};
			lastRetryAfterMs = retryAfterMs;
			serve();
		},
		ended(hasAnswer) {
			isFailing = !hasAnswer;
		},
		endPause() {
			const time = now();
			if (time >= pausedUntil) return;
			pausedUntil = time;
			probe = {startedAt: undefined};
			serve();
		},
		budget() {
			const time = now();
			const waitMs = nextStart(time) - time;
			const recent = starts.filter(start => start > time - usedMs).length;
			return {
				used: (recent * secondMs) / Math.min(time - createdAt + secondMs, usedMs),
				allowed: allowedAt(time),
				freeAt: waitMs > 0 ? Math.ceil(clock.now() + waitMs) : undefined,
				retryAfterMs: time < pausedUntil || probe ? lastRetryAfterMs : undefined,
			};
		},
	};
}

export type Paces = {
	/** The budget of the address's host. */
	of(url: URL): Pace;
	/** Ends the pauses of all hosts. */
	endPauses(): void;
	/** The budget of all hosts together. */
	budget(): Budget;
};

/** Creates one budget per host, which all interfaces at that host share. */
export function createPaces(hosts: readonly URL[], options: PaceOptions): Paces {
	const paces = new Map(hosts.map(({host}) => [host, createPace(options)]));
	return {
		of({host}) {
			const pace = paces.get(host) ?? createPace(options);
			paces.set(host, pace);
			return pace;
		},
		endPauses() {
			for (const pace of paces.values()) pace.endPause();
		},
		budget() {
			const budgets = [...paces.values()].map(pace => pace.budget());
			const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
			const waits = budgets.flatMap(({freeAt}) => freeAt ?? []);
			const asked = budgets.flatMap(({retryAfterMs}) => retryAfterMs ?? []);
			return {
				used: sum(budgets.map(({used}) => used)),
				allowed: sum(budgets.map(({allowed}) => allowed)),
				freeAt: waits.length > 0 ? Math.max(...waits) : undefined,
				retryAfterMs: asked.length > 0 ? Math.max(...asked) : undefined,
			};
		},
	};
}
