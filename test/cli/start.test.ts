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
