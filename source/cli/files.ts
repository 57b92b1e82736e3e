import {constants} from 'node:fs';
import {mkdir, open, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {folderFault, hasCode, irregularFault} from '../format/file-fault.ts';
import type {Clock} from '../market/clock.ts';
import {reportStuckThread} from '../terminal/ending.ts';

/** Of a file that a person or this program writes, in bytes. */
export const mostFileBytes = 1_000_000;

/**
 * The text of a regular file of at most a megabyte. Rejects for anything else, without waiting: a pipe would have a reader
 * wait for its writer.
 */
export async function readText(path: string): Promise<string> {
	const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
	try {
		const stats = await file.stat();
		if (stats.isDirectory()) throw new Error(folderFault);
		if (!stats.isFile()) throw new Error(irregularFault);
		if (stats.size > mostFileBytes) throw new Error('it is larger than a megabyte');
		return await file.readFile('utf8');
	} finally {
		await file.close();
	}
}

/**
 * Creates a folder for the user alone, and those above it, unless it exists. Rejects with the reason of the system. Node's `mkdir` with
 * `recursive` says of a read-only file system that the folder does not exist, and never ends below `/proc`.
 */
export async function makeFolder(path: string): Promise<void> {
	const create = () => mkdir(path, {mode: 0o700});
	try {
		await create().catch(async error => {
			const above = dirname(path);
			if (!hasCode(error, 'ENOENT') || above === path) throw error;
			await makeFolder(above);
			await create();
		});
	} catch (error) {
		// It was there, or another instance was faster.
		if (!(await stat(path).catch(() => undefined))?.isDirectory()) throw error;
	}
}

/** Of the work on a small file: the program may be waiting for it, and the user for the program. */
export const longestWorkMs = 2000;

/**
 * Settles as `work` does, whose signal aborts after two seconds; then it rejects. If the work is not done when the process ends,
 * as on a file system that hangs, the process does not wait for it.
 */
export async function inTime<T>(clock: Clock, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
	const late = new AbortController();
	const {promise: limit, reject} = Promise.withResolvers<never>();
	const working = work(late.signal);
	const cancel = afterRunning(clock, longestWorkMs, () => {
		const error = new Error(`it took longer than ${longestWorkMs / 1000} s`);
		late.abort(error);
		reject(error);
		const finish = reportStuckThread();
		working.then(finish, finish);
	});
	try {
		return await Promise.race([working, limit]);
	} finally {
		cancel();
	}
}

const stepMs = 100;

/** As `clock.after`, but of the time for which the process is stopped only a step counts. */
function afterRunning(clock: Clock, ms: number, callback: () => void): () => void {
	let cancel = () => {};
	function wait(leftMs: number): void {
		if (leftMs <= 0) callback();
		else cancel = clock.after(stepMs, () => wait(leftMs - stepMs));
	}

	wait(ms);
	return () => cancel();
}
