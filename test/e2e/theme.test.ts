import {expect, test} from 'vitest';
import {mouseOn} from '../../source/terminal/mouse.ts';
import {isLive} from './frame.ts';
import {command, openProgram, openScript} from './program.ts';

const size = {columns: 80, rows: 24};
const question = '\u001B]11;?\u0007';
const colors = {COLORTERM: 'truecolor', CI: ''};
/** The green of prices that rise: on dark, on white, and on any background that may be light. */
const [onDark, onLight, onAnyLight] = ['\u001B[38;2;38;194;129m', '\u001B[38;2;11;122;75m', '\u001B[38;2;4;120;73m'];

test('the monitor asks for the background once it is on the screen, and takes the theme for the answer, late and in pieces', async () => {
	const monitor = openProgram([], {...size, env: colors});
	await monitor.waitFor(isLive);
	expect(monitor.raw().split(question)).toHaveLength(2);
	expect(monitor.raw()).toContain(onDark);
	const from = monitor.raw().length;
	// A terminal sends one answer after the other: none about the cursor comes within this one.
	monitor.link.stop();
	// Of an Esc alone, a busy machine may make a key.
	for (const piece of ['\u001B]', '11;rgb:ffff/ff', 'ff/ffff\u001B', '\\']) {
		monitor.write(piece);
		await new Promise(resolve => setTimeout(resolve, 20));
	}

	monitor.link.resume();
	await expect.poll(() => monitor.raw().slice(from)).toContain(onLight);
	// Nothing of the answer was a key: this q is not typed into a prompt.
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
});

test('what is switched off, and what the terminal does not take, is never sent', async () => {
	const env = {...colors, COLORFGBG: '0;15'};
	const off = [
		`${command} --theme light --no-mouse --no-title`,
		`NO_COLOR=1 TAPEWATCH_MOUSE=no TAPEWATCH_TITLE=no ${command}`,
		`TERM=linux ${command} watch BTCUSDT`,
	].map(script => openScript(script, {...size, env}));
	await Promise.all(off.map(each => each.waitFor(isLive)));
	const [chosen, , tiles] = off;
	// Until the theme is to follow the background.
	chosen?.write(':theme auto\r');
	await expect.poll(() => chosen?.raw().split(question)).toHaveLength(2);
	for (const monitor of off) {
		monitor.press('q');
		await monitor.exit;
		expect(monitor.raw().split(question)).toHaveLength(monitor === chosen ? 2 : 1);
		expect(monitor.raw()).not.toContain(mouseOn);
		expect(monitor.raw()).not.toContain('\u001B]2;');
	}

	// COLORFGBG is a hint from the first frame on.
	expect(tiles?.raw()).toContain(onAnyLight);
	expect(tiles?.raw()).not.toContain(onDark);
});
