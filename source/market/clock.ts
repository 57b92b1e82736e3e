/** The only way the program reads the time or waits; passed as an argument, so that tests can fake it. */
export type Clock = {
	/** Epoch ms, UTC. */
	now(): number;
	/** Runs `callback` once after `ms`, soon if that is not positive. The returned function cancels it. */
	after(ms: number, callback: () => void): () => void;
};

/**
 * A time (epoch ms) that follows `clock` but never goes back: when the clock is set back, it continues from its last
 * value. For due times.
 */
export function steadyNow(clock: Clock): () => number {
	let last = clock.now();
	let aheadMs = 0;
	return () => {
		const now = clock.now() + aheadMs;
		aheadMs += Math.max(last - now, 0);
		last = Math.max(last, now);
		return last;
	};
}

/** Calls `act` every `ms`, until the returned function is called. */
export function every(clock: Clock, ms: number, act: () => void): () => void {
	let cancel = clock.after(ms, function again() {
		cancel = clock.after(ms, again);
		act();
	});
	return () => cancel();
}

export const systemClock: Clock = {
	now: () => Date.now(),
	after(ms, callback) {
		// Node warns on stderr about negative times, which occur when a busy machine is late.
		const timer = setTimeout(callback, Math.max(ms, 0));
		return () => clearTimeout(timer);
	},
};

/** Settles after `ms`, or as soon as `signal` is aborted: with false then. Leaves no listener on the signal. */
export function waited(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
	const {promise, resolve} = Promise.withResolvers<boolean>();
	const abort = () => resolve(false);
	const cancel = clock.after(ms, () => resolve(true));
	if (signal?.aborted) abort();
	signal?.addEventListener('abort', abort, {once: true});
	return promise.finally(() => {
		cancel();
		signal?.removeEventListener('abort', abort);
	});
}

/** The first cryptocurrency began in January 2009. */
const firstTime = Date.UTC(2009, 0);
const lastTime = Date.UTC(2100, 0);

/** Whether a market can have had data at `time` (epoch ms). */
export const isPlausible = (time: number): boolean => time >= firstTime && time < lastTime;
