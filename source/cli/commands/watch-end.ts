import {valuesText} from '../../alerts/alert-texts.ts';
import {createAlerts} from '../../alerts/alerts.ts';
import type {Condition} from '../../alerts/condition.ts';
import {printCondition} from '../../alerts/condition.ts';
import {createFeeds} from '../../alerts/feeds.ts';
import type {Alert} from '../../alerts/judged-rule.ts';
import {answerTo, failureOf, judgedDataOf} from '../../alerts/market-data.ts';
import type {Rule} from '../../alerts/rule.ts';
import type {Zone} from '../../format/zone.ts';
import type {Clock} from '../../market/clock.ts';
import {symbolKey} from '../../market/symbol.ts';
import {dayMs} from '../../market/units.ts';
import {pollIntervals} from '../../store/polling.ts';
import type {MarketState, MarketStore} from '../../store/state.ts';
import type {Context} from '../context.ts';
import {exitStatus} from '../exit.ts';
import type {Output} from '../output.ts';
import {keysOf, type RulesJudging} from './judge-rules.ts';
import type {Met} from './watch-events.ts';

/** When a watch ends by itself. */
export type WatchLimits = {
	readonly until?: Condition | undefined;
	readonly forMs?: number | undefined;
};

export type WatchEnd = {readonly reason: 'met'; readonly met: Met} | {readonly reason: 'time'};

/** The condition of `--until` as a rule for each watched market. */
export const ruleOf = (until: Condition): Rule => ({scope: {type: 'watched'}, condition: until});

/** What met the condition, by its alert. `states`: of the watched markets. */
export const metBy = ({markets = [], time, trade, values, gap}: Alert, states: readonly MarketState[]): Met => ({
	...{time, trade, values, gap},
	states: states.filter(({symbol}) => symbol !== undefined && markets.includes(symbolKey(symbol))),
});

export type JudgedUntil = ReturnType<typeof judgeUntil>;

type UntilJudging = Pick<RulesJudging, 'exchange' | 'clock' | 'turns' | 'intervals' | 'linesOf'> & {
	readonly blindAfterMs: number;
};

/**
 * Judges the condition of `--until` from `start` on, on what these stores poll, however seldom; only candles are polled for it.
 * Calls `onMet` once.
 */
export function judgeUntil(
	until: Condition,
	stores: readonly MarketStore[],
	{intervals, blindAfterMs, ...sources}: UntilJudging,
	onMet: (met: Met) => void,
) {
	const rule = ruleOf(until);
	const feeds = createFeeds({...sources, screens: stores});
	const {depth, trades, tickers} = pollIntervals(intervals);
	let isMet = false;
	const alerts = createAlerts({
		...{feeds, clock: sources.clock, rules: [{rule, origin: 'flag', isOff: false}]},
		marketsOf: () => keysOf(stores),
		blindAfterMs: Math.max(blindAfterMs, 2 * Math.max(depth, trades, tickers)),
		onEvent(event) {
			if (event.type !== 'alert' || isMet) return;
			isMet = true;
			onMet(metBy(event, snapshotsOf(stores)));
		},
	});
	return {
		start: alerts.start,
		stop: alerts.stop,
		/** Asks for all that the condition compares. Returns whether it has been received, or failed. */
		isAnswered() {
			const needs = keysOf(stores).flatMap(own => judgedDataOf(rule, own).needs);
			feeds.follow(needs);
			const data = feeds.data();
			return needs.every(needed => answerTo(data, needed) ?? failureOf(data, needed));
		},
		/** Calls `listener` when data arrives. The returned function unsubscribes. */
		subscribe: feeds.subscribe,
	};
}

/** Says when the condition was met, if that was where trades are missing: what is printed of its markets is of now. */
export function noteGap(until: Condition, met: Met, {note}: Pick<Output, 'note'>, zone?: Zone): void {
	if (met.gap) note(`--until was met ${valuesText(met, true, zone)}: ${printCondition(until)}`);
}

/** The exit status of a watch that ended by itself; notes a condition that was not met in time. */
export function statusAtEnd(
	end: WatchEnd,
	{until}: WatchLimits,
	{output, options}: Pick<Context, 'output' | 'options'>,
): number {
	if (!until) return exitStatus.done;
	if (end.reason === 'met') {
		noteGap(until, end.met, output, options.zone);
		return exitStatus.done;
	}

	output.note(`--until was not met within --for: ${printCondition(until)}`);
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

/** A timer lasts at most 2³¹ ms, less than 25 days. */
const longestTimerMs = dayMs;

/** Calls `callback` once after `ms`, which may be longer than a timer can last. Returns the function that cancels this. */
export function afterLong(clock: Clock, ms: number, callback: () => void): () => void {
	let cancel = () => {};
	const wait = (leftMs: number) => {
		const nowMs = Math.min(leftMs, longestTimerMs);
		cancel = clock.after(nowMs, () => (leftMs > nowMs ? wait(leftMs - nowMs) : callback()));
	};
	wait(ms);
	return () => cancel();
}
