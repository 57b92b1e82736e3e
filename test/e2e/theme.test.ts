import {expect, test} from 'vitest';
import {isLive} from './frame.ts';
import {command, openProgram, openScript} from './program.ts';

const size = {columns: 80, rows: 24};
const question = '\u001B]11;?\u0007';
const colors = {COLORTERM: 'truecolor', CI: ''};
/** The green of prices that rise, in the themes dark and light on white. */
const [onDark, onLight] = ['\u001B[38;2;38;194;129m', '\u001B[38;2;11;122;75m'];

test('the monitor asks for the background once it is on the screen, and takes the theme for the answer, late and in pieces', async () => {
	const monitor = openProgram([], {...size, env: colors});
	await monitor.waitFor(isLive);
	expect(monitor.raw().split(question)).toHaveLength(2);
	expect(monitor.raw()).toContain(onDark);
	const from = monitor.raw().length;
	for (const piece of ['\u001B', ']11;rgb:ffff/ff', 'ff/ffff\u001B', '\\']) {
		monitor.write(piece);
		await new Promise(resolve => setTimeout(resolve, 20));
	}

	await expect.poll(() => monitor.raw().slice(from)).toContain(onLight);
	// Nothing of the answer was a key: this q is not typed into a prompt.
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
});

test('a theme that is chosen asks nothing until auto is, as without colours and on the Linux console', async () => {
	for (const run of [`${command} --theme light`, `NO_COLOR=1 ${command}`, `TERM=linux ${command}`]) {
		const monitor = openScript(run, {...size, env: colors});
		await monitor.waitFor(isLive);
		expect(monitor.raw(), run).not.toContain(question);
		// Until the theme is to follow the background.
		monitor.write(':theme auto\r');
		if (run.includes('light')) await expect.poll(() => monitor.raw().split(question)).toHaveLength(2);
		monitor.press('q');
		await monitor.exit;
		expect(monitor.raw().split(question), run).toHaveLength(run.includes('light') ? 2 : 1);
	}
});

test('COLORFGBG is a hint for the first frame', async () => {
	const monitor = openProgram([], {...size, env: {...colors, COLORFGBG: '0;15'}});
	await monitor.waitFor(isLive);
	expect(monitor.raw()).not.toContain(onDark);
	monitor.press('q');
	await monitor.exit;
});
