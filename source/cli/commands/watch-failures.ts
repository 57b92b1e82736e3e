import type {ReadFailure} from '../../market/types.ts';
import type {Resource} from '../../store/resource.ts';
import type {MarketState} from '../../store/state.ts';

/** What a watch polls for each of its markets. */
export const watchedResources = ['tickers', 'depth', 'tape', 'candles'] as const;
type WatchedName = (typeof watchedResources)[number];

/** A failure that lasts: the last error, and when the first of them happened, epoch ms. */
type Lasting = {
	readonly error: ReadFailure;
	readonly since: number;
	/** When the next try is due; absent: the poll itself did not fail, or is not tried again. */
	readonly retryAt?: number | undefined;
};

/** `began` and `again`: another poll failed. `ended`: `error` is the last one. */
export type FailureChange = Lasting & {
	readonly change: 'began' | 'again' | 'ended';
	/** Of `depth`: only the interface that has bids failed. */
	readonly onlyBids: boolean;
	/** When the data that is kept, or after the end the new data, was received; absent: there is none. */
	readonly receivedAt: number | undefined;
};

export type FailureChanges = (state: MarketState, time: number) => readonly FailureChange[];

/**
 * Finds the failures of a market that began, go on with another error or ended since its last state. A wait for the rate
 * limit, of kind `held`, is a failure of its own.
 */
export function createFailureChanges(): FailureChanges {
	const lasting = new Map<WatchedName | 'bids', Lasting>();
	return (state, time) =>
		[...watchedResources, 'bids' as const].flatMap((name): readonly FailureChange[] => {
			const onlyBids = name === 'bids';
			const resource = onlyBids ? state.depth : state[name];
			if (resource.status === 'waiting') return [];
			const old = lasting.get(name);
			const now = onlyBids ? bidsFailure(state.depth, old?.since ?? time) : resource.failure;
			const context = {onlyBids, receivedAt: resource.status === 'ready' ? resource.receivedAt : undefined};
			if (!now) {
				if (!lasting.delete(name) || !old) return [];
				return [{...old, ...context, change: 'ended'}];
			}

			if (now.error === old?.error) return [];
			lasting.set(name, now);
			const isSame = old?.since === now.since && old.error.kind !== 'held';
			return [{...now, ...context, change: isSame ? 'again' : 'began'}];
		});
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
