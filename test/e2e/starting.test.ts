import {expect, test} from 'vitest';
import {command, openScript, type Size} from './program.ts';

const size: Size = {columns: 160, rows: 24};
const enter = '\u001B[?1049h';

test('help, and a read that watches once, do not take the terminal', async () => {
	const terminal = openScript(
		`${command} BTCUSDT --help; echo "status $?"; ${command} watch BTCUSDT --once; echo "status $?"`,
		{
			...size,
			rows: 100,
		},
	);
	await terminal.exit;
	expect(terminal.screen().filter(row => row.startsWith('status'))).toEqual(['status 0', 'status 0']);
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
