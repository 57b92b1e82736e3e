/** What waits for its turn. `owners`: whom it is for, now; none: everybody. */
type Owned = {readonly owners?: (() => readonly object[]) | undefined};

const everybody: readonly object[] = [{}];

/** Creates self-clocked fair queueing: who has had nothing for a while comes next, but has saved nothing up. */
export function createFairTurns() {
	/** The number of the last turn. */
	let now = 0;
	/** The number of each owner's next turn. Who was away comes at `now`. */
	const next = new WeakMap<object, number>();
	const turnOf = (owner: object): number => Math.max(next.get(owner) ?? 0, now);
	const ownersOf = ({owners}: Owned): readonly object[] => {
		const own = owners?.() ?? [];
		return own.length > 0 ? own : everybody;
	};
	const turnFor = (owned: Owned): number => Math.min(...ownersOf(owned).map(turnOf));
	return {
		/** The waiter of the least-served owner; ties: the first. Undefined: nobody waits. */
		firstOf<T extends Owned>(waiting: readonly T[]): T | undefined {
			const turns = waiting.map(turnFor);
			return waiting[turns.indexOf(Math.min(...turns))];
		},
		/** Counts a turn for the owner of whom it is the turn. */
		take(taken: Owned): void {
			now = turnFor(taken);
			const owner = ownersOf(taken).find(each => turnOf(each) === now);
			if (owner) next.set(owner, now + 1);
		},
	};
}
