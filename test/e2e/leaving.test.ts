import {describe, expect, test} from 'vitest';
import {frameFault, isLive} from './frame.ts';
import {expectGivenBack, openJob} from './job.ts';
import {command, groupLives, openProgram, openScript, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};

describe('the terminal is restored', () => {
	// After q, see slow-link.test.ts.
	test('after Ctrl-C', async () => {
		const job = await openJob(size);
		job.shell.press('<ctrl-c>');
		await expectGivenBack(job, 130);
	});

	test('after SIGTERM from outside', async () => {
		const job = await openJob(size);
		process.kill(job.pid, 'SIGTERM');
		await expectGivenBack(job, 143);
	});

	test('while suspended by SIGTSTP or Ctrl-Z, and fg shows a full screen of the current size', async () => {
		const {shell, before, pid} = await openJob(size);
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
		const other: Size = {columns: 120, rows: 40};
		shell.resize(other.columns, other.rows);
		shell.write('fg\r');
		await shell.waitFor(text => shell.alternate() && frameFault(text, other) === undefined);
		shell.press('q');
		await shell.waitFor(() => !shell.alternate());
		await shell.prompt();
		expect(await shell.lineDiscipline()).toBe(before);
	});
});

test('fg after SIGSTOP shows the screen and takes keys again', async () => {
	const {shell, pid, before} = await openJob({...size, bash: true});
	process.kill(pid, 'SIGSTOP');
	await shell.waitFor(/Stopped[\s\S]*^shell>/m);
	// An answer of the terminal that was on its way may be in the shell's line.
	shell.write('\u0015fg\r');
	await shell.waitFor(text => frameFault(text, size) === undefined);
	shell.press('?');
	await shell.waitFor(/ Keys ━/);
	shell.press('<esc>');
	await shell.waitFor(isLive);
	shell.press('q');
	await shell.waitFor(() => !shell.alternate());
	await shell.prompt();
	expect(await shell.lineDiscipline()).toBe(before);
});

test('Ctrl-Z without a shell that could resume it leaves the monitor running', async () => {
	const monitor = openProgram([], size);
	await monitor.waitFor(isLive);
	const suspended = monitor.raw().length;
	monitor.press('<ctrl-z>');
	await monitor.waitFor(() => monitor.raw().slice(suspended).includes('\u001B[?1049h'));
	await monitor.waitFor(isLive);
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
});

test('standard error in a file gets nothing of the screen', async () => {
	const script = `errors=$(mktemp); ${command} 2>"$errors"; echo "status $? and $(wc -c <"$errors") bytes"; rm "$errors"`;
	const terminal = openScript(script, size);
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
