import type {AnsweredRead, ReadOutcome} from './read-outcome.ts';

/** Series of candles, which are kept per market and period. */
const mostReads = 50;

/** The last answers to reads that are not repeated soon: a recording that begins later would lack them. */
export type LatestReads = {
	add(outcome: ReadOutcome): void;
	/** In the order in which they were known. */
	all(): readonly AnsweredRead[];
};

export function createLatestReads(): LatestReads {
	const reads = new Map<string, AnsweredRead>();
	return {
		add(outcome) {
			// Books and trades are read each second.
			if ('failure' in outcome || outcome.operation === 'depth' || outcome.operation === 'trades') return;
			const key = outcome.operation === 'candles' ? `${outcome.symbol} ${outcome.period}` : outcome.operation;
			reads.delete(key);
			reads.set(key, outcome);
			const [oldest = key] = reads.keys();
			if (reads.size > mostReads) reads.delete(oldest);
		},
		all: () => [...reads.values()],
	};
}
