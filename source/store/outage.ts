/** `unavailable`: no request was sent, as the exchange does not offer it. */
type PollOutcome = 'answered' | 'failed' | 'unavailable';

/** Distinguishes an outage of the exchange from a failure of some of its operations. */
export type Outage<Name> = {
	/** Records the end of a poll. True: `name` answers again, so the others need not wait out their failures. */
	record(name: Name, outcome: PollOutcome): boolean;
	/**
	 * Whether a more frequent poll detects for `name`, which fails, when the exchange is back: nothing has answered since
	 * `name` began to fail.
	 */
	hasProbe(name: Name): boolean;
	/** It is polled no more. */
	forget(name: Name): void;
};

type OutageOptions<Name> = {
	/** Between two polls, in ms. */
	intervalOf(name: Name): number;
	/** What is polled now. Of equal intervals, the first is the probe. */
	polled(): readonly Name[];
};

export function createOutage<Name>({intervalOf, polled}: OutageOptions<Name>): Outage<Name> {
	/** What fails, and whether anything else has answered since each began to fail. */
	const failing = new Map<Name, {othersAnswer: boolean}>();
	const unavailable = new Set<Name>();
	return {
		record(name, outcome) {
			if (outcome === 'unavailable') unavailable.add(name);
			else unavailable.delete(name);
			if (outcome === 'failed') {
				if (!failing.has(name)) failing.set(name, {othersAnswer: false});
				return false;
			}

			const recovered = failing.delete(name) && outcome === 'answered';
			if (outcome === 'answered') for (const other of failing.values()) other.othersAnswer = true;
			return recovered;
		},
		hasProbe(name) {
			if (failing.get(name)?.othersAnswer !== false) return false;
			const candidates = polled().filter(each => !unavailable.has(each));
			const [probe] = candidates.toSorted((a, b) => intervalOf(a) - intervalOf(b));
			return probe !== undefined && probe !== name;
		},
		forget(name) {
			failing.delete(name);
			unavailable.delete(name);
		},
	};
}
