import type {Operation} from '../../client/errors.ts';
import {operationOf} from '../../client/middleware.ts';
import type {Interface, ReadFailure} from '../../market/types.ts';
import {arrivedAt, type Resource} from '../../store/resource.ts';
import type {MarketState} from '../../store/state.ts';

/** What a watch polls for each of its markets. */
export const watchedResources = ['tickers', 'depth', 'trades', 'candles'] as const;
const failingResources = [...watchedResources, 'markets'] as const;
type FailingName = (typeof failingResources)[number];

/**
 * What a failure leaves. `nothing`: the data becomes stale or never came. `part`: a book without bids, or a list without the
 * market's ticker. `other`: the answer of the other interface.
 */
type Left = 'nothing' | 'part' | 'other';

/** Absent `error`: a request is unanswered, but has not failed yet. */
type Lasting = {
	/** The last error. */
	readonly error?: ReadFailure | undefined;
	/** When the first wait or failure began that has lasted since, epoch ms. */
	readonly since: number;
	/** When the next try is due; absent: the poll itself did not fail, or is not tried again. */
	readonly retryAt?: number | undefined;
};

/**
 * `waits`: a request is unanswered for long. `began`: it failed. `again`: another poll failed, or waits for the rate limit.
 * `ended`: `error` is the last one, if any poll failed.
 */
export type FailureChange = Lasting & {
	readonly change: 'waits' | 'began' | 'again' | 'ended';
	readonly operation: Operation;
	readonly left: Left;
	/** Of `began`: a wait came before it. */
	readonly hasWaited: boolean;
	/** Of the data that is kept, or after the end the new data: its interface and when it was received; absent: there is none. */
	readonly kept?:
		| {readonly interface: Interface; readonly receivedAt: number; readonly serverTime?: number | undefined}
		| undefined;
};

export type FailureChanges = (state: MarketState, time: number) => readonly FailureChange[];

/**
 * Finds the failures of a market that began, go on with another error or ended since its last state, and the requests that
 * began to be late. A wait, for an answer or for the rate limit (kind `held`), and the failure after it are one.
 */
export function createFailureChanges(): FailureChanges {
	const lasting = new Map<string, Lasting>();

	function changeOf(
		state: MarketState,
		name: FailingName,
		left: Left,
		current: Lasting | undefined,
	): FailureChange | undefined {
		const key = `${name} ${left}`;
		const old = lasting.get(key);
		const resource = state[name];
		const kept = resource.status === 'ready' ? resource : undefined;
		const context = {operation: operationOf(name), left, hasWaited: old !== undefined && isWait(old), kept};
		if (current) {
			if (old && isSame(current.error, old.error)) return undefined;
			const failure = {...current, since: Math.min(old?.since ?? Infinity, current.since)};
			lasting.set(key, failure);
			if (!failure.error) return {...failure, ...context, change: 'waits'};
			const isFirst = !old || (isWait(old) && !isWait(failure));
			return {...failure, ...context, change: isFirst ? 'began' : 'again'};
		}

		// A request that was given up is sent again, and still waits.
		if (!old || !kept || (!old.error && arrivedAt(kept) < old.since)) return undefined;
		lasting.delete(key);
		return {...old, ...context, change: 'ended'};
	}

	return (state, time) =>
		failingResources.flatMap(name => {
			// What the end of a failure leaves has lasted since its beginning.
			const since = lasting.get(`${name} nothing`)?.since ?? time;
			const whole = failureOf(state[name]) ?? lateRequest(state, name);
			const dated = (error: ReadFailure | undefined) => error && {error, since};
			return [
				changeOf(state, name, 'nothing', whole) ?? [],
				changeOf(state, name, 'part', dated(missingPart(state, name))) ?? [],
				changeOf(state, name, 'other', dated(preferredFailure(state[name]))) ?? [],
			].flat();
		});
}

const isWait = ({error}: Lasting): boolean => !error || error.kind === 'held';

/** A ticker that stays absent is one failure; every other error is that of a request. */
const isSame = (error: ReadFailure | undefined, old: ReadFailure | undefined): boolean =>
	error === old || (error?.kind === 'absent' && error.message === old?.message);

function lateRequest({pending}: MarketState, name: FailingName): Lasting | undefined {
	const since = pending[name];
	return since === undefined ? undefined : {since};
}

function missingPart(state: MarketState, name: FailingName): ReadFailure | undefined {
	if (name === 'tickers') return tickerErrorOf(state);
	return name === 'depth' ? bidsErrorOf(state.depth) : undefined;
}

const preferredFailure = (resource: Resource<unknown>): ReadFailure | undefined =>
	resource.status === 'ready' ? resource.preferredFailure : undefined;

/** How the interface that has bids failed; undefined: the book shows bids, or none can be had. */
export const bidsErrorOf = (depth: MarketState['depth']): ReadFailure | undefined =>
	depth.status === 'ready' && !depth.data.bids ? depth.data.bidsFailure : undefined;

/** That the answer has no ticker of the market, or none that can be read; undefined: it has, or there is no answer yet. */
export function tickerErrorOf({symbol, tickers}: MarketState): ReadFailure | undefined {
	if (tickers.status !== 'ready' || symbol === undefined || tickers.data.has(symbol)) return undefined;
	const brief = tickers.dropped > 0 ? 'no readable ticker' : 'no ticker';
	const where = {interface: tickers.interface, operation: 'ticker'};
	return {
		...where,
		kind: 'absent',
		brief,
		message: `${brief} for ${symbol} (${tickers.interface} ticker)`,
	};
}

/** Why the last request failed or must not be sent yet; undefined: it did not fail. */
export const failureOf = (resource: Resource<unknown>) =>
	resource.status === 'waiting' ? resource.held : resource.failure;
