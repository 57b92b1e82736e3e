import {setImmediate} from 'node:timers/promises';
import type {Alert} from '../../alerts/alert-event.ts';
import type {Exchange} from '../../client/exchange.ts';
import {createMemoryLog, type MemoryLog} from '../../recording/memory-log.ts';
import {createRewind, type Rewind} from '../../recording/rewind.ts';
import {createStore} from '../../store/create-store.ts';
import {pollIntervals} from '../../store/polling.ts';
import type {MarketStore} from '../../store/state.ts';
import type {Tick} from '../../view/clock-stores.ts';
import type {Context} from '../context.ts';
import {keptIn} from '../exchanges.ts';
import type {Shown} from './draw.tsx';

/** An exchange, and what was read of it lately, to which live screens can be stepped back. */
export type Rewindable = {readonly exchange: Exchange; readonly log?: MemoryLog | undefined};

/** Keeps what is read of the exchange, unless the user wants no rewind. */
export function rewindableExchange(context: Context): Rewindable {
	const {exchange, clock, options} = context;
	const {rewindMs: keepMs, intervalsMs} = options;
	if (keepMs === 0) return {exchange};
	const log = createMemoryLog({clock, keepMs, intervals: pollIntervals(intervalsMs)});
	return {exchange: keptIn(context, log), log};
}

/** A live screen that can be stepped back. */
type RewindableScreen = {
	readonly shown: Shown;
	/** Marks when an alert called. */
	addAlert(alert: Alert): void;
	stop(): void;
};

export function rewindable(
	live: Shown & {readonly store: MarketStore},
	{clock, log}: Pick<Context, 'clock'> & {readonly log: MemoryLog},
): RewindableScreen {
	const {store, tick} = live;
	const calledAt: number[] = [];
	const rewind = createRewind({live: store, clock, settle: () => setImmediate(), log, alerts: () => calledAt});
	return {
		shown: {
			...live,
			stores: [rewind.store],
			replay: rewind.controls,
			tick: rewindTick(tick, rewind),
			present: {store, tick},
		},
		addAlert: alert => calledAt.push(alert.time),
		stop: rewind.stop,
	};
}

/** Ticks with the time that is shown. */
export function rewindTick(live: Tick, {now, controls}: Rewind): Tick {
	const shownNow = () => (controls.getSnapshot() ? now() : live.getSnapshot());
	const {set, ...store} = createStore(shownNow());
	const follow = () => set(shownNow());
	const stops = [live.subscribe(follow), controls.subscribe(follow), live.stop];
	return {
		...store,
		clock: {now, after: live.clock.after},
		stop() {
			for (const stop of stops) stop();
		},
	};
}
