/** The thread of a recorder: a disk that is slow, or hangs, holds up nothing else. */
import {statSync} from 'node:fs';
import type {DatabaseSync} from 'node:sqlite';
import {parentPort, workerData} from 'node:worker_threads';
import {hasCode} from '../format/file-fault.ts';
import type {Outcome} from './outcome-log.ts';
import {programVersion, upgradedText} from './program-version.ts';
import {RecordingError} from './recorded-columns.ts';
import {createRecorder, type RecordedAlert, type RecordedCounts, type Recorder} from './recorder.ts';
import {
	closeRecorded,
	isBusy,
	openToRecord,
	type RecordedExchange,
	type SessionStart,
	writingProblem,
} from './recording-file.ts';
import {numberOf} from './table-rows.ts';

/** What a recorder's thread records. */
export type RecorderTask = {
	readonly path: string;
	readonly exchange: RecordedExchange;
	readonly start: SessionStart;
};

/** What a recorder's thread gets. Times are epoch ms. */
export type RecorderRequest =
	| {readonly type: 'add'; readonly outcome: Outcome; readonly now: number}
	| {readonly type: 'alert'; readonly alert: RecordedAlert}
	| {readonly type: 'flush' | 'end'; readonly now: number}
	| {readonly type: 'trim'; readonly time: number};

/** What it answers: to its start `written`, to each `flush` or `end` one of both. After `ended` it answers nothing. */
export type RecorderAnswer =
	| ({readonly type: 'written'} & Written)
	/** Without a reason it was asked to end. */
	| {readonly type: 'ended'; readonly reason?: string | undefined};

/** What is on disk. */
export type Written = {
	readonly counts: RecordedCounts;
	/** Size of the file, with what SQLite still keeps beside it. */
	readonly bytes: number;
};

/** What the thread is started with. `version`: of the program that starts it. */
export type RecorderData = {readonly task: RecorderTask; readonly version: string};

const {task, version}: RecorderData = workerData;
const {path, exchange, start} = task;
/** Each waits for two seconds. */
const mostBusyWrites = 30;
let busyWrites = 0;
let open: {readonly db: DatabaseSync; readonly recorder: Recorder; readonly inode: bigint} | undefined;

const send = (answer: RecorderAnswer) => parentPort?.postMessage(answer);

function begin(): void {
	if (version !== programVersion) throw new RecordingError(upgradedText);
	const db = openToRecord(path, exchange, start, isAlive);
	try {
		open = {db, recorder: createRecorder(db, start), inode: statSync(path, {bigint: true}).ino};
	} catch (error) {
		closeRecorded(db);
		throw error;
	}

	sendWritten(open);
}

/** Whether another process, also of another user, records: a recorder of this one has ended before. */
function isAlive(id: number): boolean {
	try {
		return id !== process.pid && process.kill(id, 0);
	} catch (error) {
		return hasCode(error, 'EPERM');
	}
}

function sendWritten({db, recorder}: {readonly db: DatabaseSync; readonly recorder: Recorder}): void {
	const bytes = numberOf(db, 'SELECT page_count * page_size AS value FROM pragma_page_count, pragma_page_size');
	send({type: 'written', counts: {...recorder.counts}, bytes});
}

function handle(request: RecorderRequest): void {
	if (!open) return;
	const {db, recorder, inode} = open;
	switch (request.type) {
		case 'add':
			recorder.add(request.outcome, request.now);
			return;
		case 'alert':
			recorder.addAlert(request.alert);
			return;
		case 'trim':
			unlessBusy(() => recorder.trim(request.time));
			return;
		case 'flush':
			// SQLite would go on writing what nobody can open.
			if (statSync(path, {bigint: true, throwIfNoEntry: false})?.ino !== inode) {
				throw new RecordingError(`${path} was moved, removed or replaced`);
			}

			unlessBusy(() => recorder.flush(request.now));
			sendWritten(open);
			return;
		case 'end':
			recorder.end(request.now);
			sendWritten(open);
			closeRecorded(db);
			finish();
	}
}

/** While another program writes the file, what was added waits, and the next trim has more to remove. */
function unlessBusy(write: () => void): void {
	try {
		write();
		busyWrites = 0;
	} catch (error) {
		busyWrites++;
		if (!isBusy(error) || busyWrites === mostBusyWrites) throw error;
	}
}

function finish(reason?: string): void {
	open = undefined;
	send({type: 'ended', reason});
	parentPort?.close();
}

/** Does the work unless the recorder has ended; if it fails, the recorder ends. */
function attempt(work: () => void): void {
	try {
		work();
	} catch (error) {
		if (open) closeRecorded(open.db);
		finish(error instanceof RecordingError ? error.message : writingProblem(path, error));
	}
}

parentPort?.on('message', (request: RecorderRequest) => attempt(() => handle(request)));
attempt(begin);
