import {expect, test} from 'vitest';
import {frameFault, isLive} from './frame.ts';
import {openProgram, type Session, type Size} from './program.ts';

/** What each key does is proven in test/view; here keys of every kind take the way through a real terminal. */

const standard: Size = {columns: 120, rows: 40};

const header = (pair: string) => (text: readonly string[]) => (text[0] ?? '').startsWith(` ${pair} `);

type Expectation = RegExp | ((text: readonly string[]) => boolean);

/** Presses keys and waits for a whole frame that is as expected. */
async function press(monitor: Session, keys: string, expected: Expectation): Promise<void> {
	monitor.press(keys);
	await monitor.waitFor(text => {
		if (frameFault(text, standard) !== undefined) return false;
		return expected instanceof RegExp ? expected.test(text.join('\n')) : expected(text);
	});
}

/** The pair under the picker's cursor: the row that is drawn inverse. */
function cursorPair(monitor: Session): string {
	const text = monitor.screen();
	const row = text.findIndex((line, index) => line.startsWith('┃') && monitor.cell(index, 3).inverse);
	return text[row]?.slice(3).split(' ')[0] ?? '';
}

test('letters, named keys, typed text and quick sequences reach the monitor', async () => {
	const monitor = openProgram([], standard);
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
	monitor.press('/q<ctrl-c>');
	expect(await monitor.exit).toEqual({exitCode: 130, signal: undefined});
});
