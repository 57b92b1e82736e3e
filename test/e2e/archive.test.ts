import {spawnSync} from 'node:child_process';
import {chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {scripts} from '../../source/cli/completion/scripts.ts';
import {unpackArchive} from '../helpers/archive.ts';
import {documents} from '../helpers/documents.ts';
import {programEnvironment} from '../helpers/environment.ts';
import {openTerminal} from '../helpers/terminal.ts';

const {version} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
let unpacked: ReturnType<typeof unpackArchive>;
// Compressing Node takes four seconds: once for all tests.
beforeAll(() => {
	unpacked = unpackArchive();
});

/** Of a host without Node and without any other program. */
const bare = () => ({...programEnvironment(), PATH: '', HOME: unpacked.folder});

function run(file: string, args: readonly string[], cwd = unpacked.folder) {
	const {stdout, stderr, status} = spawnSync(file, args, {cwd, env: bare(), encoding: 'utf8'});
	return {stdout, stderr, status};
}

test('the archive is named by version and platform, and is below 50 MB', () => {
	expect(unpacked.root.endsWith(`/tapewatch-${version}-${process.platform}-${process.arch}`)).toBe(true);
	expect(unpacked.size).toBeLessThan(50_000_000);
});

test('it runs on its own Node with an empty PATH, from its folder, from elsewhere and through links', () => {
	const {folder, root, launcher} = unpacked;
	const links = join(folder, 'links');
	mkdirSync(links);
	symlinkSync(launcher, join(links, 'absolute'));
	symlinkSync('absolute', join(links, 'tapewatch'));
	symlinkSync(join(root, 'bin'), join(folder, 'programs'));
	const printed = {stdout: `${version}\n`, stderr: '', status: 0};
	expect(run(launcher, ['--version'], '/')).toEqual(printed);
	expect(run('./tapewatch', ['--version'], join(root, 'bin'))).toEqual(printed);
	expect(run('links/tapewatch', ['--version'])).toEqual(printed);
	expect(run('programs/tapewatch', ['--version'])).toEqual(printed);
	expect(run('/bin/sh', ['tapewatch', '--version'], links)).toEqual(printed);
});

test('it reads, and records on its thread', () => {
	const read = run(unpacked.launcher, ['ticker', 'BTCUSDT', '--json']);
	expect({...read, stdout: JSON.parse(read.stdout)}).toEqual({
		stdout: expect.objectContaining({demo: true, tickers: [expect.objectContaining({symbol: 'BTCUSDT'})]}),
		...{stderr: expect.stringContaining('DEMO'), status: 0},
	});
	const recorded = run(unpacked.launcher, ['record', 'BTCUSDT', '--out', 'night.twr', '--for', '1s']);
	expect(recorded).toMatchObject({stdout: expect.stringContaining('night.twr'), status: 0});
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

test('the commands of docs/archive.md install and upgrade it, and leave nothing of it behind', () => {
	const text = documents.find(({name}) => name === 'docs/archive.md')?.text ?? '';
	const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
	const {folder} = unpacked;
	const [bin, host] = [join(folder, 'stubs'), join(folder, 'host')];
	for (const path of [bin, host]) mkdirSync(path);
	// The archive is made already, and the host is a folder.
	const stubs = {
		npm: '[ "$*" = "run archive" ]',
		scp: `for file; do [ "$file" = HOST: ] || cp "$file" "${host}"; done`,
	};
	for (const [name, script] of Object.entries(stubs)) {
		writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
		chmodSync(join(bin, name), 0o755);
	}

	const sh = (script: string, cwd: string) => {
		const env = {...bare(), PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: host};
		const {stdout, stderr, status} = spawnSync('/bin/sh', ['-ec', script], {cwd, env, encoding: 'utf8'});
		expect({stderr, status}, script).toEqual({stderr: '', status: 0});
		return stdout;
	};
	const [copy = '', unpack = '', install = '', upgrade = '', uninstall = ''] = blocks;
	expect(blocks).toHaveLength(5);
	sh(copy, folder);
	expect(sh(unpack, host)).toMatch(new RegExp(`^tapewatch-.*: OK\n${version.replaceAll('.', '\\.')}\n$`));
	for (const block of [install, upgrade]) {
		sh(block, host);
		expect(sh('~/.local/bin/tapewatch --version', host)).toBe(`${version}\n`);
	}

	sh(uninstall, host);
	const left = readdirSync(join(host, '.local'), {recursive: true, withFileTypes: true});
	expect(left.filter(entry => !entry.isDirectory() || entry.name === 'tapewatch')).toEqual([]);
});
