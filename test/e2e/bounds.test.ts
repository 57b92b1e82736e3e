import {expect, test} from 'vitest';
import {startSmallExchange, v2} from '../cli/small-exchange.ts';
import {paths} from '../helpers/exchange-server.ts';
import {isLive} from './frame.ts';
import {openProgram, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};

test('exchange info with a megabyte in a field opens, scrolls to its end and closes', async () => {
	const exchange = await startSmallExchange();
	exchange.answer(paths.info, v2({name: 'Small', description: '漢字 '.repeat(100_000), website: 'x'.repeat(500_000)}));
	const monitor = openProgram(['--base-url', exchange.url, '--legacy-base-url', exchange.url], size);
	await monitor.waitFor(isLive);
	monitor.press('i');
	await monitor.waitFor(/ description {7}漢字 漢字/);
	monitor.press('G');
	await monitor.waitFor(/ candles {11}no value/);
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
	await exchange.close();
});
