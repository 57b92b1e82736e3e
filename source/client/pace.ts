import type {Clock} from '../market/clock.ts';
import type {Budget} from './exchange.ts';

/** The request budget of one host, which everything shares, learned from the host's answers. */
export type Pace = {
	/**
	 * Waits until a request may start and counts it; resolves with the time of the start (epoch ms).
	 * Rejects with the signal's reason when aborted while waiting.
	 */
	start(options: {priority: Priority; signal?: AbortSignal | undefined}): Promise<number>;
	/** The request that started at `startedAt` was answered, with whatever but 429. */
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

export type PaceOptions = {
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
	readonly askedAt: number;
	/** Waiters start in the order of this time. */
	readonly rank: number;
	readonly go: (startedAt: number) => void;
};

/** `rate`: what the refusal left. `inRow`: refusals since the last answer. */
type Refusal = {readonly at: number; readonly rate: number; readonly inRow: number};

const secondMs = 1000;
/** How far back `Budget.used` looks. */
const usedMs = 5000;
/** A request of the next lower priority that waited this much longer goes first: nothing starves. */
const headStartMs = 2000;
/** One request in 50 s: several programs may share a limit below one a second. */
const leastRate = 0.02;
/** From nothing back to the rate that was aimed for. */
const recoveryMs = 10_000;
const longestPauseMs = 8000;
/** After a pause; a tenth of a longer one. */
const longestSpreadMs = 5000;
/** Share of the first rate that each second of waiting adds while no limit is known. */
const growth = 0.1;
/** Share of a refused rate that is aimed for: below the limit, but not far. */
const nextAim = 0.95;
/** The same when the last aim was refused too within `settlingMs`. */
const lowerAim = 0.9;
const settlingMs = 60_000;
/**
 * Near a known limit the aim grows by `creep` in this time, and twice as fast after each such time without a refusal, but
 * never faster than while no limit is known. Programs that share a limit are refused for each other's growth: so slow,
 * a minute hardly ever sees two refusals.
 */
const creepMs = 600_000;
const creep = 0.05;
/** Requests are spaced by up to this much more than the rate asks for. */
const jitter = 0.05;

/**
 * A token bucket that learns its rate. Tokens come back a second after their use, so that no second sees more starts
 * than the rate: a bucket that fills steadily would let through twice as many. While no limit is known a whole second's
 * tokens may go at once, and the rate grows as long as requests wait for it. The first refusal shows that there is a
 * limit: from then on requests go one by one, evenly; the rate halves, recovers to just below what was refused, and
 * only creeps beyond.
 */
export function createPace({rate, maxRate = Infinity, clock, random}: PaceOptions): Pace {
	let starts: readonly number[] = [];
	let firstStart = Number.POSITIVE_INFINITY;
	let waiters: Waiter[] = [];
	let aim = Math.min(rate, maxRate);
	let refusal: Refusal | undefined;
	let pausedUntil = Number.NEGATIVE_INFINITY;
	/** Of the gap after the last start. */
	let stretch = 1;
	let lastNow = clock.now();
	let cancelTimer: (() => void) | undefined;

	/** The clock's time; what is remembered moves along when the clock was set back. */
	function now(): number {
		const time = clock.now();
		const back = lastNow - time;
		if (back > 0) {
			starts = starts.map(start => start - back);
			waiters = waiters.map(waiter => ({...waiter, askedAt: waiter.askedAt - back, rank: waiter.rank - back}));
			if (refusal) refusal = {...refusal, at: refusal.at - back};
			pausedUntil -= back;
		}

		lastNow = time;
		return time;
	}

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

			if (waiter.priority < 2) grow(Math.max(waiter.askedAt, starts.at(-1) ?? waiter.askedAt, pausedUntil), time);
			const kept = Math.max(Math.ceil(aim), 1);
			starts = [...starts.filter((start, index) => start > time - usedMs || index >= starts.length - kept), time];
			firstStart = Math.min(firstStart, time);
			stretch = refusal ? 1 + jitter * random() : 1;
			waiters.shift();
			waiter.go(time);
		}
	}

	/** A request has waited since `since` for the rate alone. */
	function grow(since: number, time: number): void {
		// What waits longer than the rate asks for slept with the computer.
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

			const go = (startedAt: number) => {
				signal?.removeEventListener('abort', abort);
				resolve(startedAt);
			};
			const abort = () => {
				waiters = waiters.filter(waiter => waiter.go !== go);
				reject(signal?.reason);
				serve();
			};
			signal?.addEventListener('abort', abort, {once: true});
			const askedAt = now();
			// At a slow rate two seconds would be no head start at all.
			const rank = askedAt + priority * Math.max(headStartMs, (2 * secondMs) / allowedAt(askedAt));
			const place = waiters.findIndex(other => other.rank > rank);
			waiters.splice(place < 0 ? waiters.length : place, 0, {priority, askedAt, rank, go});
			serve();
			return promise;
		},
		accepted(startedAt) {
			now();
			if (refusal && startedAt >= refusal.at) refusal = {...refusal, inRow: 0};
		},
		refused(startedAt, retryAfterMs) {
			const time = now();
			if (!refusal || startedAt >= refusal.at) {
				const allowed = allowedAt(time);
				const inRow = (refusal?.inRow ?? 0) + 1;
				// A refusal without an answer since the last one says nothing about the rate that the exchange allows.
				if (inRow === 1) {
					const settled = !refusal || startedAt - Math.max(refusal.at, pausedUntil) > settlingMs;
					aim = Math.max(leastRate, allowed * (settled ? nextAim : lowerAim));
				}

				refusal = {at: time, rate: Math.max(leastRate, allowed / 2), inRow};
			}

			const askedMs = retryAfterMs ?? Math.min(secondMs * 2 ** (refusal.inRow - 1), longestPauseMs);
			const spreadMs = random() * Math.max(Math.min(secondMs / refusal.rate, longestSpreadMs), askedMs / 10);
			pausedUntil = Math.max(pausedUntil, time + askedMs + spreadMs);
			serve();
		},
		budget() {
			const time = now();
			const free = nextStart(time);
			const recent = starts.filter(start => start > time - usedMs).length;
			return {
				used: (recent * secondMs) / Math.min(Math.max(time - firstStart, 0) + secondMs, usedMs),
				allowed: allowedAt(time),
				freeAt: free > time ? free : undefined,
			};
		},
	};
}
