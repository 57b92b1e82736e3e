import {spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {isMonitor} from '../../source/cli/start.ts';

test.each([
	['', true],
	['BTCUSDT', true],
	['btc-usdt', true],
	['--base-url http://127.0.0.1:80 BTC/USDT', true],
	['--period=15m --ascii', true],
	// A command, or a value: that takes parsing.
	['ticker', false],
	['--no-color ticker BTCUSDT', false],
	['watch BTCUSDT', false],
	['--interface legacy', false],
	['--help', false],
	['BTCUSDT -h', false],
	['-V', false],
	['--json', false],
])('knows from the arguments "%s" alone whether the monitor is meant: %s', (text, monitor) => {
	expect(isMonitor(text.split(' ').filter(Boolean))).toBe(monitor);
});

test('a lost standard error ends no program', () => {
	const start = new URL('../../source/cli/start.ts', import.meta.url);
	const script = `
		import {tameNode} from '${start}';
		tameNode();
		process.stderr.emit('error', new Error('getWindowSize EIO'));
		console.log('goes on');`;
	const {stdout, status} = spawnSync(process.execPath, ['--input-type=module', '-e', script], {encoding: 'utf8'});
	expect({stdout, status}).toEqual({stdout: 'goes on\n', status: 0});
});
