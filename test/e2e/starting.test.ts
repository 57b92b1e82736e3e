import {expect, test} from 'vitest';
import {command, openScript, type Size} from './program.ts';

const size: Size = {columns: 160, rows: 24};
const enter = '\u001B[?1049h';

test('a read that watches once does not take the terminal', async () => {
	const terminal = openScript(`${command} watch BTCUSDT --once; echo "status $?"`, size);
	await terminal.exit;
	expect(terminal.screen().findLast(row => row !== '')).toBe('status 0');
	expect(terminal.raw()).not.toContain(enter);
});

test('a refusal is one line on the restored terminal: of an unknown market, and of what is no terminal, where nothing is printed', async () => {
	const scripts = [`${command} BTCUSTD`, `${command} </dev/null`, `out=$(${command} 2>&3) 3>&1`];
	const terminal = openScript(scripts.map(script => `${script}; echo "status $? $out"`).join(';'), size);
	await terminal.exit;
	expect([terminal.alternate(), terminal.cursorVisible()]).toEqual([false, true]);
	const noTerminal = (reason: string) =>
		`tapewatch: the monitor needs a terminal: ${reason}; tapewatch watch prints lines without one`;
	expect(terminal.screen().filter(row => row !== '')).toEqual([
		expect.stringContaining('tapewatch: no market BTCUSTD; did you mean BTCUSDT'),
		'status 2',
		noTerminal('standard input is not a terminal'),
		'status 2',
		noTerminal('standard output is not a terminal'),
		'status 2',
	]);
	expect(terminal.raw().split(enter)).toHaveLength(2);
});
