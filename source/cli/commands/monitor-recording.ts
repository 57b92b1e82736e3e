import {hostname} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import type {Alert} from '../../alerts/judged-rule.ts';
import {fileFault} from '../../format/file-fault.ts';
import {formatCount, formatFixed} from '../../format/number.ts';
import type {Clock} from '../../market/clock.ts';
import type {Outcome} from '../../recording/outcome-log.ts';
import {programVersion} from '../../recording/program-version.ts';
import {createLatestReads} from '../../recording/recording-exchange.ts';
import type {RecordingControls, RecordingMark} from '../../recording/replay-controls.ts';
import type {Recording} from '../../recording/start-recording.ts';
import {createStore} from '../../store/create-store.ts';
import {reportStuckThread} from '../../terminal/ending.ts';
import type {Context} from '../context.ts';
import {keptIn} from '../exchanges.ts';
import {inTime, makeFolder} from '../files.ts';
import {folderOf, homeFolder} from '../folders.ts';
import {failureText} from '../output.ts';
import {recordedAlert} from './alert-words.ts';

export type MonitorRecording = ReturnType<typeof createMonitorRecording>;

/** Records what the monitor reads of its exchange, when the user wants it. `say`: shows the user what becomes of it. */
export function createMonitorRecording(context: Context, say: (notice: string) => void) {
	const {clock, exchangeName} = context;
	const mark = createStore<RecordingMark | undefined>(undefined);
	const latest = createLatestReads();
	let recording: Recording | undefined;
	/** While a file is being opened. */
	let early: EarlyRead[] | undefined;
	/** Settles when the last change is done: one at a time. */
	let changing: Promise<void> = Promise.resolve();

	async function begin(path: string): Promise<void> {
		const from = clock.now();
		const reads = latest.all().map((outcome): EarlyRead => [outcome, from]);
		early = reads;
		const started = await recordTo(context, {path, from, recorded: {by: 'monitor'}}).finally(() => {
			early = undefined;
		});
		recording = started;
		for (const [outcome, now] of reads) started.add(outcome, now);
		const follow = () => {
			if (recording !== started) return;
			const {since, ended} = started.status.getSnapshot();
			mark.set(ended ? undefined : {lastsMs: clock.now() - since});
			if (ended?.reason === undefined) return;
			recording = undefined;
			say(`recording ended: ${ended.reason}`);
		};
		started.status.subscribe(follow);
		follow();
	}

	async function end(ending: Recording): Promise<void> {
		await endRecording(ending);
		const {counts, bytes, ended} = ending.status.getSnapshot();
		const parts = [
			formatCount(counts.answers, 'answer'),
			...(counts.gaps > 0 ? [formatCount(counts.gaps, 'gap')] : []),
			`${formatFixed(bytes / 1_000_000, 1)} MB`,
		];
		if (ended?.reason === undefined) say(`recorded: ${parts.join(', ')}, ${ending.path}`);
	}

	function change(work: () => Promise<void>): void {
		changing = changing.then(work).catch(error => say(`not recorded: ${failureText(error)}`));
	}

	/** Records there from now on; if it cannot, the recording that runs goes on. */
	const startTo = (path: string) =>
		change(async () => {
			const before = recording;
			if (before?.path !== path) await begin(path);
			if (before && before !== recording) await end(before);
			if (recording) say(`recording: ${path}`);
		});

	const stopRecording = () =>
		change(async () => {
			const ending = recording;
			recording = undefined;
			mark.set(undefined);
			if (ending) await end(ending);
		});

	const controls: RecordingControls = {
		getSnapshot: mark.getSnapshot,
		subscribe: mark.subscribe,
		recordTo: text => startTo(resolve(text.replace(/^~(?=\/)/, homeFolder(process.env)))),
		toggle() {
			if (recording) return stopRecording();
			const path = newPath(process.env, exchangeName, clock);
			change(() => prepareFolder(dirname(path), clock));
			startTo(path);
		},
	};
	return {
		controls,
		/** All that is read of it can be recorded. */
		exchange: keptIn(context, {
			add(outcome) {
				latest.add(outcome);
				early?.push([outcome, clock.now()]);
				recording?.add(outcome);
			},
		}),
		addAlert: (alert: Alert) => recording?.addAlert(recordedAlert(alert)),
		/** Settles when the recording that runs, if any, has ended, or after two seconds. */
		async stop(): Promise<void> {
			const ended = changing.then(async () => void (recording && (await end(recording))));
			// A file that takes longer to open is given up.
			await inTime(clock, () => ended).catch(() => {});
		},
	};
}

async function prepareFolder(path: string, clock: Clock): Promise<void> {
	try {
		await inTime(clock, () => makeFolder(path));
	} catch (error) {
		throw new Error(`${path} cannot be created: ${fileFault(error)}`, {cause: error});
	}
}

export const recordingsFolder = (env: NodeJS.ProcessEnv): string => join(folderOf('data', env), 'recordings');

/** `EXCHANGE-2026-11-22T14-03.twr` in the folder of recordings. */
function newPath(env: NodeJS.ProcessEnv, exchangeName: string, clock: Clock): string {
	const minute = new Date(clock.now()).toISOString().slice(0, 16).replace(':', '-');
	return join(recordingsFolder(env), `${exchangeName.replace(/[^\w.-]/g, '_')}-${minute}.twr`);
}

type RecordingOptions = {
	readonly path: string;
	/** Epoch ms. */
	readonly from: number;
	/** What is recorded, for people. */
	readonly recorded: Readonly<Record<string, unknown>>;
	readonly keepMs?: number | undefined;
};

/** Records what the program reads of its exchange. Rejects with a `RecordingError`. */
export async function recordTo(context: RecordingContext, request: RecordingOptions): Promise<Recording> {
	const {startRecording} = await import('../../recording/start-recording.ts');
	const {exchangeName, options, clock} = context;
	const {path, from, recorded, keepMs} = request;
	// The address of the embedded exchange is another one each time.
	const {baseUrl, legacyBaseUrl} = options.exchange ?? {};
	return startRecording({
		...{path, clock, keepMs, exchange: {name: exchangeName, baseUrl, legacyBaseUrl}},
		start: {
			from,
			version: programVersion,
			options: {...recorded, intervalsMs: options.intervalsMs},
			host: hostname(),
			process: process.pid,
		},
	});
}

/** What was read while a file was being opened, and when it became known (epoch ms). */
export type EarlyRead = readonly [outcome: Outcome, now: number];

type RecordingContext = Pick<Context, 'exchangeName' | 'options'> & {readonly clock: Clock};

/** Ends the recording. If its thread may be stuck, the process does not wait for it. */
export async function endRecording(recording: Recording): Promise<void> {
	if (!(await recording.end())) reportStuckThread();
}
