import {describe, expect, test} from 'vitest';
import {keyBytes, openShell, openTerminal} from './terminal.ts';

const node = (script: string) =>
	openTerminal({file: process.execPath, args: ['-e', script], columns: 30, rows: 6, env: {GREETING: 'grüße'}});

describe('openTerminal', () => {
	test('shows what the program writes, with its colours', async () => {
		const terminal = node(`
			process.stdout.write('\\u001B[1;38;2;10;200;30mup\\u001B[0m \\u001B[2;7;41m市\\u001B[m ' + process.env.GREETING);
			process.stdout.write('\\r\\n\\u001B[?25l' + process.stdout.columns + 'x' + process.stdout.rows);
		`);
		expect(await terminal.exit).toEqual({exitCode: 0, signal: undefined});
		expect(terminal.screen()).toEqual(['up 市 grüße', '30x6', '', '', '', '']);
		const plain = {bold: false, dim: false, italic: false, underline: false, strikethrough: false, inverse: false};
		expect(terminal.cell(0, 1)).toEqual({
			...plain,
			text: 'p',
			width: 1,
			foreground: '#0ac81e',
			background: 'default',
			bold: true,
		});
		expect(terminal.cell(0, 3)).toEqual({
			...plain,
			text: '市',
			width: 2,
			foreground: 'default',
			background: 1,
			dim: true,
			inverse: true,
		});
		expect(terminal.cell(0, 4)).toMatchObject({text: '', width: 0});
		expect(terminal.cursorVisible()).toBe(false);
		expect(terminal.bytes()).toBe(Buffer.byteLength(terminal.raw()));
	});

	test('takes keys, sizes and signals to the program', async () => {
		const terminal = node(`
			process.stdin.setRawMode(true).on('data', key => process.stdout.write('<' + key + '>'));
			process.stdout.on('resize', () => process.stdout.write(process.stdout.columns + 'x' + process.stdout.rows));
			process.stdout.write('\\u001B[?1049hready ');
		`);
		await terminal.waitFor(/ready/);
		expect(terminal.alternate()).toBe(true);
		terminal.write('k');
		await terminal.waitFor(/<k>/);
		terminal.resize(20, 3);
		await terminal.waitFor(/20x3/);
		expect(terminal.screen()).toEqual(['ready <k>20x3', '', '']);
		terminal.kill('SIGKILL');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 'SIGKILL'});
	});

	test('a wait for what never comes fails and shows the screen', async () => {
		const terminal = node(`process.stdout.write('here'); setInterval(() => {}, 1000)`);
		await terminal.waitFor(/here/);
		await expect(terminal.waitFor(/there/, 1)).rejects.toThrow('1 ms passed before /there/ held\nhere\n');
		const afterwards = terminal.waitFor(/there/);
		terminal.kill('SIGTERM');
		await expect(afterwards).rejects.toThrow('The program ended (SIGTERM) before /there/ held\nhere\n');
	});
});

test('openShell runs commands and reads how the line discipline is set', async () => {
	const shell = await openShell({columns: 80, rows: 10});
	const before = await shell.lineDiscipline();
	shell.write('stty -echo; echo changed\r');
	await shell.waitFor(/^changed$/m);
	expect(await shell.lineDiscipline()).not.toBe(before);
	shell.write('stty echo; exit 7\r');
	expect(await shell.exit).toEqual({exitCode: 7, signal: undefined});
});

test('keyBytes turns named keys and characters into what a terminal sends', () => {
	expect(keyBytes('n<tab>5<shift-tab>/é<enter>')).toEqual(['n', '\t', '5', '\u001B[Z', '/', 'é', '\r']);
	expect(() => keyBytes('<tabulator>')).toThrow('Unknown key <tabulator>; known: enter, esc,');
});
