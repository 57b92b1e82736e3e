// @module-tag ssh
// @module-tag sshd
// @module-tag tmux
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {age} from '../e2e/age.ts';
import {frameFault, isLive} from '../e2e/frame.ts';
import {processLives, type Size} from '../e2e/program.ts';
import {keyBytes, openTerminal, type Terminal} from '../helpers/terminal.ts';
import {findTool} from '../helpers/tools.ts';
import {type Host, openHost} from './server.ts';
import {openThrottle} from './throttle.ts';

const size: Size = {columns: 100, rows: 30};
const other: Size = {columns: 120, rows: 40};

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

const showsNext = (rows: readonly string[]) => isWhole(size)(rows) && (rows[0] ?? '').startsWith(' ETH/USDT ');

/** So many of the programs that were started on the host are left, soon. */
const expectLeft = (count: number) => expect.poll(() => host.programs().filter(processLives)).toHaveLength(count);

describe('over SSH', () => {
	beforeAll(async () => {
		host = await openHost(findTool('sshd') ?? 'sshd');
	});
	afterAll(() => host?.close());

	test('ssh -t runs the monitor, also through a link that slows down, stalls and recovers, and ssh a pipe that ends at both ends; connections that break leave nothing behind', async () => {
		const throttle = await openThrottle(host.port);
		onTestFinished(throttle.close);
		const monitor = openTerminalOf(host.through(throttle.port), ['tapewatch']);
		const watches = ['watch', 'watch BTCUSDT --json'].map(command =>
			spawn('ssh', [...host.arguments, `tapewatch ${command}`], {stdio: ['ignore', 'pipe', 'ignore']}),
		);
		const begun = watches.map(watch => once(watch.stdout, 'data'));
		const ssh = ['ssh', ...host.arguments].map(word => `'${word}'`).join(' ');
		const pipe = spawn('/bin/sh', ['-c', `${ssh} tapewatch watch BTCUSDT --json | head -n 3`], {
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const [printed, errors] = await Promise.all([text(pipe.stdout), text(pipe.stderr)]);
		const symbols = printed.trimEnd().split('\n');
		expect(symbols.map(line => JSON.parse(line).symbol)).toEqual(['BTCUSDT', 'BTCUSDT', 'BTCUSDT']);
		expect(errors).toBe('tapewatch: DEMO data of the embedded exchange\n');

		await Promise.all([monitor.waitFor(isWhole(size)), ...begun]);
		await expectLeft(3);
		for (const connection of watches) connection.kill('SIGKILL');
		await expectLeft(1);

		throttle.limit(1000);
		await monitor.waitFor(/slow link: \d+ frames? dropped/);
		throttle.limit(0);
		press(monitor, 'n');
		throttle.limit(Number.POSITIVE_INFINITY);
		await monitor.waitFor(rows => showsNext(rows) && age(rows) <= 2);
		monitor.resize(other.columns, other.rows);
		await monitor.waitFor(isWhole(other));
		press(monitor, 'q');
		expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
		expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
		await expectLeft(0);
	});

	test('inside tmux the monitor survives the connection, is restored on reattach, and ends when tmux is killed', async () => {
		const tmux = ['tmux', '-S', `${host.folder}/tmux`, '-f', '/dev/null'];
		const session = ['new-session', '-A', '-s', 'prices', 'tapewatch', 'BTCUSDT', '\\;', 'set', 'status', 'off'];
		const first = openRemote(...tmux, ...session);
		await first.waitFor(isWhole(size));
		press(first, 'n');
		await first.waitFor(showsNext);
		first.kill('SIGKILL');
		await first.exit;
		await expectLeft(1);

		const again = openRemote(...tmux, ...session);
		await again.waitFor(showsNext);
		again.resize(other.columns, other.rows);
		await again.waitFor(isWhole(other));
		const killer = openRemote(...tmux, 'kill-server');
		await killer.exit;
		await again.exit;
		expect([again.alternate(), again.cursorVisible()]).toEqual([false, true]);
		await expectLeft(0);
	});
});
