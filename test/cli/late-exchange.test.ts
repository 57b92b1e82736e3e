import {expect, test} from 'vitest';
import {lateExchange, withExchange} from '../../source/cli/context.ts';
import {mergeSources, type Options} from '../../source/cli/options/options.ts';
import {connect} from '../../source/client/connect.ts';
import {startDemo} from '../../source/demo/server.ts';

const budget = {used: 0, allowed: 7};

test('opens once, with the first read, and passes on all reads', async () => {
	const demo = await startDemo();
	const address = {baseUrl: demo.url, legacyBaseUrl: demo.url};
	let opened = 0;
	const exchange = lateExchange({
		interfaces: ['v2', 'legacy'],
		budget,
		async open() {
			opened++;
			return connect(address);
		},
	});
	try {
		expect([opened, exchange.budget()]).toEqual([0, budget]);
		const [info, markets, tickers, depth, trades, candles] = await Promise.all([
			exchange.info(),
			exchange.markets(),
			exchange.tickers(),
			exchange.depth('BTCUSDT', {use: 'legacy'}),
			exchange.trades('BTCUSDT', {limit: 3}),
			exchange.candles('BTCUSDT', {period: 60, limit: 2}),
		]);
		expect(opened).toBe(1);
		expect(info.data.name).not.toBe('');
		expect(markets.data.some(({symbol}) => symbol === 'BTCUSDT')).toBe(true);
		expect(tickers.data.length).toBe(markets.data.length);
		expect(depth.interface).toBe('legacy');
		expect([trades.data.length, candles.data.length]).toEqual([3, 2]);
		expect(exchange.budget().used).toBeGreaterThan(0);
	} finally {
		await exchange.close();
		await demo.close();
	}
});

test('every read fails with the error of opening', async () => {
	const exchange = lateExchange({interfaces: ['v2'], budget, open: () => Promise.reject(new Error('no port'))});
	await expect(exchange.info()).rejects.toThrow('no port');
	await expect(exchange.depth('BTCUSDT')).rejects.toThrow('no port');
});

const options: Options = {...mergeSources([]), exchange: {name: 'mine', baseUrl: 'ftp://127.0.0.1'}};

test('a failure to open ends the command with the reason', async () => {
	const command = withExchange(options, async ({exchange}) => (await exchange.info()).data, {isLate: true});
	await expect(command).rejects.toThrow('the base URL must begin with http:// or https://');
});

test('an exchange that is not read is not opened', async () => {
	expect(await withExchange(options, async ({exchange}) => exchange.interfaces, {isLate: true})).toEqual(['v2']);
});
