import type {Clock} from '../market/clock.ts';
import {createStore, type Store} from '../store/create-store.ts';

/** A store with the time of the last full second (epoch ms), by which ages and the clock on the screen are drawn. */
export type Tick = Store<number> & {
	stop(): void;
	/** The clock behind it. */
	readonly clock: Clock;
};

/** Starts at once, and updates at the start of each second, so that the clock on the screen is on time. */
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
