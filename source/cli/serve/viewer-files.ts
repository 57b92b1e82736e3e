import {dirname, join} from 'node:path';
import {fileFault} from '../../format/file-fault.ts';
import type {Clock} from '../../market/clock.ts';
import type {Viewer} from '../../serve/viewer.ts';
import {checkWritable} from '../replace-file.ts';
import {noState, parseState, type State} from '../state/saved-state.ts';
import {openStateFile, type StateFile, statePath} from '../state/state-file.ts';

/** Where what viewers leave is kept: a file per key, beside the state of the user of the program. */
const folderOf = (env: NodeJS.ProcessEnv): string => join(dirname(statePath(env)), 'viewers');

/** Why nothing can be remembered of viewers, in one line; undefined: it can. */
export const viewerFilesFault = (env: NodeJS.ProcessEnv, clock: Clock): Promise<string | undefined> =>
	checkWritable(join(folderOf(env), 'check'), clock).then(
		() => undefined,
		error => `what viewers choose is not remembered: ${folderOf(env)} cannot be written: ${fileFault(error)}`,
	);

/** What is remembered of a viewer by its key; of an anonymous one as long as it is there. */
export function openViewerFile({key}: Viewer, env: NodeJS.ProcessEnv, clock: Clock): Promise<StateFile> {
	if (!key) return Promise.resolve(passingFile());
	const name = Buffer.from(key.fingerprint.replace(/^SHA256:/, ''), 'base64').toString('hex');
	return openStateFile(join(folderOf(env), `${name}.json`), clock);
}

/** Keeps the state in memory. */
function passingFile(): StateFile {
	let state: State = noState;
	return {
		state,
		async save(_, mine) {
			state = mine;
			return true;
		},
		async update(change) {
			const parsed = parseState(JSON.stringify(change(state)));
			if ('state' in parsed) ({state} = parsed);
			return true;
		},
		check: async () => undefined,
		onFault() {},
		notice() {},
		notices: () => [],
	};
}
