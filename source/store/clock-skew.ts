import {type Words, wordsFor} from '../client/messages.ts';
import {formatOffset} from '../format/time.ts';
import type {Resource} from './resource.ts';
import type {MarketState} from './state.ts';

/** An answer can be under way for seconds: a clock that seems off by less than this may be right. */
const leastSkewMs = 10_000;

/** How far the clock of the exchange is ahead of ours by the answer's word, less the time that the answer took; absent: it says no time. */
const apartMs = (resource: Resource<unknown>): number | undefined =>
	resource.status !== 'ready' || resource.serverTime === undefined
		? undefined
		: resource.serverTime - resource.receivedAt;

/** What time it is by the exchange's clock when it is `now` (epoch ms) by ours; the same where it says no time. */
export const exchangeTime = (resource: Resource<unknown>, now: number): number => now + (apartMs(resource) ?? 0);

/** The most that the clock behind any of these is ahead of ours (below 0: behind), in ms; absent: all seem right. */
export function clockSkew(resources: readonly Resource<unknown>[]): number | undefined {
	const wrong = resources.flatMap(resource => {
		const ms = apartMs(resource) ?? 0;
		return Math.abs(ms) < leastSkewMs ? [] : ms;
	});
	return wrong.length === 0 ? undefined : wrong.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
}

/** The same of what is polled often. */
export const liveSkew = ({depth, tape, tickers, candles}: MarketState): number | undefined =>
	clockSkew([depth, tape, tickers, candles]);

/** What is said of a clock that is so many ms ahead of ours, or (below 0) behind. */
export const clockWords = (skewMs: number): Words => wordsFor('clock', formatOffset(skewMs));
