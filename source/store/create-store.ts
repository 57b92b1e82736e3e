import {type Clock, steadyNow} from '../market/clock.ts';

/** A value with listeners. */
export type Store<State> = {
	/** The same object until something changes. */
	getSnapshot(): State;
	/** Calls `listener` after each change. The returned function unsubscribes. */
	subscribe(listener: () => void): () => void;
};

type WritableStore<State> = Store<State> & {
	/** Replaces the state; listeners are called unless it is the one before. */
	set(next: State): void;
};

/** Creates a store. Listeners are called when a new state is another object than the last one. */
export function createStore<State>(initial: State): WritableStore<State> {
	const listeners = new Set<() => void>();
	let state = initial;
	return {
		getSnapshot: () => state,
		subscribe(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		set(next) {
			if (Object.is(state, next)) return;
			state = next;
			for (const listener of [...listeners]) listener();
		},
	};
}

/** Changes without a value: `changed` calls the listeners. */
export function createChanges() {
	const {set, subscribe} = createStore({});
	return {changed: () => set({}), subscribe};
}

/** Calls `publish` at most once per `gapMs` for changes of the data. `beat`: see `createBeat`. */
export function createPublisher(clock: Clock, gapMs: number, publish: () => void, beat?: Clock) {
	const time = steadyNow(clock);
	let publishedAt = Number.NEGATIVE_INFINITY;
	let changed = false;
	let cancelTimer: (() => void) | undefined;
	let cancelBeat: (() => void) | undefined;

	function cancel() {
		cancelTimer?.();
		cancelBeat?.();
		cancelTimer = undefined;
		cancelBeat = undefined;
	}

	function now() {
		cancel();
		if (changed) publishedAt = time();
		changed = false;
		publish();
	}

	return {
		/** Publishes now, with any pending change. */
		now,
		/** Drops the pending call. */
		cancel,
		/**
		 * Publishes a change of the data: at once, or when the gap after the last such change ends; with a beat, at the next one after
		 * that. `isFirst`: it begins what comes in pieces, so it waits for the others that are there already, and for no beat.
		 */
		soon(isFirst = false): void {
			changed = true;
			const waitMs = publishedAt + gapMs - time();
			if (isFirst) cancelTimer ??= clock.after(waitMs, now);
			else if (beat) cancelBeat ??= beat.after(waitMs, now);
			else if (waitMs <= 0 && !cancelTimer) now();
			else cancelTimer ??= clock.after(waitMs, now);
		},
	};
}
