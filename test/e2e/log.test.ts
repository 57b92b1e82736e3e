import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {expect, onTestFinished, test} from 'vitest';
import {isLive} from './frame.ts';
import {openProgram, type Size, startDemoProcess, startProgram} from './program.ts';

const size: Size = {columns: 120, rows: 40};
const quick = 'rate = 100\n[intervals]\ndepth = 0.3\ntrades = 0.3\ntickers = 0.3\ncandles = 0.3\nmarkets = 0.3\n';

type Entry = {readonly msg: string; readonly interface: string; readonly operation: string; readonly symbol?: string};

/** A path for a log file; its folder goes with the test. */
function logPath(): string {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-log-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	return join(folder, 'tape.log');
}

const entries = (path: string): readonly Entry[] =>
	readFileSync(path, 'utf8')
		.split('\n')
		.filter(Boolean)
		.map(line => JSON.parse(line));

const nameOf = ({msg, operation, interface: source}: Entry) => `${msg}: ${source} ${operation}`;

test('an outage is logged as it begins and ends, and nothing of it disturbs the screen', async () => {
	const path = logPath();
	const exchange = await startDemoProcess();
	const addresses = ['--base-url', exchange.url, '--legacy-base-url', exchange.url];
	const monitor = openProgram([...addresses, '--log-file', path], {...size, config: quick});
	await monitor.waitFor(isLive);
	expect(entries(path)).toEqual([]);

	await exchange.stop();
	await monitor.waitFor(text => text.some(row => row.includes('stale since')));
	while (entries(path).length < 3) await setTimeout(20);
	const again = await startDemoProcess(exchange.port);
	await monitor.waitFor(text => isLive(text) && !text.some(row => row.includes('stale')));
	expect(monitor.screen().join('\n')).not.toContain('"level"');
	monitor.press('q');
	expect(await monitor.exit).toMatchObject({exitCode: 0});

	const names = entries(path).map(nameOf);
	expect(names).toContain('failed: v2 depth');
	expect(names).toContain('recovered: v2 depth');
	expect(names.indexOf('failed: v2 depth')).toBeLessThan(names.indexOf('recovered: v2 depth'));
	// Which of the panels' requests is the first to fail is a matter of the moment.
	expect(entries(path).find(entry => nameOf(entry) === 'failed: v2 depth')).toMatchObject({
		level: 'warn',
		interface: 'v2',
		status: null,
		error: 'NetworkError',
		time: expect.any(Number),
		durationMs: expect.any(Number),
		url: expect.stringContaining(exchange.url),
	});
	await again.stop();
});

test('a read logs what failed besides saying it', async () => {
	const path = logPath();
	const exchange = await startDemoProcess();
	await exchange.stop();
	const {finished} = startProgram(['info', '--base-url', exchange.url, '--log-file', path]);
	expect(await finished).toMatchObject({status: 1, stdout: ''});
	expect(entries(path).map(nameOf)).toEqual(['failed: v2 info']);
});

test('a log file that cannot be written is said in one line, which is all that is left on the terminal', async () => {
	const path = join(logPath(), 'in-no-folder.log');
	const line = `tapewatch: the log file ${path} cannot be written: its folder does not exist; give another --log-file`;
	expect(await startProgram(['info', '--log-file', path]).finished).toEqual({
		status: 2,
		stdout: '',
		stderr: `${line}\n`,
	});
	const monitor = openProgram(['--log-file', path], size);
	expect(await monitor.exit).toMatchObject({exitCode: 2});
	expect(monitor.raw().endsWith(`${line}\r\n`)).toBe(true);
	expect(monitor.screen().join('').trim()).toBe(line);
	expect(existsSync(path)).toBe(false);
});
