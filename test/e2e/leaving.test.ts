import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {mouseOff, mouseOn} from '../../source/terminal/mouse.ts';
import {temporaryFolder} from '../helpers/folders.ts';
import {onPackaged, placeLauncher} from '../helpers/launcher.ts';
import {frameFault, isLive} from './frame.ts';
import {expectGivenBack, foreground, openJob} from './job.ts';
import {command, groupLives, openJobs, openProgram, openScript, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};

describe('the terminal is restored', () => {
	test('through the launcher while the wheel of a distant terminal turns: suspended by Ctrl-Z, and after SIGTERM to the whole job', async () => {
		const {launcher} = placeLauncher(onPackaged);
		const job = await openJob({...size, link: {answerMs: 300}}, `${process.execPath} ${launcher} dist/main.js`);
		const {shell, before, pid} = job;
		// A terminal reports until it is told not to.
		const isTold = () => shell.raw().lastIndexOf(mouseOn) > shell.raw().lastIndexOf(mouseOff);
		const wheel = setInterval(() => isTold() && shell.link.answer('\u001B[<65;10;10M'), 50);
		onTestFinished(() => clearInterval(wheel));
		await shell.waitFor(isTold);
		shell.press('<ctrl-z>');
		await shell.waitFor(() => !shell.alternate());
		expect(await shell.lineDiscipline()).toBe(before);
		const other: Size = {columns: 100, rows: 30};
		shell.resize(other.columns, other.rows);
		foreground(job);
		await shell.waitFor(text => shell.alternate() && frameFault(text, other) === undefined && isTold());
		process.kill(-pid, 'SIGTERM');
		await expectGivenBack(job, 143);
	});

	test('from a start in the background on: by SIGSTOP and SIGTSTP, when fg shows the screen that takes keys again, and after Ctrl-C', async () => {
		const shell = await openJobs({...size, bash: true});
		const before = await shell.lineDiscipline();
		shell.write(`sh -c 'echo "pid $$"; exec ${command}' &\r`);
		// The shell must have noticed: fg continues only what it knows to be stopped.
		shell.write('until [ "$(jobs -s)" ]; do sleep 0.05; done; echo "it is stopped"\r');
		await shell.waitFor(/^it is stopped$/m);
		const pid = Number(/pid (\d+)\r/.exec(shell.raw())?.[1]);
		const job = {shell, pid, before};
		expect(shell.raw()).not.toContain('\u001B[?1049h');
		foreground(job);
		await shell.waitFor(isLive);

		process.kill(pid, 'SIGSTOP');
		await shell.waitFor(/Stopped[\s\S]*^shell>/m);
		foreground(job);
		await shell.waitFor(text => frameFault(text, size) === undefined);
		shell.press('?');
		await shell.waitFor(/ Keys and commands ━/);
		shell.press('<esc>');
		// The status line is live under the help too; a key that is not read yet would be the shell's.
		await shell.waitFor(text => isLive(text) && !/ Keys and commands ━/.test(text.join('\n')));

		process.kill(pid, 'SIGTSTP');
		await shell.waitFor(text => !shell.alternate() && text.some(row => row.includes('Stopped')));
		expect(shell.cursorVisible()).toBe(true);
		expect(await shell.lineDiscipline()).toBe(before);
		const suspended = shell.raw().length;
		foreground(job);
		await shell.waitFor(text => shell.alternate() && frameFault(text, size) === undefined);
		expect(shell.cursorVisible()).toBe(false);
		const shown = (await shell.painted(suspended)).filter(({text}) => text.some(row => row !== ''));
		expect(shown.flatMap(({text}) => frameFault(text, size) ?? [])).toEqual([]);
		shell.press('<ctrl-c>');
		await expectGivenBack(job, 130);
	});

	test('by a signal during the start, which is the exit status', async () => {
		const monitor = openProgram([], size);
		await monitor.waitFor(() => monitor.alternate());
		monitor.kill('SIGALRM');
		expect(await monitor.exit).toEqual({exitCode: 142, signal: undefined});
		expect([monitor.alternate(), monitor.cursorVisible(), monitor.screen().join('').trim()]).toEqual([false, true, '']);
		expect(monitor.raw().split('\u001B[?1049l')).toHaveLength(2);
	});
});

test('Ctrl-Z without a shell that could resume it leaves the monitor running, a lost connection leaves no process behind, and standard error in a file gets nothing', async () => {
	const folder = temporaryFolder();
	const monitor = openScript(`exec ${command} 2>${folder}/errors`, size);
	await monitor.waitFor(isLive);
	const suspended = monitor.raw().length;
	monitor.press('<ctrl-z>');
	await monitor.waitFor(() => monitor.raw().slice(suspended).includes('\u001B[?1049h'));
	await monitor.waitFor(isLive);
	monitor.hangUp();
	expect(await monitor.exit).toEqual({exitCode: 129, signal: undefined});
	expect([groupLives(monitor.pid), readFileSync(join(folder, 'errors'), 'utf8')]).toEqual([false, '']);
});
