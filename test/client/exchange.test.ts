import {describe, expect} from 'vitest';
import {legacy, paths, sends, serverTime, v2} from '../helpers/exchange-server.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {ticker} from '../helpers/wire-entries.ts';
import {failureOf, test} from './fixture.ts';

const trade = {quantity: 1, price: 10};
const legacyTrades = legacy([{...trade, tradeId: 1, createdOn: 1000}]);

describe('choice of the interface', () => {
	test('an interface chosen by name is not replaced', async ({server, open}) => {
		server.answer(paths.trades, sends('', {status: 503}));
		server.answer(paths.legacyTrades, legacyTrades);
		expect(await failureOf(open().trades('BTCUSDT', {use: 'v2'}))).toMatchObject({interface: 'v2', status: 503});
		expect(server.requests).toHaveLength(1);
	});

	test('an abort while legacy replaces v2 is an abort, not v2’s error', async ({server, open}) => {
		const controller = new AbortController();
		server.answer(paths.trades, sends('', {status: 503}));
		server.answer(paths.legacyTrades, () => controller.abort());
		expect((await failureOf(open().trades('BTCUSDT', {signal: controller.signal}))).kind).toBe('aborted');
	});

	test('the summary replaces a ticker that v2 does not have: it has the same entries', async ({server, open}) => {
		const entries = [ticker(), ticker({symbol: 'ETH_USDT'}), 'not one'];
		server.answer(paths.summary, v2({markets: entries}));
		const summary = await open().tickers();
		server.answer(paths.ticker, v2(entries));
		const tickers = await open().tickers();
		expect(server.requests.map(({path}) => path)).toEqual([paths.ticker, paths.summary, paths.ticker]);
		const entry = {
			...{symbol: 'BTCUSDT', last: 61824.01, change: -13.62, changePercent: -0.02, open: 61837.63, high: 62745.14},
			...{
				low: 59535,
				bid: 61824,
				bidQuantity: 0.94,
				ask: 61824.01,
				askQuantity: 6.67,
				volume: 48201,
				state: 'active',
				type: 'spot',
			},
		};
		expect(summary).toEqual({
			...{interface: 'v2', sentAt: expect.any(Number), receivedAt: expect.any(Number), serverTime, dropped: 1},
			data: [entry, {...entry, symbol: 'ETHUSDT'}],
		});
		expect(tickers).toEqual({...summary, sentAt: tickers.sentAt, receivedAt: tickers.receivedAt});
	});

	test('a summary that replaced the ticker is read alone for a minute, unless it fails', async ({server, open}) => {
		const clock = createFakeClock();
		const exchange = open({clock});
		const asked = async () => {
			const before = server.requests.length;
			await exchange.tickers({use: 'v2'}).catch(() => {});
			return server.requests.slice(before).map(({path}) => path);
		};
		server.answer(paths.summary, v2({markets: []}));
		expect([await asked(), await asked()]).toEqual([[paths.ticker, paths.summary], [paths.summary]]);
		await clock.advance(60_000);
		expect(await asked()).toEqual([paths.ticker, paths.summary]);
		server.answer(paths.summary, sends('', {status: 500}));
		expect([await asked(), await asked()]).toEqual([[paths.summary], [paths.ticker, paths.summary]]);
		// The summary is of no help either: a v2 that is down costs one request a poll.
		expect([await asked(), await asked()]).toEqual([[paths.ticker], [paths.ticker]]);
	});

	test('a clock set back does not extend what is remembered about an interface', async ({server, open}) => {
		const clock = createFakeClock();
		const exchange = open({clock});
		server.answer(paths.summary, v2({markets: []}));
		server.answer(paths.depth, v2({asks: [[2, 1]]}));
		server.answer(paths.legacyDepth, legacy({asks: [], bids: [[1, 1]]}));
		const asked = async () => {
			const before = server.requests.length;
			await exchange.tickers({use: 'v2'});
			await exchange.depth('BTCUSDT');
			return server.requests.slice(before).map(({path}) => path);
		};
		const all = [paths.ticker, paths.summary, paths.depth, paths.legacyDepth];
		expect(await asked()).toEqual(all);
		clock.jump(-3_600_000);
		expect(await asked()).toEqual([paths.summary, paths.legacyDepth]);
		await clock.advance(5 * 60_000);
		expect(await asked()).toEqual(all);
	});
});

describe('what an interface does not offer', () => {
	test.for([
		[{use: 'legacy'}, {}, 'the legacy interface has no exchange info; allow both interfaces'],
		[{use: 'legacy'}, {legacyBaseUrl: undefined}, 'the legacy interface is not configured; set the legacy base URL'],
		[{use: 'v2'}, {baseUrl: undefined}, 'the v2 interface is not configured; set the base URL'],
		[{use: 'auto'}, {baseUrl: undefined}, 'the legacy interface has no exchange info; set the base URL'],
	] as const)('%j of %j is unavailable, with a remedy', async ([use, options, text], {server, open}) => {
		const error = await failureOf(open(options).info(use));
		expect(error).toMatchObject({kind: 'unavailable', brief: text.split(';')[0], operation: 'info'});
		expect(error.message).toContain(text);
		expect(server.requests).toHaveLength(0);
	});
});

test('legacy reads no trades by the id of a market', async ({server, open}) => {
	const error = await failureOf(open({baseUrl: undefined}).trades({id: '7'}));
	expect(error.message).toContain('the legacy interface has no trades by market id; set the base URL');
	expect(server.requests).toHaveLength(0);
});

test('keeps ids beyond 2^53 and exponents, and strips control characters', async ({server, open}) => {
	server.answer(
		paths.trades,
		v2(
			'[{"id":90071992547409931,"price":1.230e-9,"quantity":0.00374000,"time":1000,"side":"buy"},{"id":90071992547409932,"price":6E4,"quantity":1,"time":1000,"side":"buy"}]',
		),
	);
	server.answer(
		paths.markets,
		v2([
			{
				id: 7,
				marketName: 'BTC\u001b[31m_usdt\u202e',
				base: 'B\u0007TC',
				quote: 'USDT',
				state: 'act\u009bive',
				marketType: 'Spot\n',
			},
		]),
	);
	const exchange = open();
	expect((await exchange.trades('BTCUSDT')).data).toEqual([
		{id: '90071992547409932', time: 1000, price: 60_000, quantity: 1, side: 'buy', sideText: 'buy'},
		{id: '90071992547409931', time: 1000, price: 1.23e-9, quantity: 0.00374, side: 'buy', sideText: 'buy'},
	]);
	expect((await exchange.markets()).data).toEqual([
		{
			symbol: 'BTCUSDT',
			name: 'BTC_usdt',
			id: '7',
			base: 'BTC',
			quote: 'USDT',
			state: expect.stringMatching(/^[ -~]+$/),
			type: expect.stringMatching(/^Spot ?$/),
		},
	]);
});
