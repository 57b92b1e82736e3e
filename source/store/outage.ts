/** `unavailable`: no request was sent, as the exchange does not offer it. */
type PollOutcome = 'answered' | 'failed' | 'unavailable';

type OutageOptions<Name> = {
	/** Between two polls, in ms. */
	intervalOf(name: Name): number;
	/** What is polled now. Of equal intervals, the first is the probe. */
	polled(): readonly Name[];
	/** Whether nothing has answered for so long that it does not matter what did before. Default: it never has. */
	isSilent?(): boolean;
};

/** Distinguishes an outage of the exchange from a failure of some of its operations. */
export function createOutage<Name>({intervalOf, polled, isSilent = () => false}: OutageOptions<Name>) {
	/** What fails, and whether anything else has answered since each began to fail. */
	const failing = new Map<Name, {readonly first: number; othersAnswer: boolean}>();
	/** How many polls have failed. */
	let failures = 0;
	const unavailable = new Set<Name>();
	return {
		/** Call where a poll begins, for `record`: an answer that was on its way when others began to fail says nothing of them. */
		begin: (): number => failures,
		/**
		 * Records the end of a poll. `begun`: what `begin` returned, default: it began last. True: `name` answers again, so the
		 * others need not wait out their failures.
		 */
		record(name: Name, outcome: PollOutcome, begun = failures): boolean {
			if (outcome === 'unavailable') unavailable.add(name);
			else unavailable.delete(name);
			if (outcome === 'failed') {
				failures++;
				if (!failing.has(name)) failing.set(name, {first: failures, othersAnswer: false});
				return false;
			}

			const recovered = failing.delete(name) && outcome === 'answered';
			if (outcome === 'answered') for (const other of failing.values()) other.othersAnswer ||= other.first <= begun;
			return recovered;
		},
		/**
		 * Whether a more frequent poll detects for `name`, which fails, when the exchange is back: nothing has answered since
		 * `name` began to fail, or for long.
		 */
		hasProbe(name: Name): boolean {
			const failure = failing.get(name);
			if (!failure || (failure.othersAnswer && !isSilent())) return false;
			const candidates = polled().filter(each => !unavailable.has(each));
			const [probe] = candidates.toSorted((a, b) => intervalOf(a) - intervalOf(b));
			return probe !== undefined && probe !== name;
		},
		/** It is polled no more. */
		forget(name: Name): void {
			failing.delete(name);
			unavailable.delete(name);
		},
	};
}
