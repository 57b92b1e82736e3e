import {type Words, wordsFor} from '../client/messages.ts';
import {formatOffset} from '../format/time.ts';
import type {Resource} from './resource.ts';
import type {MarketState} from './state.ts';

/** As an answer can take seconds, a clock that seems off by less than this may be right. */
const leastSkewMs = 10_000;

/** How far the exchange's clock is ahead of ours, minus the time that the answer took; undefined if it has no time. */
const apartMs = (resource: Resource<unknown>): number | undefined =>
	resource.status !== 'ready' || resource.serverTime === undefined
		? undefined
		: resource.serverTime - resource.receivedAt;

/** The exchange's time at `now` (epoch ms by our clock); `now` itself if the answer has no time. */
export const exchangeTime = (resource: Resource<unknown>, now: number): number => now + (apartMs(resource) ?? 0);

/** The largest clock error among these resources, in ms ahead of ours (below 0: behind); undefined: all are right. */
export function clockSkew(resources: readonly Resource<unknown>[]): number | undefined {
	const wrong = resources.flatMap(resource => {
		const ms = apartMs(resource) ?? 0;
		return Math.abs(ms) < leastSkewMs ? [] : ms;
	});
	return wrong.length === 0 ? undefined : wrong.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
}

/** The clock error among the resources that are polled often. */
export const liveSkew = ({depth, tape, tickers, candles}: MarketState): number | undefined =>
	clockSkew([depth, tape, tickers, candles]);

/** The words for a clock that is `skewMs` ahead of ours, or (below 0) behind. */
export const clockWords = (skewMs: number): Words => wordsFor('clock', formatOffset(skewMs));
