import type {Clock} from '../market/clock.ts';

/** Node's timers can be so much too early. */
const earlyMs = 1;

/**
 * A clock whose timers end together at multiples of `gapMs` (epoch ms), each at the first one that is not before its time, in the
 * order in which they were set: what they change is drawn in one go.
 */
export function createBeat(clock: Clock, gapMs: number): Clock {
	/** By the multiple. */
	const waiting = new Map<number, {readonly callbacks: Set<() => void>; cancel(): void}>();

	function begin(at: number) {
		const callbacks = new Set<() => void>();
		const cancel = clock.after(at - clock.now() + earlyMs, () => {
			waiting.delete(at);
			for (const callback of callbacks) callback();
		});
		const begun = {callbacks, cancel};
		waiting.set(at, begun);
		return begun;
	}

	return {
		now: clock.now,
		after(ms, callback) {
			const now = clock.now();
			const next = Math.floor(now / gapMs) + 1;
			const at = Math.max(Math.ceil((now + ms) / gapMs), next) * gapMs;
			const {callbacks, cancel} = waiting.get(at) ?? begin(at);
			// The same function can be set twice.
			const own = () => callback();
			callbacks.add(own);
			return () => {
				callbacks.delete(own);
				if (callbacks.size > 0) return;
				cancel();
				if (waiting.get(at)?.callbacks === callbacks) waiting.delete(at);
			};
		},
	};
}
