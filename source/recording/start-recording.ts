import {Worker} from 'node:worker_threads';
import {hasCode} from '../format/file-fault.ts';
import {type Clock, every} from '../market/clock.ts';
import {hourMs, secondMs} from '../market/units.ts';
import {createStore} from '../store/create-store.ts';
import {type Outcome, plainOutcome} from './outcome-log.ts';
import {programVersion, upgradedText} from './program-version.ts';
import {RecordingError} from './recorded-columns.ts';
import {nothingRecorded, type RecordedAlert} from './recorder.ts';
import type {RecorderAnswer, RecorderData, RecorderRequest, RecorderTask, Written} from './recording-worker.ts';

/** What is recorded, and on disk. Times are epoch ms. */
export type RecordingStatus = Written & {
	readonly since: number;
	/** Absent: it goes on. */
	readonly ended?: {readonly at: number; readonly reason?: string | undefined} | undefined;
};

/** A recording that runs, in a thread of its own. */
export type Recording = Awaited<ReturnType<typeof startRecording>>;

export type RecordingRequest = RecorderTask & {
	readonly clock: Clock;
	/** Removes what is older, at the start and then at least once an hour, at most an eighth of it late. Default: nothing. */
	readonly keepMs?: number | undefined;
};

const flushMs = secondMs;
const trimMs = hourMs;
/** Flushes that may come due while the recorder is busy with an earlier one, before it counts as stuck. */
const mostLateFlushes = 30;
const longestEndMs = 2000;
/** Heap limit of the thread: far more than it needs. */
const heapMb = 256;

/** Resolves when the file is open. Rejects with a `RecordingError`. */
export async function startRecording(request: RecordingRequest) {
	const {path, exchange, start, clock, keepMs} = request;
	const nothing = {counts: nothingRecorded, bytes: 0};
	const status = createStore<RecordingStatus>({...nothing, since: start.from});
	const opening = Promise.withResolvers<void>();
	const ending = Promise.withResolvers<boolean>();
	const worker = openWorker({path, exchange, start});
	/** Until the answer to the last flush. Before the first answer, the file is being opened. */
	let isBusy = true;
	let lateFlushes = 0;
	let trimmedAt = Number.NEGATIVE_INFINITY;
	const isEnded = () => status.getSnapshot().ended !== undefined;
	const post = (message: RecorderRequest) => {
		if (!isEnded()) worker.postMessage(message);
	};

	function finish(reason?: string): void {
		if (isEnded()) return;
		cancelFlush();
		status.set({...status.getSnapshot(), ended: {at: clock.now(), reason}});
		if (reason !== undefined) opening.reject(new RecordingError(reason));
		ending.resolve(true);
		// Its end only matters to a process that ends before.
		worker.unref();
	}

	function giveUp(): void {
		ending.resolve(false);
		finish(`${path}: its disk does not answer`);
	}

	const cancelFlush = every(clock, flushMs, () => {
		const now = clock.now();
		if (isBusy) {
			lateFlushes++;
			if (lateFlushes === mostLateFlushes) giveUp();
			return;
		}

		lateFlushes = 0;
		isBusy = true;
		post({type: 'flush', now});
		if (keepMs === undefined || Math.abs(now - trimmedAt) < Math.min(trimMs, keepMs / 8)) return;
		trimmedAt = now;
		post({type: 'trim', time: now - keepMs});
	});

	worker.on('message', (answer: RecorderAnswer) => {
		isBusy = false;
		if (answer.type === 'ended') return finish(answer.reason);
		const {counts, bytes} = answer;
		if (!isEnded()) status.set({...status.getSnapshot(), counts, bytes});
		opening.resolve();
	});
	worker.on('error', error => {
		const isGone = hasCode(error, 'MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND');
		finish(isGone ? upgradedText : `${path}: the recorder failed: ${error.message}`);
	});
	worker.on('exit', () => finish(`${path}: the recorder stopped`));
	await opening.promise;

	return {
		path,
		status,
		/** Ignored after the end. `now`: when it became known, epoch ms. Default: now. */
		add(outcome: Outcome, now = clock.now()): void {
			if (!isEnded()) post({type: 'add', outcome: plainOutcome(outcome), now});
		},
		addAlert: (alert: RecordedAlert): void => post({type: 'alert', alert}),
		/**
		 * Writes what was added and ends, within two seconds: if the file system takes longer, false, and its thread may be stuck.
		 * Never rejects.
		 */
		end(): Promise<boolean> {
			cancelFlush();
			post({type: 'end', now: clock.now()});
			const cancel = clock.after(longestEndMs, giveUp);
			return ending.promise.finally(cancel);
		},
	};
}

/** Starts the thread from source, or from the bundle, where its code is a separate file. */
function openWorker(task: RecorderTask): Worker {
	const file = import.meta.url.endsWith('.ts') ? './recording-worker.ts' : './recording-worker.js';
	return new Worker(new URL(file, import.meta.url), {
		workerData: {task, version: programVersion} satisfies RecorderData,
		resourceLimits: {maxOldGenerationSizeMb: heapMb},
	});
}
