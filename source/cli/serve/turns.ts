import type {Clock} from '../../market/clock.ts';
import {ownCallbacks} from './faults.ts';

/**
 * Clocks whose timers run one in each turn of the event loop, in the order in which they were due: when a hundred screens have
 * something to draw at once, keys are heard between any two of them. What a timer throws is of who began it.
 */
export function createTurns(clock: Clock, nextTurn: (run: () => void) => void): Clock {
	const due: (() => void)[] = [];
	const run = (): void => {
		const callback = due.shift();
		if (due.length > 0) nextTurn(run);
		callback?.();
	};
	return {
		now: clock.now,
		after(ms, callback) {
			const own = ownCallbacks()(callback);
			let isCancelled = false;
			const cancel = clock.after(ms, () => {
				due.push(() => {
					if (!isCancelled) own();
				});
				if (due.length === 1) nextTurn(run);
			});
			return () => {
				isCancelled = true;
				cancel();
			};
		},
	};
}
