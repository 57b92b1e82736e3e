/** Time as an argument: the one way the program reads the time or waits. */
export type Clock = {
	/** Epoch ms, UTC. */
	now(): number;
	/** Runs `callback` once after `ms`, soon where that is past; the returned function cancels it. */
	after(ms: number, callback: () => void): () => void;
};

/**
 * The time of `clock` (epoch ms), but never back: where that was set back, this continues from where it was. For due
 * times.
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

export const systemClock: Clock = {
	now: () => Date.now(),
	after(ms, callback) {
		// Node warns on stderr of times below 0, and a busy machine comes late to what was due.
		const timer = setTimeout(callback, Math.max(ms, 0));
		return () => clearTimeout(timer);
	},
};
