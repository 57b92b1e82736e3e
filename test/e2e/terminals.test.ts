import {expect, test} from 'vitest';
import {mouseOn} from '../../source/terminal/mouse.ts';
import {colorKinds, styles} from './colors.ts';
import {frameFault, isLive} from './frame.ts';
import {command, openProgram, openScript, type Session, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};
/** Room for every panel. */
const wide: Size = {columns: 120, rows: 40};

async function expectWholeFrames(monitor: Session, size: Size): Promise<void> {
	const painted = await monitor.painted();
	const shown = painted.filter(({text}) => text.some(row => row !== ''));
	expect(shown.length).toBeGreaterThan(1);
	expect(shown.flatMap(({text}) => frameFault(text, size) ?? [])).toEqual([]);
}

async function expectLeavesAfterQ(monitor: Session): Promise<void> {
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
	expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
}

/** What asks for the background. */
const question = '\u001B]11;?\u0007';
const titled = '\u001B]2;';

test('with NO_COLOR the monitor draws in bold, dim, inverse and underlined, and sends nothing that its variables switch off', async () => {
	const monitor = openScript(`NO_COLOR=1 TAPEWATCH_MOUSE=no TAPEWATCH_TITLE=no exec ${command}`, size);
	await monitor.waitFor(isLive);
	monitor.press('n');
	await monitor.waitFor(text => isLive(text) && (text[0] ?? '').startsWith(' ETH/USDT '));
	await expectLeavesAfterQ(monitor);
	await expectWholeFrames(monitor, size);
	const used = styles(monitor.raw());
	expect(used.has('1') && used.has('7')).toBe(true);
	expect([...used].filter(code => !['', '0', '1', '2', '4', '7', '22', '24', '27'].includes(code))).toEqual([]);
	expect([question, mouseOn, titled].filter(sequence => monitor.raw().includes(sequence))).toEqual([]);
});

test('on a terminal of 16 colours without UTF-8 the monitor draws every panel in these and in ASCII, and asks for the background once its theme follows that', async () => {
	const monitor = openScript(`TERM=xterm COLORTERM= LANG=en_US.UTF-8 LC_ALL=C exec ${command} --theme light`, wide);
	await monitor.waitFor(isLive);
	for (const [keys, expected] of [
		['2c', /2 Chart - 1h - bars/],
		['?', /\? Keys/],
		['i', /i Exchange/],
		['i3z', /^#= 3 Book/m],
		['/', /^#\/_/m],
	] as const) {
		monitor.press(keys);
		await monitor.waitFor(expected);
	}

	expect(colorKinds(monitor.raw())).toEqual(['16 colours']);
	await expectWholeFrames(monitor, wide);
	expect(monitor.raw()).not.toContain(question);
	monitor.press('<esc>:theme auto<enter>');
	await monitor.waitFor(() => monitor.raw().includes(question));
	monitor.resize(30, 5);
	await monitor.waitFor(/^tapewatch needs 40x12$/m);
	expect(monitor.raw()).toMatch(/^[\u0000-\u007F]+$/);
});

/** The green of prices that rise: on dark, on white, and on any background that may be light. */
const [onDark, onLight, onAnyLight] = ['\u001B[38;2;38;194;129m', '\u001B[38;2;11;122;75m', '\u001B[38;2;4;120;73m'];

test('the monitor asks for the background once it is on the screen, takes COLORFGBG as a hint, and the theme for the answer, late and in pieces', async () => {
	const monitor = openProgram(['--no-mouse', '--no-title'], {...size, env: {COLORFGBG: '0;15'}});
	await monitor.waitFor(isLive);
	expect(monitor.raw().split(question)).toHaveLength(2);
	expect(monitor.raw()).toContain(onAnyLight);
	expect([onDark, mouseOn, titled].filter(sequence => monitor.raw().includes(sequence))).toEqual([]);
	const from = monitor.raw().length;
	// A terminal sends one answer after the other: none about the cursor comes within this one.
	monitor.link.stop();
	// Of fewer than three characters, a busy machine may make a key.
	for (const piece of ['\u001B]1', '1;rgb:ffff/ff', 'ff/ffff\u001B\\']) {
		monitor.write(piece);
		await new Promise(resolve => setTimeout(resolve, 20));
	}

	monitor.link.resume();
	await monitor.waitFor(() => monitor.raw().slice(from).includes(onLight));
	// Nothing of the answer was a key: this q is not typed into a prompt.
	await expectLeavesAfterQ(monitor);
});
