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

const start = new URL('../../source/cli/start.ts', import.meta.url);

test('says a repeated warning once, and at most a hundred', () => {
	const script = `
		import {tameNode} from '${start}';
		tameNode();
		for (let index = 0; index < 300; index++) process.emitWarning('warning ' + Math.floor(index / 2));`;
	const {stderr} = spawnSync(process.execPath, ['--input-type=module', '-e', script], {encoding: 'utf8'});
	expect(stderr.trimEnd().split('\n')).toEqual(
		Array.from({length: 100}, (_, index) => `tapewatch: warning: warning ${index}`),
	);
});

test('a lost standard error ends no program', () => {
	const script = `
		import {tameNode} from '${start}';
		tameNode();
		process.stderr.emit('error', new Error('getWindowSize EIO'));
		console.log('goes on');`;
	const {stdout, status} = spawnSync(process.execPath, ['--input-type=module', '-e', script], {encoding: 'utf8'});
	expect({stdout, status}).toEqual({stdout: 'goes on\n', status: 0});
});
