import {appendFileSync, closeSync, openSync, renameSync, statSync} from 'node:fs';
import {UsageError} from '../exit.ts';

export type RotatingFile = {
	/** Appends `line`, which ends with a newline. Never throws: what a full disk refuses is lost. */
	write(line: string): void;
};

type RotationOptions = {
	/** Of each file. Default 5 MB. */
	readonly maxBytes?: number | undefined;
	/** How many there are: `path`, `path.1`, and so on, the newest first; at least 2. Default 3. */
	readonly files?: number | undefined;
};

/** Appends to `path` and rotates it by size. Throws a `UsageError` when it cannot be written. */
export function openRotatingFile(path: string, {maxBytes = 5_000_000, files = 3}: RotationOptions = {}): RotatingFile {
	refuseUnwritable(path);
	const nameOf = (index: number) => (index === 0 ? path : `${path}.${index}`);

	function rotate(): void {
		for (let index = files - 1; index > 0; index--) {
			if (sizeOf(nameOf(index - 1)) !== undefined) renameSync(nameOf(index - 1), nameOf(index));
		}
	}

	return {
		// Opened for every line, of which there are few: another instance, or the system, may rotate it too.
		write(line) {
			try {
				const size = sizeOf(path) ?? 0;
				if (size > 0 && size + Buffer.byteLength(line) > maxBytes) rotate();
				appendFileSync(path, line);
			} catch {
				// There is nowhere to say so: the screen is the monitor's.
			}
		},
	};
}

const sizeOf = (path: string): number | undefined => statSync(path, {throwIfNoEntry: false})?.size;

function refuseUnwritable(path: string): void {
	const refusal = (reason: string, cause?: unknown) =>
		new UsageError(`the log file ${path} cannot be written: ${reason}; give another --log-file`, {cause});
	let there: ReturnType<typeof statSync>;
	try {
		there = statSync(path, {throwIfNoEntry: false});
		// A pipe would wait for its reader, a terminal is no place for a log.
		if (there?.isFile() ?? true) closeSync(openSync(path, 'a'));
	} catch (error) {
		throw refusal(reasonOf(error), error);
	}

	if (there && !there.isFile()) throw refusal(there.isDirectory() ? 'it is a folder' : 'it is not a file');
}

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'its folder does not exist',
	ENOTDIR: 'its folder is a file',
	EACCES: 'permission denied',
	EROFS: 'the file system is read-only',
	ENOSPC: 'the disk is full',
};

function reasonOf(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	return reasons[code] ?? (code || String(error));
}
