import {expect} from 'vitest';
import {createHttp} from '../../../../source/client/http.ts';
import {createPace} from '../../../../source/client/pace.ts';
import {createV2Client} from '../../../../source/client/wire/v2/client.ts';
import {systemClock} from '../../../../source/market/clock.ts';
import {paths, serverTime, v2} from '../../../helpers/exchange-server.ts';
import {ticker, trade} from '../../../helpers/wire-entries.ts';
import {test} from '../../fixture.ts';

function openClient(url: string) {
	const pace = createPace({rate: 100, clock: systemClock, random: () => 0});
	const http = createHttp({
		timeoutMs: 5000,
		maxBytes: 100_000,
		paceOf: () => pace,
		clock: systemClock,
	});
	return {client: createV2Client(http, new URL(url)), close: http.close};
}

test('reads trades of a market by its numeric id instead of its symbol', async ({server}) => {
	server.answer(paths.trades, v2([trade(1)]));
	const {client, close} = openClient(server.url);
	const {data} = await client.trades({marketId: '90071992547409931'}, {limit: 5});
	await close();
	expect(data).toEqual([{id: '1', time: 1000, price: 10, quantity: 1, side: 'buy'}]);
	expect(server.requests.map(({query}) => query)).toEqual([{marketId: '90071992547409931', limit: '5'}]);
});

test('reads the summary as the ticker: the same entries, in a field of their own', async ({server}) => {
	server.answer(paths.summary, v2({markets: [ticker(), ticker({symbol: 'ETH_USDT'}), 'not one']}));
	server.answer(paths.ticker, v2([ticker(), ticker({symbol: 'ETH_USDT'}), 'not one']));
	const {client, close} = openClient(server.url);
	const [summary, tickers] = [await client.summary(), await client.ticker()];
	await close();
	const entry = {
		symbol: 'BTCUSDT',
		last: 61824.01,
		change: -13.62,
		changePercent: -0.02,
		open: 61837.63,
		high: 62745.14,
		low: 59535,
		bid: 61824,
		bidQuantity: 0.94,
		ask: 61824.01,
		askQuantity: 6.67,
		volume: 48201,
		state: 'active',
	};
	expect(summary).toEqual({
		data: [entry, {...entry, symbol: 'ETHUSDT'}],
		interface: 'v2',
		receivedAt: expect.any(Number),
		serverTime,
		dropped: 1,
	});
	expect({...summary, receivedAt: 0}).toEqual({...tickers, receivedAt: 0});
});
