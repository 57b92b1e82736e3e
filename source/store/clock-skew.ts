import {type Words, wordsFor} from '../client/messages.ts';
import type {Ask} from '../client/question.ts';
import {formatOffset} from '../format/time.ts';
import {resourceNames} from './polling.ts';
import type {Resource} from './resource.ts';
import type {MarketState} from './state.ts';

/** As an answer can take seconds, a clock that seems off by less than this may be right. */
const leastSkewMs = 10_000;

/** How far the exchange's clock is ahead of ours, minus the time that the answer took; undefined if it has no time. */
const apartMs = (resource: Resource<unknown>): number | undefined =>
	resource.status !== 'ready' || resource.serverTime === undefined
		? undefined
		: resource.serverTime - resource.receivedAt + (resource.clockSetMs ?? 0);

/** The largest clock error among these resources, in ms ahead of ours (below 0: behind); undefined: all are right. */
export function clockSkew(resources: readonly Resource<unknown>[]): number | undefined {
	const wrong = resources.flatMap(resource => {
		const ms = apartMs(resource) ?? 0;
		return Math.abs(ms) < leastSkewMs ? [] : ms;
	});
	return wrong.length === 0 ? undefined : wrong.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
}

/**
 * `after` with the clock errors as they are now: where an answer shows another error than the one before it, this computer's
 * clock or the exchange's was set, and the other answers with the error before have the new one.
 */
export function withClockSet(before: MarketState, after: MarketState): MarketState {
	let state = after;
	for (const name of resourceNames) {
		const [old, answered] = [before[name], after[name]];
		if (old === answered || old.status !== 'ready' || answered.status !== 'ready') continue;
		if (old.receivedAt === answered.receivedAt && old.serverTime === answered.serverTime) {
			if (old.clockSetMs !== answered.clockSetMs) state = {...state, [name]: {...answered, clockSetMs: old.clockSetMs}};
			continue;
		}

		const [wasMs, isMs] = [apartMs(old), apartMs(answered)];
		// A frozen clock goes wrong by itself, and each interface may have its own.
		if (wasMs === undefined || isMs === undefined || answered.failure || old.interface !== answered.interface) continue;
		if (Math.abs(isMs - wasMs) >= leastSkewMs) state = {...state, ...othersSet(state, name, wasMs, isMs)};
	}

	return state;
}

function othersSet(state: MarketState, answered: Ask, wasMs: number, isMs: number): Partial<MarketState> {
	const set = (name: Ask) => {
		const resource = state[name];
		const ms = apartMs(resource);
		const isSameClock = name !== answered && ms !== undefined && Math.abs(ms - wasMs) < leastSkewMs;
		if (!isSameClock || resource.status !== 'ready') return [];
		return [[name, {...resource, clockSetMs: (resource.clockSetMs ?? 0) + isMs - wasMs}]] as const;
	};
	return Object.fromEntries(resourceNames.flatMap(set));
}

/** The clock error among the resources that are polled often. */
export const liveSkew = ({depth, trades: tape, tickers, candles}: MarketState): number | undefined =>
	clockSkew([depth, tape, tickers, candles]);

/** The words for a clock that is `skewMs` ahead of ours, or (below 0) behind. */
export const clockWords = (skewMs: number): Words => wordsFor('clock', formatOffset(skewMs));
