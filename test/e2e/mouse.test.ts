import {expect, test} from 'vitest';
import {mouseOff, mouseOn} from '../../source/terminal/mouse.ts';
import {isLive} from './frame.ts';
import {openJob} from './job.ts';
import {openProgram, type Size} from './program.ts';

const size: Size = {columns: 120, rows: 40};
const report = (code: number, column: number, row: number, final = 'M') => `\u001B[<${code};${column};${row}${final}`;
const click = (column: number, row: number) => report(0, column, row) + report(0, column, row, 'm');
/** Escape, as a pattern of control characters is refused. */
const modePattern = new RegExp(`${String.fromCodePoint(27)}\\[\\?100[26][hl]`, 'g');
const env = {TAPEWATCH_DEMO_AT: '2026-11-20T12:00:00Z'};

test('the mouse selects, scrolls, drags and zooms what is under it, and never types', async () => {
	const monitor = openProgram([], {...size, env});
	await monitor.waitFor(isLive);
	expect(monitor.raw()).toContain(mouseOn);
	// The name of the third market.
	const third = (await monitor.painted()).at(-1)?.text[5]?.slice(1, 12).trim() ?? '';
	expect(third).toMatch(/^[A-Z]+\/[A-Z]+$/);
	monitor.write(report(4, 10, 6) + report(4, 10, 6, 'm'));
	for (const piece of ['\u001B', '[<0', ';10;', '6M', report(0, 10, 6, 'm')]) monitor.write(piece);
	await monitor.waitFor(rows => rows[0]?.startsWith(` ${third}`) ?? false);
	await monitor.waitFor(isLive);
	// Malformed reports type nothing: `q` would quit.
	monitor.write('\u001B[<0;q\u001B[<;;q\u001B[<99999999999999999999999999999999;1;1q');
	monitor.write(click(60, 16));
	await monitor.waitFor(/┏━ 2 Chart/);
	await monitor.waitFor(/╎/);
	monitor.press('<esc>');
	monitor.write(report(0, 40, 16) + report(32, 50, 16) + report(32, 60, 16) + report(0, 60, 16, 'm'));
	await monitor.waitFor(/2 1h · \d{4}-\d\d-\d\d/);
	monitor.write(click(100, 10) + click(100, 10));
	await monitor.waitFor(rows => rows[2]?.startsWith('┏━ 3 ') ?? false);
	monitor.press('?');
	await monitor.waitFor(/ Keys and commands ━/);
	monitor.write(report(65, 50, 20).repeat(2) + click(10, 10));
	await monitor.waitFor(/7–\d+ of/);
	monitor.press('<esc>');
	monitor.press(':');
	await monitor.waitFor(/^ :/m);
	monitor.write('set mouse off');
	const before = monitor.raw().length;
	monitor.press('<enter>');
	await monitor.waitFor(() => monitor.raw().slice(before).includes(mouseOff));
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
});

test('the mouse is given back on suspend, taken again by fg, and given back by a signal', async () => {
	const {shell, pid} = await openJob(size);
	const modes = () => shell.raw().match(modePattern)?.join('') ?? '';
	await shell.waitFor(() => modes() === mouseOn);
	shell.press('<ctrl-z>');
	await shell.waitFor(() => modes() === mouseOn + mouseOff);
	await shell.prompt();
	shell.write('fg\r');
	await shell.waitFor(() => modes() === mouseOn + mouseOff + mouseOn);
	await shell.waitFor(isLive);
	process.kill(pid, 'SIGTERM');
	await shell.waitFor(() => !shell.alternate());
	expect(modes()).toBe(mouseOn + mouseOff + mouseOn + mouseOff);
});
