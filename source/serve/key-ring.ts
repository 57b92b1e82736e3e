import {timingSafeEqual} from 'node:crypto';
import {constants, type Stats} from 'node:fs';
import {type FileHandle, lstat, open, realpath, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {fileFault, hasCode} from '../format/file-fault.ts';
import type {Clock} from '../market/clock.ts';
import {secondMs} from '../market/units.ts';
import {type AuthorizedKey, fingerprintOf, parseAuthorizedKeys, type RefusedLine} from './authorized-keys.ts';

/** The keys of a file, as it is now. */
export type KeyRing = Awaited<ReturnType<typeof openKeyRing>>;

/** What came of reading the file. */
export type KeyFileReport = {
	/** How many keys open. */
	readonly keys: number;
	readonly refused: readonly RefusedLine[];
	/** Why none does; undefined: the file was read. */
	readonly fault: string | undefined;
	/** It was read on demand, and is as it was. */
	readonly isSame?: true;
};

export type KeyRingOptions = {
	readonly path: string;
	readonly clock: Clock;
	/** Called after each reading of a changed file, the first included unless it fails, and after each one on demand. */
	readonly onRead: (report: KeyFileReport) => void;
	/**
	 * Called every second while the file stays as it is: what is missing was taken out, and is not about to be written by an
	 * editor.
	 */
	readonly onSettled: () => void;
};

const lookMs = secondMs;
export const mostKeyFileBytes = 1_000_000;

type Reading = {
	readonly keys: ReadonlyMap<string, AuthorizedKey>;
	/** Changes with the file. */
	readonly version: string;
	readonly report: KeyFileReport;
};

/**
 * Opens a file of authorized keys. As sshd does, it trusts only a file that belongs to the user or to root, in folders where
 * nobody else can replace it. While it cannot be read or trusted, no key opens, and viewers whose keys it had are sent away.
 * Rejects when that is so at the start, with an error that says why.
 */
export async function openKeyRing({path, clock, onRead, onSettled}: KeyRingOptions) {
	let reading: Reading = {keys: new Map(), version: '', report: {keys: 0, refused: [], fault: undefined}};
	let refreshing: Promise<void> | undefined;
	let closed = false;
	let cancel = (): void => {};

	async function readAgain(): Promise<void> {
		try {
			const version = versionOf(await stat(path));
			if (version === reading.version) return;
			const {text, stats} = await readTrusted(path);
			const {keys, refused} = parseAuthorizedKeys(text);
			const report = {keys: keys.length, refused, fault: undefined};
			reading = {keys: new Map(keys.map(key => [key.fingerprint, key])), version: versionOf(stats), report};
			onRead(report);
		} catch (error) {
			const fault = faultOf(error);
			if (fault === reading.report.fault) return;
			const isFirst = reading.version === '';
			reading = {keys: new Map(), version: fault, report: {keys: 0, refused: [], fault}};
			if (!isFirst) onRead(reading.report);
		}
	}

	/** Reads the file again if it was changed. Settles when the keys are those of the file; none if it cannot be read. */
	const refresh = (): Promise<void> => {
		refreshing ??= readAgain().finally(() => {
			refreshing = undefined;
		});
		return refreshing;
	};

	async function look(): Promise<void> {
		const before = reading;
		await refresh();
		if (closed) return;
		if (before === reading) onSettled();
		cancel = clock.after(lookMs, look);
	}

	await refresh();
	if (reading.report.fault !== undefined) throw new Error(reading.report.fault);
	cancel = clock.after(lookMs, look);
	return {
		refresh,
		/** Rereads the file and always reports, even if nothing changed. */
		async reread(): Promise<void> {
			const before = reading;
			await refresh();
			if (before === reading) onRead({...reading.report, isSame: true});
		},
		find(blob: Buffer): AuthorizedKey | undefined {
			const key = reading.keys.get(fingerprintOf(blob));
			return key && key.blob.length === blob.length && timingSafeEqual(key.blob, blob) ? key : undefined;
		},
		/** What a viewer who logged in with `key` is told when it has to go; undefined: the key is as it was. */
		objection(key: AuthorizedKey, address: string): string | undefined {
			if (reading.report.fault !== undefined) return 'the server cannot read its keys';
			const now = reading.keys.get(key.fingerprint);
			if (!now) return 'your key was removed';
			return now.line === key.line ? key.refusal(address, clock.now()) : 'your key was changed; log in again';
		},
		/** Stops looking at the file. */
		close(): void {
			closed = true;
			cancel();
		},
	};
}

const versionOf = ({dev, ino, size, mtimeMs, ctimeMs}: Stats): string => [dev, ino, size, mtimeMs, ctimeMs].join();

const faultOf = (error: unknown): string => (hasCode(error, 'ENOENT') ? 'it does not exist' : fileFault(error));

async function readTrusted(path: string): Promise<{readonly text: string; readonly stats: Stats}> {
	const real = await realpath(path);
	const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
	try {
		return await readOpen(file, real);
	} finally {
		await file.close();
	}
}

async function readOpen(file: FileHandle, path: string): Promise<{readonly text: string; readonly stats: Stats}> {
	const stats = await file.stat();
	if (!stats.isFile()) throw new Error('it is not a regular file');
	if (stats.size > mostKeyFileBytes) throw new Error('it is larger than a megabyte');
	checkOwner('it', stats, false);
	for (let folder = dirname(path); ; folder = dirname(folder)) {
		checkOwner(`its folder ${folder}`, await lstat(folder), true);
		if (folder === dirname(folder)) break;
	}

	return {text: await file.readFile('utf8'), stats};
}

const sticky = 0o1000;

/** Throws where others than the user and root can change what is there. */
function checkOwner(what: string, {uid, mode}: Stats, isFolder: boolean): void {
	const own = process.getuid?.();
	// Windows has neither owners nor modes.
	if (own === undefined) return;
	if (uid !== own && uid !== 0) throw new Error(`${what} belongs to another user`);
	// In such a folder, as /tmp, everybody can only replace what is theirs.
	const isShared = isFolder && (mode & sticky) !== 0;
	if ((mode & 0o022) !== 0 && !isShared) throw new Error(`others can write to ${what}; run chmod go-w`);
}
