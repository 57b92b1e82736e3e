import type {Tape} from '../market/tape.ts';
import type {Failure, Resource} from '../store/resource.ts';
import type {KnownMarkets} from './news.ts';
import {type Data, type KnownMarket, resourceOf} from './quantity-values.ts';

export type Answer = Resource<unknown> & {readonly status: 'ready'};

/** The last answer, stale or not; undefined: there was none. */
export function answerOf(known: KnownMarket | undefined, data: Data): Answer | undefined {
	const resource = known && resourceOf(known, data);
	return resource?.status === 'ready' ? resource : undefined;
}

/** The last answer for the market of this key, stale or not; undefined: there was none. */
export const answerIn = (known: KnownMarkets, market: string, data: Data): Answer | undefined =>
	answerOf(known.get(market), data);

/** Whether there was an answer, and no refresh has failed since. */
export function isFresh(known: KnownMarkets, market: string, data: Data): boolean {
	const answer = answerIn(known, market, data);
	return answer !== undefined && !answer.failure;
}

/** Why there is no answer, or no newer one; undefined: none was expected so far. */
export function failureIn(known: KnownMarkets, market: string, data: Data): Failure | undefined {
	const of = known.get(market);
	const resource = of && resourceOf(of, data);
	return resource?.status === 'waiting' ? resource.held : resource?.failure;
}

export function tapeIn(known: KnownMarkets, market: string): Tape | undefined {
	const tape = known.get(market)?.state.trades;
	return tape?.status === 'ready' ? tape.data : undefined;
}
