import {type Clock, steadyNow} from '../market/clock.ts';
import {secondMs} from '../market/units.ts';
import type {Budget} from './exchange.ts';
import {createFairTurns} from './fair-turns.ts';
import {createRateLimit, type RateLimit, usedMs} from './rate-limit.ts';

/** The request budget of one host, shared by all requests and learned from the host's answers. */
export type Pace = ReturnType<typeof createPace>;

export type Pause = {
	/** Ms until it is over; 0: there is none. */
	readonly waitMs: number;
	/** How long the exchange asked to wait; absent: it named no time. */
	readonly retryAfterMs?: number | undefined;
};

/** 0 the focused panel, 1 visible, 2 background. */
export type Priority = 0 | 1 | 2;
const backgroundPriority: Priority = 2;

type StartOptions = {
	/** What may have a limit of its own, such as `v2 depth`. */
	readonly operation: string;
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
	readonly operation: string;
	readonly priority: Priority;
	readonly owners?: (() => readonly object[]) | undefined;
	readonly since: number;
	/** Waiters start in this order: by `since`, with a lower priority counted as later. */
	readonly rank: number;
	readonly go: (startedAt: number) => void;
};

/** The refusals in a row that were all of one operation, and the requests since the first of them. */
type Suspicion = {
	readonly operation: string;
	readonly at: number;
	readonly refusals: number;
	readonly own: number;
	readonly all: number;
};

/** A request of the next lower priority goes first if it has waited this much longer, so that nothing starves. */
const headStartMs = 2000;
/** Share of the first rate that each second of waiting adds before the first refusal. */
const growth = 0.1;
/** The rate does not grow for what waits while the background has more than this share of it. */
const backgroundShare = 0.1;
/** While a rate rises, the next start is computed anew that often. */
const risingMs = 500;
/** A limit of one operation alone is believed once chance would explain its refusals more rarely than this. */
const leastChance = 0.02;

/**
 * Creates a queue that starts requests as the limit of the host and those of single operations allow (`createRateLimit`); it
 * decides when a request may start, not whether it is repeated. Until the first refusal the rate grows as long as requests
 * wait for it, not for the background, and the exchange answers.
 */
export function createPace({rate, maxRate = Infinity, clock, random}: PaceOptions) {
	/** Every time below is by this clock, which never goes back; only `Budget.freeAt` is converted to epoch ms. */
	const now = steadyNow(clock);
	const createdAt = now();
	const host = createRateLimit({rate, maxRate, random});
	/** Of operations that are refused while the others are not. */
	const limits = new Map<string, RateLimit>();
	let suspicion: Suspicion | undefined;
	/** The requests before it open connections first: the exchange counts them later, at their answers at the latest. */
	let firstAnswerAt: number | undefined;
	/** Ordered by rank. */
	const waiters: Waiter[] = [];
	const turns = createFairTurns();
	let cancelTimer: (() => void) | undefined;
	/** Start times of background requests within the last second. */
	let backgroundStarts: readonly number[] = [];
	/** Whether the request that ended last has failed. */
	let isFailing = false;

	const limitsOf = (operation: string | undefined): readonly RateLimit[] => {
		const own = operation === undefined ? undefined : limits.get(operation);
		return own ? [host, own] : [host];
	};
	function nextStart(operation: string | undefined, time: number): number {
		const inSight = limitsOf(operation).filter(limit => limit === host || !limit.isFree(time));
		return Math.max(...inSight.map(limit => limit.nextStart(time)));
	}

	function retryAfterOf(operation: string | undefined, time: number): number | undefined {
		const all = limitsOf(operation).flatMap(limit => limit.retryAfterMs(time) ?? []);
		return all.length > 0 ? Math.max(...all) : undefined;
	}

	/** `isDue`: the rate has held the waiters until now. */
	function serve(isDue = false): void {
		cancelTimer?.();
		cancelTimer = undefined;
		while (waiters.length > 0) {
			const time = now();
			const waiter = turns.firstOf(waiters.filter(({operation}) => nextStart(operation, time) <= time));
			if (!waiter) {
				scheduleNext(time);
				return;
			}

			const isHeldByHost = !limits.has(waiter.operation);
			backgroundStarts = backgroundStarts.filter(start => start > time - secondMs);
			const isHeldByBackground = backgroundStarts.length > host.allowedAt(time) * backgroundShare;
			const isBackground = waiter.priority === backgroundPriority;
			if (isBackground) backgroundStarts = [...backgroundStarts, time];
			else if (isDue && isHeldByHost && !isFailing && !isHeldByBackground) {
				host.grow(rate * growth, time - Math.max(waiter.since, host.starts().at(-1) ?? waiter.since), time);
			}

			for (const limit of limitsOf(waiter.operation)) limit.started(time);
			waiters.splice(waiters.indexOf(waiter), 1);
			turns.take(waiter);
			waiter.go(time);
		}
	}

	/** Serves again when the first of the waiters may start. */
	function scheduleNext(time: number): void {
		const due = Math.min(...waiters.map(({operation}) => nextStart(operation, time)));
		const isRising = [host, ...limits.values()].some(limit => limit.isRising(time));
		cancelTimer = clock.after(Math.min(Math.ceil(due - time), isRising ? risingMs : Infinity), () => serve(true));
	}

	/** Counts an answer; returns the limit of the operation alone when its refusals have just shown that there is one. */
	function suspect(operation: string, startedAt: number, isRefused: boolean): RateLimit | undefined {
		if (isRefused && suspicion?.operation !== operation) {
			suspicion = {operation, at: now(), refusals: 1, own: 1, all: 1};
			return undefined;
		}

		if (!suspicion) return undefined;
		const {at, refusals, own, all} = suspicion;
		const isAnother = isRefused && startedAt >= at;
		suspicion = {
			...{operation: suspicion.operation, at: isAnother ? now() : at, refusals: refusals + (isAnother ? 1 : 0)},
			...{own: own + (operation === suspicion.operation ? 1 : 0), all: all + 1},
		};
		if (!isAnother || (suspicion.own / suspicion.all) ** suspicion.refusals >= leastChance) return undefined;
		const limit = createRateLimit({rate: host.freeRate(), maxRate, random});
		limits.set(operation, limit);
		suspicion = undefined;
		return limit;
	}

	return {
		/**
		 * Waits until a request may start, counts it, and resolves with its start time by the pace's own clock. Rejects with
		 * the signal's reason when aborted while waiting. `owners`: whom it is for, now. While many wait, each owner has as many
		 * starts as any other, and `priority` orders those of one. Default: everybody, as one owner.
		 */
		start({operation, priority, owners, signal}: StartOptions): Promise<number> {
			const {promise, resolve, reject} = Promise.withResolvers<number>();
			if (signal?.aborted) {
				reject(signal.reason);
				return promise;
			}

			const since = now();
			// At a slow rate, two seconds would be no head start.
			const rank = since + priority * Math.max(headStartMs, (2 * secondMs) / host.allowedAt(since));
			const waiter: Waiter = {
				operation,
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
		/** A request of `operation` that started at `startedAt` was answered, with any status but 429. */
		accepted(operation: string, startedAt: number): void {
			const time = now();
			firstAnswerAt ??= time;
			if (startedAt < firstAnswerAt) host.redate(startedAt, time);
			suspect(operation, startedAt, false);
			if (limitsOf(operation).filter(limit => limit.accepted(startedAt)).length > 0) serve();
		},
		/**
		 * A request of `operation` that started at `startedAt` was answered 429. That slows all requests to the host
		 * (`RateLimit.refused`), or those of this operation alone once the refusals show that no other one is refused.
		 */
		refused(operation: string, startedAt: number, retryAfterMs?: number): void {
			const time = now();
			const own = limits.get(operation);
			const found = own ? undefined : suspect(operation, startedAt, true);
			if (found) host.forget();
			(own ?? found ?? host).refused(startedAt, time, retryAfterMs);
			serve();
		},
		/** A request ended with a complete answer, or failed in any way but an abort: the rate grows only after an answer. */
		ended(hasAnswer: boolean): void {
			isFailing = !hasAnswer;
		},
		/** Ends the pauses after a 429: one request goes first, and the others wait for its answer. */
		endPause(): void {
			for (const limit of [host, ...limits.values()]) limit.endPause(now());
			serve();
		},
		/** The pause after the last 429, as it holds requests of `operation`. */
		pause(operation: string): Pause {
			const time = now();
			const until = Math.max(...limitsOf(operation).map(limit => limit.pausedUntil()));
			return {waitMs: Math.max(until - time, 0), retryAfterMs: retryAfterOf(operation, time)};
		},
		/** `operation`: `freeAt` and `retryAfterMs` are those of its requests. */
		budget(operation?: string): Budget {
			const time = now();
			const waitMs = nextStart(operation, time) - time;
			const recent = host.starts().filter(start => start > time - usedMs).length;
			return {
				used: (recent * secondMs) / Math.min(time - createdAt + secondMs, usedMs),
				allowed: host.allowedAt(time),
				freeAt: waitMs > 0 ? Math.ceil(clock.now() + waitMs) : undefined,
				retryAfterMs: retryAfterOf(operation, time),
			};
		},
	};
}

/** Creates one budget per host, which all interfaces at that host share. */
export function createPaces(hosts: readonly URL[], options: PaceOptions) {
	const paces = new Map(hosts.map(({host}) => [host, createPace(options)]));
	return {
		/** The budget of the address's host. */
		of({host}: URL): Pace {
			const pace = paces.get(host) ?? createPace(options);
			paces.set(host, pace);
			return pace;
		},
		/** Ends the pauses of all hosts. */
		endPauses(): void {
			for (const pace of paces.values()) pace.endPause();
		},
		/** The budget of all hosts together; `operation`: as in `Pace.budget`. */
		budget(operation?: string): Budget {
			const budgets = [...paces.values()].map(pace => pace.budget(operation));
			const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
			const waits = budgets.flatMap(({freeAt}) => freeAt ?? []);
			const retryWaits = budgets.flatMap(({retryAfterMs}) => retryAfterMs ?? []);
			return {
				used: sum(budgets.map(({used}) => used)),
				allowed: sum(budgets.map(({allowed}) => allowed)),
				freeAt: waits.length > 0 ? Math.max(...waits) : undefined,
				retryAfterMs: retryWaits.length > 0 ? Math.max(...retryWaits) : undefined,
			};
		},
	};
}
