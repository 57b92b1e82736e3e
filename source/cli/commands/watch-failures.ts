import type {Operation} from '../../client/errors.ts';
import type {Interface, ReadFailure} from '../../market/types.ts';
import type {Resource} from '../../store/resource.ts';
import type {MarketState} from '../../store/state.ts';

/** What a watch polls for each of its markets. */
export const watchedResources = ['tickers', 'depth', 'tape', 'candles'] as const;
type WatchedName = (typeof watchedResources)[number];

/** Absent `error`: a request is unanswered, but has not failed yet. */
type Lasting = {
	/** The last error. */
	readonly error?: ReadFailure | undefined;
	/** When the first of these failures happened, or the unanswered request was sent, epoch ms. */
	readonly since: number;
	/** When the next try is due; absent: the poll itself did not fail, or is not tried again. */
	readonly retryAt?: number | undefined;
};

/**
 * `waits`: a request is unanswered for long. `began` and `again`: another poll failed. `ended`: `error` is the last one, if
 * any poll failed.
 */
export type FailureChange = Lasting & {
	readonly change: 'waits' | 'began' | 'again' | 'ended';
	readonly operation: Operation;
	/** Of `depth`: only the interface that has bids failed. */
	readonly onlyBids: boolean;
	/** Of `began`: a change `waits` came before it. */
	readonly hasWaited: boolean;
	/** Of the data that is kept, or after the end the new data: its interface and when it was received; absent: there is none. */
	readonly kept?: {readonly interface: Interface; readonly receivedAt: number} | undefined;
};

export type FailureChanges = (state: MarketState, time: number) => readonly FailureChange[];

/**
 * Finds the failures of a market that began, go on with another error or ended since its last state, and the requests that
 * began to be late. A wait for the rate limit, of kind `held`, is a failure of its own.
 */
export function createFailureChanges(): FailureChanges {
	const lasting = new Map<WatchedName | 'bids', Lasting>();
	return (state, time) =>
		[...watchedResources, 'bids' as const].flatMap((name): readonly FailureChange[] => {
			const onlyBids = name === 'bids';
			const resource = onlyBids ? state.depth : state[name];
			const old = lasting.get(name);
			const current = onlyBids
				? bidsFailure(state.depth, old?.since ?? time)
				: (failureOf(resource) ?? lateRequest(state, name));
			const kept = resource.status === 'ready' ? resource : undefined;
			const hasWaited = old !== undefined && old.error === undefined;
			const context = {operation: operations[name], onlyBids, hasWaited, kept};
			if (current) {
				if (old && current.error === old.error) return [];
				lasting.set(name, current);
				if (!current.error) return [{...current, ...context, change: 'waits'}];
				const isSame = old?.since === current.since && old.error?.kind !== 'held';
				return [{...current, ...context, change: isSame ? 'again' : 'began'}];
			}

			// A request that was given up is sent again, and still waits.
			if (!old || !kept || (hasWaited && kept.receivedAt < old.since)) return [];
			lasting.delete(name);
			return [{...old, ...context, change: 'ended'}];
		});
}

const operations = {tickers: 'ticker', depth: 'depth', bids: 'depth', tape: 'trades', candles: 'candles'} as const;

function lateRequest({pending}: MarketState, name: WatchedName): Lasting | undefined {
	const since = pending[name];
	return since === undefined ? undefined : {since};
}

function bidsFailure(depth: MarketState['depth'], since: number): Lasting | undefined {
	const error = bidsErrorOf(depth);
	return error && {error, since};
}

/** How the interface that has bids failed; undefined: the book shows bids, or none can be had. */
export const bidsErrorOf = (depth: MarketState['depth']): ReadFailure | undefined =>
	depth.status === 'ready' && !depth.data.bids ? depth.data.bidsFailure : undefined;

export const failureOf = (resource: Resource<unknown>) =>
	resource.status === 'waiting' ? undefined : resource.failure;
