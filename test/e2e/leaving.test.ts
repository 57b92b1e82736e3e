import {describe, expect, test} from 'vitest';
import {createScreen} from '../helpers/screen.ts';
import type {Shell} from '../helpers/terminal.ts';
import {frameFault, isLive} from './frame.ts';
import {command, groupLives, openJobs, openProgram, type Session, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};

/** The monitor as a job of a shell, live; `pid` is its process and its group. */
async function openJob(): Promise<{shell: Session<Shell>; pid: number; before: string}> {
	const shell = await openJobs(size);
	const before = await shell.lineDiscipline();
	shell.write(`clear; sh -c 'echo "pid $$"; exec ${command}'\r`);
	await shell.waitFor(text => shell.alternate() && isLive(text));
	const pid = Number(/pid (\d+)\r/.exec(shell.raw())?.[1]);
	expect(shell.cursorVisible()).toBe(false);
	return {shell, pid, before};
}

/** The terminal is the shell's again: its screen, its cursor, its line discipline, and nothing of the program is left. */
async function expectGivenBack(
	{shell, pid, before}: Awaited<ReturnType<typeof openJob>>,
	status: number,
): Promise<void> {
	await shell.waitFor(() => !shell.alternate());
	await shell.prompt();
	expect(shell.cursorVisible()).toBe(true);
	expect(
		shell
			.screen()
			.filter(row => row !== '')
			.slice(-2),
	).toEqual([`pid ${pid}`, 'shell>']);
	shell.write('echo "status $?"\r');
	await shell.waitFor(new RegExp(`^status ${status}$`, 'm'));
	expect(await shell.lineDiscipline()).toBe(before);
	expect(groupLives(pid)).toBe(false);
	shell.write('exit\r');
	await shell.exit;
}

describe('the terminal is given back as it was', () => {
	test.each([
		['q', 'q', 0],
		['Ctrl-C', '<ctrl-c>', 130],
	])('after %s', async (_, key, status) => {
		const job = await openJob();
		job.shell.press(key);
		await expectGivenBack(job, status);
	});

	test.each([
		['SIGINT', 130],
		['SIGTERM', 143],
		['SIGHUP', 129],
	] as const)('after %s from outside', async (signal, status) => {
		const job = await openJob();
		process.kill(job.pid, signal);
		await expectGivenBack(job, status);
	});

	test.each([
		['Ctrl-Z', ({shell}) => shell.press('<ctrl-z>')],
		['SIGTSTP from outside', ({pid}) => process.kill(pid, 'SIGTSTP')],
	] satisfies ReadonlyArray<readonly [string, (job: Awaited<ReturnType<typeof openJob>>) => void]>)(
		'while %s has it suspended, and fg comes back with a full screen of the size that it has then',
		async (_, suspend) => {
			const job = await openJob();
			const {shell, before} = job;
			suspend(job);
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
		},
	);
});

test('a stop that came without a warning ends in a full repaint', async () => {
	const monitor = openProgram([], size);
	await monitor.waitFor(isLive);
	monitor.kill('SIGSTOP');
	const stopped = monitor.raw().length;
	monitor.kill('SIGCONT');
	const since = () => monitor.raw().slice(stopped);
	await monitor.waitFor(() => since().split('\u001B[?2026l').length > 3);
	// All of the screen was drawn since, not what changed on it.
	const blank = createScreen(size.columns, size.rows);
	await blank.write(since().slice(0, since().lastIndexOf('\u001B[?2026l')));
	expect(frameFault(blank.text(), size)).toBeUndefined();
});

test('a lost connection leaves no process behind', async () => {
	const monitor = openProgram([], size);
	await monitor.waitFor(isLive);
	monitor.hangUp();
	expect(await monitor.exit).toEqual({exitCode: 129, signal: undefined});
	expect(groupLives(monitor.pid)).toBe(false);
});
