import {backoffMs} from '../market/backoff.ts';
import {type Clock, steadyNow} from '../market/clock.ts';
import {secondMs} from '../market/units.ts';
import type {Budget} from './exchange.ts';

/** The request budget of one host, shared by everything and learned from the host's answers. */
export type Pace = {
	/**
	 * Waits until a request may start and counts it; resolves with the start by the pace's own clock.
	 * Rejects with the signal's reason when aborted while waiting.
	 */
	start(options: {priority: Priority; signal?: AbortSignal | undefined}): Promise<number>;
	/** The request that started at `startedAt` was answered, with any status but 429. */
	accepted(startedAt: number): void;
	/**
	 * The request that started at `startedAt` was answered 429: halves the rate and starts nothing for `retryAfterMs`,
	 * by default a second, twice as long with each refusal in a row, at most 8 s. Requests that were under way at the
	 * last halving don't halve again.
	 */
	refused(startedAt: number, retryAfterMs?: number): void;
	budget(): Budget;
};

/** 0 the focused panel, 1 visible, 2 background. */
export type Priority = 0 | 1 | 2;

type PaceOptions = {
	/** Requests a second to start with. */
	readonly rate: number;
	/** Requests a second that are never exceeded. Default: none. */
	readonly maxRate?: number | undefined;
	readonly clock: Clock;
	/** In [0, 1): keeps several programs at one exchange out of step. */
	readonly random: () => number;
};

type Waiter = {
	readonly priority: Priority;
	readonly since: number;
	/** Waiters start in the order of this time: `since`, later for a lower priority. */
	readonly rank: number;
	readonly go: (startedAt: number) => void;
};

/** `rate`: what it left. `inRow`: refusals since the last answer. */
type Refusal = {readonly at: number; readonly rate: number; readonly inRow: number};

/** How far back `Budget.used` looks. */
const usedMs = 5000;
/** A request of the next lower priority that has waited this much longer goes first: nothing starves. */
const headStartMs = 2000;
/** One request in 50 s: several programs may share a limit below one a second. */
const leastRate = 0.02;
/** From nothing back to the aim. */
const recoveryMs = 10_000;
const longestPauseMs = 8000;
/** How far apart programs that were refused together start again; a tenth of the pause where that is longer. */
const longestSpreadMs = 5000;
/** Share of the first rate that each second of waiting adds before the first refusal. */
const growth = 0.1;
/** Share of a refused rate that becomes the aim: below the limit, but not far. */
const backedOff = 0.9;
/**
 * Near a limit the aim grows by `creep` in this time, and twice as fast after each such time without a refusal, but
 * never faster than before the first refusal. Programs that share a limit are refused for each other's growth: this slowly,
 * two refusals hardly ever fall into one minute.
 */
const creepMs = 600_000;
const creep = 0.05;
/** Requests are spaced by up to this much more than the rate asks for. */
const jitter = 0.05;

/**
 * A token bucket that learns its rate. Tokens come back a second after their use, so that no second sees more starts
 * than the rate: a bucket that fills steadily would let through twice as many. Until the first refusal a whole second's
 * tokens may go at once, and the rate grows as long as requests wait for it. From then on requests go one by one,
 * evenly; each refusal halves the rate, which recovers to an aim just below what was refused and only creeps beyond.
 */
export function createPace({rate, maxRate = Infinity, clock, random}: PaceOptions): Pace {
	/** Every time below is of this clock, which never goes back; only `Budget.freeAt` is turned into epoch ms. */
	const now = steadyNow(clock);
	const createdAt = now();
	/** Oldest first: those of the last 5 s, and at least as many as may start at once. */
	let starts: readonly number[] = [];
	/** By rank. */
	const waiters: Waiter[] = [];
	/** Requests a second to recover to, and to grow from. */
	let aim = Math.min(rate, maxRate);
	let refusal: Refusal | undefined;
	let pausedUntil = Number.NEGATIVE_INFINITY;
	/** Of the gap after the last start, from 1. */
	let stretch = 1;
	let cancelTimer: (() => void) | undefined;

	function allowedAt(time: number): number {
		if (!refusal) return aim;
		const recovering = Math.max(time - Math.max(refusal.at, pausedUntil), 0);
		return Math.min(aim, refusal.rate + (aim * recovering) / recoveryMs);
	}

	/** How many may start at once, and how long after their start the next ones may. */
	function spacingAt(time: number): {readonly burst: number; readonly ms: number} {
		const allowed = allowedAt(time);
		const burst = refusal ? 1 : Math.ceil(allowed);
		return {burst, ms: (burst / allowed) * secondMs * stretch};
	}

	function nextStart(time: number): number {
		const {burst, ms} = spacingAt(time);
		const oldest = starts.at(-burst) ?? Number.NEGATIVE_INFINITY;
		return Math.max(time, pausedUntil, oldest + ms);
	}

	function serve(): void {
		cancelTimer?.();
		cancelTimer = undefined;
		for (let [waiter] = waiters; waiter; [waiter] = waiters) {
			const time = now();
			const waitMs = nextStart(time) - time;
			if (waitMs > 0) {
				cancelTimer = clock.after(Math.ceil(waitMs), serve);
				return;
			}

			if (waiter.priority < 2) grow(Math.max(waiter.since, starts.at(-1) ?? waiter.since, pausedUntil), time);
			const burst = Math.max(Math.ceil(aim), 1);
			starts = [...starts.filter((start, index) => start > time - usedMs || index >= starts.length - burst), time];
			stretch = refusal ? 1 + jitter * random() : 1;
			waiters.shift();
			waiter.go(time);
		}
	}

	/** Raises the aim: a request has waited since `since` for the rate alone. */
	function grow(since: number, time: number): void {
		// A computer that slept did not wait: only the gap that the rate asks for counts.
		const waitedMs = Math.min(time - since, spacingAt(time).ms);
		if (waitedMs <= 0 || allowedAt(time) < aim) return;
		const freely = rate * growth;
		const creeping = (refusedAt: number) => aim * creep * (secondMs / creepMs) * 2 ** ((time - refusedAt) / creepMs);
		const perSecond = refusal ? Math.min(creeping(refusal.at), freely) : freely;
		aim = Math.min(aim + (perSecond * waitedMs) / secondMs, maxRate);
	}

	return {
		start({priority, signal}) {
			const {promise, resolve, reject} = Promise.withResolvers<number>();
			if (signal?.aborted) {
				reject(signal.reason);
				return promise;
			}

			const since = now();
			// At a slow rate two seconds would be no head start at all.
			const rank = since + priority * Math.max(headStartMs, (2 * secondMs) / allowedAt(since));
			const waiter: Waiter = {
				priority,
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
			if (refusal && startedAt >= refusal.at) refusal = {...refusal, inRow: 0};
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
			const pauseMs = retryAfterMs ?? backoffMs({failures, firstMs: secondMs, longestMs: longestPauseMs, random: 0});
			const spreadMs = random() * Math.max(Math.min(secondMs / refusal.rate, longestSpreadMs), pauseMs / 10);
			pausedUntil = Math.max(pausedUntil, time + pauseMs + spreadMs);
			serve();
		},
		budget() {
			const time = now();
			const waitMs = nextStart(time) - time;
			const recent = starts.filter(start => start > time - usedMs).length;
			return {
				used: (recent * secondMs) / Math.min(time - createdAt + secondMs, usedMs),
				allowed: allowedAt(time),
				freeAt: waitMs > 0 ? clock.now() + waitMs : undefined,
			};
		},
	};
}

export type Paces = {
	/** The budget of the address's host, kept as long as the program runs. */
	of(url: URL): Pace;
	/** Of all hosts together. */
	budget(): Budget;
};

/** One budget for each host: interfaces at one host share it. */
export function createPaces(hosts: readonly URL[], options: PaceOptions): Paces {
	const paces = new Map(hosts.map(({host}) => [host, createPace(options)]));
	return {
		of({host}) {
			const pace = paces.get(host) ?? createPace(options);
			paces.set(host, pace);
			return pace;
		},
		budget() {
			const budgets = [...paces.values()].map(pace => pace.budget());
			const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
			const waits = budgets.flatMap(({freeAt}) => freeAt ?? []);
			return {
				used: sum(budgets.map(({used}) => used)),
				allowed: sum(budgets.map(({allowed}) => allowed)),
				freeAt: waits.length > 0 ? Math.max(...waits) : undefined,
			};
		},
	};
}
