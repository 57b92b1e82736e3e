import type {Clock} from '../market/clock.ts';

/** A clock that stands still until it is moved: its time is that of a recording. */
export type ReplayClock = Clock & {
	/** Lets time pass until `time` (epoch ms): timers run in the order of their times, and promises settle after each. */
	advanceTo(time: number): Promise<void>;
	/** Moves the time, also back, and drops all timers. */
	set(time: number): void;
};

/** `start`: epoch ms. `settle` lets promises settle. */
export function createReplayClock(start: number, settle: () => Promise<unknown>): ReplayClock {
	type Timer = {readonly at: number; readonly callback: () => void};
	let timers = new Set<Timer>();
	let now = start;

	function takeDue(until: number): Timer | undefined {
		let due: Timer | undefined;
		for (const timer of timers) if (timer.at <= until && (!due || timer.at < due.at)) due = timer;
		if (due) timers.delete(due);
		return due;
	}

	return {
		now: () => now,
		after(ms, callback) {
			const timer = {at: now + Math.max(ms, 0), callback};
			const owner = timers;
			owner.add(timer);
			return () => {
				owner.delete(timer);
			};
		},
		async advanceTo(time) {
			const owner = timers;
			for (let timer = takeDue(time); timer; timer = takeDue(time)) {
				now = Math.max(now, timer.at);
				timer.callback();
				await settle();
				// It was set meanwhile.
				if (timers !== owner) return;
			}

			now = Math.max(now, time);
		},
		set(time) {
			timers = new Set();
			now = time;
		},
	};
}
