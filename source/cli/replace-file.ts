import {lstat, open, readdir, readlink, rename, rm, stat} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {hasCode} from '../format/file-fault.ts';
import type {Clock} from '../market/clock.ts';
import {inTime, makeFolder, mostFileBytes} from './files.ts';

/** A lock older than this was left behind by an instance that was killed. */
const staleLockMs = 5000;
const lockRetryMs = 25;
/** Older drafts and probes were left behind too. */
const leftoverMs = 60_000;

/**
 * Replaces the text of a file by what `change` resolves with, atomically, while no other instance changes it. Creates the
 * file and its folder where they are missing, follows links, and keeps the mode. Undefined leaves the file as it is. Rejects
 * when `change` does, or with an error for `fileFault`.
 */
export async function changeFile(
	path: string,
	patience: Patience,
	change: () => Promise<string | undefined>,
): Promise<void> {
	await makeFolder(dirname(path));
	await whileLocked(`${path}.lock`, patience, async since => {
		const target = await linkTarget(path);
		await makeFolder(dirname(target));
		for (const each of new Set([path, target])) await removeLeftovers(each, since);
		const text = await change();
		if (text === undefined) return;
		// It could not be read again.
		if (Buffer.byteLength(text) > mostFileBytes) throw new Error('it would be larger than a megabyte');
		await replaceFile(target, text);
	});
}

/** Resolves if `changeFile` could replace the file, and leaves it as it is; rejects with the reason. */
export const checkWritable = (path: string, clock: Clock): Promise<void> =>
	inTime(clock, signal => changeFile(path, {clock, signal}, async () => undefined));

type Patience = {readonly clock: Clock; readonly signal: AbortSignal};

/**
 * Runs `work` while no other instance holds `lock`, a file that exists as long as its holder works. `since`: when it was
 * created, epoch ms by the file system's clock.
 */
async function whileLocked(
	lock: string,
	{clock, signal}: Patience,
	work: (since: number) => Promise<void>,
): Promise<void> {
	while (!(await create(lock))) {
		signal.throwIfAborted();
		const found = await lstat(lock).catch(() => undefined);
		if (found?.isDirectory()) throw new Error(`${lock} is a folder`);
		const since = found?.mtimeMs;
		const now = await fileSystemNow(`${lock}.${process.pid}`);
		if (since !== undefined && Math.abs(now - since) > staleLockMs) await rm(lock, {force: true});
		else await new Promise<void>(resolve => clock.after(lockRetryMs, resolve));
	}

	try {
		await work((await lstat(lock)).mtimeMs);
	} finally {
		await rm(lock, {force: true});
	}
}

/** Removes what killed instances left beside `path`. `now`: epoch ms by the file system's clock. */
async function removeLeftovers(path: string, now: number): Promise<void> {
	const folder = dirname(path);
	const name = basename(path);
	for (const other of await readdir(folder)) {
		if (!other.startsWith(name) || !/^\.(?:\d+\.tmp|lock\.\d+)$/.test(other.slice(name.length))) continue;
		const leftover = join(folder, other);
		// Another instance may remove its own at this moment.
		const stats = await lstat(leftover).catch(() => undefined);
		if (stats && !stats.isDirectory() && now - stats.mtimeMs > leftoverMs) await rm(leftover, {force: true});
	}
}

/** Epoch ms by the clock that dates files, which on a network drive is not this computer's; `probe` is created and removed. */
async function fileSystemNow(probe: string): Promise<number> {
	const file = await open(probe, 'w');
	try {
		return (await file.stat()).mtimeMs;
	} finally {
		await file.close();
		await rm(probe, {force: true});
	}
}

/** Creates the lock; false if it exists. */
async function create(lock: string): Promise<boolean> {
	try {
		const file = await open(lock, 'wx');
		try {
			// An empty file can be created on a full disk.
			await file.writeFile(`${process.pid}\n`);
		} catch (error) {
			await rm(lock, {force: true});
			throw error;
		} finally {
			await file.close();
		}

		return true;
	} catch (error) {
		if (hasCode(error, 'EEXIST')) return false;
		throw error;
	}
}

/** The end of a chain of symbolic links, even if nothing is there. */
async function linkTarget(path: string): Promise<string> {
	let target = path;
	for (let links = 0; links < mostLinks; links++) {
		const next = await readlink(target).catch(() => undefined);
		if (next === undefined) break;
		target = resolve(dirname(target), next);
	}

	return target;
}

/** As many as Linux follows. */
const mostLinks = 40;

/** Replaces the contents of `target`, which is no link, atomically, even through a crash. A new file is the user's alone. */
async function replaceFile(target: string, text: string): Promise<void> {
	const draft = `${target}.${process.pid}.tmp`;
	try {
		const found = await stat(target).catch(() => undefined);
		const file = await open(draft, 'w', 0o600);
		try {
			if (found) await file.chmod(found.mode);
			await file.writeFile(text);
			await file.sync();
		} finally {
			await file.close();
		}

		await rename(draft, target);
	} catch (error) {
		await rm(draft, {force: true});
		throw error;
	}
}
