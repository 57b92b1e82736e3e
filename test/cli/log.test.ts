import {chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {createLog, mostOutages, openLogFile} from '../../source/cli/log.ts';
import {HttpStatusError, NetworkError, TimeoutError} from '../../source/client/errors.ts';
import type {Outcome} from '../../source/client/exchange.ts';
import {wordsFor} from '../../source/client/messages.ts';
import {paths, sends, startExchangeServer} from '../helpers/exchange-server.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {inProcess} from './in-process.ts';

const start = Date.UTC(2026, 0, 1);
const url = 'https://api.example.com/depth?symbol=BTCUSDT';
const request = {operation: 'depth', interface: 'v2', symbol: 'BTCUSDT', url} as const;
const context = {operation: 'depth', interface: 'v2', url} as const;

/** What a log writes of outcomes one second apart. */
async function logged(outcomes: readonly Partial<Outcome>[]): Promise<unknown[]> {
	const clock = createFakeClock(start);
	const lines: string[] = [];
	const {observe} = createLog({write: line => lines.push(line)}, clock);
	for (const outcome of outcomes) {
		observe({...request, startedAt: clock.now(), durationMs: 20, dropped: 0, ...outcome});
		await clock.advance(1000);
	}

	expect(lines.every(line => line.endsWith('}\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
	return lines.map(line => JSON.parse(line));
}

const fine = {status: 200};
const timedOut = {durationMs: 5000, error: new TimeoutError({...context, timeoutMs: 5000})};
const down = {status: 503, error: new HttpStatusError({...context, status: 503, body: 'down', message: 'down'})};

test('logs a warning of Node, and addresses without passwords, paths and queries', () => {
	const lines: string[] = [];
	createLog({write: line => lines.push(line)}, createFakeClock(start)).warn(
		new Error('no answer of http://me:secret@proxy:80/token?key=token (socks5://proxy/token)'),
	);
	expect(lines.map(line => JSON.parse(line))).toEqual([
		{
			...{level: 'warn', time: start, warning: 'Error'},
			reason: 'no answer of http://proxy:80 (socks5://proxy)',
			msg: 'warning',
		},
	]);
});

test('logs the places of a defect in the program', () => {
	const lines: string[] = [];
	const reason =
		'Error: x\n    at file:///usr/lib/tapewatch/dist/chunk.js:4:1\n    at f (file:///usr/lib/tapewatch/dist/main.js:1:2)';
	createLog({write: line => lines.push(line)}, createFakeClock(start)).warn(new Error(reason));
	expect(lines.map(line => JSON.parse(line).reason)).toEqual([reason]);
});

test('logs a repeated warning once, and at most a hundred', () => {
	const lines: string[] = [];
	const {warn} = createLog({write: line => lines.push(line)}, createFakeClock(start));
	for (let index = 0; index < 1000; index++) warn(new Error(`warning ${Math.floor(index / 2)}`));
	expect(lines.map(line => JSON.parse(line).reason)).toEqual(
		Array.from({length: 100}, (_, index) => `warning ${index}`),
	);
});

test('logs a repeated failure once, and its recovery', async () => {
	expect(await logged([fine, down, down, down, fine, fine])).toEqual([
		{
			level: 'warn',
			time: start + 1000,
			operation: 'depth',
			interface: 'v2',
			symbol: 'BTCUSDT',
			status: 503,
			durationMs: 20,
			url: 'https://api.example.com',
			error: 'HttpStatusError',
			reason: 'server error …',
			msg: 'failed',
		},
		{
			level: 'info',
			time: start + 4000,
			operation: 'depth',
			interface: 'v2',
			symbol: 'BTCUSDT',
			status: 200,
			durationMs: 20,
			url: 'https://api.example.com',
			failures: 3,
			causes: {'http 5xx': 3},
			failedForMs: 3020,
			msg: 'recovered',
		},
	]);
});

test('logs each cause once, counting all 5xx statuses as one, and the recovery with the count of each', async () => {
	const gateway = {status: 502, error: new HttpStatusError({...context, status: 502, body: '', message: ''})};
	const lines = await logged([down, gateway, down, gateway, timedOut, down, timedOut, gateway, fine]);
	expect(lines).toMatchObject([
		{msg: 'failed', status: 503},
		{msg: 'failed', error: 'TimeoutError', status: null, durationMs: 5000},
		{msg: 'recovered', failures: 8, causes: {'http 5xx': 6, timeout: 2}},
	]);
	expect(lines).toHaveLength(3);
});

test('logs the recovery of the last 1000 markets that failed', async () => {
	const symbols = Array.from({length: mostOutages + 1}, (_, index) => `M${index}`);
	const failed = symbols.map(symbol => ({...down, symbol}));
	const lines = await logged([...failed, ...symbols.map(symbol => ({...fine, symbol}))]);
	expect(lines.slice(failed.length)).toMatchObject(symbols.slice(1).map(symbol => ({msg: 'recovered', symbol})));
	expect(lines).toHaveLength(failed.length + mostOutages);
});

test('operations, interfaces and markets fail and recover each by itself', async () => {
	const eth = {symbol: 'ETHUSDT'};
	const legacy = {interface: 'legacy'} as const;
	const lines = await logged([down, {...down, ...legacy}, {...down, ...eth}, fine, {...fine, ...eth}]);
	expect(lines).toMatchObject([
		{msg: 'failed', interface: 'v2', symbol: 'BTCUSDT'},
		{msg: 'failed', interface: 'legacy', symbol: 'BTCUSDT'},
		{msg: 'failed', interface: 'v2', symbol: 'ETHUSDT'},
		{msg: 'recovered', interface: 'v2', symbol: 'BTCUSDT'},
		{msg: 'recovered', interface: 'v2', symbol: 'ETHUSDT'},
	]);
});

test('logs name and code of the causes, from the outside in', async () => {
	const inner = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:3128'), {code: 'ECONNREFUSED'});
	const cause = new TypeError('proxy http://me:secret@proxy.example failed', {cause: inner});
	const error = new NetworkError({...context, words: wordsFor('proxy'), code: 'UND_ERR_PRX_CONN', cause});
	expect(await logged([{error}])).toMatchObject([
		{error: 'NetworkError', reason: 'proxy …', cause: 'TypeError; Error ECONNREFUSED'},
	]);
});

let folder = '';
let path = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'tapewatch-log-'));
	path = join(folder, 'tape.log');
});
afterEach(() => rmSync(folder, {recursive: true}));

const line = (name: string) => `${name.padEnd(9, '.')}\n`;
const contents = (): Record<string, string> =>
	Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]));

describe('a rotating file', () => {
	test('is for its owner alone, also one that was not, and the rotated ones', () => {
		for (const name of [path, `${path}.1`, `${path}.2`]) writeFileSync(name, line('before'), {mode: 0o644});
		const file = openLogFile(path, 15);
		const modes = () => readdirSync(folder).map(name => statSync(join(folder, name)).mode & 0o777);
		expect(modes()).toEqual([0o600, 0o600, 0o600]);
		chmodSync(path, 0o644);
		file.write(line('after'));
		file.write(line('later'));
		expect(contents()).toEqual({'tape.log': line('later'), 'tape.log.1': line('after'), 'tape.log.2': line('before')});
		expect(modes()).toEqual([0o600, 0o600, 0o600]);
	});

	test('never exceeds its size, and keeps as many files as configured, newest first', () => {
		const file = openLogFile(path, 25);
		for (let count = 1; count <= 7; count++) file.write(line(`line ${count}`));
		expect(contents()).toEqual({
			'tape.log': line('line 7'),
			'tape.log.1': line('line 5') + line('line 6'),
			'tape.log.2': line('line 3') + line('line 4'),
		});
	});

	test('by default: three files of 5 MB', () => {
		const file = openLogFile(path);
		const million = `${'x'.repeat(999_999)}\n`;
		for (let count = 0; count < 21; count++) file.write(million);
		expect(Object.values(contents()).map(text => text.length)).toEqual([1_000_000, 5_000_000, 5_000_000]);
	});

	test('is created again after it was removed', () => {
		const file = openLogFile(path);
		file.write(line('gone'));
		rmSync(path);
		file.write(line('kept'));
		expect(contents()).toEqual({'tape.log': line('kept')});
	});

	test('loses lines that cannot be written, notes it once, and writes later ones', () => {
		const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
		const file = openLogFile(path);
		rmSync(path);
		mkdirSync(path);
		for (const lost of ['first', 'second']) file.write(line(lost));
		rmSync(path, {recursive: true});
		file.write(line('kept'));
		const notes = stderr.mock.calls.map(([text]) => text);
		stderr.mockRestore();
		expect(notes).toEqual([`tapewatch: cannot write the log file ${path}: it is a folder; lines are lost\n`]);
		expect(contents()).toEqual({'tape.log': line('kept')});
	});
});

const place = `/SECRETPATH1234${paths.trades}`;
test.each([
	['a message', sends({message: `no route ${place}`}, {status: 404}), 'not found'],
	[
		'a redirect',
		sends('', {status: 302, headers: {location: `https://secretpath1234/SECRETPATH1234`}}),
		'redirected to …',
	],
	['a refusal', sends({success: false, message: 'bad key SECRETPATH1234', timestamp: 1}), 'refused by the exchange'],
	['a page', sends(`SECRETPATH1234`), 'unreadable answer: the answer is invalid JSON'],
])('quotes nothing of the exchange, which may repeat what is secret in its address: %s', async (_, reply, reason) => {
	const exchange = await startExchangeServer();
	exchange.answer(place, reply);
	const address = ['--base-url', `${exchange.url}/SECRETPATH1234`];
	await inProcess(['trades', 'BTCUSDT', '--retry', '0', '--interface', 'v2', ...address, '--log-file', path]);
	await exchange.close();
	const text = readFileSync(path, 'utf8');
	expect(text).not.toMatch(/secretpath/i);
	const trades = text.split('\n').find(each => each.includes('"trades"')) ?? '';
	expect(JSON.parse(trades)).toMatchObject({reason, url: exchange.url});
});

describe('is refused at once', () => {
	test('in a folder that does not exist', () => {
		const absent = join(folder, 'no', 'tape.log');
		expect(() => openLogFile(absent)).toThrow(
			`cannot write the log file ${absent}: its folder does not exist; give another --log-file`,
		);
	});

	test('in place of a folder or another non-file', () => {
		expect(() => openLogFile(folder)).toThrow(`cannot write the log file ${folder}: it is a folder;`);
		expect(() => openLogFile('/dev/null')).toThrow(
			'cannot write the log file /dev/null: it is not a regular file; give another --log-file',
		);
	});

	test.skipIf(process.getuid?.() === 0)('without the right to write', () => {
		chmodSync(folder, 0o500);
		expect(() => openLogFile(path)).toThrow(`cannot write the log file ${path}: permission denied;`);
		chmodSync(folder, 0o700);
	});
});
