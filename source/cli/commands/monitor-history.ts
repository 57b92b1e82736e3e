import {setImmediate} from 'node:timers/promises';
import type {Alert} from '../../alerts/judged-rule.ts';
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
import {createMonitorRecording, type MonitorRecording} from './monitor-recording.ts';

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

/** What a monitor keeps of what it reads. */
export type MonitorHistory = ReturnType<typeof historyIn>;

/** Steps back, and records to files, `record` from the start. `say`: shows the user what becomes of a recording. */
export function createHistory(
	context: Context,
	{record, say}: {readonly record?: string | undefined; readonly say: (notice: string) => void},
): MonitorHistory {
	const recording = createMonitorRecording(context, say);
	if (record !== undefined) recording.controls.recordTo(record);
	return historyIn(rewindableExchange({...context, exchange: recording.exchange}), context, recording);
}

/** Steps back in a log that screens can share. */
export function historyIn({exchange, log}: Rewindable, {clock}: Pick<Context, 'clock'>, recording?: MonitorRecording) {
	const calledAt: number[] = [];
	let rewind: Rewind | undefined;
	return {
		/** What is read of it is kept. */
		exchange,
		/** The live screen with what is kept. */
		shownOf(live: Shown & {readonly store: MarketStore}): Shown {
			const {store, tick} = live;
			const shown = {...live, ...(recording && {recording: recording.controls})};
			if (!log) return shown;
			rewind = createRewind({live: store, clock, settle: () => setImmediate(), log, alerts: () => calledAt});
			const {store: shownStore, controls: replay} = rewind;
			return {...shown, stores: [shownStore], replay, tick: rewindTick(tick, rewind), present: {store, tick}};
		},
		addAlert(alert: Alert): void {
			recording?.addAlert(alert);
			if (rewind) calledAt.push(alert.time);
		},
		/** Settles when all is kept, or after two seconds. */
		async stop(): Promise<void> {
			rewind?.stop();
			await recording?.stop();
		},
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
