import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../../helpers/folders.ts';
import {inProcess} from '../in-process.ts';

/** A home without files, and no variables. */
function openHome() {
	const home = temporaryFolder();
	const folder = join(home, 'tapewatch');
	const folders = {HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home};
	return {folder, env: {...folders, TAPEWATCH_TIMEOUT: ''}};
}

test('lists every file and every setting with its source, and no secret', async () => {
	const {folder, env} = openHome();
	const variables = {TAPEWATCH_FPS: '4', TAPEWATCH_BASE_URL: 'https://a.example/secret-token'};
	const {stdout, stderr, status} = await inProcess(['config', '--rate', '2'], {env: {...env, ...variables}});
	expect([stderr, status]).toEqual(['', 0]);
	for (const name of ['config.toml', 'state.json', 'recordings']) {
		expect(stdout).toContain(`${join(folder, name)} (does not exist yet)`);
	}

	expect(stdout).toMatch(/^rate +2 requests\/s +--rate$/m);
	expect(stdout).toMatch(/^fps +4 +TAPEWATCH_FPS$/m);
	expect(stdout).toMatch(/^base-url +https:\/\/a\.example\/… +TAPEWATCH_BASE_URL$/m);
	expect(stdout).toMatch(/^timeout +5,000 ms +default$/m);
	expect(stdout).not.toContain('secret-token');
	expect((await inProcess(['settings', '--rate', '2'], {env: {...env, ...variables}})).stdout).toBe(stdout);
});

test('edit creates the file, takes an editor with arguments, and names the line of an error', async () => {
	const {folder, env} = openHome();
	const file = join(folder, 'config.toml');
	const edit = (editor: string) => inProcess(['config', 'edit'], {env: {...env, VISUAL: '', EDITOR: editor}});
	expect(await edit('true --wait')).toEqual({stdout: '', stderr: `tapewatch: ${file} has no errors\n`, status: 0});
	const created = readFileSync(file, 'utf8');
	expect(created).toContain('# rate = 5\n');

	const broken = await edit(`sh -c 'echo "rate = \\"x" >> "$0"'`);
	const line = created.split('\n').length;
	expect(broken).toMatchObject({
		status: 2,
		stderr: expect.stringContaining(`${file}:${line}:8: the string is not closed`),
	});
	expect(readFileSync(file, 'utf8')).toBe(`${created}rate = "x\n`);
});

test('edit says when there is no such editor, and when it fails', async () => {
	const {env} = openHome();
	const edit = (editor: string) => inProcess(['config', 'edit'], {env: {...env, VISUAL: editor}});
	const failed = await edit('exit 3; #');
	expect([failed.status, failed.stderr]).toEqual([1, 'tapewatch: exit 3; # ended with status 3\n']);
	const missing = await edit('no-such-editor 2>&-');
	expect([missing.status, missing.stderr]).toEqual([
		1,
		'tapewatch: no editor no-such-editor 2>&-: set EDITOR to one\n',
	]);
});

test('version prints the version alone', async () => {
	const {stdout, status} = await inProcess(['version']);
	expect([stdout, status]).toEqual([(await inProcess(['--version'])).stdout, 0]);
});
