import type {Condition} from '../../alerts/condition.ts';
import type {ConditionWatch, Met} from '../../alerts/condition-watch.ts';
import {printCondition} from '../../alerts/print-condition.ts';
import type {Clock} from '../../market/clock.ts';
import {symbolKey} from '../../market/symbol.ts';
import {dayMs} from '../../market/units.ts';
import type {MarketState, MarketStore} from '../../store/state.ts';
import {exitStatus} from '../exit.ts';
import type {Output} from '../output.ts';
import {type JudgedRules, judgeRules, type RulesJudging} from './judge-rules.ts';
import type {WatchRules} from './watch-rules.ts';

/** When a watch ends by itself. */
export type WatchLimits = {
	readonly until?: Condition | undefined;
	readonly forMs?: number | undefined;
};

export type WatchEnd = {readonly reason: 'met'; readonly met: Met} | {readonly reason: 'time'};

/** Ages grow while no store changes. */
const checkMs = 1000;

/**
 * Calls `onEnd` once: when the condition is met (checked on every change and every second), or the time runs out, whichever
 * comes first. Returns the function that cancels this.
 */
export function onWatchEnd(
	{until, forMs, judged}: WatchLimits & {readonly judged?: ConditionWatch | undefined},
	stores: readonly MarketStore[],
	clock: Clock,
	onEnd: (end: WatchEnd) => void,
): () => void {
	const cancels: (() => void)[] = [];
	const stop = () => {
		for (const cancel of cancels.splice(0)) cancel();
	};
	const end = (reason: WatchEnd) => {
		stop();
		onEnd(reason);
	};
	if (forMs !== undefined) cancels.push(afterLong(clock, forMs, () => end({reason: 'time'})));
	if (until && judged) {
		const check = () => {
			const met = judged.met(snapshotsOf(stores), clock.now());
			if (met) end({reason: 'met', met});
		};
		cancels.push(
			onEachChange(stores, () => check),
			every(clock, checkMs, check),
			judged.subscribe(check),
			judged.stop,
		);
	}

	return stop;
}

type WatchedAlerts = Omit<RulesJudging, 'stated' | 'memory' | 'marketsOf'> & {readonly rules: WatchRules};

/** Judges the rules for the markets of these stores, among others, and calls the user. */
export function judgeWatchRules(stores: readonly MarketStore[], {rules, ...judging}: WatchedAlerts): JudgedRules {
	return judgeRules(stores, {
		...{...judging, ...rules},
		marketsOf(scope) {
			if (scope.type === 'favourites') return rules.favourites;
			if (scope.type === 'list') return rules.lists.get(scope.name) ?? [];
			return snapshotsOf(stores).flatMap(({symbol}) => (symbol === undefined ? [] : symbolKey(symbol)));
		},
	});
}

/** Judges the rules, if there are some, until the returned function is called; it settles when all is saved. */
export function onAlerts(stores: readonly MarketStore[], options: WatchedAlerts): () => Promise<void> {
	return options.rules.stated.length === 0 ? async () => {} : judgeWatchRules(stores, options).stop;
}

/** The exit status of a watch that ended by itself; notes a condition that was not met in time. */
export function statusAtEnd(end: WatchEnd, {until}: WatchLimits, {note}: Pick<Output, 'note'>): number {
	if (end.reason === 'met' || !until) return exitStatus.done;
	note(`--until was not met within --for: ${printCondition(until)}`);
	return exitStatus.timedOut;
}

export const snapshotsOf = (stores: readonly MarketStore[]): readonly MarketState[] =>
	stores.map(store => store.getSnapshot());

/**
 * Calls a listener of each store's own, made by `listenerOf`, with the store's snapshot after each change. Returns the
 * function that unsubscribes all.
 */
export function onEachChange(
	stores: readonly MarketStore[],
	listenerOf: () => (state: MarketState) => void,
): () => void {
	const unsubscribes = stores.map(store => {
		const listener = listenerOf();
		return store.subscribe(() => listener(store.getSnapshot()));
	});
	return () => {
		for (const unsubscribe of unsubscribes) unsubscribe();
	};
}

function every(clock: Clock, ms: number, callback: () => void): () => void {
	let cancel = () => {};
	const schedule = () => {
		cancel = clock.after(ms, () => {
			schedule();
			callback();
		});
	};
	schedule();
	return () => cancel();
}

/** A timer lasts at most 2³¹ ms, less than 25 days. */
const longestTimerMs = dayMs;

/** Calls `callback` once after `ms`, which may be longer than a timer can last. Returns the function that cancels this. */
function afterLong(clock: Clock, ms: number, callback: () => void): () => void {
	let cancel = () => {};
	const wait = (leftMs: number) => {
		const nowMs = Math.min(leftMs, longestTimerMs);
		cancel = clock.after(nowMs, () => (leftMs > nowMs ? wait(leftMs - nowMs) : callback()));
	};
	wait(ms);
	return () => cancel();
}
