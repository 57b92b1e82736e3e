import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, onTestFinished} from 'vitest';

/** A new folder; gone after the test. */
export const temporaryFolder = (): string => createFolder(onTestFinished);

/** A new folder for all tests of a file; gone after them. */
export const folderOfFile = (): string => createFolder(afterAll);

function createFolder(atEnd: (remove: () => void) => void): string {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-test-'));
	atEnd(() => rmSync(folder, {recursive: true, force: true, maxRetries: 20}));
	return folder;
}

/** A user's home with a config file, and what the state file has of exchanges; gone after the test. */
export function openHome(config = '', exchanges?: object) {
	const home = temporaryFolder();
	const folder = join(home, 'tapewatch');
	mkdirSync(folder);
	const [configFile, stateFile] = [join(folder, 'config.toml'), join(folder, 'state.json')];
	if (config !== '') writeFileSync(configFile, config);
	if (exchanges) writeFileSync(stateFile, JSON.stringify({version: 1, exchanges, view: {}}));
	return {home, configFile, stateFile, env: {XDG_CONFIG_HOME: home, XDG_STATE_HOME: home}};
}
