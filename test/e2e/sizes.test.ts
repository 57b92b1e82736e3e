import {execFileSync} from 'node:child_process';
import {readdirSync, readlinkSync} from 'node:fs';
import {setTimeout} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {createScreen} from '../helpers/screen.ts';
import {colorKinds} from './colors.ts';
import {frameFault, isLive} from './frame.ts';
import {openProgram, type Session, type Size} from './program.ts';

const start: Size = {columns: 120, rows: 40};
const largest: Size = {columns: 1000, rows: 300};
const tape = ['3 Book 0.01', '4 Tape'];

test('in CI with 256 colours every size is filled in these with the panels that fit, also after a storm of resizes, and the terminal is not asked and is restored', async () => {
	const monitor = openProgram([], {columns: 39, rows: 11, env: {CI: 'true', COLORTERM: ''}});
	await monitor.waitFor(/^tapewatch needs 40×12, this is 39×11$/m);
	expect(monitor.screen().join('\n').trim()).toBe('tapewatch needs 40×12, this is 39×11');
	monitor.resize(start.columns, start.rows);
	await monitor.waitFor(text => frameFault(text, start) === undefined && isLive(text));
	const marks = await expectFilled(monitor);
	const settled = await expectOutlivesStorm(monitor);
	const painted = await monitor.painted();
	expectNoWrongFrames(painted, marks);

	// During the storm what is on its way was written for a size that the emulator no longer has.
	const after = painted.filter(({rawAt, text}) => rawAt > settled && text.some(row => row !== ''));
	expect(after.length).toBeGreaterThan(0);
	expect(after.flatMap(frame => frameFault(frame.text, frame) ?? [])).toEqual([]);

	expect(colorKinds(monitor.raw())).toEqual(['256 colours']);
	await expectAbsurdSizes(monitor);
	expect(monitor.raw()).not.toMatch(/\u001B\[6n/);
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
	expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
});

const titlesOf = (text: readonly string[]) =>
	text.flatMap(row => [...row.matchAll(/[╭┏][─━] (\d .+?) [─━]/g)].map(([, title]) => title));

/** Where in the output each size began, and where the last one ended. */
async function expectFilled(monitor: Session): Promise<readonly number[]> {
	const sizes: ReadonlyArray<Size & {readonly panels: readonly string[]}> = [
		{columns: 80, rows: 24, panels: ['2 Chart · 1h · candles', ...tape]},
		{columns: 10, rows: 3, panels: []},
		{columns: 160, rows: 45, panels: ['1 Markets 48', '2 Chart · 1h · candles', ...tape]},
		{columns: 40, rows: 12, panels: ['2 1h · candles']},
		{columns: 39, rows: 11, panels: []},
		{columns: 120, rows: 40, panels: ['1 Markets 48', '2 Chart · 1h · candles', ...tape]},
	];
	const marks: number[] = [];
	for (const {panels, ...size} of sizes) {
		marks.push(monitor.raw().length);
		monitor.resize(size.columns, size.rows);
		await monitor.waitFor(text => frameFault(text, size) === undefined && titlesOf(text).join() === panels.join());
	}

	return [...marks, monitor.raw().length];
}

function expectNoWrongFrames(painted: Awaited<ReturnType<Session['painted']>>, marks: readonly number[]): void {
	let late = 0;
	for (const [index, until] of marks.slice(1).entries()) {
		const mark = marks[index] ?? 0;
		const faults = painted
			.filter(({rawAt}) => rawAt > mark && rawAt <= until)
			.map(frame => frameFault(frame.text, frame));
		const answer = faults.indexOf(undefined);
		expect(answer).toBeGreaterThan(-1);
		expect(faults.slice(answer).filter(fault => fault !== undefined)).toEqual([]);
		late += answer;
	}

	// A frame can be on its way when the terminal changes; one after every change would be drawn because of it.
	expect(late).toBeLessThan(marks.length - 1);
}

/** Where in the output the storm was over. */
async function expectOutlivesStorm(monitor: Session): Promise<number> {
	const count = 80;
	// From 300×100 to 1×1 and everything between, large and small by turns.
	const sizes: readonly Size[] = Array.from({length: count}, (_, index) => {
		const share = (index % 2 === 0 ? index / 2 : count - (index + 1) / 2) / (count - 1);
		return {columns: Math.round(300 - 299 * share), rows: Math.round(100 - 99 * share)};
	});
	const last: Size = {columns: 100, rows: 30};
	for (const size of sizes) {
		monitor.resize(size.columns, size.rows);
		// Resizes that came in one go would be one.
		await setTimeout(5);
	}

	monitor.resize(last.columns, last.rows);
	await monitor.waitFor(text => frameFault(text, last) === undefined);
	const settled = monitor.raw().length;
	monitor.press('?');
	await monitor.waitFor(/\? Keys/);
	monitor.press('<esc>');
	await monitor.waitFor(text => !/\? Keys/.test(text.join('\n')));
	return settled;
}

/** Too many columns or rows are drawn as 1000×300, none as 80×24, and no file is opened time and again. */
async function expectAbsurdSizes({pid, raw, waitFor}: Session): Promise<void> {
	const device = readlinkSync(`/proc/${pid}/fd/1`);
	for (const [columns, rows, expected] of [
		[65_535, 65_535, '1000×300'],
		[0, 0, '80×24'],
	] as const) {
		// What is drawn is read from the output, as no emulator is that large.
		execFileSync('stty', ['-F', device, 'cols', String(columns), 'rows', String(rows)]);
		await expect.poll(() => drawnSize(raw()), {interval: 500}).toBe(expected);
	}

	const open = (): number => readdirSync(`/proc/${pid}/fd`).length;
	const before = open();
	const seconds = new Set<string>();
	await waitFor(text => seconds.add(/UTC [\d:]+/.exec(text.join('\n'))?.[0] ?? '').size > 3);
	// The leak was 16 a second.
	expect(open() - before).toBeLessThan(10);
}

/** The size of what was drawn since the screen was cleared last, as `80×24`. */
async function drawnSize(raw: string): Promise<string> {
	const screen = createScreen(largest.columns + 1, largest.rows + 1);
	await screen.write(raw.slice(raw.lastIndexOf('\u001B[2J')));
	const rows = screen.text();
	const width = Math.max(...rows.map(row => Array.from(row).length));
	return `${width}×${rows.findLastIndex(row => row !== '') + 1}`;
}
