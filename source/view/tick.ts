import type {Clock} from '../market/clock.ts';

/** The time of the last full second, as a store: what ages and the clock on the screen are drawn by. */
export type Tick = {
	/** Epoch ms. */
	getSnapshot(): number;
	subscribe(listener: () => void): () => void;
	stop(): void;
	/** What it ticks by. */
	readonly clock: Clock;
};

/** Starts at once; wakes on the second, so that the clock on the screen turns when the second does. */
export function createTick(clock: Clock): Tick {
	const listeners = new Set<() => void>();
	let now = clock.now();
	let cancel = () => {};
	const wake = () => {
		now = clock.now();
		cancel = clock.after(1000 - (now % 1000), wake);
		for (const listener of listeners) listener();
	};

	wake();
	return {
		getSnapshot: () => now,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		stop: () => cancel(),
		clock,
	};
}
