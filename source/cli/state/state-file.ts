import {lstat, mkdir, open, readdir, readlink, rename, rm} from 'node:fs/promises';
import {homedir} from 'node:os';
import {basename, dirname, isAbsolute, join, resolve} from 'node:path';
import type {Clock} from '../../market/clock.ts';
import {fileFault, hasCode, inTime, mostFileBytes, readText} from '../files.ts';
import {isEqual, merged, noState, parseState, type State} from './saved-state.ts';

/** `$XDG_STATE_HOME/tapewatch/state.json`, default `~/.local/state`; a relative XDG_STATE_HOME counts as unset. */
export function statePath(env: NodeJS.ProcessEnv): string {
	const home = env.XDG_STATE_HOME ?? '';
	const folder = isAbsolute(home) ? home : join(env.HOME ?? homedir(), '.local', 'state');
	return join(folder, 'tapewatch', 'state.json');
}

export type StateFile = {
	/** The file's state when it was opened; empty without a file, or with one that is broken or unreadable. */
	readonly state: State;
	/**
	 * Merges the changes from `base` to `mine` into the file, after the saves before it, within two seconds. Never throws: a
	 * failure becomes a notice.
	 */
	save(base: State, mine: State): Promise<void>;
	/**
	 * Replaces the file's state by what `change` makes of it, while no other instance reads or writes it, within two seconds. It
	 * is called at most once. Resolves with false, and a notice, if that failed; never rejects.
	 */
	update(change: (state: State) => unknown): Promise<boolean>;
	/** Adds a notice, once. */
	notice(text: string): void;
	/** One line each, to print after the monitor has left the screen. */
	notices(): readonly string[];
};

/** Opens the state file at `path`. A broken one is renamed, with a notice. Never throws. */
export async function openStateFile(path: string, clock: Clock): Promise<StateFile> {
	const notices = new Set<string>();
	// Undefined: the file cannot be read, so it is not written either.
	const state = await inTime(clock, readState).catch(report);
	let lastWrite: Promise<unknown> = Promise.resolve();

	async function readState(): Promise<State> {
		const json = await readText(path).catch(error => {
			if (hasCode(error, 'ENOENT')) return undefined;
			throw error;
		});
		if (json === undefined) return noState;
		const parsed = parseState(json);
		if ('state' in parsed) return parsed.state;
		const backup = `${path}.broken-${new Date(clock.now()).toISOString().replaceAll(':', '-')}`;
		await rename(path, backup);
		notices.add(`the state file ${path} is broken (${parsed.fault}); backed up as ${backup}`);
		return noState;
	}

	function report(error: unknown): undefined {
		notices.add(`cannot use the state file ${path}: ${fileFault(error)}; favourites, layout and alerts are not saved`);
	}

	async function update(change: (state: State) => unknown): Promise<boolean> {
		if (!state) return false;
		const before = lastWrite;
		async function write(signal: AbortSignal): Promise<void> {
			// One that hangs blocks a thread of Node: a second one would block another.
			await before;
			signal.throwIfAborted();
			await mkdir(dirname(path), {recursive: true, mode: 0o700});
			await whileLocked(`${path}.lock`, {clock, signal}, async since => {
				const target = await linkTarget(path);
				await mkdir(dirname(target), {recursive: true, mode: 0o700});
				for (const each of new Set([path, target])) await removeLeftovers(each, since);
				const theirs = await readState();
				const text = `${JSON.stringify(change(theirs), undefined, '\t')}\n`;
				// It could not be read again.
				if (Buffer.byteLength(text) > mostFileBytes) throw new Error('it would be larger than a megabyte');
				await replaceFile(target, text);
			});
		}

		const saved = inTime(clock, signal => {
			const writing = write(signal);
			lastWrite = writing.catch(() => {});
			return writing;
		});
		return saved.then(
			() => true,
			error => {
				report(error);
				return false;
			},
		);
	}

	return {
		state: state ?? noState,
		notice: text => void notices.add(text),
		notices: () => [...notices],
		update,
		async save(base, mine) {
			if (!isEqual(base, mine)) await update(theirs => merged(base, mine, theirs));
		},
	};
}

/** A lock older than this was left behind by an instance that was killed. */
const staleLockMs = 5000;
const lockRetryMs = 25;
/** Older drafts and probes were left behind too. */
const leftoverMs = 60_000;

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
		await (await open(lock, 'wx')).close();
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

/** Replaces the contents of `target`, which is no link, atomically, even through a crash. */
async function replaceFile(target: string, text: string): Promise<void> {
	const draft = `${target}.${process.pid}.tmp`;
	try {
		const file = await open(draft, 'w', 0o600);
		try {
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
