import type {FaultName} from '../../source/demo/faults/table.ts';
import type {OperationName} from '../../source/demo/operations.ts';
import type {Failure, Resource} from '../../source/store/resource.ts';
import {ready} from './outcomes.ts';

export type CellId = {readonly fault: FaultName; readonly operation: OperationName};

const slowFaults: ReadonlySet<FaultName> = new Set(['hang', 'drip', 'status-429', 'status-429-wait']);
/** Seconds that a fault lasts: several failures, whatever the backoff and the deadline. */
export const faultSecondsOf = (fault: FaultName): number => (slowFaults.has(fault) ? 12 : 4);
/** How often one request can be sent: after a reset on a reused connection the client sends it again, at most twice. */
export const sendsOf = (fault: FaultName): number => (fault === 'reset' ? 3 : 1);
/** Between the starts of two polls of everything. */
export const pollMs = 1000;
export const intervals = {depth: pollMs, trades: pollMs, tickers: pollMs, candles: pollMs, markets: pollMs};

/** These hit all operations, as they share the port or the budget. */
export const hitsAll = ({fault}: CellId): boolean =>
	fault === 'refuse' || fault === 'status-429' || fault === 'status-429-wait';

export function demand(holds: boolean, offence: string): void {
	if (!holds) throw new Error(offence);
}

export function isFresh(resource: Resource<unknown>): boolean {
	return resource.status === 'ready' && resource.failure === undefined;
}

function failureOf(resource: Resource<unknown>): Failure | undefined {
	return resource.status === 'waiting' ? undefined : resource.failure;
}

export const receivedAtOf = (resource: Resource<unknown>): number => ready(resource).receivedAt;

export const briefOf = (resource: Resource<unknown>): string => failureOf(resource)?.error.brief ?? 'nothing';
