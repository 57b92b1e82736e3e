import {constants} from 'node:os';
import {expect, test} from 'vitest';
import {isLive} from './frame.ts';
import {openJobs, openProgram, type Session, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};

const leave = '\u001B[?1049l';

const ending = [
	...([
		'SIGINT',
		'SIGTERM',
		'SIGHUP',
		'SIGQUIT',
		'SIGUSR2',
		'SIGALRM',
		'SIGVTALRM',
		'SIGXCPU',
		'SIGPROF',
		'SIGIO',
		'SIGSYS',
	] as const),
	...(['SIGSTKFLT', 'SIGPWR', 'SIGABRT', 'SIGTRAP'] as const),
];

async function expectEndsNothing(monitor: Session, signals: readonly NodeJS.Signals[]): Promise<void> {
	for (const signal of signals) monitor.kill(signal);
	monitor.press('?');
	await monitor.waitFor(/ Keys and commands ━/);
}

test('every signal that ends a program restores the terminal and is the exit status; SIGUSR1 opens no debugger, SIGXFSZ ends nothing', async () => {
	const ends = ending.map(async signal => {
		const monitor = openProgram([], size);
		await monitor.waitFor(() => monitor.alternate());
		// The same signals are handled during the start and after it.
		if (signal === 'SIGQUIT') {
			await monitor.waitFor(isLive);
			await expectEndsNothing(monitor, ['SIGUSR1', 'SIGXFSZ']);
		}

		monitor.kill(signal);
		const {exitCode} = await monitor.exit;
		const left = monitor.raw().split(leave).length - 1;
		expect([signal, monitor.alternate(), monitor.cursorVisible(), left]).toEqual([signal, false, true, 1]);
		expect([monitor.raw().includes('Debugger'), monitor.screen().join('\n').trim()]).toEqual([false, '']);
		return [signal, exitCode];
	});
	const statuses = Object.fromEntries(await Promise.all(ends));
	expect(statuses).toEqual(Object.fromEntries(ending.map(signal => [signal, 128 + constants.signals[signal]])));
});

test('a monitor in the background stops before it touches the screen', async () => {
	const {write, ...shell} = await openJobs({...size, bash: true});
	write('echo before\r');
	await shell.prompt();
	write(`${process.execPath} dist/main.js &\r`);
	// The shell must have noticed: fg continues only what it knows to be stopped.
	write('until [ "$(jobs -s)" ]; do sleep 0.05; done; echo "it is stopped"\r');
	await shell.waitFor(/^it is stopped$/m);
	expect(shell.alternate()).toBe(false);
	expect(shell.screen().join('\n')).toContain('before');
	write('fg\r');
	await shell.waitFor(isLive);
	shell.press('q');
	await shell.prompt();
	expect(shell.alternate()).toBe(false);
});
