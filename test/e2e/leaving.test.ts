import {describe, expect, test} from 'vitest';
import {createScreen} from '../helpers/screen.ts';
import {frameFault, isLive} from './frame.ts';
import {expectGivenBack, type Job, openJob} from './job.ts';
import {command, groupLives, openProgram, openScript, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};

describe('the terminal is given back as it was', () => {
	test.each([
		['q', 'q', 0],
		['Ctrl-C', '<ctrl-c>', 130],
	])('after %s', async (_, key, status) => {
		const job = await openJob(size);
		job.shell.press(key);
		await expectGivenBack(job, status);
	});

	test.each([
		['SIGINT', 130],
		['SIGTERM', 143],
		['SIGHUP', 129],
	] as const)('after %s from outside', async (signal, status) => {
		const job = await openJob(size);
		process.kill(job.pid, signal);
		await expectGivenBack(job, status);
	});

	test.each([
		['Ctrl-Z', ({shell}) => shell.press('<ctrl-z>')],
		['SIGTSTP from outside', ({pid}) => process.kill(pid, 'SIGTSTP')],
	] satisfies ReadonlyArray<readonly [string, (job: Job) => void]>)(
		'while %s has it suspended, and fg comes back with a full screen of the size that it has then',
		async (_, suspend) => {
			const job = await openJob(size);
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

test('standard error that is a file gets nothing of the screen', async () => {
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
