import {aheadMs, type Bounds, stampsAheadMs} from '../market/trade-clock.ts';
import type {Resource} from './resource.ts';

const unbounded: Bounds = {least: -Infinity, most: Infinity};

/**
 * The time by the clock that dates the trades when it is `at` by ours, both epoch ms: up to then all trades are known that were
 * in the last answer. Candles, windows, rates and rules are measured by it. Without trades it is the earlier of our time and that
 * of the answer's stamp.
 */
export function tradeTime(resource: Resource<unknown>, at: number): number {
	if (resource.status !== 'ready') return at;
	const {tradeClock, serverTime = resource.receivedAt, receivedAt} = resource;
	return at + aheadMs(tradeClock?.ahead ?? unbounded, serverTime - receivedAt);
}

/** How far the stamps of answers are ahead of the trades' own times, in ms (below 0: behind); undefined: less than 2 s, or unknown. */
export const stampsAhead = (resource: Resource<unknown>): number | undefined =>
	resource.status === 'ready' && resource.tradeClock ? stampsAheadMs(resource.tradeClock.stamps) : undefined;
