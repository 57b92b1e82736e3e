/** Whether it is an error of the system with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
	error instanceof Error && 'code' in error && codes.includes(String(error.code));

export const folderFault = 'it is a folder';
export const irregularFault = 'it is not a regular file';

/** What kept a file from being read or written, in words; the system's code where there are none. */
export function fileFault(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return 'code' in error ? (faults[String(error.code)] ?? String(error.code)) : error.message;
}

const faults: Readonly<Record<string, string>> = {
	ENOENT: 'its folder does not exist',
	ENOTDIR: 'its folder is a file',
	EEXIST: 'something else is in the place of its folder',
	EISDIR: folderFault,
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
	ENXIO: irregularFault,
};
