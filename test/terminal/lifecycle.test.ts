import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {constants} from 'node:os';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {terminalCapabilities} from '../../source/terminal/lifecycle.ts';
import {openShell, openTerminal, type Terminal} from '../helpers/terminal.ts';

const program = (name: string): string => fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url));
const tty = {isTTY: true};
const pipe = {};

describe('terminalCapabilities', () => {
	test.each([
		['a terminal at both ends', tty, tty, 'xterm', {screen: true, interactive: true}],
		['no keyboard', pipe, tty, 'xterm', {screen: true, interactive: false, reason: 'standard input is not a terminal'}],
		[
			'output into a pipe',
			tty,
			pipe,
			'xterm',
			{screen: false, interactive: false, reason: 'standard output is not a terminal'},
		],
		[
			'a dumb terminal',
			tty,
			tty,
			'dumb',
			{screen: false, interactive: false, reason: 'TERM=dumb has no cursor to place'},
		],
	])('tells whether the monitor can run: %s', (_, stdin, stdout, TERM, expected) => {
		const {color, unicode, ...capabilities} = terminalCapabilities({TERM}, stdin, stdout);
		expect(capabilities).toEqual(expected);
	});

	test.each([
		[{TERM: 'xterm'}, tty, 1],
		[{TERM: 'xterm-256color'}, tty, 2],
		[{TERM: 'xterm-256color', COLORTERM: 'truecolor'}, tty, 3],
		[{TERM: 'screen-256color'}, tty, 2],
		[{TERM: 'tmux-256color'}, tty, 2],
		[{TERM: 'screen'}, tty, 1],
		[{TERM: 'dumb'}, tty, 0],
		[{}, tty, 0],
		[{TERM: 'xterm-256color'}, pipe, 0],
		[{TERM: 'xterm-256color', NO_COLOR: '1'}, tty, 0],
		[{TERM: 'xterm-256color', NO_COLOR: ''}, tty, 2],
		[{TERM: 'xterm-256color', CI: 'true'}, tty, 2],
		[{TERM: 'xterm-256color', FORCE_COLOR: '0'}, tty, 0],
		[{FORCE_COLOR: ''}, pipe, 1],
		[{FORCE_COLOR: '1'}, pipe, 1],
		[{FORCE_COLOR: '2'}, pipe, 2],
		[{FORCE_COLOR: '3', NO_COLOR: '1'}, pipe, 3],
	] as const)('knows how many colours %j gives: on %j level %i', (env, stdout, level) => {
		expect(terminalCapabilities(env, tty, stdout).color).toBe(level);
	});

	test.each([
		[{LANG: 'en_US.UTF-8'}, true],
		[{LANG: 'C.utf8'}, true],
		[{LANG: 'C'}, false],
		[{LANG: 'de_DE.ISO-8859-1'}, false],
		[{LANG: 'en_US.UTF-8', LC_CTYPE: 'C'}, false],
		[{LC_ALL: 'en_US.UTF-8', LC_CTYPE: 'C', LANG: 'C'}, true],
		[{LC_ALL: '', LANG: 'C'}, false],
		[{}, true],
	])('reads the character set from the locale: %j %s', (env, unicode) => {
		expect(terminalCapabilities(env, tty, tty).unicode).toBe(unicode);
	});
});

async function openProgram(): Promise<Terminal> {
	const terminal = openTerminal({file: process.execPath, args: [program('full-screen')], columns: 100, rows: 24});
	await terminal.waitFor(/^ready$/m);
	expect([terminal.alternate(), terminal.cursorVisible()]).toEqual([true, false]);
	return terminal;
}

function expectGivenBack(terminal: Terminal): void {
	expect([terminal.alternate(), terminal.cursorVisible()]).toEqual([false, true]);
	// Given back once: a second restore would put the cursor where the first one found it.
	expect(terminal.raw().split('\u001B[?1049l')).toHaveLength(2);
}

describe('the terminal is given back', () => {
	test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
		'on %s, with 128 + its number as the exit status',
		async signal => {
			const terminal = await openProgram();
			terminal.kill(signal);
			expect(await terminal.exit).toEqual({exitCode: 128 + constants.signals[signal], signal: undefined});
			expect(terminal.screen().join('\n').trim()).toBe('ended');
			expectGivenBack(terminal);
		},
	);

	test('when the user quits', async () => {
		const terminal = await openProgram();
		terminal.write('q');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: undefined});
		expectGivenBack(terminal);
	});

	test('when something exits without a word', async () => {
		const terminal = await openProgram();
		terminal.write('e');
		expect(await terminal.exit).toEqual({exitCode: 3, signal: undefined});
		expectGivenBack(terminal);
	});

	test('before an uncaught error is printed, so that it can be read', async () => {
		const terminal = await openProgram();
		terminal.write('t');
		expect(await terminal.exit).toEqual({exitCode: 1, signal: undefined});
		expect(terminal.screen().join('\n')).toContain('Error: thrown on purpose');
		expectGivenBack(terminal);
	});

	test('to the shell on Ctrl-Z, and taken again on fg', async () => {
		const shell = await openShell({columns: 160, rows: 12});
		const before = await shell.lineDiscipline();
		shell.write(`${process.execPath} ${program('full-screen')}\r`);
		await shell.waitFor(/^ready$/m);

		shell.write('\u001A');
		await shell.waitFor(rows => !shell.alternate() && rows.some(row => row.includes('Stopped')));
		expect(shell.cursorVisible()).toBe(true);
		expect(await shell.lineDiscipline()).toBe(before);

		shell.write('fg\r');
		await shell.waitFor(/^resumed$/m);
		expect([shell.alternate(), shell.cursorVisible()]).toEqual([true, false]);

		shell.write('q');
		await shell.waitFor(() => !shell.alternate());
		expect(await shell.lineDiscipline()).toBe(before);
		shell.write('exit\r');
		await shell.exit;
	});
});

test('a stop that no shell could undo does not hang the program', async () => {
	const terminal = await openProgram();
	terminal.write('\u001A');
	await terminal.waitFor(/^resumed$/m);
	terminal.write('q');
	expect(await terminal.exit).toEqual({exitCode: 0, signal: undefined});
});

test('repaints after a stop that came without a warning', async () => {
	const terminal = await openProgram();
	terminal.kill('SIGSTOP');
	terminal.kill('SIGCONT');
	await terminal.waitFor(/^continued$/m);
	terminal.write('q');
	await terminal.exit;
});

test('ends quietly with 0 when the reader of its output goes away', async () => {
	const child = spawn(process.execPath, [program('endless-lines')], {stdio: ['ignore', 'pipe', 'pipe']});
	const complaints = text(child.stderr);
	await once(child.stdout, 'data');
	child.stdout.destroy();
	const [exitCode] = await once(child, 'exit');
	expect([exitCode, await complaints]).toEqual([0, 'ended\n']);
});
