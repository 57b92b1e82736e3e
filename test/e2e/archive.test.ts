import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import {beforeAll, expect, test} from 'vitest';
import {scripts} from '../../source/cli/completion/scripts.ts';
import {createArchiveProject, unpackArchive} from '../helpers/archive.ts';
import {programEnvironment} from '../helpers/environment.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {query} from '../recording/recordings.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const {version} = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
let unpacked: ReturnType<typeof unpackArchive>;
beforeAll(() => {
	const project = createArchiveProject(`#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
	for (const part of ['dist', 'package.json', 'LICENSE']) symlinkSync(join(repository, part), join(project, part));
	unpacked = unpackArchive(project);
});

/** Of a host without Node and without any other program. */
const bare = () => ({...programEnvironment(), PATH: '', HOME: unpacked.folder});

test('the archive is named by version and platform', () => {
	expect(unpacked.root.endsWith(`/tapewatch-${version}-${process.platform}-${process.arch}`)).toBe(true);
});

test('it records on its thread', async () => {
	const [file, count] = [join(unpacked.folder, 'night.twr'), 'SELECT count(*) AS count FROM trades'];
	const recording = spawn(unpacked.launcher, ['record', 'BTCUSDT', '--out', file], {env: bare()});
	const [stdout, exit] = [text(recording.stdout), once(recording, 'exit')];
	await expect.poll(() => existsSync(file) && Number(query(file, count)[0]?.count)).toBeGreaterThan(100);
	recording.kill('SIGINT');
	expect([await exit, await stdout]).toEqual([[130, null], expect.stringContaining('night.twr')]);
});

test('the monitor opens in a terminal, and leaves nothing on it', async () => {
	const terminal = openTerminal({file: unpacked.launcher, columns: 100, rows: 30, env: bare(), cwd: '/'});
	await terminal.waitFor(/live · DEMO/);
	terminal.write('q');
	expect(await terminal.exit).toEqual({exitCode: 0, signal: undefined});
	expect(terminal.screen().join('')).toBe('');
});

test('it brings its manual page and the completions of three shells', () => {
	const textOf = (path: string) => readFileSync(join(unpacked.root, 'share', path), 'utf8');
	expect(textOf('man/man1/tapewatch.1')).toMatch(/^\.Dt TAPEWATCH 1$/m);
	expect(textOf('bash-completion/completions/tapewatch')).toBe(scripts.bash);
	expect(textOf('zsh/site-functions/_tapewatch')).toBe(scripts.zsh);
	expect(textOf('fish/vendor_completions.d/tapewatch.fish')).toBe(scripts.fish);
});
