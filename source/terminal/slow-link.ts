import type {EventEmitter} from 'node:events';
import type {Clock} from '../market/clock.ts';

/** Frames that a slow terminal has made the program drop of late, as a store. */
export type SlowLink = {
	/** 0 while it keeps up. */
	getSnapshot(): number;
	subscribe(listener: () => void): () => void;
	stop(): void;
};

/** What is said of dropped frames is drawn in frames: oftener than this it would only add to them. */
const tellMs = 1000;
/** So long after the last dropped frame the link counts as fast again. */
const forgetMs = 5000;

/** Adds up the `drop` events of `frames`, from when the link became slow until it has kept up for a while. */
export function watchSlowLink(frames: EventEmitter, clock: Clock): SlowLink {
	const listeners = new Set<() => void>();
	let [dropped, told, lastDrop] = [0, 0, 0];
	let cancel: (() => void) | undefined;

	function tell(): void {
		if (clock.now() - lastDrop >= forgetMs) dropped = 0;
		cancel = dropped > 0 ? clock.after(tellMs, tell) : undefined;
		if (told === dropped) return;
		told = dropped;
		for (const listener of listeners) listener();
	}

	frames.on('drop', (count: number) => {
		dropped += count;
		lastDrop = clock.now();
		cancel ??= clock.after(tellMs, tell);
	});
	return {
		getSnapshot: () => told,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		stop: () => cancel?.(),
	};
}
