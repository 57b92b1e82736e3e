import type {Clock} from '../market/clock.ts';
import type {Budget} from './exchange.ts';

/** The request budget that everything shares, learned from the exchange's answers. */
export type Pace = {
	/**
	 * Waits until a request may start and counts it; resolves with the time of the start (epoch ms).
	 * Rejects with the signal's reason when aborted while waiting.
	 */
	start(options: {priority: Priority; signal?: AbortSignal | undefined}): Promise<number>;
	/**
	 * The request that started at `startedAt` was answered 429: halves the rate and starts nothing for
	 * `retryAfterMs`, default one second. Requests that were under way at the last halving don't halve again.
	 */
	refused(startedAt: number, retryAfterMs?: number): void;
	budget(): Budget;
};

/** 0 the focused panel, 1 visible, 2 background. */
export type Priority = 0 | 1 | 2;

type Waiter = {readonly rank: number; readonly go: (startedAt: number) => void};

const secondMs = 1000;
/** A request of the next lower priority that waited this much longer goes first: nothing starves. */
const headStartMs = 2000;
/** From nothing back to the full rate. */
const recoveryMs = 60_000;
const leastRate = 0.2;

/** At most `rate` requests start in any second (default behaviour.md's 5, set by the caller). */
export function createPace({rate, clock}: {rate: number; clock: Clock}): Pace {
	let starts: number[] = [];
	let waiters: Waiter[] = [];
	let learned = {rate, at: clock.now()};
	let pausedUntil = Number.NEGATIVE_INFINITY;
	let lastNow = clock.now();
	let cancelTimer: (() => void) | undefined;

	/** The clock's time; what is remembered moves along when the clock was set back. */
	function now(): number {
		const time = clock.now();
		const back = lastNow - time;
		if (back > 0) {
			starts = starts.map(start => start - back);
			learned = {...learned, at: learned.at - back};
			pausedUntil -= back;
		}

		lastNow = time;
		return time;
	}

	function allowedAt(time: number): number {
		return Math.min(rate, learned.rate + (rate * (time - learned.at)) / recoveryMs);
	}

	function nextStart(time: number): number {
		const allowed = allowedAt(time);
		const burst = Math.max(1, Math.floor(allowed));
		const oldest = starts.at(-burst);
		const free = oldest === undefined ? time : oldest + (burst / allowed) * secondMs;
		return Math.max(time, pausedUntil, free);
	}

	function serve(): void {
		cancelTimer?.();
		cancelTimer = undefined;
		while (waiters.length > 0) {
			const time = now();
			const waitMs = nextStart(time) - time;
			if (waitMs > 0) {
				cancelTimer = clock.after(Math.ceil(waitMs), serve);
				return;
			}

			starts = [...starts.slice(-Math.ceil(rate)), time];
			waiters.shift()?.go(time);
		}
	}

	return {
		start({priority, signal}) {
			const {promise, resolve, reject} = Promise.withResolvers<number>();
			if (signal?.aborted) {
				reject(signal.reason);
				return promise;
			}

			const abort = () => {
				waiters = waiters.filter(other => other !== waiter);
				reject(signal?.reason);
				serve();
			};
			const waiter: Waiter = {
				rank: now() + priority * headStartMs,
				go(startedAt) {
					signal?.removeEventListener('abort', abort);
					resolve(startedAt);
				},
			};
			signal?.addEventListener('abort', abort, {once: true});
			const place = waiters.findIndex(other => other.rank > waiter.rank);
			waiters.splice(place < 0 ? waiters.length : place, 0, waiter);
			serve();
			return promise;
		},
		refused(startedAt, retryAfterMs = secondMs) {
			const time = now();
			if (startedAt >= learned.at) learned = {rate: Math.max(leastRate, allowedAt(time) / 2), at: time};
			pausedUntil = Math.max(pausedUntil, time + retryAfterMs);
			serve();
		},
		budget() {
			const time = now();
			return {
				used: starts.filter(start => start > time - secondMs).length,
				allowed: allowedAt(time),
				waitMs: nextStart(time) - time,
			};
		},
	};
}
