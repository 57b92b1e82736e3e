import type {Clock} from '../market/clock.ts';
import type {Period} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import {type Resource, unusable, waiting} from '../store/resource.ts';
import type {Needed} from './alert-event.ts';
import {type Answer, answerOf} from './answers.ts';
import type {Needs} from './needs.ts';
import type {KnownMarkets} from './news.ts';
import type {Data, KnownMarket} from './quantity-values.ts';

/** How old answers are, whatever this computer's clock is set to. */
export type Ages = {
	/** Ms that have passed, with the sleep of the computer. */
	passed(): number;
	/** Ms since the answer; undefined: there was none. */
	of(market: string, data: Data): number | undefined;
	/** Takes note of the time, every second. */
	look(): void;
	/**
	 * Whether the computer slept, to be called after each look. It shows with the first answer after the sleep,
	 * and ages are still those of the answers before it.
	 */
	slept(known: KnownMarkets): boolean;
	/** Takes note of the answers. */
	take(needs: Needs, known: KnownMarkets): void;
	/**
	 * The markets without what is older than `mostMs` or, as the clock was set or the computer slept since, of unknown age.
	 * `whyOld`: why data is older.
	 */
	withoutOld(known: KnownMarkets, mostMs: number, whyOld: (needed: Needed) => string): KnownMarkets;
};

type Taken = {
	readonly market: string;
	readonly data: Data;
	readonly answer: Answer;
	/** When it came, by `passed`. */
	readonly at: number;
	/** Whether the clock was set since, or the computer slept. */
	isBeforeLeap: boolean;
};

type Old = {readonly mostMs: number; readonly whyOld: (needed: Needed) => string};

/** If a call is later than this, the computer slept or its clock was set. */
const leastLeapMs = 10 * secondMs;

export function createAges(clock: Clock): Ages {
	let taken: ReadonlyMap<string, ReadonlyMap<Data, Taken>> = new Map();
	let lookedAt = clock.now();
	let passed = 0;
	/** How far the clock went at once, until an answer shows why. */
	let leapMs = 0;

	const all = (): readonly Taken[] => [...taken.values()].flatMap(ofMarket => [...ofMarket.values()]);
	const takenOf = (market: string, data: Data): Taken | undefined => taken.get(market)?.get(data);

	function look() {
		const ms = clock.now() - lookedAt;
		lookedAt += ms;
		// While no rule is judged, nobody looks.
		if (Math.abs(ms) < leastLeapMs || taken.size === 0) {
			passed += Math.max(ms, 0);
			return;
		}

		leapMs += ms;
		for (const each of all()) each.isBeforeLeap = true;
	}

	function unlessOld<T>(market: string, data: Data, resource: Resource<T>, old: Old): Resource<T> {
		const {mostMs, whyOld} = old;
		const known = takenOf(market, data);
		if (!known || resource.status !== 'ready' || resource.receivedAt !== known.answer.receivedAt) return resource;
		if (known.isBeforeLeap) return waiting;
		const isOld = passed - known.at >= mostMs && !resource.failure;
		return isOld ? unusable(resource, {brief: whyOld({market, data}), since: resource.receivedAt}) : resource;
	}

	function afterLook(market: string, data: Data, known: KnownMarket | undefined): Taken | undefined {
		const before = takenOf(market, data);
		const answer = answerOf(known, data);
		if (!answer || answer.receivedAt === before?.answer.receivedAt) return before;
		const at = passed - Math.max(clock.now() - answer.receivedAt, 0);
		return {market, data, answer, at, isBeforeLeap: false};
	}

	return {
		passed: () => passed,
		of(market, data) {
			const known = takenOf(market, data);
			return known && passed - known.at;
		},
		look,
		slept(known) {
			if (leapMs === 0) return false;
			for (const {market, data, answer} of all()) {
				const next = answerOf(known.get(market), data);
				if (!next || next.receivedAt === answer.receivedAt) continue;
				const sleptMs = isApart(answer, next, leapMs) ? leapMs : 0;
				leapMs = 0;
				passed += sleptMs;
				return sleptMs > 0;
			}

			return false;
		},
		take(needs, known) {
			const next = ([market, names]: readonly [string, ReadonlySet<Data>]) => {
				const ofMarket = [...names].flatMap(data => afterLook(market, data, known.get(market)) ?? []);
				return [market, new Map(ofMarket.map(each => [each.data, each]))] as const;
			};
			taken = new Map([...needs].map(next));
		},
		withoutOld(known, mostMs, whyOld) {
			const old = {mostMs, whyOld};
			const current = ([key, market]: readonly [string, KnownMarket]) => {
				const {tickers, depth, trades: tape} = market.state;
				const state = {
					...market.state,
					tickers: unlessOld(key, 'tickers', tickers, old),
					depth: unlessOld(key, 'depth', depth, old),
					trades: unlessOld(key, 'trades', tape, old),
				};
				const candlesOf = (period: Period) => unlessOld(key, period, market.candlesOf(period), old);
				return [key, {state, candlesOf, facts: new Map()}] as const;
			};
			return new Map([...known].map(current));
		},
	};
}

/** Whether most of `ms` passed by the exchange's clock too, or it is not known. */
function isApart(before: Answer, after: Answer, ms: number): boolean {
	if (ms < 0) return false;
	if (before.serverTime === undefined || after.serverTime === undefined) return true;
	return before.interface !== after.interface || after.serverTime - before.serverTime >= ms / 2;
}
