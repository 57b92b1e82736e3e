// @module-tag ssh
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {isLive} from '../e2e/frame.ts';
import type {Terminal} from '../helpers/terminal.ts';
import {isRestored, isWhole, openServed, press, type Served, type ServedOptions, shows} from './served.ts';

let served: Served;

async function serve(options?: ServedOptions): Promise<Served> {
	const other = await openServed(options);
	onTestFinished(other.close);
	return other;
}

const done = {exitCode: 0, signal: undefined};

describe('tapewatch serve', () => {
	beforeAll(async () => {
		served = await openServed({args: ['--max-per-address', '60']});
	});
	afterAll(() => served?.close());
	// The terminals of a test are closed after it.
	beforeEach(() => expect.poll(() => served.metric('tapewatch_viewers')).toBe(0));

	test('opens no other door, and strangers do not disturb who is in', async () => {
		const viewer = served.open(['BTCUSDT']);
		await viewer.waitFor(isLive);
		const strangers = Array.from({length: 10}, () => connect({port: served.port, host: '127.0.0.1'}));
		for (const [index, socket] of strangers.entries()) {
			onTestFinished(() => void socket.destroy());
			socket.on('error', () => {});
			if (index % 3 === 1) socket.write(`\u0000\u001B]0;x\u0007${'garbage'.repeat(100)}\n`);
			if (index % 3 === 2) socket.write('SSH-2.0-never_finishes\r\n');
		}

		for (let index = 0; index < 10; index++) {
			const scan = connect({port: served.port, host: '127.0.0.1'}).on('error', () => {});
			await once(scan, 'connect');
			index % 2 ? scan.destroy() : scan.resetAndDestroy();
		}

		const call = served.call;
		const [stranger, keyless, password, remote, direct, sftp, scp, oldScp, shell, agent] = await Promise.all([
			call(['info'], {key: 'stranger'}),
			call(['info'], {options: ['-o', 'PubkeyAuthentication=no']}),
			call(['info'], {options: ['-o', 'PreferredAuthentications=password']}),
			call(['watch', '--once'], {options: ['-o', 'ExitOnForwardFailure=yes', '-R', '0:127.0.0.1:22']}),
			call([], {options: ['-W', '127.0.0.1:22']}),
			call([], {tool: 'sftp'}),
			call([join(served.folder, 'keys')], {tool: 'scp'}),
			call([join(served.folder, 'keys')], {tool: 'scp', options: ['-O']}),
			call(['sh', '-c', 'id'], {options: ['-tt']}),
			call(['info'], {options: ['-A', '-X'], env: {DISPLAY: ':9'}}),
		]);
		for (const refused of [stranger, keyless, password]) {
			expect(refused).toEqual({
				status: 255,
				stdout: '',
				stderr: expect.stringContaining('Permission denied (publickey)'),
			});
		}

		for (const {status, stdout} of [remote, direct, sftp, scp]) expect([status, stdout]).toEqual([255, '']);
		expect([oldScp.status, oldScp.stderr]).toEqual([
			expect.any(Number),
			expect.stringContaining('there is no scp, no shell'),
		]);
		expect(oldScp.status).not.toBe(0);
		expect(shell).toMatchObject({status: 2, stdout: expect.stringMatching(/^tapewatch: there is no sh, no shell/)});
		expect(agent).toMatchObject({status: 0, stdout: expect.stringContaining('exchange info')});
		press(viewer, 'n');
		await viewer.waitFor(shows('ETH/USDT'));
		await expect.poll(() => served.log().map(({reason}) => reason)).toContain('unknown key');
		expect(JSON.stringify(served.log())).not.toContain('garbage');
	});

	test('shows twenty at once the monitor, in the sizes that they take, and forgets who is killed, stalls or quits', async () => {
		const monitors: Terminal[] = [];
		while (monitors.length < 20) {
			// On a busy machine, all at once would take longer to log in than they may.
			for (let count = 0; count < 10; count++) {
				const key = count % 2 ? 'ann' : 'bob';
				monitors.push(served.open(['BTCUSDT'], {key, columns: 80, rows: 24}));
			}

			await Promise.all(monitors.map(monitor => monitor.waitFor(isWhole(80, 24))));
		}

		expect(await served.metric('tapewatch_viewers')).toBe(20);
		for (const monitor of monitors) monitor.resize(100, 30);
		await Promise.all(monitors.map(monitor => monitor.waitFor(isWhole(100, 30))));
		const quitting = monitors.filter((_, index) => index % 3 === 0);
		for (const [index, monitor] of monitors.entries()) {
			if (index % 3 === 0) press(monitor, 'q');
			if (index % 3 === 1) monitor.kill('SIGSTOP');
			if (index % 3 > 0) monitor.kill('SIGKILL');
		}

		for (const monitor of quitting) expect([await monitor.exit, isRestored(monitor)]).toEqual([done, true]);
		await expect.poll(() => served.metric('tapewatch_viewers')).toBe(0);
	});

	test('drops frames of who stalls, and serves it later, who floods, and all others meanwhile', async () => {
		const [stalled, flooding, calm] = [
			// Much changes on a large screen.
			served.open(['BTCUSDT'], {columns: 400, rows: 120}),
			served.open(['BTCUSDT'], {key: 'bob'}),
			served.open(['BTCUSDT'], {key: 'owner'}),
		];
		await Promise.all([stalled, flooding, calm].map(each => each.waitFor(isLive)));
		const dropped = await served.metric('tapewatch_dropped_frames_total');
		stalled.kill('SIGSTOP');
		for (let index = 0; index < 20; index++) {
			// Different keys at once would be a paste.
			press(flooding, 'n'.repeat(300));
			flooding.resize(100 + index, 30);
		}

		press(calm, 'n');
		await calm.waitFor(shows('ETH/USDT'));
		press(calm, 'p');
		await calm.waitFor(shows('BTC/USDT'));
		await expect.poll(() => served.metric('tapewatch_dropped_frames_total')).toBeGreaterThan(dropped);
		stalled.kill('SIGCONT');
		await stalled.waitFor(/slow link: \d+ frames? dropped/);
		press(stalled, 'n');
		await stalled.waitFor(shows('ETH/USDT'));
		const isHeard = (): boolean => flooding.screen().some(row => row.includes('? Keys'));
		await expect.poll(() => isHeard() || press(flooding, '?'), {interval: 1000}).toBe(true);
	});

	test('serves metrics in the text format of Prometheus, and logs each log-in and refusal', async () => {
		const text = await served.metrics();
		const help = /^# (?:HELP [a-zA-Z_:][\w:]* .+|TYPE [a-zA-Z_:][\w:]* (?:counter|gauge|histogram|summary|untyped))$/;
		const sample =
			/^[a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (?:[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|Inf)|NaN)$/i;
		expect(text.split('\n').filter(line => line !== '' && !help.test(line) && !sample.test(line))).toEqual([]);
		for (const name of ['viewers', 'connecting', 'logins', 'refusals', 'requests', 'sent_bytes', 'dropped_frames'])
			expect(text).toMatch(new RegExp(`^tapewatch_${name}(?:_total)?(?:\\{.*\\})? \\d`, 'm'));
		expect(text).toMatch(/^tapewatch_request_duration_seconds_count\{interface="v2",operation="ticker"\} [1-9]/m);
		const messages = served.log().map(({msg}) => msg);
		expect(messages).toEqual(expect.arrayContaining(['login', 'logout', 'refusal']));
		expect(await served.metric('tapewatch_logins_total')).toBe(messages.filter(message => message === 'login').length);
		expect(served.errors()).not.toMatch(/defect|warning/i);
	});

	test('turns away who is one too many, and who is idle, with a word', async () => {
		const small = await serve({args: ['--max-viewers', '1', '--idle', '2s']});
		const first = small.open(['BTCUSDT']);
		await first.waitFor(() => first.alternate());
		const typing = setInterval(() => press(first, '1'), 300);
		onTestFinished(() => clearInterval(typing));
		await first.waitFor(isLive);
		expect(await small.call(['info'], {key: 'bob'})).toMatchObject({
			status: 255,
			stderr: expect.stringContaining('the server is full (1 viewer); try again later'),
		});
		clearInterval(typing);
		expect(await first.exit).toMatchObject({exitCode: 143});
		expect([first.screen()[0], isRestored(first)]).toEqual(['tapewatch: idle for 2 s', true]);
	});

	test('rereads keys on change and on SIGHUP, and restores every terminal on SIGTERM within five seconds', async () => {
		const ann = served.open(['BTCUSDT']);
		await ann.waitFor(isLive);
		served.authorize('ann', 'stranger');
		const stranger = served.open(['BTCUSDT'], {key: 'stranger'});
		await stranger.waitFor(isLive);
		served.authorize('bob', 'stranger');
		served.kill('SIGHUP');
		await ann.exit;
		expect([ann.screen()[0], isRestored(ann)]).toEqual(['tapewatch: your key was removed', true]);
		const tiles = served.open(['watch', 'BTCUSDT'], {key: 'bob'});
		await tiles.waitFor(/BTC\/USDT/);
		const lines = served.call(['watch', 'BTCUSDT', '--json'], {key: 'bob'});
		await expect.poll(() => served.metric('tapewatch_viewers')).toBe(3);
		stranger.kill('SIGSTOP');
		const from = performance.now();
		served.kill('SIGTERM');
		const [{exitCode}, piped, status] = await Promise.all([tiles.exit, lines, served.ended]);
		expect(performance.now() - from).toBeLessThan(5000);
		expect([tiles.screen()[0], isRestored(tiles), exitCode]).toEqual(['tapewatch: the server is stopping', true, 143]);
		expect([piped.status, piped.stderr, status]).toEqual([143, 'tapewatch: the server is stopping\n', 143]);
		expect(readFileSync(join(served.folder, 'log'), 'utf8').trimEnd().split('\n').at(-1)).toContain('logout');
	});
});
