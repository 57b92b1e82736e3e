/** Time as an argument: the one way the program reads the time or waits. */
export type Clock = {
	/** Epoch ms, UTC. */
	now(): number;
	/** Runs `callback` once after `ms`; the returned function cancels it. */
	after(ms: number, callback: () => void): () => void;
};

export const systemClock: Clock = {
	now: () => Date.now(),
	after(ms, callback) {
		const timer = setTimeout(callback, ms);
		return () => clearTimeout(timer);
	},
};
