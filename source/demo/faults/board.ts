import type {Clock} from '../../market/clock.ts';
import type {OperationName} from '../operations.ts';
import {hashText, Random} from '../random.ts';
import {type FaultRule, isAbout} from './rule.ts';
import type {FaultName} from './table.ts';

/** A rule in force. */
type ActiveFault = {
	readonly rule: FaultRule;
	/** Epoch ms; absent: until it is taken away. */
	readonly until: number | undefined;
	/** Requests that have met it. */
	readonly requests: number;
};

/** One request's meeting with a fault. */
type Strike = {
	readonly fault: FaultName;
	/** For what the fault leaves to chance. */
	readonly random: Random;
	/** Settles when the rule ends. */
	readonly ended: Promise<void>;
};

type Entry = {
	readonly rule: FaultRule;
	readonly until: number | undefined;
	readonly random: Random;
	readonly ended: Promise<void>;
	end(): void;
	requests: number;
};

/** The faults in force. Which requests a share hits depends on the seed and their order alone. */
export class FaultBoard {
	readonly #seed: number;
	readonly #clock: Clock;
	readonly #entries = new Set<Entry>();

	constructor(seed: number, clock: Clock) {
		this.#seed = seed;
		this.#clock = clock;
	}

	/** Of several faults that hit a request the one that was set first counts. */
	add(rule: FaultRule): void {
		const {promise, resolve} = Promise.withResolvers<void>();
		const {forMs} = rule;
		let cancelTimer = () => {};
		const entry: Entry = {
			rule,
			until: forMs === undefined ? undefined : this.#clock.now() + forMs,
			random: new Random(hashText(`${this.#seed} ${rule.on} ${rule.fault}`)),
			ended: promise,
			end: () => {
				cancelTimer();
				this.#entries.delete(entry);
				resolve();
			},
			requests: 0,
		};
		if (forMs !== undefined) cancelTimer = this.#clock.after(forMs, entry.end);
		this.#entries.add(entry);
	}

	clear(): void {
		for (const entry of [...this.#entries]) entry.end();
	}

	list(): readonly ActiveFault[] {
		return [...this.#entries].map(({rule, until, requests}) => ({rule, until, requests}));
	}

	/** What a request of this operation meets; absent: nothing. */
	strike(operation: OperationName): Strike | undefined {
		const entry = this.#entries
			.values()
			.find(({rule, random}) => isAbout(rule, operation) && random.uniform() < (rule.share ?? 1));
		if (!entry) return undefined;
		entry.requests++;
		return {fault: entry.rule.fault, random: entry.random, ended: entry.ended};
	}
}
