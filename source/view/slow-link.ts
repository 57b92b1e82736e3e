import type {Clock} from '../market/clock.ts';
import {createStore, type Store} from '../store/create-store.ts';

/** Frames that a slow terminal has lost, from when it became slow until it has kept up for a while; 0 while it keeps up. */
export type SlowLink = Store<number> & {
	dropped(frames: number): void;
	stop(): void;
};

/** The count is drawn in frames: more often than this it would only add to them. */
const publishMs = 1000;
/** So long after the last dropped frame the link counts as fast again. */
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
