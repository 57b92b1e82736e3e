/** How answers are read where the specification is silent; what it says is in specification/. */
import {describe, expect} from 'vitest';
import {legacy, paths, sends, serverTime, v2} from '../helpers/exchange-server.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {candle, legacyTicker, market} from '../helpers/wire-entries.ts';
import {failureOf, test} from './fixture.ts';

describe('bids in the v2 book', () => {
	test('are asked of v2 again only after minutes, where legacy has them', async ({server, open}) => {
		const clock = createFakeClock();
		const exchange = open({clock});
		server.answer(paths.depth, v2({asks: [[99, 1]]}));
		server.answer(paths.legacyDepth, legacy({asks: [[11, 1]], bids: [[10, 2]]}));
		const {data, interface: source} = await exchange.depth('BTCUSDT');
		expect({data, source}).toEqual({data: {asks: [[11, 1]], bids: [[10, 2]]}, source: 'legacy'});

		// v2 is not asked each time, but now and then.
		await exchange.depth('BTCUSDT');
		clock.jump(6 * 60_000);
		await exchange.depth('BTCUSDT');
		expect(server.requests.map(({path}) => path)).toEqual([
			paths.depth,
			paths.legacyDepth,
			paths.legacyDepth,
			paths.depth,
			paths.legacyDepth,
		]);
	});

	test('never mixes sides of two snapshots: with a failing legacy it shows only asks', async ({server, open}) => {
		server.answer(paths.depth, v2({asks: [[11, 1]]}));
		server.answer(paths.legacyDepth, legacy({asks: [[99, 1]], bids: null}));
		const {data, interface: source} = await open().depth('BTCUSDT');
		expect({data, source}).toEqual({
			data: {asks: [[11, 1]], bidsFailure: expect.objectContaining({interface: 'legacy', kind: 'schema'})},
			source: 'v2',
		});
	});

	test('are used where there are any, and where their list is empty', async ({server, open}) => {
		for (const bids of [[[10, 2]], []]) {
			server.answer(paths.depth, v2({asks: [[11, 1]], bids}));
			const {data, interface: source} = await open().depth('BTCUSDT');
			expect({data, source}).toEqual({data: {asks: [[11, 1]], bids}, source: 'v2'});
		}

		expect(new Set(server.requests.map(({path}) => path))).toEqual(new Set([paths.depth]));
	});
});

describe('error bodies of v2', () => {
	test.for(['success', 'isSuccess'])(
		'`%s: false` is an error, with status and the cleaned first 200 characters',
		async (flag, {server, open}) => {
			const body = {data: null, [flag]: false, message: `no\u0007 such\n market ${'x'.repeat(300)}`};
			server.answer(paths.depth, sends(body));
			const error = await failureOf(open().depth('NOPE', {use: 'v2'}));
			expect(error).toMatchObject({
				name: 'RefusedError',
				kind: 'refused',
				brief: 'refused by the exchange',
				status: 200,
				body: JSON.stringify(body).slice(0, 200),
			});
			expect(error.message).toBe(
				`refused by the exchange: no such market ${'x'.repeat(185)} (v2 depth at ${server.url}${paths.depth}?symbol=NOPE)`,
			);
		},
	);
});

describe('entries that cannot be read', () => {
	test('a market whose entry is dropped keeps its name, unless another entry has it', async ({server, open}) => {
		const broken = {id: null};
		const unnamed = market('SOL', {...broken, marketName: undefined});
		server.answer(paths.markets, v2([market('ETH', broken), market('BTC', broken), market('BTC'), unnamed, broken]));
		server.answer(paths.legacyTicker, legacy({BTC_USDT: legacyTicker(), eth_usdt: 5}));
		const exchange = open();
		const unreadable = (symbol: string) => ({symbol, state: 'unknown', unreadable: true});
		expect(await exchange.markets()).toMatchObject({
			data: [{symbol: 'BTCUSDT', id: '1'}, unreadable('ETHUSDT'), unreadable('SOLUSDT')],
			dropped: 4,
		});
		expect(await exchange.markets({use: 'legacy'})).toMatchObject({
			data: [{symbol: 'BTCUSDT', state: 'active'}, unreadable('ETHUSDT')],
			dropped: 1,
		});
	});

	test('fails the read where a list or object is missing, with the path of the field', async ({server, open}) => {
		server.answer(paths.markets, v2(null));
		server.answer(paths.summary, v2({markets: 'none'}));
		server.answer(paths.depth, v2({bids: []}));
		server.answer(paths.info, v2({name: 'X', capability: {orders: 'yes'}}));
		server.answer(paths.trades, sends([1, 2]));
		const exchange = open({legacyBaseUrl: undefined});
		const errors = await Promise.all(
			[exchange.markets(), exchange.depth('BTCUSDT'), exchange.info(), exchange.trades('BTCUSDT')].map(failureOf),
		);
		expect(errors.map(({message}) => message.replace(/ \(.*/, ''))).toEqual([
			'unreadable answer: data is null',
			'unreadable answer: data.asks is missing',
			'unreadable answer: data.capability.orders is neither true, false nor null',
			'unreadable answer: the answer is not an object',
		]);
		expect(errors.map(error => ({kind: error.kind, path: 'path' in error && error.path}))).toEqual([
			{kind: 'schema', path: 'data'},
			{kind: 'schema', path: 'data.asks'},
			{kind: 'schema', path: 'data.capability.orders'},
			{kind: 'schema', path: ''},
		]);
	});
});

describe('null or missing prices and sizes (an illiquid market)', () => {
	test('are unknown, never 0; zero prices too where a price of 0 means "none"', async ({server, open}) => {
		const quiet = {
			symbol: 'OLDBTC',
			priceChange: 0,
			priceChangePercent: 0,
			lastPrice: 0,
			bidPrice: null,
			bidQuantity: null,
			askPrice: 0,
			askQuantity: 0,
			volume: 0,
			state: 'active',
		};
		server.answer(paths.ticker, v2([quiet]));
		server.answer(paths.legacyTicker, legacy({OLDBTC: {isFrozen: 0, last: 0, higestBid: null, lowestAsk: 3}}));
		const exchange = open();
		expect(await exchange.tickers()).toEqual({
			data: [{symbol: 'OLDBTC', change: 0, changePercent: 0, askQuantity: 0, volume: 0, state: 'active'}],
			interface: 'v2',
			...{sentAt: expect.any(Number), receivedAt: expect.any(Number)},
			serverTime,
			dropped: 0,
		});
		expect((await exchange.tickers({use: 'legacy'})).data).toEqual([{symbol: 'OLDBTC', ask: 3, state: 'active'}]);
	});
});

test('candle `id` in ms: recognised by size; oldest first, one per start, and what contradicts it is dropped', async ({
	server,
	open,
}) => {
	const ids = [1_723_154_400_000, 1_723_150_800, 1_723_150_800_000, 1_723_147_200];
	server.answer(paths.candles, v2(ids.map((id, index) => candle(id, {volume: index}))));
	const {data, dropped} = await open().candles('BTCUSDT', {period: 60});
	expect(data.map(({time, volume}) => ({time, volume}))).toEqual([
		{time: 1_723_147_200_000, volume: 3},
		{time: 1_723_150_800_000, volume: 1},
		{time: 1_723_154_400_000, volume: 0},
	]);
	expect(dropped).toBe(1);
});

describe('legacy symbols `BTCUSDT` or `BTC_USDT`', () => {
	test('are both read; base and quote follow from known quote assets', async ({server, open}) => {
		const keys = {BTCUSDT: legacyTicker(), ETH_BTC: legacyTicker(), ABCXYZ: legacyTicker(), '': legacyTicker()};
		server.answer(paths.legacyTicker, legacy(keys));
		server.answer(paths.legacyDepth, legacy({asks: [], bids: []}));
		const exchange = open({baseUrl: undefined});
		const {data, dropped} = await exchange.markets();
		expect(data).toEqual([
			{symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', state: 'active'},
			{symbol: 'ETHBTC', base: 'ETH', quote: 'BTC', state: 'active'},
			{symbol: 'ABCXYZ', state: 'active'},
		]);
		expect(dropped).toBe(1);
		await exchange.depth('eth_btc');
		expect(server.requests.at(-1)?.query).toEqual({symbol: 'ETHBTC'});
	});

	test('take base and quote from the v2 list', async ({server, open}) => {
		server.answer(paths.markets, v2([{...market('ABC'), marketName: 'ABC_XYZ', quote: 'XYZ'}]));
		server.answer(paths.legacyTicker, legacy({ABCXYZ: legacyTicker()}));
		const exchange = open();
		await exchange.markets();
		expect((await exchange.markets({use: 'legacy'})).data).toEqual([
			{symbol: 'ABCXYZ', base: 'ABC', quote: 'XYZ', state: 'active'},
		]);
	});
});

describe('the unit of `startTime` and `endTime`', () => {
	const from = 1_723_150_800_000;
	const range = {period: 60, from, to: from + 7_200_000};

	test('an empty answer decides no unit', async ({server, open}) => {
		server.answer(paths.candles, v2([]));
		const exchange = open();
		for (let call = 0; call < 2; call++) expect((await exchange.candles('BTCUSDT', range)).data).toEqual([]);
		server.answer(paths.candles, v2([candle(from / 1000)]));
		await exchange.candles('BTCUSDT', range);
		await exchange.candles('BTCUSDT', range);
		expect(server.requests.map(({query}) => query.startTime?.length)).toEqual([13, 10, 13, 10, 13, 13]);
	});

	test('keeps the first answer when seconds are refused', async ({server, open}) => {
		server.answer(paths.candles, (response, seen) =>
			(seen.query.startTime?.length === 13 ? v2([]) : sends({}, {status: 400}))(response, seen),
		);
		expect((await open().candles('BTCUSDT', range)).data).toEqual([]);
	});
});

test('candles without v2: unavailable, with why', async ({server, open}) => {
	const error = await failureOf(open({baseUrl: undefined}).candles('BTCUSDT', {period: 60}));
	expect(error).toMatchObject({
		name: 'UnavailableError',
		kind: 'unavailable',
		operation: 'candles',
		interface: 'legacy',
		brief: 'the legacy interface has no candles',
		message: `the legacy interface has no candles; set the base URL (legacy candles at ${server.url}/)`,
	});
	expect(server.requests).toHaveLength(0);
});
