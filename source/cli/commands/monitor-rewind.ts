import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import type {Alert} from '../../alerts/alert-event.ts';
import type {Exchange} from '../../client/exchange.ts';
import {isRunning} from '../../recording/is-running.ts';
import {recordingExchange} from '../../recording/recording-exchange.ts';
import {openRecording} from '../../recording/recording-reader.ts';
import {createRewind, type Rewind} from '../../recording/rewind.ts';
import type {Recording} from '../../recording/start-recording.ts';
import {createStore} from '../../store/create-store.ts';
import type {MarketStore} from '../../store/state.ts';
import type {Tick} from '../../view/clock-stores.ts';
import type {Context} from '../context.ts';
import {type EarlyRead, endRecording, recordTo} from '../recordings.ts';
import type {Shown} from './draw.tsx';

/** Keeps what the monitor reads for a while, so that it can be stepped back to. */
export type MonitorRewind = {
	/** All that is read of it is kept. */
	readonly exchange: Exchange;
	/** The live screen, which can be stepped back. */
	shownOf(live: Shown & {readonly store: MarketStore}): Shown;
	addAlert(alert: Alert): void;
	/** Settles when nothing is kept any more, or after two seconds. */
	stop(): Promise<void>;
};

const folderPrefix = 'tapewatch-rewind-';
const folderName = /^tapewatch-rewind-(\d+)-/;
const mostBytes = 60_000_000;
/** A file that takes long to open must not cost memory. */
const mostEarly = 1000;

/** `keepMs`: for how long; 0: nothing is kept. The database is in a folder of its own that others cannot read, and goes with the program. */
export function createMonitorRewind(context: Context, keepMs: number): MonitorRewind {
	const {clock, exchange} = context;
	const folder = keepMs === 0 ? undefined : privateFolder();
	if (folder === undefined) return {exchange, shownOf: live => live, addAlert() {}, async stop() {}};
	const path = join(folder, 'session.twr');
	const remove = () => rmSync(folder, {recursive: true, force: true});
	process.once('exit', remove);
	const calledAt: number[] = [];
	/** What was read before the file was open. */
	const early: EarlyRead[] = [];
	let recording: Recording | undefined;
	let rewind: Rewind | undefined;

	async function begin(): Promise<void> {
		recording = await recordTo(context, {path, from: clock.now(), recorded: {by: 'rewind'}, keepMs, mostBytes});
		for (const [outcome, now] of early.splice(0)) recording.add(outcome, now);
	}

	// Without it there is nothing to step back to, which the key then says; all else goes on.
	const beginning = begin().catch(() => {});
	return {
		exchange: recordingExchange(exchange, clock, {
			add(outcome) {
				if (recording) recording.add(outcome);
				else if (early.length < mostEarly) early.push([outcome, clock.now()]);
			},
		}),
		shownOf(live) {
			const {store, tick} = live;
			const open = () => (recording ? openRecording(path) : undefined);
			const made = createRewind({live: store, clock, settle: () => setImmediate(), open, alerts: () => calledAt});
			rewind = made;
			return {
				...live,
				stores: [made.store],
				replay: made.controls,
				tick: rewindTick(tick, made),
				present: {store, tick},
			};
		},
		addAlert: alert => calledAt.push(alert.time),
		async stop() {
			rewind?.stop();
			await beginning;
			if (recording) await endRecording(recording);
			remove();
			process.off('exit', remove);
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

/** A new folder that others cannot read, also in place of those of programs that were killed; undefined if it cannot be created. */
function privateFolder(): string | undefined {
	try {
		for (const name of readdirSync(tmpdir())) removeLeftover(name);
		return mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
	} catch {
		return undefined;
	}
}

function removeLeftover(name: string): void {
	const [, owner] = folderName.exec(name) ?? [];
	if (owner === undefined || isRunning(Number(owner))) return;
	try {
		rmSync(join(tmpdir(), name), {recursive: true, force: true});
	} catch {
		// Another user's.
	}
}
