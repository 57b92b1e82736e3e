import {ExchangeError, HttpStatusError} from '../client/errors.ts';
import type {Clock} from '../market/clock.ts';
import {retryDelayMs} from './backoff.ts';
import type {Failure} from './resource.ts';

type PollerOptions<T> = {
	readonly clock: Clock;
	/** Between the starts of two polls, above 0. `Infinity`: one answer is enough. */
	readonly intervalMs: number;
	/** Ms from the start of the poll that gave this answer to the next, where that must be sooner. */
	readonly wantedMs?: ((answer: T) => number) | undefined;
	/** Rejects with an `ExchangeError`; anything else is a defect and is thrown on. */
	readonly run: (signal: AbortSignal) => Promise<T>;
	readonly onAnswer: (answer: T) => void;
	readonly onFailure: (failure: Failure) => void;
	/** Told each second while a request is under way, and since when (epoch ms) there has been no answer. */
	readonly onWait?: ((since: number) => void) | undefined;
	/** Whether what has just failed may wait longer than its interval. Default: no. */
	readonly patient?: (() => boolean) | undefined;
	/** In [0, 1), for the jitter of retries. */
	readonly random: () => number;
};

/** Asks for one thing again and again, one request at a time. Answers to an aborted request are dropped. */
export type Poller = {
	/** Begins to poll: at once when a poll is due, else when it is. Does nothing when it polls already. */
	start(): void;
	/** Ends polling and aborts its request. When the next poll is due is remembered. */
	stop(): void;
	/** Polls now, whether started or not. Leaves a request that is under way alone, and tells of it. */
	now(): void;
	/** Begins anew: aborts the request, forgets answers and failures, and polls at once when started. */
	reset(): void;
	/** Polls now if a poll is overdue: timers stand still while a computer sleeps. */
	catchUp(): void;
	/** Tries again now what failed, unless the exchange said how long to wait. */
	retry(): void;
};

/** An exchange that asks for more patience than this is tried again all the same. */
const longestRetryAfterMs = 3_600_000;

const lookMs = 1000;
/** A timer that comes later than this has slept. */
const leastSleepMs = 10_000;

/** How long the exchange asked us to wait (429 with Retry-After), bounded. */
function retryAfterMs(error: ExchangeError): number | undefined {
	const askedMs = error instanceof HttpStatusError ? error.retryAfterMs : undefined;
	return askedMs === undefined ? undefined : Math.min(askedMs, longestRetryAfterMs);
}

export function createPoller<T>(options: PollerOptions<T>): Poller {
	const {clock, intervalMs, random, patient = () => false} = options;
	let started = false;
	/** The request under way. Its identity is the generation: an answer to any other is refused. */
	let request: AbortController | undefined;
	let cancelTimer: (() => void) | undefined;
	let cancelLook: (() => void) | undefined;
	let dueAt = Number.NEGATIVE_INFINITY;
	let waitMs = 0;
	let failures = 0;
	let failingSince = 0;
	let waitingSince = 0;
	let retryIsOurs = false;

	function disarm() {
		cancelTimer?.();
		cancelTimer = undefined;
	}

	function arm() {
		disarm();
		if (!started || request) return;
		// A clock that was set back must not lengthen the wait.
		const ms = Math.min(dueAt - clock.now(), waitMs);
		if (ms <= 0) poll();
		else if (Number.isFinite(ms)) cancelTimer = clock.after(ms, poll);
	}

	function wait(ms: number) {
		waitMs = ms;
		dueAt = clock.now() + ms;
		arm();
	}

	function poll() {
		disarm();
		const controller = new AbortController();
		request = controller;
		waitingSince = failures > 0 ? failingSince : clock.now();
		look();
		void settle(controller);
	}

	function look() {
		const lookedAt = clock.now();
		cancelLook?.();
		cancelLook = clock.after(lookMs, () => {
			if (clock.now() - lookedAt >= lookMs + leastSleepMs) {
				// What the computer slept through is answered no more: its deadline would only be waited out.
				abort();
				poll();
				return;
			}

			options.onWait?.(waitingSince);
			look();
		});
	}

	async function settle(controller: AbortController) {
		const startedAt = clock.now();
		const outcome = await options.run(controller.signal).then(
			answer => ({answer}),
			(error: unknown) => ({error}),
		);
		if (request !== controller) return;
		request = undefined;
		cancelLook?.();
		if ('answer' in outcome) answered(outcome.answer, startedAt);
		else if (outcome.error instanceof ExchangeError) failed(outcome.error, startedAt);
		else throw outcome.error;
	}

	function answered(answer: T, startedAt: number) {
		failures = 0;
		waitForNextTurn(startedAt, Math.min(intervalMs, options.wantedMs?.(answer) ?? intervalMs));
		options.onAnswer(answer);
	}

	/** Turns come every interval from the start of the last poll; those that a slow answer missed are skipped. */
	function waitForNextTurn(startedAt: number, ms = intervalMs) {
		const tookMs = Math.max(clock.now() - startedAt, 0);
		wait(ms - (tookMs % ms));
	}

	function failed(error: ExchangeError, startedAt: number) {
		if (error.kind === 'aborted') {
			waitForNextTurn(startedAt);
			return;
		}

		failures += 1;
		if (failures === 1) failingSince = clock.now();
		const askedMs = retryAfterMs(error);
		retryIsOurs = askedMs === undefined;
		// What the exchange does not offer, it will not offer in a minute.
		const ms =
			error.kind === 'unavailable'
				? Number.POSITIVE_INFINITY
				: Math.max(retryDelayMs({failures, intervalMs, patient: patient(), random: random()}), askedMs ?? 0);
		wait(ms);
		const retryAt = started && Number.isFinite(dueAt) ? dueAt : undefined;
		options.onFailure({error, since: failingSince, retryAt});
	}

	function abort() {
		disarm();
		const aborted = request;
		request = undefined;
		cancelLook?.();
		aborted?.abort();
	}

	return {
		start() {
			if (started) return;
			started = true;
			arm();
		},
		stop() {
			if (!started) return;
			started = false;
			abort();
		},
		now() {
			if (request) options.onWait?.(waitingSince);
			else poll();
		},
		reset() {
			abort();
			failures = 0;
			waitMs = 0;
			dueAt = Number.NEGATIVE_INFINITY;
			arm();
		},
		catchUp() {
			if (cancelTimer && dueAt <= clock.now()) poll();
		},
		retry() {
			if (cancelTimer && failures > 0 && retryIsOurs) poll();
		},
	};
}
