import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startSmallExchange, v2} from '../cli/small-exchange.ts';
import {paths, sends} from '../helpers/exchange-server.ts';
import {startHostileExchange} from '../helpers/hostile-bodies.ts';
import {market} from '../helpers/wire-entries.ts';
import {openProgram, openScript, type Size} from './program.ts';

const dist = join(import.meta.dirname, '../../dist');
const size: Size = {columns: 80, rows: 24};
const smallHeap = {NODE_OPTIONS: '--max-old-space-size=128'};

test('a market that a later list lacks stays on the screen as not listed, and a megabyte of exchange info is shown', async () => {
	const exchange = await startSmallExchange();
	exchange.answer(paths.info, v2({name: 'Small', description: '漢字 '.repeat(100_000), website: 'x'.repeat(500_000)}));
	exchange.answer(paths.markets, sends('', {status: 503}));
	const addresses = ['--base-url', exchange.url, '--interface', 'v2'];
	const monitor = openProgram(['BTCUSDT', ...addresses], {...size, config: '[intervals]\nmarkets = 0.2\n'});
	await monitor.waitFor(/^ BTCUSDT +61,824\.01/m);
	// It asks again only after it has read that there was no list.
	const listRequests = () => exchange.requests.filter(({path}) => path === paths.markets).length;
	await expect.poll(listRequests).toBeGreaterThan(1);
	exchange.answer(paths.markets, v2([market('ETH')]));
	await monitor.waitFor(/^ BTCUSDT +not listed +61,824\.01/m);
	exchange.answer(paths.markets, v2([market('ETH'), market('BTC')]));
	await monitor.waitFor(/^ BTC\/USDT +61,824\.01/m);
	exchange.answer(paths.markets, v2([]));
	await monitor.waitFor(/no markets yet/);
	monitor.press('i');
	await monitor.waitFor(/ description {7}漢字 漢字/);
	monitor.press('G');
	await monitor.waitFor(/ candles {11}no value/);
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
	await exchange.close();
});

test('the program says in one line that its code cannot be loaded, as with too few open files', async () => {
	const script = 'cd $XDG_STATE_HOME; cp $DIST/main.js .; exec $NODE main.js';
	const monitor = openScript(script, {...size, env: {DIST: dist, NODE: process.execPath}});
	expect((await monitor.exit).exitCode).toBe(1);
	expect(monitor.raw()).toMatch(/^tapewatch: cannot start: Cannot find module '.*begin\.js'.*\r\n$/);
	expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
});

test('the monitor lives in a heap of 128 MB on an exchange that sends the costliest bodies', async () => {
	const exchange = await startHostileExchange();
	// Only a market that is listed is polled.
	exchange.answer(paths.markets, v2([market('BTC')]));
	const addresses = ['--base-url', exchange.url, '--legacy-base-url', exchange.url];
	const monitor = openProgram(['BTCUSDT', ...addresses], {...size, env: smallHeap});
	await exchange.received(20);
	monitor.press('?');
	await monitor.waitFor(/ Keys and commands ━/);
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
	expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
	await exchange.close();
});
