import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openRecording} from '../../source/recording/recording-reader.ts';
import {temporaryFolder} from '../helpers/folders.ts';
import {groupLives, openProgram, overwrite, type Session, type Size} from './program.ts';

const size: Size = {columns: 120, rows: 40};
const clock = /UTC \d\d:\d\d:\d\d$/m;

/** Settles when the program has ended; the terminal is the shell's again. */
async function expectEnd(watch: Session, exitCode: number): Promise<void> {
	expect(await watch.exit).toEqual({exitCode, signal: undefined});
	expect([watch.alternate(), watch.cursorVisible(), groupLives(watch.pid)]).toEqual([false, true, false]);
}

test('watch fills the screen with one tile per market, draws it again on SIGWINCH, opens the monitor and comes back with its time zone and what it recorded, shows the markets that do not fit on pages in turn, and ends on q with 130 before a condition is met', async () => {
	const folder = temporaryFolder();
	const until = 'BTCUSDT.last > 1000000000';
	const watch = openProgram(['watch', 'BTCUSDT', 'eth-usdt', 'SOL/USDT', '--until', until, '--rotate', '1'], {
		columns: 40,
		rows: 12,
	});
	for (const [page, pair] of ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'BTC/USDT'].entries()) {
		await watch.waitFor(
			text => text[0]?.includes(` ${pair} `) === true && text.at(-1)?.includes(` page ${(page % 3) + 1}/3`) === true,
		);
	}

	watch.resize(size.columns, size.rows);
	const shown = (text: readonly string[]) =>
		text.flatMap(row => [...row.matchAll(/╭─ ([A-Z]+\/[A-Z]+) ─+ v2\+legacy ·/g)].map(([, pair]) => pair));
	await watch.waitFor(
		text =>
			shown(text).join() === 'BTC/USDT,ETH/USDT,SOL/USDT' &&
			!text.some(row => /waiting|loading/.test(row)) &&
			/^ live · DEMO · until .* > 1000000000 .* UTC \d\d:\d\d:\d\d$/.test(text.at(-1) ?? ''),
	);
	expect([watch.alternate(), watch.cursorVisible()]).toEqual([true, false]);
	const isWhole = (text: readonly string[]) => clock.test(text.at(-1) ?? '') && text[0] !== '';
	const painted = (await watch.painted()).filter(({columns}) => columns === size.columns);
	// What was on its way when the terminal grew was written for its former size.
	const since = painted.slice(painted.findIndex(({text}) => isWhole(text)));
	expect(since.filter(({text}) => !isWhole(text))).toEqual([]);
	await overwrite(watch);
	watch.kill('SIGWINCH');
	await watch.waitFor(
		text => shown(text).length === 3 && clock.test(text.at(-1) ?? '') && !/message/.test(text.join()),
	);
	watch.press('\t\t\r');
	await watch.waitFor(
		text =>
			/^ ETH\/USDT /.test(text[0] ?? '') &&
			/━ 1 Markets|─ 2 Chart/.test(text.join()) &&
			/ Esc tiles /.test(text.at(-1) ?? ''),
	);
	watch.press(`:record ${join(folder, 'a.twr')}\r`);
	await watch.waitFor(text => / recording: /.test(text.at(-1) ?? ''));
	watch.press(':set timezone Europe/Berlin\r');
	await watch.waitFor(text => /UTC\+0[12]:00/.test(text.at(-2) ?? ''));
	// Esc acknowledges it, then leaves.
	watch.press(':alert last > 1\r');
	await watch.waitFor(text => /^ ! ETHUSDT last > 1: /.test(text.at(-1) ?? ''));
	watch.press('\u001B');
	await watch.waitFor(text => / Esc tiles /.test(text.at(-1) ?? '') && !text.at(-1)?.includes('ETHUSDT'));
	watch.press('\u001B');
	await watch.waitFor(
		text =>
			text.some(row => /^┏━ ETH\/USDT ━/.test(row)) && / recorded: \d+ answers?, .*a\.twr/.test(text.at(-1) ?? ''),
	);
	watch.press('?');
	await watch.waitFor(text => / UTC\+0[12]:00 \d\d:\d\d:\d\d$/.test(text.at(-1) ?? ''));
	expect((await watch.painted()).filter(({text}) => text.every(row => row === '')).length).toBeLessThanOrEqual(1);
	watch.press('q');
	await expectEnd(watch, 130);
	const reader = openRecording(join(folder, 'a.twr'));
	expect(reader.alerts().map(({rule}) => rule)).toEqual(['ETHUSDT last > 1']);
	reader.close();
});

test('watch --until ends with 0 when the condition is met, and prints what met it', async () => {
	const condition = 'ETHUSDT.last > 1 and ETHUSDT.spread >= 0';
	// A late ticker adds a note to the row, which is wider then than 120 columns.
	const watch = openProgram(['watch', 'BTCUSDT', 'ETHUSDT', '--until', condition], {columns: 160, rows: 40});
	await watch.waitFor(text => text.some(row => row.includes(` · DEMO · until ${condition} `)));
	await expectEnd(watch, 0);
	expect(watch.screen().filter(row => row !== '')).toEqual([
		'DEMO data of the embedded exchange',
		expect.stringMatching(/^time \(UTC\) +market +last /),
		expect.stringMatching(/^2026-11-20 12:\d\d:\d\d +ETHUSDT +[\d,.]+ /),
	]);
});
