import {constants} from 'node:fs';
import {open} from 'node:fs/promises';

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
	EROFS: 'the file system is read-only',
	ENOSPC: 'the disk is full',
	EFBIG: 'it would exceed the limit of file sizes',
	ELOOP: 'its links lead in a circle',
	// A pipe without a reader, or a device that is not there.
	ENXIO: irregular,
};
