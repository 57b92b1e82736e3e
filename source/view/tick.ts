import type {Clock} from '../market/clock.ts';
import {createStore, type Store} from '../store/create-store.ts';

/** The time of the last full second in epoch ms, as a store: ages and the clock on the screen are drawn by it. */
export type Tick = Store<number> & {
	stop(): void;
	/** What it ticks by. */
	readonly clock: Clock;
};

/** Starts at once; wakes on the second, so that the clock on the screen turns when the second does. */
export function createTick(clock: Clock): Tick {
	const store = createStore(clock.now());
	let cancel = () => {};
	const wake = () => {
		const now = clock.now();
		cancel = clock.after(1000 - (now % 1000), wake);
		store.set(now);
	};

	wake();
	return {getSnapshot: store.getSnapshot, subscribe: store.subscribe, stop: () => cancel(), clock};
}
