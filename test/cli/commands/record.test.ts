import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {afterAll, expect, test, vi} from 'vitest';
import {exitStatus} from '../../../source/cli/exit.ts';
import {closeRecorded, openToRecord} from '../../../source/recording/recording-file.ts';
import {folderOfFile} from '../../helpers/folders.ts';
import {noneAlive, start} from '../../recording/recordings.ts';
import {inProcess, startInProcess} from '../in-process.ts';
import {startSmallExchange} from '../small-exchange.ts';

const folder = folderOfFile();
const exchange = await startSmallExchange();
afterAll(exchange.close);

let files = 0;
const newPath = () => join(folder, `${files++}.twr`);
const record = (...args: readonly string[]) => [
	...['record', ...args, '--base-url', exchange.url, '--legacy-base-url', exchange.url, '--rate', '1000'],
];

function query(path: string, sql: string): readonly object[] {
	const db = new DatabaseSync(path, {readOnly: true});
	const rows = db.prepare(sql).all();
	db.close();
	return rows.map(row => ({...row}));
}

const withoutTimes = (text: string) => text.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/gm, 'TIME');

/** Records until the file is as wanted, and then for some polls more; Ctrl-C ends it. */
async function recordUntil(path: string, args: readonly string[], isDone: () => void) {
	const run = startInProcess(record(...args, '--out', path));
	await run.wrote(text => text.includes('recording '));
	await vi.waitFor(isDone, 60_000);
	await exchange.received(exchange.requests.length + 3);
	run.kill('SIGINT');
	return run.outcome;
}

test('records trades, candles and tickers, and says what is in the file', async () => {
	const path = newPath();
	const operations = ['candles', 'info', 'markets', 'ticker', 'trades'].map(operation => ({operation}));
	const recorded = () => query(path, 'SELECT DISTINCT operation FROM answer ORDER BY operation');
	const {stdout, stderr, status} = await recordUntil(path, ['btc-usdt'], () => expect(recorded()).toEqual(operations));
	expect({stderr, status}).toEqual({stderr: '', status: exitStatus.interrupted});
	expect(withoutTimes(stdout).replace(/\d+ answers/, 'N answers')).toBe(
		`TIME  recording trades, candles and tickers of BTCUSDT to ${path}\nTIME  ended: 2 trades, N answers, 0.1 MB\n`,
	);
	expect(recorded()).toEqual(operations);
	expect(query(path, 'SELECT name FROM ticker JOIN symbol ON id = symbol')).toEqual([{name: 'BTCUSDT'}]);
	expect(query(path, 'SELECT id, price FROM trades')).toEqual([
		{id: '12345678901234566', price: 61824},
		{id: '12345678901234567', price: 61824.01},
	]);
	expect(query(path, 'SELECT DISTINCT period FROM candles')).toEqual([{period: 1}]);
});

test('ends with status 0 when the time runs out, and appends a session, with books and the tickers of all markets on request', async () => {
	const path = newPath();
	const first = await inProcess(record('BTCUSDT', '--out', path, '--for', '1s'));
	expect(first).toMatchObject({stderr: '', status: exitStatus.done});
	expect(withoutTimes(first.stdout)).toMatch(/^TIME {2}recording .*\nTIME {2}ended: .* MB\n$/);
	const more = ['BTCUSDT', '--books', '--all-tickers', '--keep', '7d'];
	const {stdout} = await recordUntil(path, more, () => {
		expect(query(path, 'SELECT DISTINCT bid FROM best')).toEqual([{bid: 61824}]);
		expect(query(path, 'SELECT count(DISTINCT symbol) > 1 AS several FROM ticker')).toEqual([{several: 1}]);
	});
	expect(withoutTimes(stdout).split('\n')[0]).toBe(
		`TIME  recording trades, books, candles and the tickers of all markets of BTCUSDT to ${path}, kept for 7d`,
	);
	expect(query(path, 'SELECT id, options, process FROM session')).toEqual([
		{id: 1, options: '{"markets":["BTCUSDT"],"books":false,"allTickers":false,"intervalsMs":{}}', process: null},
		{id: 2, options: '{"markets":["BTCUSDT"],"books":true,"allTickers":true,"intervalsMs":{}}', process: null},
	]);
	expect(query(path, 'SELECT * FROM recording')).toEqual([
		{exchange: new URL(exchange.url).host, base_url: `${exchange.url}/`, legacy_base_url: `${exchange.url}/`},
	]);
});

test.each([
	['without a file', () => ['BTCUSDT'], /^tapewatch: .*--out <FILE>/],
	[
		'of an unknown market',
		() => ['BTCUSDX', '--out', newPath()],
		/^tapewatch: no market BTCUSDX .*; did you mean BTCUSDT/,
	],
	['of another exchange', () => ['BTCUSDT', '--out', other()], / is a recording of other\.example, not of 127/],
	['into a text file', () => ['BTCUSDT', '--out', text()], /^tapewatch: \S+ is not a recording$/m],
	[
		'into a folder that does not exist',
		() => ['BTCUSDT', '--out', join(folder, 'no', 'a.twr')],
		/its folder does not exist$/m,
	],
])('refuses a recording %s', async (_, args, message) => {
	const {stdout, stderr, status} = await inProcess(record(...args(), '--for', '1s'));
	expect({stdout, status}).toEqual({stdout: '', status: exitStatus.usage});
	expect(stderr).toMatch(message);
	expect(stderr.trim().split('\n')).toHaveLength(1);
});

function other(): string {
	const path = newPath();
	closeRecorded(openToRecord(path, {name: 'other.example'}, start(), noneAlive));
	return path;
}

function text(): string {
	const path = newPath();
	writeFileSync(path, 'time,price\n');
	return path;
}

test('a file that is removed ends the recording with status 1, and why', async () => {
	const path = newPath();
	const run = startInProcess(record('BTCUSDT', '--out', path));
	await run.wrote(stdout => stdout.includes('recording trades'));
	rmSync(path);
	const {stdout, stderr, status} = await run.outcome;
	expect({stderr, status}).toEqual({
		stderr: `tapewatch: the recording ended: ${path} was moved, removed or replaced\n`,
		status: exitStatus.failed,
	});
	expect(withoutTimes(stdout)).toMatch(/\nTIME {2}ended: /);
});
