import {describe, expect, test} from 'vitest';
import {openHome} from '../../helpers/folders.ts';
import {inProcess} from '../in-process.ts';

const demoAt = '2026-11-20T12:00:00Z';

/** The environment of a user with holdings in the config file and in the state file. */
function withHoldings(saved: unknown) {
	const config = ['[[holdings]]', 'asset = "eth"', 'amount = 3', 'cost = 0.05', 'quote = "BTC"'];
	return {env: {...openHome(config.join('\n'), {demo: {holdings: saved}}).env, TAPEWATCH_DEMO_AT: demoAt}};
}

const saved = {
	BTC: {amount: 0.5, price: 61_000, quote: 'USDT'},
	ETH: {amount: 99},
	OLD: {amount: 7},
	bad: {amount: 1},
	ZERO: {amount: 0},
};

const faults = [
	'tapewatch: a holding in the state file cannot be used: "bad", "ZERO"',
	'tapewatch: not counted: no market converts OLD to USDT',
];

describe('holdings', () => {
	test('are those of the config file and of the state file, in JSON with their sum', async () => {
		const {stdout, stderr} = await inProcess(['holdings', '--json'], withHoldings(saved));
		const {holdings, total, profit, currency, uncounted} = JSON.parse(stdout);
		const [btc, eth] = holdings;
		expect(holdings).toEqual([
			{
				...{asset: 'BTC', amount: 0.5, cost: 61_000, costQuote: 'USDT', markets: 'BTCUSDT', origin: 'user'},
				...{price: btc.price, value: btc.price / 2, share: btc.value / total},
				...{
					profit: expect.closeTo(btc.value - 30_500, 9),
					profitPercent: expect.closeTo((btc.value / 30_500 - 1) * 100, 9),
				},
			},
			expect.objectContaining({asset: 'ETH', amount: 3, costQuote: 'BTC', markets: 'ETHUSDT', origin: 'config'}),
			{
				...{asset: 'OLD', amount: 7, cost: null, costQuote: null, price: null, value: null, share: null},
				...{profit: null, profitPercent: null, markets: null, origin: 'user'},
			},
		]);
		expect(eth.profit).toBeCloseTo(eth.value - 3 * 0.05 * btc.price, 6);
		expect([total, profit, currency, uncounted]).toEqual([
			...[btc.value + eth.value, btc.profit + eth.profit].map(sum => expect.closeTo(sum, 6)),
			...['USDT', ['OLD']],
		]);
		for (const fault of faults) expect(stderr).toContain(`${fault}\n`);
	});

	test('fit the terminal as a table, and are rows for other programs', async () => {
		const surroundings = withHoldings(saved);
		const narrow = await inProcess(['holdings'], {...surroundings, columns: 60});
		expect(Math.max(...narrow.stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(60);
		expect(narrow.stderr).toContain('columns hidden: ');
		const {stdout: csv} = await inProcess(['holdings', '--output', 'csv'], surroundings);
		expect(csv.split('\n').map(line => line.split(',').slice(0, 4).join())).toEqual([
			'asset,amount,cost,costQuote',
			'BTC,0.5,61000,USDT',
			'ETH,3,0.05,BTC',
			'OLD,7,,',
			'',
		]);
		const {stdout: lines} = await inProcess(['holdings', '-o', 'ndjson', '--quote-currency', 'eur'], surroundings);
		expect(
			lines
				.trim()
				.split('\n')
				.map(line => JSON.parse(line)),
		).toMatchObject([
			{asset: 'BTC', currency: 'EUR', demo: true},
			{asset: 'ETH', currency: 'EUR'},
			{asset: 'OLD', value: null},
		]);
	});

	test('are none at first', async () => {
		const {stdout} = await inProcess(['holdings'], {env: {TAPEWATCH_DEMO_AT: demoAt}});
		expect(stdout).toMatch(/^DEMO · 0 holdings · values in USDT · .*\nnone\n$/);
	});

	test('that are not a table in the state file are reported', async () => {
		const {stderr} = await inProcess(['holdings'], withHoldings(5));
		expect(stderr).toContain('the holdings in the state file are not a table');
	});
});
