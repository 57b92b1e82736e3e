import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import type {Alert} from '../../alerts/alert-event.ts';
import type {Exchange} from '../../client/exchange.ts';
import {withMiddleware} from '../../client/middleware.ts';
import {isRunning} from '../../recording/is-running.ts';
import {recordedIn} from '../../recording/recording-exchange.ts';
import {openRecording, type RecordingReader} from '../../recording/recording-reader.ts';
import {createRewind, type Rewind} from '../../recording/rewind.ts';
import type {Recording} from '../../recording/start-recording.ts';
import {createStore} from '../../store/create-store.ts';
import type {MarketStore} from '../../store/state.ts';
import {atExit} from '../../terminal/ending.ts';
import type {Tick} from '../../view/clock-stores.ts';
import type {Context} from '../context.ts';
import {type EarlyRead, endRecording, recordTo} from '../recordings.ts';
import type {Shown} from './draw.tsx';

/** Keeps what is read of an exchange for a while, so that live screens can be stepped back to it. */
export type RewindRecorder = {
	/** All that is read of it is kept. */
	readonly exchange: Exchange;
	/** What is kept so far; undefined: nothing yet. Throws if it cannot be read. Absent: nothing is kept. */
	readonly open?: (() => RecordingReader | undefined) | undefined;
	/** Settles when nothing is kept any more, or after two seconds. */
	stop(): Promise<void>;
};

const folderPrefix = 'tapewatch-rewind-';
const folderName = /^tapewatch-rewind-(\d+)-/;
const mostBytes = 60_000_000;
/** A file that takes long to open must not cost memory. */
const mostEarly = 1000;

/** `keepMs`: for how long; 0: nothing is kept. The database is in a folder of its own that others cannot read, and goes with the program. */
export function createRewindRecorder(context: Context, keepMs: number): RewindRecorder {
	const {clock, exchange} = context;
	const folder = keepMs === 0 ? undefined : privateFolder();
	if (folder === undefined) return {exchange, async stop() {}};
	const path = join(folder, 'session.twr');
	const remove = () => rmSync(folder, {recursive: true, force: true});
	const forget = atExit('files', remove);
	/** What was read before the file was open. */
	const early: EarlyRead[] = [];
	let recording: Recording | undefined;

	async function begin(): Promise<void> {
		recording = await recordTo(context, {path, from: clock.now(), recorded: {by: 'rewind'}, keepMs, mostBytes});
		for (const [outcome, now] of early.splice(0)) recording.add(outcome, now);
	}

	// Without it there is nothing to step back to, which the key then says; all else goes on.
	const beginning = begin().catch(() => {});
	return {
		exchange: withMiddleware(
			exchange,
			recordedIn(
				{
					add(outcome) {
						if (recording) recording.add(outcome);
						else if (early.length < mostEarly) early.push([outcome, clock.now()]);
					},
				},
				clock,
			),
		),
		open: () => (recording ? openRecording(path) : undefined),
		async stop() {
			await beginning;
			if (recording) await endRecording(recording);
			remove();
			forget();
		},
	};
}

/** A live screen that can be stepped back. */
type Rewindable = {
	readonly shown: Shown;
	/** Marks when an alert called. */
	addAlert(alert: Alert): void;
	stop(): void;
};

export function rewindable(
	live: Shown & {readonly store: MarketStore},
	{clock, open}: Pick<Context, 'clock'> & {readonly open: NonNullable<RewindRecorder['open']>},
): Rewindable {
	const {store, tick} = live;
	const calledAt: number[] = [];
	const rewind = createRewind({live: store, clock, settle: () => setImmediate(), open, alerts: () => calledAt});
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
