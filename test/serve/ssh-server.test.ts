// @module-tag ssh
import {chmodSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {parseAuthorizedKeys} from '../../source/serve/authorized-keys.ts';
import {keepAliveMs} from '../../source/serve/guest.ts';
import type {Viewer} from '../../source/serve/viewer.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {createKeys, type Doors, openDoors} from './doors.ts';

const keys = createKeys('ecdsa', 'rsa');
let doors: Doors;

beforeAll(async () => {
	doors = await openDoors({folder: keys.folder, onViewer: answer, limits: {viewersPerAddress: 100}});
});
afterAll(async () => {
	await doors.close();
	keys.remove();
});

// A client has its exit status before the server has heard that it is gone.
beforeEach(() => expect.poll(() => [doors.server.viewers, doors.server.connecting]).toEqual([0, 0]));

/** What runs in place of the monitor. */
function answer(viewer: Viewer): void {
	const {command = 'shell', input, output, errors, terminal, env, address, key, end} = viewer;
	const [name, size = 0] = command.split(' ');
	if (name === 'refuse') viewer.reportRefusal('your key shows nothing');
	if (name === 'cat') {
		input.on('data', data => output.write(data)).on('end', () => void end(0));
	} else if (name === 'fail') {
		output.write('half\n');
		errors.write('what failed\n');
		void end(7);
	} else if (name === 'flood') {
		output.write('x'.repeat(Number(size)), () => void end(0));
	} else if (name === 'twice') {
		output.write('one ');
		output.write('two ', () => output.write('three ', () => output.write('four\n', () => void end(0))));
	} else if (name === 'sizes') {
		const tell = () => output.write(`${output.columns}x${output.rows}\n`);
		output.on('resize', tell);
		input.on('data', () => void end(0));
		tell();
	} else if (name === 'stay') {
		output.write('here\n');
		input.on('data', data => output.write(data));
		viewer.leave.addEventListener('abort', () => {
			output.write(`${viewer.leave.reason}\n`);
			void end(0);
		});
	} else {
		const {columns, rows, isTTY} = output;
		output.write(`${JSON.stringify({command, terminal, env, address, key: key?.comment, isTTY, columns, rows})}\n`);
		void end(0);
	}
}

const fingerprintOf = (name: string): string | undefined =>
	parseAuthorizedKeys(readFileSync(join(keys.folder, `${name}.pub`), 'utf8')).keys[0]?.fingerprint;

/** The last who left, as soon as somebody has. */
async function lastLogout(): Promise<unknown> {
	await expect.poll(() => doors.server.viewers).toBe(0);
	return doors.events.findLast(({type}) => type === 'logout');
}

const logout = (reason: string, name = 'user') => ({
	...{type: 'logout', address: '127.0.0.1', user: 'ann', fingerprint: fingerprintOf(name), reason},
});

/** What `answer` tells of a viewer. */
const told = (stdout: string): unknown => JSON.parse(stdout);

describe('a viewer', () => {
	test('gets a command with its words, both outputs apart and the exit status', async () => {
		const [command, failure] = await Promise.all([doors.call(['watch', 'BTCUSDT', '--json']), doors.call(['fail'])]);
		expect(command).toMatchObject({status: 0, stderr: expect.not.stringContaining('tapewatch')});
		expect(await lastLogout()).toEqual(logout('done'));
		expect(told(command.stdout)).toEqual({
			command: 'watch BTCUSDT --json',
			env: {},
			address: '127.0.0.1',
			key: 'user',
			isTTY: false,
			columns: 0,
			rows: 0,
		});
		expect(failure).toMatchObject({status: 7, stdout: 'half\n', stderr: expect.stringMatching(/^what failed$/m)});
	});

	test('gets a shell with a terminal, its size and four variables', async () => {
		const env = {COLORTERM: 'truecolor', LANG: 'de_DE.UTF-8', NO_COLOR: '1', LC_ALL: 'C', SECRET: 'x'};
		const send = Object.keys(env).flatMap(name => ['-o', `SendEnv=${name}`]);
		const args = doors.arguments([], {options: ['-t', ...send]});
		const terminal = openTerminal({file: 'ssh', args, columns: 132, rows: 43, env});
		expect(await terminal.exit).toMatchObject({exitCode: 0});
		expect(told(terminal.raw().match(/^\{.*\}\r$/m)?.[0] ?? '')).toEqual({
			command: 'shell',
			terminal: {type: 'xterm-256color', columns: 132, rows: 43},
			env: {TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'de_DE.UTF-8', NO_COLOR: '1'},
			address: '127.0.0.1',
			key: 'user',
			isTTY: true,
			columns: 132,
			rows: 43,
		});
	});

	test('is told the last of many sizes, and its keys come at once', async () => {
		const terminal = openTerminal({
			file: 'ssh',
			args: doors.arguments(['sizes'], {options: ['-t']}),
			columns: 80,
			rows: 24,
		});
		await terminal.waitFor(/80x24/);
		terminal.resize(90, 24);
		await terminal.waitFor(/90x24/);
		// The clock stands still: the rest after the first has not passed.
		for (const columns of [91, 92, 93]) terminal.resize(columns, 30);
		const [viewer] = doors.viewers;
		let resizes = 0;
		viewer?.output.on('resize', () => {
			resizes++;
		});
		await expect
			.poll(async () => {
				await doors.clock.advance(100);
				return viewer?.output.columns;
			})
			.toBe(93);
		await terminal.waitFor(/93x30/);
		expect(resizes).toBeLessThanOrEqual(3);
		terminal.write('q');
		expect(await terminal.exit).toMatchObject({exitCode: 0});
	});

	test('reads all that it sends, and sends all that it reads', async () => {
		const input = 'abc\n'.repeat(500);
		expect(await doors.call(['cat'], {input})).toMatchObject({status: 0, stdout: input});
		// More than the window of a channel, and than the limit allows in a second.
		const flood = doors.start(['flood', '3000000']);
		const isDone = () => flood.stdout().length === 3_000_000 || flood.hasEnded();
		await doors.passUntil(isDone);
		const {stdout, ...ended} = await flood.ended;
		expect({...ended, length: stdout.length}).toMatchObject({status: 0, length: 3_000_000});
	});

	test('gets all, however late it reads it', async () => {
		const pipe = doors.start(['flood', '1500000'], {isHeld: true});
		await expect.poll(() => doors.viewers.size).toBe(1);
		const [viewer] = doors.viewers;
		await doors.passUntil(() => viewer?.output.writableLength === 0);
		for (let second = 0; second < 10; second++) {
			await doors.clock.advance(1000);
			await pause(10);
		}

		pipe.read();
		const {stdout, ...ended} = await pipe.ended;
		expect({...ended, length: stdout.length}).toMatchObject({status: 0, length: 1_500_000});
	});

	test.each(['ecdsa', 'rsa'])('logs in with a key of type %s', async key => {
		doors.authorize('user', key);
		onTestFinished(() => doors.authorize('user'));
		expect(told((await doors.call(['x'], {key})).stdout)).toMatchObject({key});
	});
});

describe('who is not let in', () => {
	const denied = {status: 255, stdout: '', stderr: expect.stringContaining('Permission denied (publickey).')};
	const lastReason = () => doors.events.findLast(({type}) => type === 'refusal');

	test.each([
		['has another key', {key: 'stranger'}, 'unknown key'],
		[
			'signs with SHA-1',
			{key: 'rsa', options: ['-o', 'PubkeyAcceptedAlgorithms=ssh-rsa']},
			'signatures with SHA-1 are not accepted',
		],
		['has a key that has expired', {key: 'guest'}, 'the key expired on 2026-11-20 11:59:00 UTC'],
		['comes from elsewhere', {key: 'ecdsa'}, 'the key is not allowed from this address'],
	])('%s', async (_, options, reason) => {
		doors.authorize('user', 'rsa', 'expiry-time="202611201159Z" guest', 'from="127.0.0.0/8,!127.0.0.1" ecdsa');
		onTestFinished(() => doors.authorize('user'));
		expect(await doors.call(['x'], options)).toMatchObject(denied);
		const fingerprint = fingerprintOf(options.key);
		expect(lastReason()).toEqual({type: 'refusal', address: '127.0.0.1', user: 'ann', fingerprint, reason});
	});

	test.each([
		['no key', 'PubkeyAuthentication=no'],
		['a password', 'PreferredAuthentications=password'],
		['answers to questions', 'PreferredAuthentications=keyboard-interactive'],
	])('offers %s', async (_, option) => {
		const options = ['-o', option, '-o', 'BatchMode=no'];
		const env = {SSH_ASKPASS: '/bin/true', SSH_ASKPASS_REQUIRE: 'force'};
		expect(await doors.call(['x'], {options, env})).toMatchObject(denied);
	});
});

describe('what is refused', () => {
	const refused = (stderr: string | RegExp) => ({status: 255, stdout: '', stderr: expect.stringMatching(stderr)});
	const prohibited = /administratively prohibited/;

	test.each([
		['sftp', 'sftp' as const, [], /Connection closed|subsystem request failed/],
		['scp', 'scp' as const, ['-s'], /Connection closed|subsystem request failed/],
	])('%s', async (_, tool, options, stderr) => {
		const target = tool === 'sftp' ? [] : [join(keys.folder, 'copied')];
		const ended = await doors.call(target, {tool, options: [...options]});
		expect(ended).toMatchObject({stdout: '', stderr: expect.stringMatching(stderr)});
		expect(ended.status).not.toBe(0);
	});

	test('a connection through it: -W, as -L and -D ask for', async () => {
		expect(await doors.call([], {options: ['-W', '127.0.0.1:22']})).toMatchObject(refused(prohibited));
	});

	test('a port of its own for others: -R', async () => {
		const options = ['-o', 'ExitOnForwardFailure=yes', '-R', '0:127.0.0.1:22'];
		expect(await doors.call(['x'], {options})).toMatchObject(refused(/remote port forwarding failed/));
	});

	test('a socket of its own for others', async () => {
		const path = join(keys.folder, 'socket');
		const options = ['-o', 'ExitOnForwardFailure=yes', '-R', `${path}:127.0.0.1:22`];
		expect(await doors.call(['x'], {options})).toMatchObject(refused(/remote port forwarding failed/));
	});

	test('a tunnel', async () => {
		const ended = await doors.call(['x'], {
			options: ['-o', 'Tunnel=yes', '-w', '0:0', '-o', 'ExitOnForwardFailure=yes'],
		});
		expect(ended).toMatchObject({status: 255, stdout: ''});
	});

	test('X11: the command runs without', async () => {
		const {stdout, stderr} = await doors.call(['x'], {options: ['-X'], env: {DISPLAY: '127.0.0.1:9'}});
		expect(told(stdout)).toMatchObject({command: 'x', env: {}});
		expect(stderr).toContain('X11 forwarding request failed');
	});

	test('a terminal for a key that forbids it', async () => {
		doors.authorize('user', 'restrict guest');
		onTestFinished(() => doors.authorize('user'));
		const [without, withOne] = await Promise.all([
			doors.call(['x'], {key: 'guest'}),
			doors.call(['x'], {key: 'guest', options: ['-tt']}),
		]);
		expect(told(without.stdout)).toMatchObject({command: 'x', isTTY: false, key: 'guest'});
		expect(withOne).toMatchObject(refused(/PTY allocation request failed/));
	});

	test('a connection that wants neither the monitor nor a command: -N', async () => {
		const idle = doors.start([], {options: ['-N'], input: 'open'});
		await expect.poll(() => doors.server.viewers).toBe(1);
		await doors.clock.advance(20_000);
		expect(await idle.ended).toMatchObject(refused(/neither the monitor nor a command was requested/));
		expect(await lastLogout()).toEqual(logout('neither the monitor nor a command was requested'));
	});

	test('a command of more than 4096 characters', async () => {
		expect(await doors.call(['x'.repeat(4097)])).toMatchObject({
			status: 1,
			stdout: '',
			stderr: expect.stringMatching(/^tapewatch: the command is longer than 4096 characters$/m),
		});
		expect(await lastLogout()).toEqual(logout('the command is longer than 4096 characters'));
	});
});

test('why a viewer gets nothing is the reason of its refusal and of its log-out', async () => {
	await doors.call(['refuse']);
	expect(await lastLogout()).toEqual(logout('your key shows nothing'));
	expect(doors.events.at(-2)).toEqual({...logout('your key shows nothing'), type: 'refusal'});
});

describe('a viewer has to leave', () => {
	/** One who is shown something. */
	async function stay(options?: Parameters<Doors['start']>[1]) {
		const running = doors.start(['stay'], {input: 'open', ...options});
		await expect.poll(running.stdout).toBe('here\n');
		return running;
	}

	test.each([
		['was removed', ['ecdsa'], 'your key was removed'],
		['was changed', ['user', 'watch-only guest'], 'your key was changed; log in again'],
		['is in a file that others may write', [], 'the server cannot read its keys'],
	])('when its key %s', async (_, lines, sentence) => {
		doors.authorize('user', 'guest');
		onTestFinished(() => doors.authorize('user'));
		const [guest, user] = await Promise.all([stay({key: 'guest'}), stay()]);
		if (lines.length > 0) doors.authorize(...lines);
		else chmodSync(doors.keyFile, 0o622);
		const leaving = [...doors.viewers].filter(({key}) => key?.comment === 'guest');
		await doors.passUntil(() => leaving.every(({leave}) => leave.aborted));
		expect(await guest.ended).toMatchObject({status: 0, stdout: `here\n${sentence}\n`});
		const isKept = lines.includes('user');
		await expect.poll(() => doors.viewers.size).toBe(isKept ? 1 : 0);
		const gone = () =>
			doors.events.findLast(event => event.type === 'logout' && event.fingerprint === leaving[0]?.key?.fingerprint);
		// The viewer is gone before its connection is.
		await expect.poll(gone).toEqual(logout(sentence, 'guest'));
		user.kill('SIGKILL');
		expect(await lastLogout()).toEqual(isKept ? logout('disconnected') : expect.anything());
	});

	test('not when an editor has taken the file away for a moment', async () => {
		const viewer = await stay();
		rmSync(doors.keyFile);
		expect(await doors.call(['x'])).toMatchObject({status: 255});
		doors.authorize('user');
		const since = doors.clock.now();
		await doors.passUntil(() => doors.clock.now() - since > 10_000);
		expect(viewer.stdout()).toBe('here\n');
		viewer.kill('SIGKILL');
	});

	test('when its client has not answered for two minutes', async () => {
		vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']});
		onTestFinished(() => void vi.useRealTimers());
		const refusals = doors.events.filter(({type}) => type === 'refusal');
		const viewer = await stay();
		viewer.kill('SIGSTOP');
		vi.advanceTimersByTime(4 * keepAliveMs - 1);
		expect(doors.server.viewers).toBe(1);
		vi.advanceTimersByTime(1);
		await doors.passUntil(() => doors.server.viewers === 0);
		expect(await lastLogout()).toEqual(logout('the client did not answer for 2 min'));
		expect(doors.events.filter(({type}) => type === 'refusal')).toEqual(refusals);
		viewer.kill('SIGCONT');
		expect(await viewer.ended).toMatchObject({status: 255});
	});

	test('when it has been idle', async () => {
		const viewer = await stay();
		await doors.clock.advance(12 * 3_600_000 - 1);
		viewer.write('x');
		await expect.poll(() => viewer.stdout()).toBe('here\nx');
		await doors.clock.advance(12 * 3_600_000);
		expect(await viewer.ended).toMatchObject({stdout: 'here\nxidle for 12 h\n'});
		expect(await lastLogout()).toEqual(logout('idle for 12 h'));
	});
});
