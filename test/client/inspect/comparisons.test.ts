import {expect, test} from 'vitest';
import {inspect} from '../../../source/client/inspect/inspect.ts';
import {legacy, paths, v2} from '../../helpers/exchange-server.ts';
import {createHurriedClock} from '../../helpers/hurried-clock.ts';
import {legacyTicker, startSpecifiedExchange, ticker} from '../../helpers/specified-exchange.ts';

const inspected = ({url}: {readonly url: string}) =>
	inspect({
		...{baseUrl: url, legacyBaseUrl: url, timeoutMs: 3_600_000, rate: 1000, samples: 1, random: () => 0},
		...{clock: createHurriedClock(Date.UTC(2026, 0, 1, 12, 30)), choose: () => 'BTCUSDT'},
	});

test('an inspection compares tickers again while they differ, and keeps the differences that last', async () => {
	let asked = 0;
	const {url} = await startSpecifiedExchange({
		[paths.legacyTicker]: (response, request) =>
			legacy({BTCUSDT: {...legacyTicker, last: asked++ === 1 ? 11 : 10, higestBid: 8}})(response, request),
	});
	expect((await inspected({url})).agreement?.tickers).toEqual({
		last: {compared: 1, agreeing: 1, differing: []},
		bid: {compared: 1, agreeing: 0, differing: ['BTCUSDT']},
		ask: {compared: 1, agreeing: 1, differing: []},
	});
	expect(asked).toBe(1 + 3);
});

test('an inspection compares the entries of summary and ticker, and the states of both with the list', async () => {
	const [ether, halted] = [
		{...ticker, symbol: 'ETHUSDT'},
		{...ticker, lastPrice: 12, state: 'halted'},
	];
	const {url} = await startSpecifiedExchange({
		[paths.ticker]: v2([ticker, ether]),
		[paths.summary]: v2({markets: [halted]}),
	});
	const {summary, states, shortLists} = await inspected({url});
	const same = {compared: 1, agreeing: 1, differing: []};
	const other = {compared: 1, agreeing: 0, differing: ['BTCUSDT']};
	expect({summary, states, shortLists}).toEqual({
		summary: {last: other, bid: same, ask: same, state: other},
		states: [
			{interface: 'v2', operation: 'ticker', compared: 1, differing: []},
			{
				...{interface: 'v2', operation: 'summary', compared: 1},
				differing: [{symbol: 'BTCUSDT', listed: 'active', found: 'halted'}],
			},
			{interface: 'legacy', operation: 'ticker', compared: 1, differing: []},
		],
		shortLists: [
			{interface: 'v2', operation: 'markets', missing: ['ETHUSDT'], of: 2},
			{interface: 'v2', operation: 'summary', missing: ['ETHUSDT'], of: 2},
			{interface: 'legacy', operation: 'ticker', missing: ['ETHUSDT'], of: 2},
		],
	});
});
