// @module-tag ssh
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {mouseOn} from '../../source/terminal/mouse.ts';
import {isLive} from '../e2e/frame.ts';
import type {Terminal} from '../helpers/terminal.ts';
import {isRestored, isWhole, openServed, press, type Served, shows, type} from './served.ts';

let served: Served;

/** As many as may be served at a time. */
const crowd = 6;
const done = {exitCode: 0, signal: undefined};
const base64 = (text: string) => Buffer.from(text).toString('base64');
const click = (column: number, row: number) => `\u001B[<0;${column};${row}M\u001B[<0;${column};${row}m`;

// One server for all, which the last test ends.
describe('a viewer of tapewatch serve', () => {
	beforeAll(async () => {
		// What would act on the computer of the server, if a viewer could have it.
		served = await openServed({
			args: ['--max-viewers', String(crowd), '--max-per-address', '60'],
			config: folder => `on-alert = ["touch", "${join(folder, 'ran')}"]\n`,
		});
	});
	afterAll(() => served?.close());
	// The terminals of a test are closed after it.
	beforeEach(() => expect.poll(() => served.metric('tapewatch_viewers')).toBe(0));

	test('has the monitor, with resizes, theme, mouse, clipboard, title and exit status, and nothing of the owner', async () => {
		const monitor = served.open(['BTCUSDT'], {options: ['-q']});
		await monitor.waitFor(isWhole(120, 40));
		expect(monitor.raw()).toContain(mouseOn);
		await expect.poll(monitor.raw).toContain('\u001B]2;BTC/USDT ');
		const from = monitor.raw().length;
		monitor.write('\u001B]11;rgb:ffff/ffff/ffff\u001B\\');
		await expect.poll(() => monitor.raw().slice(from)).toContain('\u001B[38;2;11;122;75m');
		press(monitor, 'y');
		await expect.poll(monitor.raw).toContain(`\u001B]52;c;${base64('BTC/USDT')}`);
		const other = monitor.screen().findIndex(row => row.includes('ETH/USDT'));
		monitor.write(click(10, other + 1));
		await monitor.waitFor(shows('ETH/USDT'));
		monitor.resize(80, 24);
		await monitor.waitFor(isWhole(80, 24));

		monitor.write(`:record ${join(served.folder, 'x')}\r`);
		await monitor.waitFor(/^ :.*viewers cannot record/m);
		press(monitor, '<esc>');
		await type(monitor, 'alert last > 1');
		// Titles end with one, too.
		await expect.poll(() => monitor.raw().replaceAll(/\u001B\]\P{Cc}*\u0007/gu, '')).toContain('\u0007');
		press(monitor, 'q');
		expect(await monitor.exit).toEqual(done);
		expect(isRestored(monitor)).toBe(true);
		// On a busy machine what was chosen may take longer to save than a viewer waits.
		expect(monitor.screen().join('')).toMatch(/^(?:tapewatch: your changes are not saved; .*)?$/);
		expect(['ran', 'x'].filter(name => existsSync(join(served.folder, name)))).toEqual([]);
		expect(readdirSync(served.folder, {recursive: true}).filter(name => String(name).endsWith('.twr'))).toEqual([]);
	});

	test('sees changes since an hour ago, whose candles are read once for all viewers, and of its own markets only', async () => {
		const viewers = [served.open(['BTCUSDT']), served.open(['BTCUSDT'], {key: 'bob'})];
		for (const viewer of viewers) {
			await viewer.waitFor(isWhole(120, 40));
			await type(viewer, 'columns last 1h');
			press(viewer, '1z');
		}

		for (const viewer of viewers) await viewer.waitFor(/1h 4[67] of 48 known/, 30_000);
		const only = served.open(['ETHUSDT'], {key: 'only'});
		await only.waitFor(isWhole(120, 40));
		await type(only, 'columns last 1h');
		press(only, '1z');
		await only.waitFor(/1h 1 of 1 known/);
		const minutes = served.requests.filter(path => path.includes('kline') && path.includes('limit=302'));
		expect(minutes.length).toBeGreaterThanOrEqual(46);
		expect(new Set(minutes).size).toBe(minutes.length);
		// They are remembered for the next tests.
		for (const viewer of [...viewers, only]) await type(viewer, 'columns default');
		for (const viewer of [...viewers, only]) press(viewer, 'q');
		for (const viewer of [...viewers, only]) expect(await viewer.exit).toEqual(done);
	}, 60_000);

	test('reads without a terminal what its key allows, with the exit status of the command', async () => {
		const [markets, unknown, late, stranger] = await Promise.all([
			served.call(['markets --json'], {key: 'only'}),
			served.call(['depth NOPE']),
			served.call(["watch BTCUSDT --until 'last > 1000000' --for 1"]),
			served.call(['info'], {key: 'stranger'}),
		]);
		expect([markets.status, markets.stderr]).toEqual([0, '']);
		expect(JSON.parse(markets.stdout)).toMatchObject({schemaVersion: 1, markets: [{symbol: 'ETHUSDT'}]});
		expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringMatching(/^tapewatch: no market NOPE/)]);
		expect(late.status).toBe(124);
		expect([stranger.status, stranger.stdout]).toEqual([255, '']);
	});

	test('reads events into a pipe until that ends', {tags: 'jq'}, async () => {
		const pipe = `${served.command} watch BTCUSDT --json --interval 1 | jq --unbuffered -r .type | head -n 5`;
		const piped = spawn('/bin/sh', ['-c', pipe], {stdio: ['ignore', 'pipe', 'pipe']});
		const [types, errors] = await Promise.all([text(piped.stdout), text(piped.stderr)]);
		expect([types, errors]).toEqual([expect.stringMatching(/^(?:(?:ticker|depth|trade|candle)\n){5}$/), '']);
	});

	test('finds what its key has chosen, and nothing of another viewer; is drawn for by its NO_COLOR and LANG, and by no other variable', async () => {
		const first = served.open([]);
		await first.waitFor(isLive);
		await type(first, 'market solusdt');
		await first.waitFor(shows('SOL/USDT'));
		await type(first, 'set palette blue-orange');
		await type(first, 'layout book');
		const folder = join(served.folder, 'tapewatch/viewers');
		const saved = () =>
			readdirSync(folder)
				.map(name => readFileSync(join(folder, name), 'utf8'))
				.join('');
		await expect.poll(saved).toMatch(/blue-orange[\s\S]*"book"|"book"[\s\S]*blue-orange/);
		press(first, 'q');
		await first.exit;

		const again = served.open([]);
		await again.waitFor(shows('SOL/USDT'));
		again.write(':settings\r');
		await again.waitFor(/palette +blue-orange/);
		expect(again.screen().join('\n')).toMatch(/layout +book/);
		const env = {NO_COLOR: '1', LANG: 'C', TAPEWATCH_MARKET: 'SOLUSDT'};
		const other = served.open(['monitor', '--theme', 'light'], {key: 'owner', env});
		await other.waitFor(isLive);
		press(again, '<esc>');
		await again.waitFor(rows => shows('SOL/USDT')(rows) && !rows.some(row => row.includes('palette')));
		press(again, '<space>');
		await again.waitFor(/^ PAUSED/m);
		other.write(':settings\r');
		await other.waitFor(/palette +classic/);
		expect(other.screen().join('\n')).toMatch(/theme +light/);
		expect(other.screen().join('\n')).not.toMatch(/^ SOL\/USDT|layout +book|PAUSED/m);
		expect([/\u001B\[(?:\d+;)*[34]8;[25]/.exec(other.raw()), other.screen()[2]?.[0]]).toEqual([null, '#']);
		press(other, '<ctrl-c>');
		expect(await other.exit).toEqual({exitCode: 130, signal: undefined});

		// While a file is written, its lock lies beside it.
		const strange = () => readdirSync(folder).filter(name => !/^[\da-f]{64}\.json$/.test(name));
		await expect.poll(strange).toEqual([]);
	});

	test('meets the host key that was made for the server alone, whose fingerprint it printed', () => {
		const path = join(served.folder, 'tapewatch/host_key');
		const listed = execFileSync('ssh-keygen', ['-l', '-f', path], {encoding: 'utf8'});
		expect(listed).toMatch(/\(ED25519\)$/m);
		expect([statSync(path).mode & 0o777, listed.split(' ')[1]]).toEqual([0o600, served.fingerprint]);
	});

	test('is one of a crowd, who share requests; who stalls loses frames and disturbs nobody, who quits or is killed is forgotten', async () => {
		const monitors: Terminal[] = [];
		while (monitors.length < crowd) {
			// On a busy machine, all at once would take longer to log in than they may.
			for (const key of ['ann', 'bob', 'owner']) {
				// Much changes on a large screen: that of the viewer who stalls.
				const size = monitors.length === 0 ? {columns: 240, rows: 70} : {columns: 80, rows: 24};
				monitors.push(served.open(['BTCUSDT'], {key, ...size}));
			}

			await Promise.all(monitors.map(monitor => monitor.waitFor(isLive)));
		}

		expect(await served.call(['info'], {key: 'bob'})).toMatchObject({
			status: 255,
			stderr: expect.stringContaining(`the server is full (${crowd} viewers); try again later`),
		});
		const [stalled, flooding, calm] = monitors as [Terminal, Terminal, Terminal];
		const [dropped, asked, from] = [
			await served.metric('tapewatch_dropped_frames_total'),
			served.requests.length,
			performance.now(),
		];
		stalled.kill('SIGSTOP');
		// Different keys at once would be a paste.
		press(flooding, 'n'.repeat(300));
		press(calm, 'n');
		await calm.waitFor(shows('ETH/USDT'));
		press(calm, 'p');
		await calm.waitFor(shows('BTC/USDT'));
		await expect.poll(() => served.metric('tapewatch_dropped_frames_total')).toBeGreaterThan(dropped);
		const books = served.requests.slice(asked).filter(path => /depth.*BTC/.test(path)).length;
		// One a second, whoever looks, and at most one more for who has come back.
		expect(books).toBeLessThanOrEqual(Math.ceil((performance.now() - from) / 1000) + 2);
		stalled.kill('SIGCONT');
		await stalled.waitFor(/slow link: \d+ frames? dropped/);
		press(stalled, 'n');
		await stalled.waitFor(shows('ETH/USDT'));

		const quitting = monitors.filter((_, index) => index % 2 === 0);
		for (const [index, monitor] of monitors.entries()) {
			if (index % 2 === 0) press(monitor, 'q');
			else monitor.kill('SIGKILL');
		}

		for (const monitor of quitting) expect([await monitor.exit, isRestored(monitor)]).toEqual([done, true]);
		await expect.poll(() => served.metric('tapewatch_viewers')).toBe(0);
	});

	test('is counted and logged, and sent away when its key is removed or the server ends', async () => {
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
		const lines = served.open(['watch', 'BTCUSDT', '--json'], {key: 'bob', options: ['-T']});
		await lines.waitFor(/"type":/);
		for (const name of ['viewers', 'connecting', 'refusals_total', 'requests_total', 'sent_bytes_total'])
			expect(await served.metrics()).toMatch(new RegExp(`^tapewatch_${name}(?:\\{.*\\})? \\d`, 'm'));
		const logins = served.log().filter(({msg}) => msg === 'login').length;
		expect(await served.metric('tapewatch_logins_total')).toBe(logins);
		expect(served.log()).toContainEqual(expect.objectContaining({msg: 'refusal', reason: 'unknown key'}));

		stranger.kill('SIGSTOP');
		served.kill('SIGTERM');
		const [shown, piped, status] = await Promise.all([tiles.exit, lines.exit, served.ended]);
		expect([tiles.screen()[0], isRestored(tiles)]).toEqual(['tapewatch: the server is stopping', true]);
		expect(lines.raw()).toContain('tapewatch: the server is stopping');
		expect([shown.exitCode, piped.exitCode, status]).toEqual([143, 143, 143]);
		expect(readFileSync(join(served.folder, 'log'), 'utf8').trimEnd().split('\n').at(-1)).toContain('logout');
		expect(served.errors()).not.toMatch(/defect|warning/i);
	});
});
