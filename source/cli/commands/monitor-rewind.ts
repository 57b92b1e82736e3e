import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import type {Exchange} from '../../client/exchange.ts';
import {recordingExchange} from '../../recording/recording-exchange.ts';
import {openRecording} from '../../recording/recording-reader.ts';
import {createRewind, type Rewind} from '../../recording/rewind.ts';
import type {Recording} from '../../recording/start-recording.ts';
import type {MarketStore} from '../../store/state.ts';
import type {Context} from '../context.ts';
import {note} from '../output.ts';
import {recordTo} from '../recordings.ts';

/** Keeps what the monitor reads for a while, so that it can be stepped back to. */
export type MonitorRewind = {
	/** All that is read of it is kept. */
	readonly exchange: Exchange;
	/** `live`: the store of the exchange. `alerts`: when alerts called, epoch ms. */
	rewindOf(live: MarketStore, alerts: () => readonly number[]): Rewind;
	/** Settles when nothing is kept any more, or after two seconds. */
	stop(): Promise<void>;
};

const folderPrefix = 'tapewatch-rewind-';
const mostBytes = 64_000_000;

/** `keepMs`: for how long. The database is in a folder of its own that others cannot read, and goes with the program. */
export function createMonitorRewind(context: Context, keepMs: number): MonitorRewind {
	const {clock} = context;
	removeLeftovers();
	const folder = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
	const path = join(folder, 'session.twr');
	const remove = () => rmSync(folder, {recursive: true, force: true});
	process.once('exit', remove);
	let recording: Recording | undefined;
	let rewind: Rewind | undefined;
	const opening = recordTo(context, {path, from: clock.now(), recorded: {by: 'rewind'}, keepMs, mostBytes}).then(
		started => {
			recording = started;
			for (const outcome of early.splice(0)) started.add(outcome);
		},
		error => note(`nothing is kept to rewind: ${error instanceof Error ? error.message : error}`),
	);
	/** What was read before the file was open. */
	const early: Parameters<Recording['add']>[0][] = [];

	return {
		exchange: recordingExchange(context.exchange, clock, {
			add(outcome) {
				if (recording) recording.add(outcome);
				else early.push(outcome);
			},
		}),
		rewindOf(live, alerts) {
			const open = () => (recording ? openRecording(path) : undefined);
			rewind = createRewind({live, clock, settle: () => setImmediate(), open, alerts});
			return rewind;
		},
		async stop() {
			rewind?.stop();
			await opening;
			await recording?.end();
			remove();
			process.off('exit', remove);
		},
	};
}

/** What a program that was killed has left behind. */
function removeLeftovers(): void {
	for (const name of readdirSync(tmpdir())) {
		const owner = Number(name.slice(folderPrefix.length).split('-')[0]);
		if (!name.startsWith(folderPrefix) || isRunning(owner)) continue;
		try {
			rmSync(join(tmpdir(), name), {recursive: true, force: true});
		} catch {
			// Another user's.
		}
	}
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
