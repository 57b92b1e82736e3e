import {describe, expect, onTestFinished, test} from 'vitest';
import {startSmallExchange, v2} from '../cli/small-exchange.ts';
import {command, openProgram, openScript, type Size} from './program.ts';

const size: Size = {columns: 160, rows: 24};
const enter = '\u001B[?1049h';

test.each(['BTCUSDT --help', 'watch BTCUSDT --once', '--no-color info'])(
	'"%s" does not take the terminal',
	async args => {
		const terminal = openScript(`${command} ${args}; echo "status $?"`, size);
		await terminal.exit;
		expect(terminal.screen().findLast(row => row !== '')).toBe('status 0');
		expect(terminal.raw()).not.toContain(enter);
	},
);

test('an empty market list keeps the monitor waiting, and the market that was named is kept when a later list lacks it', async () => {
	const exchange = await startSmallExchange();
	onTestFinished(() => exchange.close());
	exchange.answer('/engine/v2/public/markets', v2([]));
	const config = '[intervals]\nmarkets = 0.2\n';
	const monitor = openProgram(['ETHUSD', '--base-url', exchange.url, '--rate', '100'], {...size, config});
	await monitor.waitFor(text => text.some(row => row.includes('no markets yet')));
	const pepe = {id: 3, marketName: 'PEPEBTC', base: 'PEPE', quote: 'BTC', state: 'active', marketType: 'Spot'};
	exchange.answer('/engine/v2/public/markets', v2([pepe]));
	await monitor.waitFor(text => text.some(row => row.includes('not listed')));
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
});

describe('a refusal is one line on the restored terminal', () => {
	const noTerminal = (reason: string) =>
		`the monitor needs a terminal: ${reason}; tapewatch watch prints lines without one`;
	test.each([
		['--nonsense', "unknown option '--nonsense'"],
		['BTCUSTD', 'no market BTCUSTD; did you mean BTCUSDT'],
		['</dev/null', noTerminal('standard input is not a terminal')],
	])('of %s', async (args, message) => {
		const terminal = openScript(`${command} ${args}; echo "status $?"`, size);
		await terminal.exit;
		expect([terminal.alternate(), terminal.cursorVisible()]).toEqual([false, true]);
		expect(terminal.screen().filter(row => row !== '')).toEqual([
			expect.stringContaining(`tapewatch: ${message}`),
			'status 2',
		]);
	});

	test('of standard output that is a pipe, which stays empty', async () => {
		const terminal = openScript(`out=$(${command} 2>&3) 3>&1; echo "status $? and '$out'"`, size);
		await terminal.exit;
		expect(terminal.screen().filter(row => row !== '')).toEqual([
			`tapewatch: ${noTerminal('standard output is not a terminal')}`,
			"status 2 and ''",
		]);
		expect(terminal.raw()).not.toContain(enter);
	});
});
