import {DefectError, ExchangeError, type Operation} from '../client/errors.ts';
import {pollRetries, retryWaitMs} from '../client/retry.ts';
import {type Clock, steadyNow} from '../market/clock.ts';
import type {AnswerDate, Failure} from './resource.ts';
import {createRhythm} from './rhythm.ts';

type PollerOptions<T> = {
	readonly clock: Clock;
	/** What it reads. */
	readonly operation: Operation;
	/** Interval between the starts of two polls, above 0. `Infinity`: one answer is enough. */
	readonly intervalMs: number;
	/** Ms from the start of the poll that got this answer to the next, if that must be sooner. */
	readonly wantedMs?: ((answer: T) => number) | undefined;
	/** Default, and undefined: the answer came as the exchange gave it. */
	readonly dated?: ((answer: T) => AnswerDate | undefined) | undefined;
	/** Rejects with an `ExchangeError`. Any other error, and what `onAnswer` throws, is a defect: a warning, and a failure as others are. */
	readonly run: (call: PollCall) => Promise<T>;
	readonly onAnswer: (answer: T) => void;
	/** `waitMs`: time until the next try; `Infinity`: not until the user asks. */
	readonly onFailure: (failure: Failure, waitMs: number) => void;
	/** Called every second of a pending request with the time (epoch ms) at which it began. */
	readonly onWait?: ((since: number) => void) | undefined;
	/** Whether another poll detects when the exchange is back. Default: no. */
	readonly hasProbe?: (() => boolean) | undefined;
	/** In [0, 1), for the jitter of retries. */
	readonly random: () => number;
};

/** What a poll passes on to its read. */
type PollCall = {
	readonly signal: AbortSignal;
	/** When the last poll ended, epoch ms; 0: there was none since the start or `reset`. */
	readonly newerThan: number;
	/** Whether caches on the way are asked for a new answer. */
	readonly fresh: boolean;
};

/**
 * Repeats one request at an interval, one at a time. Answers to an aborted request are dropped. After an answer that is older
 * than its poll, as one from a cache or one shared with another reader, the interval counts from that answer (`createRhythm`).
 */
export type Poller = ReturnType<typeof createPoller>;

const watchMs = 1000;
const leastRetryMs = 1000;
/** If a timer is later than this, the computer was asleep. */
const leastSleepMs = 10_000;

export type Outcome<T> = {readonly answer: T} | {readonly error: unknown};

async function outcomeOf<T>(run: () => Promise<T>): Promise<Outcome<T>> {
	try {
		return {answer: await run()};
	} catch (error) {
		return {error};
	}
}

export function createPoller<T>(options: PollerOptions<T>) {
	const {clock, intervalMs, random, hasProbe = () => false} = options;
	/** Due times use this time, so that a clock that is set back does not lengthen a wait. */
	const now = steadyNow(clock);
	let rhythm = createRhythm();
	let started = false;
	/** The pending request. Its identity is the generation: an answer to any other request is dropped. */
	let request: AbortController | undefined;
	let cancelTimer: (() => void) | undefined;
	let cancelWatch: (() => void) | undefined;
	let dueAt = Number.NEGATIVE_INFINITY;
	/** When the last poll began. */
	let startedAt = Number.NEGATIVE_INFINITY;
	/** When the pending request began, epoch ms. */
	let waitingSince = 0;
	/** The polls that failed since the last answer. */
	let failing: {readonly count: number; readonly since: number; readonly error: ExchangeError} | undefined;
	/** Whether the next request goes past caches. */
	let wantsFresh = false;
	/** When the last poll ended, epoch ms. */
	let endedAt = 0;

	function disarm() {
		cancelTimer?.();
		cancelTimer = undefined;
	}

	function arm() {
		disarm();
		if (!started || request) return;
		const ms = dueAt - now();
		if (ms <= 0) poll();
		else if (Number.isFinite(ms)) cancelTimer = clock.after(ms, poll);
	}

	function wait(ms: number) {
		dueAt = now() + ms;
		arm();
	}

	function poll() {
		disarm();
		request = new AbortController();
		waitingSince = clock.now();
		watch();
		void settle(request);
	}

	/** Reports the request every second, and sends it again after the computer was asleep, as its connection is gone. */
	function watch() {
		const before = now();
		cancelWatch?.();
		cancelWatch = clock.after(watchMs, () => {
			if (now() - before >= watchMs + leastSleepMs) {
				abort();
				poll();
			} else {
				options.onWait?.(waitingSince);
				watch();
			}
		});
	}

	async function settle(controller: AbortController) {
		startedAt = now();
		const fresh = wantsFresh;
		wantsFresh = false;
		const outcome = await outcomeOf(() => options.run({signal: controller.signal, newerThan: endedAt, fresh}));
		if (request !== controller) return;
		request = undefined;
		endedAt = clock.now();
		cancelWatch?.();
		if ('answer' in outcome) {
			failing = undefined;
			const ms = Math.min(intervalMs, options.wantedMs?.(outcome.answer) ?? intervalMs);
			const {receivedAt = waitingSince, cache} = options.dated?.(outcome.answer) ?? {};
			if (cache || receivedAt < waitingSince) {
				wait(rhythm.waitMs({answeredAt: receivedAt, now: clock.now(), intervalMs: ms, isCached: cache !== undefined}));
			} else waitForTurn(ms);
			try {
				options.onAnswer(outcome.answer);
			} catch (error) {
				fail(defect(error));
			}

			if (wantsFresh && cache) pollNow();
			else wantsFresh = false;
		} else if (outcome.error instanceof ExchangeError) {
			if (outcome.error.kind === 'aborted') waitForTurn(intervalMs);
			else fail(outcome.error);
		} else fail(defect(outcome.error));
	}

	function defect(cause: unknown): DefectError {
		process.emitWarning(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause), 'Defect');
		return new DefectError({operation: options.operation, interface: 'v2', url: '', cause});
	}

	/** Waits for the next turn. Turns come every `ms` from the start of the last poll; those that a slow answer missed are skipped. */
	function waitForTurn(ms: number) {
		wait(ms - ((now() - startedAt) % ms));
	}

	function fail(error: ExchangeError) {
		const count = (failing?.count ?? 0) + 1;
		const since = failing?.since ?? clock.now();
		const schedule = pollRetries(intervalMs, hasProbe());
		const waitMs = retryWaitMs(error, {schedule, failures: count, random: random()});
		failing = {count, since, error};
		wait(waitMs);
		const retryAt = started && Number.isFinite(waitMs) ? clock.now() + waitMs : undefined;
		options.onFailure({error, since, retryAt}, waitMs);
	}

	function abort() {
		disarm();
		cancelWatch?.();
		const aborted = request;
		request = undefined;
		aborted?.abort();
	}

	function pollNow() {
		if (request) options.onWait?.(waitingSince);
		else poll();
	}

	return {
		/** Starts polling: at once if a poll is due, else when it is. Does nothing if it is started. */
		start(): void {
			if (started) return;
			started = true;
			arm();
		},
		/** Stops polling and aborts the request. The due time of the next poll is kept. */
		stop(): void {
			if (!started) return;
			started = false;
			abort();
		},
		/** Polls now, even if not started. A pending request continues and is reported to `onWait`. */
		now: pollNow,
		/** Polls now, past caches. A pending request continues; if a cache answers it, another one follows. */
		refresh(): void {
			wantsFresh = true;
			pollNow();
		},
		/** Starts over: aborts the request, forgets failures, and polls at once if started. */
		reset(): void {
			abort();
			failing = undefined;
			rhythm = createRhythm();
			wantsFresh = false;
			endedAt = 0;
			dueAt = Number.NEGATIVE_INFINITY;
			arm();
		},
		/** Polls now if a poll is overdue, as timers do not run while a computer sleeps. */
		catchUp(): void {
			if (cancelTimer && dueAt <= now()) poll();
		},
		/**
		 * Ends the wait after a failure, unless a `Retry-After` set it: the next poll, if started, comes a second after the last
		 * one began, or an interval if that is shorter.
		 */
		retry(): void {
			if (request || !failing || failing.error.retryAfterMs !== undefined || dueAt === Infinity) return;
			dueAt = Math.min(dueAt, startedAt + Math.min(intervalMs, leastRetryMs));
			arm();
		},
	};
}
