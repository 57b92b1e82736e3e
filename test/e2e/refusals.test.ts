import {expect, test} from 'vitest';
import {isLive} from './frame.ts';
import {command, openProgram, openScript, type Size} from './program.ts';

const size: Size = {columns: 160, rows: 24};
const lines = (text: readonly string[]): string[] => text.filter(row => row !== '');
const enterScreen = '\u001B[?1049h';
const instead = 'tapewatch watch prints lines without one';

test.each([
	['standard input is not a terminal', `${command} </dev/null; echo "status $?"`],
	['standard output is not a terminal', `exec 3>&1; ${command} | cat >&3; exit`],
	['TERM=dumb has no cursor to place', `TERM=dumb ${command}; echo "status $?"`],
])('the monitor says in one line that %s', async (reason, script) => {
	const terminal = openScript(script, size);
	await terminal.exit;
	const said = lines(terminal.screen());
	expect(said[0]).toBe(`tapewatch: the monitor needs a terminal: ${reason}; ${instead}`);
	expect(said.slice(1)).toEqual(script.includes('status') ? ['status 2'] : []);
	expect(terminal.raw()).not.toContain(enterScreen);
});

test('the refusal goes to standard error and leaves standard output empty', async () => {
	const terminal = openScript(`out=$(${command} 2>&3) 3>&1; echo "status $? and '$out'"`, size);
	await terminal.exit;
	expect(lines(terminal.screen())).toEqual([
		`tapewatch: the monitor needs a terminal: standard output is not a terminal; ${instead}`,
		"status 2 and ''",
	]);
});

test('a market that the exchange does not list ends with the nearest names, on the terminal given back', async () => {
	const terminal = openProgram(['BTCUSTD'], size);
	expect(await terminal.exit).toEqual({exitCode: 2, signal: undefined});
	expect([terminal.alternate(), terminal.cursorVisible()]).toEqual([false, true]);
	const said = lines(terminal.screen());
	expect(said).toHaveLength(1);
	expect(said[0]).toMatch(/^tapewatch: no market BTCUSTD on this exchange; nearest: BTCUSDT, /);
});

test('a market can be spelled in any way', async () => {
	const monitor = openProgram(['eth-usdt'], size);
	await monitor.waitFor(text => isLive(text) && (text[0] ?? '').startsWith(' ETH/USDT '));
});

test('NO_COLOR leaves bold, dim and inverse, and no colour', async () => {
	const sgr = (raw: string) =>
		new Set([...raw.matchAll(/\u001B\[([\d;]*)m/g)].flatMap(([, codes = '']) => codes.split(';')));
	const colored = openProgram([], size);
	await colored.waitFor(isLive);
	expect([...sgr(colored.raw())]).toContain('38');

	const plain = openProgram([], {...size, env: {NO_COLOR: '1'}});
	await plain.waitFor(isLive);
	plain.press('1');
	await plain.waitFor(/1 Markets/);
	const used = sgr(plain.raw());
	expect(used.has('1') && used.has('7')).toBe(true);
	expect([...used].filter(code => !['', '0', '1', '2', '7', '22', '27'].includes(code))).toEqual([]);
});

test('--ascii writes nothing but ASCII', async () => {
	const monitor = openProgram(['--ascii'], {columns: 120, rows: 40});
	await monitor.waitFor(isLive);
	for (const [key, expected] of [
		['2c', /2 Chart - 1h - bars/],
		['c', /2 (Chart - )?1h - Heikin-Ashi, averages/],
		['c', /2 Chart - 1h - line/],
		['c', /2 Chart - 1h - candles/],
		['?', /\? Keys/],
		['i', /i Exchange/],
		['i', /4 Tape/],
		['3z', /^#= 3 Book/m],
		['5', /^#= 5 Ticker/m],
		['/', /^#\/_/m],
	] as const) {
		monitor.press(key);
		await monitor.waitFor(expected);
	}

	monitor.resize(30, 5);
	await monitor.waitFor(/^tapewatch needs 40x12$/m);
	expect(monitor.raw()).toMatch(/^[\u0000-\u007F]+$/);
});
