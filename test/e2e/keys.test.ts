import {expect, test} from 'vitest';
import {mouseOff, mouseOn} from '../../source/terminal/mouse.ts';
import {frameFault, isLive} from './frame.ts';
import {command, openScript, overwrite, type Session, type Size} from './program.ts';

/** What each key does is proven in test/view; here keys of every kind take the way through a real terminal. */

const size: Size = {columns: 120, rows: 40};

const header = (pair: string) => (text: readonly string[]) => (text[0] ?? '').startsWith(` ${pair} `);

type Expectation = RegExp | ((text: readonly string[]) => boolean);

/** A whole frame that is as expected. */
const shows = (monitor: Session, expected: Expectation): Promise<void> =>
	monitor.waitFor(text => {
		if (frameFault(text, size) !== undefined) return false;
		return expected instanceof RegExp ? expected.test(text.join('\n')) : expected(text);
	});

async function press(monitor: Session, keys: string, expected: Expectation): Promise<void> {
	monitor.press(keys);
	await shows(monitor, expected);
}

/** The pair under the picker's cursor: the row that is drawn inverse. */
function cursorPair(monitor: Session): string {
	const text = monitor.screen();
	const row = text.findIndex((line, index) => line.startsWith('┃') && monitor.cell(index, 3).inverse);
	return text[row]?.slice(3).split(' ')[0] ?? '';
}

/** What the mouse reports. */
const report = (code: number, column: number, row: number, final = 'M') => `\u001B[<${code};${column};${row}${final}`;
const click = (column: number, row: number) => report(0, column, row) + report(0, column, row, 'm');

test('keys, typed text, quick sequences and the mouse reach a monitor that has 64 open files and a heap of 128 MB', async () => {
	const env = {NODE_OPTIONS: '--max-old-space-size=128'};
	const monitor = openScript(`ulimit -n 64; exec ${command}`, {...size, env});
	await monitor.waitFor(isLive);
	await press(monitor, 'n', header('ETH/USDT'));
	await press(monitor, 'p', header('BTC/USDT'));
	for (const key of ['<down>', 'j', '<pgdn>', '<end>']) {
		const before = cursorPair(monitor);
		await press(monitor, key, () => ![before, ''].includes(cursorPair(monitor)));
	}

	await press(monitor, '<home>', () => cursorPair(monitor) === 'BTC/USDT');
	await press(monitor, '<tab>', /┏━ 2 Chart\b/);
	await press(monitor, '<shift-tab>', /┏━ 1 Markets\b/);
	await press(monitor, '3z', text => /^┏━ 3 Book/m.test(text.join('\n')) && !text.join('\n').includes('4 Tape'));
	await press(monitor, '<esc>', /4 Tape/);
	await press(monitor, '/sox', /^┃\/sox▏/m);
	await press(monitor, '<backspace>l<enter>', header('SOL/USDT'));
	await press(monitor, ':market eth/usdt<enter>', header('ETH/USDT'));
	await press(monitor, '<f1>', /^┏━ \? Keys and commands/m);
	await press(monitor, '<ctrl-d>', /^┗━ 18–51 of /m);
	await press(monitor, '/vwap', /^┏━ \? Help \/vwap▏/m);
	await press(monitor, '<f1><esc><esc>', /^┏━ 1 Markets\b/m);
	await press(monitor, '<space>', /^ PAUSED\b/m);
	await press(monitor, '<space>', /^ live\b/m);
	await press(monitor, ':alert SOLUSDT last > 1<enter>', /SOLUSDT last > 1: last [\d,.]+/);
	await press(monitor, '<esc>', text => !text.slice(-2).join('').includes('SOLUSDT last'));

	expect(monitor.raw()).toContain(mouseOn);
	// The name of the third market.
	const third = monitor.screen()[5]?.slice(1, 12).trim() ?? '';
	expect(third).toMatch(/^[A-Z]+\/[A-Z]+$/);
	monitor.write(report(4, 10, 6) + report(4, 10, 6, 'm'));
	for (const piece of ['\u001B[<0', ';10;', '6M', report(0, 10, 6, 'm')]) monitor.write(piece);
	await shows(monitor, text => header(third)(text) && isLive(text));
	// Malformed reports type nothing: `q` would quit.
	monitor.write('\u001B[<0;q\u001B[<;;q\u001B[<99999999999999999999999999999999;1;1q');
	monitor.write(click(60, 16));
	await shows(monitor, /┏━ 2 Chart[\s\S]*╎/);
	monitor.press('<esc>');
	monitor.write(report(0, 40, 16) + report(32, 50, 16) + report(32, 60, 16) + report(0, 60, 16, 'm'));
	await shows(monitor, /2 1h · \d{4}-\d\d-\d\d/);
	monitor.write(click(100, 10) + click(100, 10));
	await shows(monitor, text => text[2]?.startsWith('┏━ 3 ') ?? false);
	await press(monitor, '?', / Keys and commands ━/);
	monitor.write(report(65, 50, 20).repeat(2) + click(10, 10));
	await shows(monitor, /7–\d+ of/);
	await press(monitor, '<esc>:', /^ :/m);
	const before = monitor.raw().length;
	monitor.press('set mouse off<enter>');
	await monitor.waitFor(() => monitor.raw().slice(before).includes(mouseOff));

	// Neither the debugger of Node nor a file that grew too large.
	for (const signal of ['SIGUSR1', 'SIGXFSZ'] as const) monitor.kill(signal);
	for (const repair of [() => monitor.press('<ctrl-l>'), () => monitor.kill('SIGWINCH')]) {
		await overwrite(monitor);
		repair();
		await shows(monitor, text => isLive(text) && !text.join('').includes('Broadcast'));
	}

	expect(monitor.raw()).not.toContain('Debugger');
	monitor.press('/q<ctrl-c>');
	expect(await monitor.exit).toEqual({exitCode: 130, signal: undefined});
});
