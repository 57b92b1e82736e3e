import {setImmediate} from 'node:timers/promises';
import type {Clock} from '../../source/market/clock.ts';

export type FakeClock = Clock & {
	/** Lets `ms` pass: timers run in order of their time, and promises settle after each. */
	advance(ms: number): Promise<void>;
	/** Moves the time of day without running timers, as the sleep of a computer or a clock set by hand does. */
	jump(ms: number): void;
	/** How many timers wait. */
	readonly timers: number;
};

/** A clock that is frozen until `advance` or `jump` moves it. `start` in epoch ms; `settle` lets promises settle. */
export function createFakeClock(
	start = Date.UTC(2026, 0, 1),
	settle: () => Promise<unknown> = setImmediate,
): FakeClock {
	const timers = new Set<{readonly at: number; readonly callback: () => void}>();
	let elapsed = 0;
	let offset = start;

	function takeDue(until: number) {
		let due: {readonly at: number; readonly callback: () => void} | undefined;
		for (const timer of timers) if (timer.at <= until && (!due || timer.at < due.at)) due = timer;
		if (due) timers.delete(due);
		return due;
	}

	return {
		now: () => offset + elapsed,
		after(ms, callback) {
			const timer = {at: elapsed + Math.max(ms, 0), callback};
			timers.add(timer);
			return () => {
				timers.delete(timer);
			};
		},
		async advance(ms) {
			const until = elapsed + ms;
			await settle();
			for (let timer = takeDue(until); timer; timer = takeDue(until)) {
				elapsed = Math.max(elapsed, timer.at);
				timer.callback();
				await settle();
			}

			elapsed = until;
		},
		jump(ms) {
			offset += ms;
		},
		get timers() {
			return timers.size;
		},
	};
}
