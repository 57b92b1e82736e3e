import {mkdir, open, readFile, realpath, rename, rm, stat} from 'node:fs/promises';
import {homedir} from 'node:os';
import {dirname, isAbsolute, join} from 'node:path';
import type {Clock} from '../../market/clock.ts';
import {noState, parseState, type State} from './state.ts';
import {isEqual, merged} from './state-merge.ts';

/** `$XDG_STATE_HOME/tapewatch/state.json`, default `~/.local/state`; a relative XDG_STATE_HOME counts as unset. */
export function statePath(env: NodeJS.ProcessEnv): string {
	const home = env.XDG_STATE_HOME ?? '';
	const folder = isAbsolute(home) ? home : join(env.HOME ?? homedir(), '.local', 'state');
	return join(folder, 'tapewatch', 'state.json');
}

export type StateFile = {
	/** What it held when it was opened; nothing where there was none, or none that could be read. */
	readonly state: State;
	/**
	 * Puts into the file what has changed from `base` to `mine`, over what others have written meanwhile. Never throws:
	 * what fails is a notice.
	 */
	save(base: State, mine: State): Promise<void>;
	/** One line each, for when the screen is gone. */
	notices(): readonly string[];
};

/** How long another instance may hold the file before its lock counts as left behind. */
const staleLockMs = 5000;
const lockRetryMs = 25;

/** Opens the state file at `path`. One that holds no state is set aside, with a notice. Never throws. */
export async function openStateFile(path: string, clock: Clock): Promise<StateFile> {
	const notices = new Set<string>();
	const state = await readState().catch(note);

	/** Undefined: the file could not be read, and is left alone. */
	async function readState(): Promise<State> {
		const json = await readFile(path, 'utf8').catch(error => {
			if (codeOf(error) === 'ENOENT') return undefined;
			throw error;
		});
		if (json === undefined) return noState;
		const parsed = parseState(json);
		if ('state' in parsed) return parsed.state;
		const aside = `${path}.broken-${new Date(clock.now()).toISOString().replaceAll(':', '-')}`;
		await rename(path, aside);
		notices.add(`the state file ${path} could not be used (${parsed.fault}); it is kept as ${aside}`);
		return noState;
	}

	function note(error: unknown): undefined {
		notices.add(`the state file ${path} cannot be used (${codeOf(error)}): favourites and layout are not remembered`);
	}

	return {
		state: state ?? noState,
		notices: () => [...notices],
		async save(base, mine) {
			if (!state || isEqual(base, mine)) return;
			try {
				await mkdir(dirname(path), {recursive: true, mode: 0o700});
				await locked(path, clock, async () => {
					const theirs = await readState();
					const parsed = parseState(JSON.stringify(merged(base, mine, theirs)));
					if ('state' in parsed) await replace(path, `${JSON.stringify(parsed.state, undefined, '\t')}\n`);
				});
			} catch (error) {
				note(error);
			}
		},
	};
}

const codeOf = (error: unknown): string =>
	error instanceof Error && 'code' in error ? String(error.code) : String(error);

/** Runs `work` while no other instance does the same for `path`. A lock that was left behind is taken over. */
async function locked(path: string, clock: Clock, work: () => Promise<void>): Promise<void> {
	const lock = `${path}.lock`;
	while (!(await taken(lock))) {
		const since = await stat(lock).then(
			({mtimeMs}) => mtimeMs,
			() => undefined,
		);
		if (since !== undefined && Math.abs(clock.now() - since) > staleLockMs) await rm(lock, {force: true});
		else await new Promise<void>(resolve => clock.after(lockRetryMs, resolve));
	}

	try {
		await work();
	} finally {
		await rm(lock, {force: true});
	}
}

async function taken(lock: string): Promise<boolean> {
	try {
		await (await open(lock, 'wx')).close();
		return true;
	} catch (error) {
		if (codeOf(error) === 'EEXIST') return false;
		throw error;
	}
}

/** Whoever reads `path`, also after a crash, sees all of the old text or all of the new. A link stays a link. */
async function replace(path: string, text: string): Promise<void> {
	const target = await realpath(path).catch(() => path);
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
