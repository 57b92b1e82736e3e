import {hostname} from 'node:os';
import type {Clock} from '../market/clock.ts';
import type {Outcome} from '../recording/outcome-log.ts';
import {programVersion} from '../recording/program-version.ts';
import type {Recording} from '../recording/start-recording.ts';
import {reportStuckThread} from '../terminal/ending.ts';
import type {Context} from './context.ts';

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
	const {startRecording} = await import('../recording/start-recording.ts');
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
