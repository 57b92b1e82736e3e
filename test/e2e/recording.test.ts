import {spawn} from 'node:child_process';
import {readdirSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {programEnvironment} from '../helpers/environment.ts';
import {temporaryFolder} from '../helpers/folders.ts';
import {query} from '../recording/recordings.ts';
import {command, openProgram} from './program.ts';

const newPath = (): string => join(temporaryFolder(), 'sample.twr');

const args = (path: string) => ['record', 'BTCUSDT', '--books', '--out', path, '--json'];

test('a disk that is full ends the recording with a reason, and nothing of the file is lost', async () => {
	const path = newPath();
	// Blocks of 1 kB.
	const program = spawn('bash', ['-c', `ulimit -f 150; exec ${command} ${args(path).join(' ')}`], {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: programEnvironment(),
	});
	onTestFinished(() => void program.kill('SIGKILL'));
	let [stdout, stderr] = ['', ''];
	program.stdout.setEncoding('utf8').on('data', text => {
		stdout += text;
	});
	program.stderr.setEncoding('utf8').on('data', text => {
		stderr += text;
	});
	const status = await new Promise(resolve => program.on('close', resolve));
	expect({status, stderr}).toEqual({
		status: 1,
		stderr: `tapewatch: DEMO data of the embedded exchange\ntapewatch: the recording ended: ${path} cannot be read or written: its disk fails or is full\n`,
	});
	const [, ended = '{}'] = stdout.trim().split('\n').slice(-2);
	expect(query(path, 'PRAGMA integrity_check')).toEqual([{integrity_check: 'ok'}]);
	const [{books} = {}] = query(path, 'SELECT count(*) AS books FROM best');
	expect(books).toBe(JSON.parse(ended).books);
});

test('the monitor records from its start, ends and begins a file on R, and goes on when a recording fails', async () => {
	const path = newPath();
	const data = dirname(path);
	const monitor = openProgram(['--record', path], {columns: 120, rows: 40, env: {XDG_DATA_HOME: data}});
	const isRecording = (text: readonly string[]) => /● REC 00:00:\d\d/.test(text[0] ?? '');
	const hasRecorded = (text: readonly string[]) => /● REC 00:00:(?:0[3-9]|[1-5]\d)/.test(text[0] ?? '');
	await monitor.waitFor(text => hasRecorded(text) && / live · DEMO/.test(text.join()));
	// The first page, which is read while the file is opened, has hundreds of trades; each later one some ten.
	const firstPage = 'SELECT count(*) AS trades FROM trades WHERE answer = (SELECT min(answer) FROM trade)';
	await expect.poll(() => query(path, firstPage)[0]?.trades).toBeGreaterThan(400);
	const end = async () => {
		monitor.press('R');
		await monitor.waitFor(text => !/REC/.test(text[0] ?? '') && / recorded/.test(text.at(-1) ?? ''));
	};
	await end();
	expect(query(path, 'SELECT process FROM session')).toEqual([{process: null}]);

	const beginAndRefuse = async () => {
		monitor.press('R');
		await monitor.waitFor(text => isRecording(text) && / recording/.test(text.at(-1) ?? ''));
		monitor.press(`:record ${join(data, 'no', 'file.twr')}<enter>`);
		await monitor.waitFor(text => isRecording(text) && / its folder does not exist/.test(text.at(-1) ?? ''));
	};
	await beginAndRefuse();
	await end();

	monitor.press(`:record ${path}<enter>`);
	await monitor.waitFor(isRecording);
	rmSync(path);
	await monitor.waitFor(text => /recording ended: .* was moved, removed or replaced/.test(text.at(-1) ?? ''));
	expect(monitor.screen()[0]).not.toContain('REC');
	await monitor.waitFor(text => /^ live · DEMO/.test(text.at(-2) ?? ''));

	monitor.resize(40, 12);
	await monitor.waitFor(text => text.length === 12);
	await beginAndRefuse();
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
	const folder = join(data, 'tapewatch', 'recordings');
	const files = readdirSync(folder);
	expect(files).not.toEqual([]);
	expect(files.every(name => /^demo-2026-11-20T12-\d\d\.twr$/.test(name))).toBe(true);
	for (const name of files) {
		const sessions = query(join(folder, name), 'SELECT process FROM session');
		expect(sessions.every(({process}) => process === null)).toBe(true);
		// What was read before it began is there, too.
		expect(query(join(folder, name), 'SELECT count(*) > 10 AS listed FROM market')).toEqual([{listed: 1}]);
	}
});
