import type {Operation} from '../client/errors.ts';
import type {Outcome} from '../client/exchange.ts';
import {percentile} from '../market/numbers.ts';
import type {Interface} from '../market/types.ts';

/** How one operation of one interface has performed since the start. Aborted requests are not counted. */
export type OperationHealth = {
	readonly operation: Operation;
	readonly interface: Interface;
	readonly requests: number;
	readonly failures: number;
	/** Whether the last request failed. */
	readonly failing: boolean;
	/** Time from sending the request to the decoded answer: of the last good answer, and percentiles of the last 100. */
	readonly lastMs?: number | undefined;
	readonly p50Ms?: number | undefined;
	readonly p95Ms?: number | undefined;
	/** Size of the last good answer, as sent. */
	readonly bytes?: number | undefined;
	/** Entries dropped so far. */
	readonly dropped: number;
	/** Good answers that a cache had kept, and how old the last one was when it came. Absent: no cache is known. */
	readonly cache?: {readonly hits: number; readonly lastAgeMs: number} | undefined;
	readonly lastError?: {readonly text: string /** Epoch ms. */; readonly at: number} | undefined;
};

/** v2 first, each interface in the order of its first requests. Immutable. */
export type Diagnosis = readonly OperationHealth[];

export type DiagnosisStore = ReturnType<typeof createDiagnosis>;

type Entry = OperationHealth & {readonly durations: readonly number[]};

/** How many latencies of an operation are kept. */
const mostDurations = 100;

/** Counts and times every request that `observe` gets. */
export function createDiagnosis() {
	const entries = new Map<string, Entry>();
	let snapshot: Diagnosis = [];

	return {
		observe(outcome: Outcome): void {
			const key = `${outcome.interface} ${outcome.operation}`;
			entries.set(key, after(entries.get(key) ?? withoutRequests(outcome), outcome));
			const all = [...entries.values()].map(({durations, ...health}) => health);
			snapshot = (['v2', 'legacy'] as const).flatMap(name => all.filter(health => health.interface === name));
		},
		getSnapshot: (): Diagnosis => snapshot,
	};
}

const withoutRequests = ({operation, interface: source}: Outcome): Entry => ({
	operation,
	interface: source,
	requests: 0,
	failures: 0,
	failing: false,
	dropped: 0,
	durations: [],
});

function after(entry: Entry, {error, startedAt, durationMs, bytes, dropped, cache}: Outcome): Entry {
	const counted = {...entry, requests: entry.requests + 1, failing: error !== undefined};
	if (error) {
		const lastError = {text: error.brief, at: startedAt + durationMs};
		return {...counted, failures: entry.failures + 1, lastError};
	}

	const hits = (entry.cache?.hits ?? 0) + (cache?.isHit ? 1 : 0);
	const durations = [...entry.durations, durationMs].slice(-mostDurations);
	return {
		...counted,
		durations,
		lastMs: durationMs,
		p50Ms: percentile(durations, 0.5),
		p95Ms: percentile(durations, 0.95),
		bytes,
		dropped: entry.dropped + dropped,
		...(cache && {cache: {hits, lastAgeMs: cache.ageMs}}),
	};
}
