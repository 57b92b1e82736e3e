import {describe, expect, test} from 'vitest';
import {onPackaged, placeLauncher} from '../helpers/launcher.ts';
import {frameFault, isLive} from './frame.ts';
import {expectGivenBack, foreground, openJob} from './job.ts';
import {command, groupLives, openProgram, openScript, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};

/** After q, see slow-link.test.ts. */
describe('the terminal is restored', () => {
	test('while suspended by SIGTSTP or Ctrl-Z, fg shows a full screen of the current size, and after Ctrl-C', async () => {
		const job = await openJob(size);
		const {shell, before, pid} = job;
		process.kill(pid, 'SIGTSTP');
		await shell.waitFor(text => !shell.alternate() && text.some(row => row.includes('Stopped')));
		expect(shell.cursorVisible()).toBe(true);
		expect(await shell.lineDiscipline()).toBe(before);

		const suspended = shell.raw().length;
		shell.write('fg\r');
		await shell.waitFor(text => shell.alternate() && frameFault(text, size) === undefined);
		expect(shell.cursorVisible()).toBe(false);
		const painted = await shell.painted(suspended);
		expect(painted.flatMap(({text}) => frameFault(text, size) ?? [])).toEqual([]);

		shell.press('<ctrl-z>');
		await shell.waitFor(() => !shell.alternate());
		await shell.prompt();
		const other: Size = {columns: 100, rows: 30};
		shell.resize(other.columns, other.rows);
		foreground(job);
		await shell.waitFor(text => shell.alternate() && frameFault(text, other) === undefined);
		shell.press('<ctrl-c>');
		await expectGivenBack(job, 130);
	});

	test('after SIGSTOP, when fg shows the screen that takes keys again, and SIGTERM from outside', async () => {
		const job = await openJob({...size, bash: true});
		const {shell, pid} = job;
		process.kill(pid, 'SIGSTOP');
		await shell.waitFor(/Stopped[\s\S]*^shell>/m);
		foreground(job);
		await shell.waitFor(text => frameFault(text, size) === undefined);
		shell.press('?');
		await shell.waitFor(/ Keys and commands ━/);
		shell.press('<esc>');
		// The status line is live under the help too; a key that is not read yet would be the shell's.
		await shell.waitFor(text => isLive(text) && !/ Keys and commands ━/.test(text.join('\n')));
		process.kill(pid, 'SIGTERM');
		await expectGivenBack(job, 143);
	});

	test('through the launcher on the Node of the packages: while suspended, and after SIGTERM to the whole job', async () => {
		const {launcher} = placeLauncher(onPackaged);
		const job = await openJob(size, `${process.execPath} ${launcher} dist/main.js`);
		const {shell, before, pid} = job;
		shell.press('<ctrl-z>');
		await shell.waitFor(() => !shell.alternate());
		expect(await shell.lineDiscipline()).toBe(before);
		foreground(job);
		await shell.waitFor(text => frameFault(text, size) === undefined);
		process.kill(-pid, 'SIGTERM');
		await expectGivenBack(job, 143);
	});
});

test('Ctrl-Z without a shell that could resume it leaves the monitor running, and standard error in a file gets nothing', async () => {
	const script = `errors=$(mktemp); ${command} 2>"$errors"; echo "status $? and $(wc -c <"$errors") bytes"; rm "$errors"`;
	const terminal = openScript(script, size);
	await terminal.waitFor(isLive);
	const suspended = terminal.raw().length;
	terminal.press('<ctrl-z>');
	await terminal.waitFor(() => terminal.raw().slice(suspended).includes('\u001B[?1049h'));
	await terminal.waitFor(isLive);
	terminal.press('q');
	await terminal.exit;
	expect(terminal.screen().filter(row => row !== '')).toEqual(['status 0 and 0 bytes']);
});

test('a lost connection leaves no process behind', async () => {
	const monitor = openProgram([], size);
	await monitor.waitFor(isLive);
	monitor.hangUp();
	expect(await monitor.exit).toEqual({exitCode: 129, signal: undefined});
	expect(groupLives(monitor.pid)).toBe(false);
});
