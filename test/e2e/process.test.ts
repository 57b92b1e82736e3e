import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, existsSync, openSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {startSmallExchange, v2} from '../cli/small-exchange.ts';
import {programEnvironment} from '../helpers/environment.ts';
import {paths} from '../helpers/exchange-server.ts';
import {temporaryFolder} from '../helpers/folders.ts';
import {startTcpServer} from '../helpers/tcp-server.ts';
import {startTapewatch, tapewatch} from './tapewatch.ts';

const exchange = await startSmallExchange();
afterAll(() => exchange.close());

test('a closed pipe ends a read quietly', async () => {
	const run = startTapewatch(['ticker', '--base-url', exchange.url]);
	run.stopReading();
	const {stderr, status} = await run.outcome;
	expect({stderr, status}).toEqual({stderr: '', status: 0});
});

test.each(['info', 'watch --json', '--help'])('a full disk ends %s with one line and status 1', async command => {
	const full = openSync('/dev/full', 'w');
	const env = {TAPEWATCH_BASE_URL: exchange.url};
	const {stderr, status} = await tapewatch(command.split(' '), {stdout: full, env});
	closeSync(full);
	expect({stderr, status}).toEqual({
		stderr: 'tapewatch: cannot write to standard output: the disk is full\n',
		status: 1,
	});
});

test('SIGINT ends a test call whose program hangs', async () => {
	const home = temporaryFolder();
	const started = join(home, 'started');
	const hook = join(home, 'hook');
	await writeFile(hook, `#!/bin/sh\n: > ${started}\nexec sleep 60\n`, {mode: 0o755});
	const run = startTapewatch(['alerts', 'test', '--on-alert', hook]);
	await expect.poll(() => existsSync(started)).toBe(true);
	run.kill('SIGINT');
	expect(await run.outcome).toEqual({stdout: '', stderr: '', status: 130});
});

test('SIGHUP ends a read behind a proxy that never opens the tunnel', async () => {
	const asked = Promise.withResolvers<void>();
	const {port} = await startTcpServer(() => asked.resolve());
	const run = startTapewatch(['info', '--base-url', 'https://exchange.invalid', '--timeout', '600000'], {
		// The demo exchange's time is refused for another computer.
		env: {HTTPS_PROXY: `http://127.0.0.1:${port}`, TAPEWATCH_DEMO_AT: ''},
	});
	await asked.promise;
	run.kill('SIGHUP');
	expect(await run.outcome).toEqual({stdout: '', stderr: '', status: 129});
});

test('an old Node prints one line with the required version', async () => {
	const old = 'Object.defineProperty(process, "versions", {value: {...process.versions, node: "20.11.1"}})';
	const nodeArguments = ['--import', `data:text/javascript,${encodeURIComponent(old)}`];
	expect(await tapewatch(['--version'], {nodeArguments})).toEqual({
		stdout: '',
		stderr: 'tapewatch: needs Node 22.19 or newer, this is 20.11.1; see https://nodejs.org\n',
		status: 2,
	});
});

test('watch ends on SIGTERM although the reader of its events has stopped reading', async () => {
	const stalled = await startSmallExchange();
	const asks = Array.from({length: 5000}, (_, index) => [61_824.01 + index, 1]);
	stalled.answer(paths.depth, v2({asks}));
	const main = join(import.meta.dirname, '../../dist/main.js');
	const args = ['watch', 'BTCUSDT', '--json', '--interval', '0.2', '--base-url', stalled.url, '--rate', '1000'];
	// Nobody reads the pipe: it is full after a book or two.
	const child = spawn(process.execPath, [main, ...args], {
		stdio: ['ignore', 'pipe', 'ignore'],
		env: programEnvironment(),
	});
	const ended = once(child, 'exit');
	await stalled.received(30);
	child.kill('SIGTERM');
	expect(await ended).toEqual([143, null]);
	await stalled.close();
});
