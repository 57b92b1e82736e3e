// @module-tag ssh
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {setTimeout as pause} from 'node:timers/promises';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {mouseOn} from '../../source/terminal/mouse.ts';
import {isLive} from '../e2e/frame.ts';
import {isRestored, isWhole, openServed, press, type Served, shows, type} from './served.ts';

let served: Served;

const base64 = (text: string) => Buffer.from(text).toString('base64');
const click = (column: number, row: number) => `\u001B[<0;${column};${row}M\u001B[<0;${column};${row}m`;

describe('a viewer of tapewatch serve', () => {
	beforeAll(async () => {
		// What would act on the computer of the server, if a viewer could have it.
		served = await openServed({config: folder => `on-alert = ["touch", "${join(folder, 'ran')}"]\n`});
	});
	afterAll(() => served?.close());
	// The terminals of a test are closed after it.
	beforeEach(() => expect.poll(() => served.metric('tapewatch_viewers')).toBe(0));

	test('has the monitor, with resizes, theme, mouse, clipboard, title and exit status', async () => {
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
		press(monitor, 'q');
		expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
		expect([isRestored(monitor), monitor.screen().join('')]).toEqual([true, '']);
	});

	test('is drawn for by its NO_COLOR, LANG, COLORTERM and TERM, and by no other variable', async () => {
		const small = {columns: 80, rows: 24};
		const [plain, indexed, dumb] = [
			served.open([], {...small, env: {NO_COLOR: '1', LANG: 'C', TAPEWATCH_MARKET: 'SOLUSDT'}}),
			served.open(['ETHUSDT'], {...small, key: 'bob', env: {LANG: 'C.UTF-8'}}),
			served.open(['ETHUSDT'], {...small, key: 'owner', env: {TERM: 'dumb'}}),
		];
		await Promise.all([plain, indexed].map(monitor => monitor.waitFor(isWhole(80, 24))));
		const colors = /\u001B\[(?:\d+;)*[34]8;([25])/;
		expect([colors.exec(plain.raw()), plain.screen()[2]?.[0]]).toEqual([null, '#']);
		expect(plain.screen()[0]).not.toContain('SOL/USDT');
		expect([colors.exec(indexed.raw())?.[1], indexed.screen()[2]?.[0]]).toEqual(['5', '┏']);
		await dumb.exit;
		expect(dumb.screen().join('')).toMatch(/^tapewatch: the monitor of ETHUSDT needs a terminal: TERM=dumb /);
		press(plain, '<ctrl-c>');
		expect(await plain.exit).toEqual({exitCode: 130, signal: undefined});
	});

	test('reads without a terminal, with the exit status of the command', async () => {
		const reads = ['info', 'markets', 'ticker', 'depth BTCUSDT', 'trades BTCUSDT', 'candles BTCUSDT'];
		const documents = await Promise.all(reads.map(read => served.call([`${read} --json`])));
		for (const {status, stdout, stderr} of documents) {
			expect([status, stderr]).toEqual([0, '']);
			expect(JSON.parse(stdout)).toMatchObject({schemaVersion: 1, interface: expect.any(String)});
		}

		const [help, csv, unknown, shell, flag, condition, late] = await Promise.all([
			served.call(['help']),
			served.call(['candles', 'BTCUSDT', '--limit', '3', '-o', 'csv']),
			served.call(['depth NOPE']),
			served.call(['sh -c id']),
			served.call(['ticker --base-url=http://127.0.0.1:1']),
			served.call(["watch BTCUSDT --until 'last > 1'"]),
			served.call(["watch BTCUSDT --until 'last > 1000000' --for 1"]),
		]);
		expect([help.status, help.stdout]).toEqual([0, expect.stringMatching(/^Usage: ssh HOST \[MARKET /)]);
		expect([csv.status, csv.stdout.trimEnd().split('\n')]).toEqual([
			0,
			Array.from({length: 4}, () => expect.any(String)),
		]);
		expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringMatching(/^tapewatch: no market NOPE/)]);
		expect([shell.status, shell.stderr]).toEqual([2, expect.stringMatching(/^tapewatch: there is no sh, no shell/)]);
		expect([flag.status, flag.stderr]).toEqual([2, expect.stringMatching(/unknown option '--base-url/)]);
		expect([condition.status, late.status]).toEqual([0, 124]);
	});

	test('reads events into a pipe, until that or the viewer ends it', {tags: 'jq'}, async () => {
		const pipe = `${served.command} watch BTCUSDT --json --interval 1 | jq --unbuffered -r .type | head -n 5`;
		const piped = spawn('/bin/sh', ['-c', pipe], {stdio: ['ignore', 'pipe', 'pipe']});
		const [types, errors] = await Promise.all([text(piped.stdout), text(piped.stderr)]);
		expect([types, errors]).toEqual([expect.stringMatching(/^(?:(?:ticker|depth|trade|candle)\n){5}$/), '']);
		const lines = served.open(['watch BTCUSDT --json']);
		await lines.waitFor(/"type":/);
		press(lines, '<ctrl-c>');
		expect(await lines.exit).toEqual({exitCode: 130, signal: undefined});
	});

	test('sees at once what is known, by requests that are sent once for all and for nobody else', async () => {
		const ann = served.open(['BTCUSDT']);
		await ann.waitFor(shows('BTC/USDT'));
		const bob = served.open(['BTCUSDT'], {key: 'bob'});
		const shown: string[] = [];
		bob.onChange(() => shown.push(bob.screen().join('\n')));
		await bob.waitFor(isWhole(120, 40));
		// From an empty screen to all that is known, without a screen of which parts are unknown.
		expect(shown.filter(screen => /^.* 24 h {2}H –|still loading/.test(screen))).toEqual([]);
		const tiles = [1, 2, 3].map(() => served.open(['watch', 'BTCUSDT', 'ETHUSDT'], {key: 'tiles'}));
		await Promise.all(tiles.map(each => each.waitFor(/ BTC\/USDT ─[\s\S]* spread [\s\S]* ETH\/USDT ─[\s\S]* spread /)));
		const [begun, from] = [served.requests.length, performance.now()];
		await pause(2000);
		const seconds = (performance.now() - from) / 1000;
		const books = served.requests.slice(begun).filter(path => /depth.*BTC/.test(path)).length;
		expect(books).toBeGreaterThan(0);
		// One a second, whoever looks.
		expect(books).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
		for (const terminal of [ann, bob, ...tiles]) press(terminal, 'q');
		await Promise.all([ann, bob, ...tiles].map(terminal => terminal.exit));
		const asked = served.requests.length;
		await pause(1500);
		expect(served.requests.length).toBe(asked);
	});

	test('has a market, a zoom, a pause and a rewind of its own', async () => {
		const [ann, bob, second] = [
			served.open(['BTCUSDT']),
			served.open(['BTCUSDT'], {key: 'bob'}),
			// The same key twice is still two screens.
			served.open(['BTCUSDT']),
		];
		await Promise.all([ann, bob, second].map(each => each.waitFor(shows('BTC/USDT'))));
		press(ann, '<space>');
		await ann.waitFor(/^ PAUSED/m);
		press(bob, '<');
		await bob.waitFor(/REWOUND/);
		press(second, 'n2z');
		await second.waitFor(rows => shows('ETH/USDT')(rows) && !rows.some(row => row.includes('Markets')));
		expect(ann.screen().join('\n')).toMatch(/^ BTC\/USDT[\s\S]*Markets/);
		expect(ann.screen().join('\n')).not.toContain('REWOUND');
		expect(second.screen().join('\n')).not.toMatch(/PAUSED|REWOUND/);
		press(bob, '<esc>');
		await bob.waitFor(rows => shows('BTC/USDT')(rows) && !/PAUSED|REWOUND/.test(rows.join('\n')));
		expect(ann.screen().join('\n')).toMatch(/^ PAUSED/m);
	});

	test('finds what its key has chosen, and nothing of another key', async () => {
		const first = served.open([]);
		await first.waitFor(isLive);
		await type(first, 'market solusdt');
		await first.waitFor(shows('SOL/USDT'));
		await type(first, 'set palette blue-orange');
		await type(first, 'layout book');
		press(first, 'q');
		await first.exit;
		const again = served.open([]);
		await again.waitFor(shows('SOL/USDT'));
		again.write(':settings\r');
		await again.waitFor(/palette +blue-orange/);
		expect(again.screen().join('\n')).toMatch(/layout +book/);
		const other = served.open(['monitor', '--theme', 'light'], {key: 'owner'});
		await other.waitFor(isLive);
		other.write(':settings\r');
		await other.waitFor(/palette +classic/);
		expect(other.screen().join('\n')).toMatch(/theme +light/);
		expect(other.screen().join('\n')).not.toMatch(/^ SOL\/USDT|layout +book/);
		const files = readdirSync(join(served.folder, 'tapewatch/viewers'));
		expect(files.filter(name => !/^[\da-f]{64}\.json$/.test(name))).toEqual([]);
	});

	test('has what the options of its key allow', async () => {
		const [only, owner, tiles] = [
			served.open([], {key: 'only'}),
			served.open([], {key: 'owner'}),
			served.open(['BTCUSDT'], {key: 'tiles'}),
		];
		await Promise.all([only.waitFor(shows('ETH/USDT')), owner.waitFor(isLive), tiles.waitFor(/ BTC\/USDT ─/)]);
		expect(await served.call(['ticker', 'BTCUSDT'], {key: 'only'})).toMatchObject({status: 2, stdout: ''});
		expect(JSON.parse((await served.call(['markets', '--json'], {key: 'only'})).stdout)).toMatchObject({
			markets: [{symbol: 'ETHUSDT'}],
		});
		press(owner, 'd');
		await owner.waitFor(/Diagnosis since start/);
		// The next market, its tile and what follows: keys come in their order.
		press(only, 'n?');
		await only.waitFor(/\? Keys/);
		expect(only.screen()[0]).toMatch(/^ ETH\/USDT/);
		press(tiles, '<enter>q');
		expect(await tiles.exit).toEqual({exitCode: 0, signal: undefined});
	});

	test('has nothing of the owner: no diagnosis, recording, program of an alert, suspension or start setting', async () => {
		const ann = served.open(['BTCUSDT']);
		await ann.waitFor(isLive);
		const file = join(served.folder, 'x');
		for (const line of ['diagnosis', `record ${file}`, 'suspend', 'set rate 9', 'set log-file x']) {
			ann.write(`:${line}\r`);
			await ann.waitFor(/^ :.*(for keys with owner|viewers cannot|there is no (shell here|setting))/m);
			press(ann, '<esc>');
			await ann.waitFor(isWhole(120, 40));
		}

		press(ann, 'dR?');
		await ann.waitFor(/\? Keys/);
		press(ann, '<esc>');
		await ann.waitFor(isWhole(120, 40));
		await type(ann, 'alert last > 1');
		await ann.waitFor(/! BTCUSDT last > 1/);
		// Titles end with one, too.
		await expect.poll(() => ann.raw().replaceAll(/\u001B\]\P{Cc}*\u0007/gu, '')).toContain('\u0007');
		expect(ann.screen().join('\n')).not.toMatch(/Diagnosis|REC/);
		press(ann, 'q');
		await ann.exit;
		expect(['ran', 'x'].filter(name => existsSync(join(served.folder, name)))).toEqual([]);
		expect(readdirSync(served.folder, {recursive: true}).filter(name => String(name).endsWith('.twr'))).toEqual([]);
	});

	test('meets the host key that was made for the server alone, whose fingerprint it printed', () => {
		const path = join(served.folder, 'tapewatch/host_key');
		const listed = execFileSync('ssh-keygen', ['-l', '-f', path], {encoding: 'utf8'});
		expect(listed).toMatch(/\(ED25519\)$/m);
		expect([statSync(path).mode & 0o777, listed.split(' ')[1]]).toEqual([0o600, served.fingerprint]);
	});
});
