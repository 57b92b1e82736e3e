import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
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
		if (stats.isDirectory()) throw new Error(folder);
		if (!stats.isFile()) throw new Error(irregular);
		if (stats.size > mostFileBytes) throw new Error('it is larger than a megabyte');
		return await file.readFile('utf8');
	} finally {
		await file.close();
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

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
	error instanceof Error && 'code' in error && codes.includes(String(error.code));

const folder = 'it is a folder';
const irregular = 'it is not a regular file';

/** What kept a file from being read or written, in words; the system's code where there are none. */
export function fileFault(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return 'code' in error ? (faults[String(error.code)] ?? String(error.code)) : error.message;
}

const faults: Readonly<Record<string, string>> = {
	ENOENT: 'its folder does not exist',
	ENOTDIR: 'its folder is a file',
	EISDIR: folder,
	EACCES: 'permission denied',
	EPERM: 'permission denied',
	EROFS: 'the file system is read-only',
	ENOSPC: 'the disk is full',
	EDQUOT: 'the disk quota is used up',
	EIO: 'the disk reports an error',
	EMFILE: 'too many files are open',
	EFBIG: 'it would exceed the limit of file sizes',
	ELOOP: 'its links lead in a circle',
	// A pipe without a reader, or a device that is not there.
	ENXIO: irregular,
};
