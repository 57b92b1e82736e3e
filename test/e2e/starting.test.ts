import {constants} from 'node:os';
import {expect, test} from 'vitest';
import {command, openProgram, openScript, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};
const enter = '\u001B[?1049h';
const leave = '\u001B[?1049l';

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
	'%s while the program loads gives the terminal back',
	async signal => {
		const monitor = openProgram([], size);
		await monitor.waitFor(() => monitor.raw().includes(enter));
		monitor.kill(signal);
		expect(await monitor.exit).toEqual({exitCode: 128 + constants.signals[signal], signal: undefined});
		expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
		expect(monitor.raw().split(leave)).toHaveLength(2);
	},
);

test.each([
	['--nonsense', /^tapewatch: unknown option '--nonsense'/],
	['--timeout=soon', /^tapewatch: --timeout must be a number of milliseconds/],
	['BTCUSDT ETHUSDT', /^tapewatch: the monitor shows one market at a time/],
])('what is wrong with "%s" is said where it can be read', async (args, message) => {
	const terminal = openScript(`${command} ${args}; echo "status $?"`, size);
	await terminal.exit;
	expect([terminal.alternate(), terminal.cursorVisible()]).toEqual([false, true]);
	const lines = terminal.screen().filter(row => row !== '');
	expect(lines[0]).toMatch(message);
	expect(lines.at(-1)).toBe('status 2');
});

test.each(['BTCUSDT --help', '--version', 'ticker BTCUSDT', 'watch BTCUSDT --once', '--no-color info'])(
	'"%s" does not take the terminal',
	async args => {
		const terminal = openScript(`${command} ${args}; echo "status $?"`, size);
		await terminal.exit;
		expect(terminal.screen().findLast(row => row !== '')).toBe('status 0');
		expect(terminal.raw()).not.toContain(enter);
	},
);
