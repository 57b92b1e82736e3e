import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {fileFault, hasCode} from '../../format/file-fault.ts';
import {onEndSignals, requestsToEnd} from '../../terminal/ending.ts';
import {type Column, table} from '../../view/kit/table.ts';
import {exitStatus, untilInterrupted} from '../exit.ts';
import {makeFolder} from '../files.ts';
import {folderOf} from '../folders.ts';
import {configPath, readConfig} from '../options/config.ts';
import type {Flags} from '../options/option-table.ts';
import {mergeSources, readSources, type Source} from '../options/options.ts';
import {startSettings} from '../options/settings-start.ts';
import {ownOutput, printTable} from '../output.ts';
import {note} from '../standard-error.ts';
import {statePath} from '../state/state-file.ts';
import {recordingsFolder} from './monitor-recording.ts';
import {labelled} from './tables.ts';

/** Lists the settings, or edits the config file, which may have errors until then. Settles with the exit status. */
export async function config(flags: Flags, action: 'list' | 'edit'): Promise<number> {
	const {env} = process;
	if (action === 'edit') return editConfig(env);
	const sources = await readSources(flags, env);
	return untilInterrupted(() => listSettings(sources, env, ownOutput.columns));
}

/** Prints the paths of the program's files, and every setting with its source. `width`: cells of a line. */
async function listSettings(
	sources: readonly Source[],
	env: NodeJS.ProcessEnv,
	width: number | undefined,
): Promise<number> {
	const options = mergeSources(sources);
	const pathText = (path: string) => (existsSync(path) ? path : `${path} (does not exist yet)`);
	const files = [
		['config', pathText(configPath(env))],
		['state', pathText(statePath(env))],
		['cache', pathText(folderOf('cache', env))],
		['recordings', pathText(recordingsFolder(env))],
		['log', options.logFile === undefined ? 'none (--log-file FILE writes one)' : pathText(options.logFile)],
	];
	const settings = startSettings(options).map(({name, value, origin, field}) => [
		...[name, value],
		sources.find(source => source.origin === origin)?.where(field) ?? 'default',
	]);
	const columns: readonly Column[] = [
		{titles: ['setting']},
		{titles: ['value'], least: 12},
		{titles: ['source'], least: 12},
	];
	const {lines, hidden} = table(columns, settings, {width});
	await printTable({lines: [...table(labelled, files, {width}).lines, '', ...lines], hidden}, ownOutput);
	return exitStatus.done;
}

/** The begin of a file that `config edit` creates. */
const newConfig = `# Settings of Tapewatch. "tapewatch config" lists all of them with their values.
# rate = 5
# timezone = "Europe/Berlin"

# [exchanges.mine]
# base-url = "https://api.example.com"
`;

/** Opens the config file in the user's editor, then reads it. Rejects with a `UsageError` if the file has an error. */
async function editConfig(env: NodeJS.ProcessEnv): Promise<number> {
	const path = configPath(env);
	await create(path);
	const editor = env.VISUAL || env.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi');
	const status = await edit(editor, path);
	if (status !== 0) {
		note(status === 127 ? `no editor ${editor}: set EDITOR to one` : `${editor} ended with status ${status}`);
		return exitStatus.failed;
	}

	await readConfig(path);
	note(`${path} has no errors`);
	return exitStatus.done;
}

async function create(path: string): Promise<void> {
	try {
		await makeFolder(dirname(path));
		await writeFile(path, newConfig, {flag: 'wx', mode: 0o600});
	} catch (error) {
		if (!hasCode(error, 'EEXIST')) throw new Error(`cannot create ${path}: ${fileFault(error)}`, {cause: error});
	}
}

/** Settles with the status of the editor. Its command may have arguments: a shell splits it, as git does. */
async function edit(editor: string, path: string): Promise<number> {
	const {promise, resolve} = Promise.withResolvers<number>();
	// Ctrl-C is a key of the editor.
	const restore = onEndSignals(requestsToEnd, () => {});
	const child =
		process.platform === 'win32'
			? spawn(`${editor} "${path}"`, {stdio: 'inherit', shell: true})
			: spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], {stdio: 'inherit'});
	child.on('error', () => resolve(127));
	child.on('exit', status => resolve(status ?? 1));
	return promise.finally(restore);
}
