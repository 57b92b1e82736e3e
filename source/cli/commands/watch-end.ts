import type {Clock} from '../../market/clock.ts';
import type {MarketState, MarketStore} from '../../store/state.ts';
import {exitStatus} from '../exit.ts';
import {note} from '../output.ts';
import {type Condition, printCondition} from './condition.ts';
import {metBy} from './condition-values.ts';
import {afterLong} from './wait.ts';

/** When a watch ends by itself. */
export type WatchLimits = {
	/** Ends when it is met. */
	readonly until?: Condition | undefined;
	/** Ends after this time. */
	readonly forMs?: number | undefined;
};

/** Why it ended. */
export type WatchEnd =
	/** By the condition, with the markets that satisfy it. */
	{readonly reason: 'met'; readonly states: readonly MarketState[]} | {readonly reason: 'time'};

/** Ages grow also while nothing comes. */
const checkMs = 1000;

/**
 * Calls `onEnd` once when the stores' markets meet the condition, looked at with every change and every second, or when
 * the time is over, whichever is first. The returned function ends the waiting.
 */
export function onWatchEnd(
	{until, forMs}: WatchLimits,
	stores: readonly MarketStore[],
	clock: Clock,
	onEnd: (end: WatchEnd) => void,
): () => void {
	const cancels: (() => void)[] = [];
	function stop() {
		for (const cancel of cancels.splice(0)) cancel();
	}

	function end(reason: WatchEnd) {
		stop();
		onEnd(reason);
	}

	if (forMs !== undefined) cancels.push(afterLong(clock, forMs, () => end({reason: 'time'})));
	if (until) cancels.push(onMet(until, stores, clock, states => end({reason: 'met', states})));
	return stop;
}

function onMet(
	condition: Condition,
	stores: readonly MarketStore[],
	clock: Clock,
	listener: (states: readonly MarketState[]) => void,
): () => void {
	let cancelTimer = () => {};
	function check() {
		const states = metBy(
			condition,
			stores.map(store => store.getSnapshot()),
			clock.now(),
		);
		if (states) listener(states);
	}

	function checkAgain() {
		cancelTimer = clock.after(checkMs, checkAgain);
		check();
	}

	const unsubscribes = stores.map(store => store.subscribe(check));
	cancelTimer = clock.after(checkMs, checkAgain);
	return () => {
		cancelTimer();
		for (const unsubscribe of unsubscribes) unsubscribe();
	};
}

/** Of a watch that ended by itself; a condition that was not met in time is said on stderr. */
export function statusAtEnd({reason}: WatchEnd, {until}: WatchLimits): number {
	if (reason === 'met' || !until) return exitStatus.done;
	note(`--until was not met in the time of --for: ${printCondition(until)}`);
	return exitStatus.timedOut;
}
