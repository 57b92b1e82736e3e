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

/** The number of frames that a slow terminal missed since it became slow; 0 again once it keeps up for a while. */
export type SlowLink = Store<number> & {
	dropped(frames: number): void;
	stop(): void;
};

/** The count is itself drawn in frames, so it is not updated more often. */
const publishMs = 1000;
/** If no frame was dropped for this long, the link counts as fast again. */
const forgetMs = 5000;

export function createSlowLink(clock: Clock): SlowLink {
	const {set, ...store} = createStore(0);
	let [count, lastDrop] = [0, 0];
	let cancel: (() => void) | undefined;

	function publish(): void {
		if (clock.now() - lastDrop >= forgetMs) count = 0;
		cancel = count > 0 ? clock.after(publishMs, publish) : undefined;
		set(count);
	}

	return {
		...store,
		dropped(frames) {
			count += frames;
			lastDrop = clock.now();
			cancel ??= clock.after(publishMs, publish);
		},
		stop: () => cancel?.(),
	};
}

/** The duration of a flash. */
const flashMs = 1000;

/** Changes that stand out for a moment, one at a time. */
export type Flash = {
	/** Whether a change at `at` (epoch ms; undefined: none) still flashes. */
	flashes(at: number | undefined): boolean;
	stop(): void;
};

/** `onEnd` is called when a flash ends. */
export function createFlash(clock: Clock, onEnd: () => void): Flash {
	let began: number | undefined;
	let isOver = true;
	let cancel = () => {};
	return {
		flashes(at) {
			if (at === began) return !isOver;
			cancel();
			began = at;
			// A clock that was set back must not lengthen the flash.
			const left = at === undefined ? 0 : Math.min(at + flashMs - clock.now(), flashMs);
			isOver = left <= 0;
			if (isOver) return false;
			cancel = clock.after(left, () => {
				isOver = true;
				onEnd();
			});
			return true;
		},
		stop: () => cancel(),
	};
}
