/** A value that others follow. */
export type Store<State> = {
	/** The same object until something changes. */
	getSnapshot(): State;
	/** Calls `listener` after each change. The returned function ends that. */
	subscribe(listener: () => void): () => void;
};

type WritableStore<State> = Store<State> & {
	/** Replaces the state; listeners are called unless it equals the one before. */
	set(next: State): void;
};

/** A store with this state. `isEqual` decides whether listeners hear of a new one; default: `Object.is`. */
export function createStore<State>(
	initial: State,
	isEqual: (before: State, after: State) => boolean = Object.is,
): WritableStore<State> {
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
			if (isEqual(state, next)) return;
			state = next;
			for (const listener of [...listeners]) listener();
		},
	};
}
