import type {Clock} from '../market/clock.ts';
import type {Period} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import {type Ready, type Resource, unusable, waiting} from '../store/resource.ts';
import {answerTo, type MarketsData, type Needed, needKey} from './market-data.ts';

/** How old answers are, whatever this computer's clock is set to. */
export type Ages = ReturnType<typeof createAges>;

type Taken = {
	readonly needed: Needed;
	readonly answer: Ready<unknown>;
	/** When it came, by `passed`. */
	readonly at: number;
	/** Whether the clock was set since, or the computer slept. */
	isBeforeLeap: boolean;
};

/** If a call is later than this, the computer slept or its clock was set. */
const leastLeapMs = 10 * secondMs;

export function createAges(clock: Clock) {
	let taken: ReadonlyMap<string, Taken> = new Map();
	let lookedAt = clock.now();
	let passed = 0;
	/** How far the clock went at once, until an answer shows why. */
	let leapMs = 0;

	function afterLook(needed: Needed, data: MarketsData): Taken | undefined {
		const before = taken.get(needKey(needed));
		const answer = answerTo(data, needed);
		if (!answer || answer.receivedAt === before?.answer.receivedAt) return before;
		return {needed, answer, at: passed - Math.max(clock.now() - answer.receivedAt, 0), isBeforeLeap: false};
	}

	return {
		/** Ms that have passed, with the sleep of the computer. */
		passed: (): number => passed,
		/** Ms since the answer; undefined: there was none. */
		of(needed: Needed): number | undefined {
			const last = taken.get(needKey(needed));
			return last && passed - last.at;
		},
		/** Takes note of the time, every second. */
		look(): void {
			const ms = clock.now() - lookedAt;
			lookedAt += ms;
			// While no rule is judged, nobody looks.
			if (Math.abs(ms) < leastLeapMs || taken.size === 0) {
				passed += Math.max(ms, 0);
				return;
			}

			leapMs += ms;
			for (const each of taken.values()) each.isBeforeLeap = true;
		},
		/**
		 * Whether the computer slept, to be called after each look. It shows with the first answer after the sleep,
		 * and ages are still those of the answers before it.
		 */
		slept(data: MarketsData): boolean {
			if (leapMs === 0) return false;
			for (const {needed, answer} of taken.values()) {
				const next = answerTo(data, needed);
				if (!next || next.receivedAt === answer.receivedAt) continue;
				const sleptMs = isApart(answer, next, leapMs) ? leapMs : 0;
				leapMs = 0;
				passed += sleptMs;
				return sleptMs > 0;
			}

			return false;
		},
		/** Takes note of the answers. */
		take(needs: readonly Needed[], data: MarketsData): void {
			const next = needs.map(needed => [needKey(needed), afterLook(needed, data)] as const);
			taken = new Map(next.flatMap(([key, of]) => (of ? [[key, of] as const] : [])));
		},
		/**
		 * The markets without what is older than `mostMs` or, as the clock was set or the computer slept since, of unknown age.
		 * `whyOld`: why data is older.
		 */
		withoutOld(data: MarketsData, mostMs: number, whyOld: (needed: Needed) => string): MarketsData {
			function unlessOld<T>(resource: Resource<T>, needed: Needed): Resource<T> {
				const last = taken.get(needKey(needed));
				if (!last || resource.status !== 'ready') return resource;
				if (last.isBeforeLeap) return waiting;
				const isOld = passed - last.at >= mostMs && !resource.failure;
				return isOld ? unusable(resource, {brief: whyOld(needed), since: resource.receivedAt}) : resource;
			}

			const current = [...data].map(([market, {state, candlesOf, linesOf}]) => {
				const {tickers, depth, trades: tape} = state;
				const usable = {
					tickers: unlessOld(tickers, {ask: 'tickers', market}),
					depth: unlessOld(depth, {ask: 'depth', market}),
					trades: unlessOld(tape, {ask: 'trades', market}),
				};
				return [
					market,
					{
						state: {...state, ...usable},
						candlesOf: (period: Period) => unlessOld(candlesOf(period), {ask: 'candles', market, period}),
						linesOf,
						facts: new Map(),
					},
				] as const;
			});
			return new Map(current);
		},
	};
}

/** Whether most of `ms` passed by the exchange's clock too, or it is not known. */
function isApart(before: Ready<unknown>, after: Ready<unknown>, ms: number): boolean {
	if (ms < 0) return false;
	if (before.serverTime === undefined || after.serverTime === undefined) return true;
	return before.interface !== after.interface || after.serverTime - before.serverTime >= ms / 2;
}
