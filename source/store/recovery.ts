import type {ResourceName} from './state.ts';

/** How a poll ended. `unavailable`: nobody was asked, as the exchange does not offer it. */
type Ending = 'answers' | 'fails' | 'unavailable';

/** Tells an outage of the exchange from a failure of some of its operations. */
export type Recovery = {
	/** A poll of `name` ended so. True: it answers again, so that the others need not wait out their failures. */
	ended(name: ResourceName, ending: Ending): boolean;
	/**
	 * Whether `name`, which fails again, leaves it to another one to find out when the exchange is back: nothing has
	 * answered since it began to fail, and another one of those that are polled is so more often.
	 */
	waits(name: ResourceName): boolean;
};

type RecoveryOptions = {
	/** Between two polls, in ms. */
	readonly intervals: Readonly<Record<ResourceName, number>>;
	/** Those that are polled now; of equal intervals the first one finds out. */
	polled(): readonly ResourceName[];
};

export function createRecovery({intervals, polled}: RecoveryOptions): Recovery {
	/** What has not answered since it began to fail. */
	const failing = new Set<ResourceName>();
	/** Those of them that have seen another one answer meanwhile. */
	const alone = new Set<ResourceName>();
	const unavailable = new Set<ResourceName>();
	return {
		ended(name, ending) {
			if (ending === 'unavailable') unavailable.add(name);
			else unavailable.delete(name);
			if (ending === 'fails') {
				failing.add(name);
				return false;
			}

			const recovered = failing.delete(name) && ending === 'answers';
			alone.delete(name);
			if (ending === 'answers') for (const each of failing) alone.add(each);
			return recovered;
		},
		waits(name) {
			if (!failing.has(name) || alone.has(name)) return false;
			const asked = polled().filter(each => !unavailable.has(each));
			const [probe] = asked.toSorted((a, b) => intervals[a] - intervals[b]);
			return probe !== undefined && probe !== name;
		},
	};
}
