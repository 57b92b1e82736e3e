import {afterAll, expect, test} from 'vitest';
import {market} from '../../helpers/wire-entries.ts';
import {inProcess} from '../in-process.ts';
import {startSmallExchange, v2} from '../small-exchange.ts';

const exchange = await startSmallExchange();
exchange.answer('/engine/v2/public/markets', v2([market('BTC'), market('SOL', {id: 'none'}), {state: 'active'}]));
afterAll(() => exchange.close());

const run = (...args: readonly string[]) => inProcess([...args, '--base-url', exchange.url, '--interface', 'v2']);
const notice = 'tapewatch: the entry of SOLUSDT in the market list cannot be read; reading SOLUSDT anyway\n';

test.each([
	[['trades', 'sol/usdt'], '', 0],
	[['watch', 'SOLUSDT', '--once'], 'tapewatch: SOLUSDT: no readable ticker for SOLUSDT (v2 ticker); retrying\n', 1],
])('%j reads a market whose entry in the list is unreadable, and says so', async (args, more, expected) => {
	const {stdout, stderr, status} = await run(...args);
	expect({stderr, status}).toEqual({stderr: notice + more, status: expected});
	expect(stdout).toContain('SOLUSDT');
});

test('a market that is not listed may be one whose name is unreadable', async () => {
	expect(await run('trades', 'ETHUSDT')).toEqual({
		stdout: '',
		stderr:
			'tapewatch: no market ETHUSDT in the market list, 1 of whose entries cannot be read; did you mean BTCUSDT or SOLUSDT?\n',
		status: 2,
	});
});

test('a market that is read by an id that no readable entry has may be one whose entry is unreadable, and that is said', async () => {
	const {stderr, status} = await run('trades', '--market-id', '3');
	expect({stderr, status}).toEqual({
		stderr: 'tapewatch: market 3 is not in the market list, or its entry cannot be read; reading it anyway\n',
		status: 0,
	});
});
