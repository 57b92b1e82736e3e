import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {recordQuarterHour, temporaryFolder} from '../../recording/recordings.ts';
import {inProcess} from '../in-process.ts';

/** Runs `recording FILE …` in this process. Texts name FILE for its path, and FOLDER for the folder that it is in. */
async function recording(...args: readonly string[]) {
	const folder = temporaryFolder();
	const path = join(folder, 'night.twr');
	recordQuarterHour(path);
	const {stdout, stderr, status} = await inProcess([
		'recording',
		path,
		...args.map(arg => arg.replace('FOLDER', folder)),
	]);
	const named = (text: string) => text.replaceAll(path, 'FILE').replaceAll(folder, 'FOLDER');
	return {folder, stdout: named(stdout), stderr: named(stderr), status};
}

test('exports a recording, and says what the folder has', async () => {
	const {folder, ...printed} = await recording(
		'export',
		'FOLDER/night',
		'-o',
		'csv',
		'--markets',
		'btc/usdt',
		'--levels',
		'1',
	);
	expect(printed).toMatchInlineSnapshot(`
		{
		  "status": 0,
		  "stderr": "",
		  "stdout": "FILE as csv in FOLDER/night

		table    rows  files
		trades    180      1
		books     360      1
		tickers   180      1
		candles     0      1
		gaps        0      1
		",
		}
	`);
	expect(readdirSync(join(folder, 'night')).sort()).toEqual([
		'books',
		'candles',
		'export.json',
		'gaps',
		'tickers',
		'trades',
	]);
});

test.each([
	['export', "missing argument 'DIR': tapewatch recording FILE export DIR writes its data as files"],
	['exprt FOLDER', 'recording has no exprt: tapewatch recording FILE export DIR writes its data as files'],
	['export FOLDER/night --json', 'an export is -o parquet, csv or ndjson, not json'],
	['export FOLDER/night --markets DOGEUSDT', 'FILE has no market DOGEUSDT (see tapewatch recording FILE)'],
	['-o csv', '-o csv is only for an export: tapewatch recording FILE export DIR'],
	['--markets BTCUSDT', '--markets is only for an export: tapewatch recording FILE export DIR'],
	['--levels 3', '--levels is only for an export: tapewatch recording FILE export DIR'],
])('refuses recording FILE %s', async (words, reason) => {
	const {stderr, status} = await recording(...words.split(' '));
	expect(stderr).toContain(`tapewatch: ${reason}`);
	expect(status).toBe(2);
});

test('refuses a folder with something else', async () => {
	const {stderr, status} = await recording('export', 'FOLDER');
	expect(stderr).toBe('tapewatch: FOLDER is not empty, and has no export; choose another folder\n');
	expect(status).toBe(1);
});
