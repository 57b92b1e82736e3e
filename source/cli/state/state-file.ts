import {rename} from 'node:fs/promises';
import {join} from 'node:path';
import {fileFault, hasCode} from '../../format/file-fault.ts';
import type {Clock} from '../../market/clock.ts';
import {inTime, readText} from '../files.ts';
import {folderOf} from '../folders.ts';
import {changeFile} from '../replace-file.ts';
import {isEqual, merged, noState, parseState, type State} from './saved-state.ts';

export const statePath = (env: NodeJS.ProcessEnv): string => join(folderOf('state', env), 'state.json');

export type StateFile = {
	/** The file's state when it was opened; empty without a file, or with one that is broken or unreadable. */
	readonly state: State;
	/**
	 * Merges the changes from `base` to `mine` into the file, after the saves before it, within two seconds. Resolves with false,
	 * and a notice, if that failed; never rejects.
	 */
	save(base: State, mine: State): Promise<boolean>;
	/**
	 * Replaces the file's state by what `change` makes of it, while no other instance reads or writes it, within two seconds. It
	 * is called at most once. Resolves with false, and a notice, if that failed; never rejects.
	 */
	update(change: (state: State) => unknown): Promise<boolean>;
	/** Resolves with why nothing can be saved, which is a notice then; undefined: all can be. Never rejects. */
	check(): Promise<string | undefined>;
	/** Calls `listener` with why a save failed, each time, and with undefined when one works again. */
	onFault(listener: (fault: string | undefined) => void): void;
	/** Adds a notice, once. */
	notice(text: string): void;
	/** One line each, to print after the monitor has left the screen: a save that failed is one until another has worked. */
	notices(): readonly string[];
};

/** Opens the state file at `path`. A broken one is renamed, with a notice. Never throws. */
export async function openStateFile(path: string, clock: Clock): Promise<StateFile> {
	const notices = new Set<string>();
	/** Why nothing is saved. */
	let fault: string | undefined;
	let onFault = (_fault: string | undefined): void => {};
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
		fault = fileFault(error);
		onFault(fault);
	}

	/** Replaces the file by what `work` resolves with, after the work before it; undefined: leaves it. Resolves with false, and a notice, if that fails. */
	async function replace(work: () => Promise<string | undefined>): Promise<boolean> {
		if (!state) return false;
		const before = lastWrite;
		async function write(signal: AbortSignal): Promise<void> {
			// One that hangs blocks a thread of Node: a second one would block another.
			await before;
			signal.throwIfAborted();
			await changeFile(path, {clock, signal}, work);
		}

		const replaced = inTime(clock, signal => {
			const writing = write(signal);
			lastWrite = writing.catch(() => {});
			return writing;
		});
		return replaced.then(
			() => {
				if (fault !== undefined) onFault(undefined);
				fault = undefined;
				return true;
			},
			error => {
				report(error);
				return false;
			},
		);
	}

	const update = (change: (state: State) => unknown): Promise<boolean> =>
		replace(async () => `${JSON.stringify(change(await readState()), undefined, '\t')}\n`);

	return {
		state: state ?? noState,
		onFault(listener) {
			onFault = listener;
		},
		notice: text => void notices.add(text),
		notices: () => [...notices, ...(fault === undefined ? [] : [notSaved(path, fault)])],
		update,
		async check() {
			await replace(async () => undefined);
			return fault;
		},
		save: async (base, mine) => isEqual(base, mine) || update(theirs => merged(base, mine, theirs)),
	};
}

const notSaved = (path: string, fault: string): string =>
	`cannot use the state file ${path}: ${fault}; favourites, layout and alerts are not saved`;
