import type {Clock} from '../market/clock.ts';

type Publisher = {
	/** Publishes a change of the data: at once, or at the end of the gap after the last such change. */
	soon(): void;
	/** Publishes now, with whatever waits. */
	now(): void;
	/** Drops the call that waits. */
	cancel(): void;
};

/** Gathers changes so that data is published at most once every `gapMs`. */
export function createPublisher(clock: Clock, gapMs: number, publish: () => void): Publisher {
	let publishedAt = Number.NEGATIVE_INFINITY;
	let changed = false;
	let cancelTimer: (() => void) | undefined;

	function cancel() {
		cancelTimer?.();
		cancelTimer = undefined;
	}

	function now() {
		cancel();
		if (changed) publishedAt = clock.now();
		changed = false;
		publish();
	}

	return {
		now,
		cancel,
		soon() {
			changed = true;
			if (cancelTimer) return;
			// A clock that was set back must not lengthen the gap.
			const waitMs = Math.min(publishedAt + gapMs - clock.now(), gapMs);
			if (waitMs <= 0) now();
			else cancelTimer = clock.after(waitMs, now);
		},
	};
}
