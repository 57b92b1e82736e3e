import type {Clock} from '../../source/market/clock.ts';

type Hurry = {
	/** A timer as long as this, and no other, is a deadline: it ends only when `isHeld` is true for a while. */
	readonly deadlineMs?: number;
	readonly isHeld?: () => boolean;
};

/** Turns of the event loop: enough for sockets to notice that the other end has gone. */
const heldTurns = 200;

/** A clock on which waits end at once, and those from an hour on never: time passes only by waiting. */
export function createHurriedClock(start: number, {deadlineMs = Number.NaN, isHeld = () => false}: Hurry = {}): Clock {
	let now = start;
	return {
		now: () => now,
		after(ms, callback) {
			if (ms >= 3_600_000) return () => {};
			let timer = setImmediate(end);
			let turns = 0;
			function end() {
				turns = isHeld() ? turns + 1 : 0;
				if (ms === deadlineMs && turns < heldTurns) {
					timer = setImmediate(end);
					return;
				}

				now += Math.max(ms, 0);
				callback();
			}

			return () => clearImmediate(timer);
		},
	};
}
