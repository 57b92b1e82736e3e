// @module-tag ssh
// @module-tag sshd
// @module-tag tmux
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {setTimeout as pause} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {age, followAge} from '../e2e/age.ts';
import {frameFault, isLive} from '../e2e/frame.ts';
import {processLives, type Size} from '../e2e/program.ts';
import {keyBytes, openTerminal, type Terminal} from '../helpers/terminal.ts';
import {findTool} from '../helpers/tools.ts';
import {type Host, openHost} from './server.ts';
import {openThrottle} from './throttle.ts';

const size: Size = {columns: 100, rows: 30};
const other: Size = {columns: 120, rows: 40};
const patience = {timeout: 60_000, interval: 50};

/** How long a connection is slow, and stalls. */
const slowMs = 4000;

let host: Host;

/** `ssh` in a terminal: with `-t`, so that the program has one as well. */
const openRemote = (...command: readonly string[]): Terminal => openTerminalOf([], command);

function openTerminalOf(options: readonly string[], command: readonly string[]): Terminal {
	const args = ['-t', ...options, ...host.arguments, ...command];
	const remote = openTerminal({...size, file: 'ssh', args});
	onTestFinished(async () => {
		remote.kill('SIGKILL');
		await remote.exit;
	});
	return remote;
}

const press = (terminal: Terminal, keys: string) => terminal.write(keyBytes(keys).join(''));
const isWhole = (wanted: Size) => (rows: readonly string[]) => isLive(rows) && frameFault(rows, wanted) === undefined;

/** Nothing of what was started on the host is left, soon. */
const expectNothingLeft = () => expect.poll(() => host.programs().filter(processLives), patience).toEqual([]);

describe('over SSH', () => {
	beforeAll(async () => {
		host = await openHost(findTool('sshd') ?? 'sshd');
	});
	afterAll(() => host?.close());

	test('ssh -t host tapewatch runs the monitor, follows resizes, takes Ctrl-C and restores the terminal', async () => {
		const monitor = openRemote('tapewatch');
		await monitor.waitFor(isWhole(size));
		monitor.resize(other.columns, other.rows);
		await monitor.waitFor(isWhole(other));
		press(monitor, '?');
		await monitor.waitFor(/\? Keys/);
		// After q, see the next test.
		press(monitor, '<ctrl-c>');
		expect(await monitor.exit).toEqual({exitCode: 130, signal: undefined});
		expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
		await expectNothingLeft();
	});

	test('a connection that slows down, stalls and recovers shows the current screen', async () => {
		const throttle = await openThrottle(host.port);
		onTestFinished(throttle.close);
		const monitor = openTerminalOf(host.through(throttle.port), ['tapewatch']);
		await monitor.waitFor(isWhole(size));
		throttle.limit(1000);
		await monitor.waitFor(/slow link: \d+ frames? dropped/);
		const shownAge = followAge(monitor);
		let oldest = 0;
		for (const end = performance.now() + slowMs; performance.now() < end; await pause(100))
			oldest = Math.max(oldest, shownAge());
		expect(oldest).toBeLessThanOrEqual(12);

		throttle.limit(0);
		await pause(slowMs);
		press(monitor, 'n');
		throttle.limit(Number.POSITIVE_INFINITY);
		await monitor.waitFor(rows => isWhole(size)(rows) && (rows[0] ?? '').startsWith(' ETH/USDT '));
		expect(age(monitor.screen())).toBeLessThanOrEqual(2);
		press(monitor, 'q');
		expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
		expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
		await expectNothingLeft();
	});

	test('ssh host tapewatch watch --json | head -3 prints three events and ends at both ends', async () => {
		const ssh = ['ssh', ...host.arguments].map(word => `'${word}'`).join(' ');
		const pipe = spawn('/bin/sh', ['-c', `${ssh} tapewatch watch BTCUSDT --json | head -n 3`], {
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const errors = text(pipe.stderr);
		const events = (await text(pipe.stdout)).trimEnd().split('\n');
		expect(events.map(line => JSON.parse(line).symbol)).toEqual(['BTCUSDT', 'BTCUSDT', 'BTCUSDT']);
		expect(await errors).toBe('tapewatch: DEMO data of the embedded exchange\n');
		await expectNothingLeft();
	});

	test('connections that break leave no monitor and no watch behind', async () => {
		const monitor = openRemote('tapewatch');
		const watches = ['watch', 'watch BTCUSDT --json'].map(command =>
			spawn('ssh', [...host.arguments, `tapewatch ${command}`], {stdio: ['ignore', 'pipe', 'ignore']}),
		);
		await Promise.all([monitor.waitFor(isWhole(size)), ...watches.map(watch => once(watch.stdout, 'data'))]);
		expect(host.programs().filter(processLives)).toHaveLength(3);
		for (const connection of [monitor, ...watches]) connection.kill('SIGKILL');
		await Promise.all([monitor.exit, ...watches.map(watch => once(watch, 'exit'))]);
		await expectNothingLeft();
	});

	test('inside tmux the monitor survives the connection and is restored on reattach', async () => {
		const tmux = ['tmux', '-S', `${host.folder}/tmux`, '-f', '/dev/null'];
		const attach = [
			...tmux,
			'new-session',
			'-A',
			'-s',
			'prices',
			'tapewatch',
			'BTCUSDT',
			'\\;',
			'set',
			'status',
			'off',
		];
		const first = openRemote(...attach);
		await first.waitFor(isWhole(size));
		press(first, 'n');
		await first.waitFor(rows => isWhole(size)(rows) && (rows[0] ?? '').startsWith(' ETH/USDT '));
		first.kill('SIGKILL');
		await first.exit;
		expect(host.programs().filter(processLives)).toHaveLength(1);

		const again = openRemote(...attach);
		await again.waitFor(rows => isWhole(size)(rows) && (rows[0] ?? '').startsWith(' ETH/USDT '));
		again.resize(other.columns, other.rows);
		await again.waitFor(isWhole(other));
		press(again, 'q');
		expect(await again.exit).toEqual({exitCode: 0, signal: undefined});
		expect([again.alternate(), again.cursorVisible()]).toEqual([false, true]);
		await expectNothingLeft();
	});

	test('inside tmux the monitor ends when tmux is killed', async () => {
		const tmux = ['tmux', '-S', `${host.folder}/killed`, '-f', '/dev/null'];
		const monitor = openRemote(...tmux, 'new-session', 'tapewatch', '\\;', 'set', 'status', 'off');
		await monitor.waitFor(isWhole(size));
		const killer = openRemote(...tmux, 'kill-server');
		await killer.exit;
		await monitor.exit;
		await expectNothingLeft();
	});
});
