/** behaviour.md "Where the specification is silent": a test for every row that says how answers are read. */
import {describe, expect} from 'vitest';
import {legacy, paths, sends, serverTime, v2} from '../helpers/exchange-server.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {candle, legacyTicker, legacyTrade, market, ticker, trade} from '../helpers/wire-entries.ts';
import {failureOf, test} from './fixture.ts';

/** From `price:quantity`. */
const levels = (text: string) => text.split(' ').map(level => level.split(':').map(Number));

describe('bids in the v2 book', () => {
	test('uses them when present', async ({server, open}) => {
		server.answer(paths.depth, v2({asks: [[11, 1]], bids: [[10, 2]]}));
		const {data, interface: source} = await open().depth('BTCUSDT');
		expect({data, source}).toEqual({data: {asks: [[11, 1]], bids: [[10, 2]]}, source: 'v2'});
		expect(server.requests.map(({path}) => path)).toEqual([paths.depth]);
	});

	test('takes the whole book from legacy where v2 has none', async ({server, open}) => {
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

	test('with no legacy, shows the asks', async ({server, open}) => {
		server.answer(paths.depth, v2({asks: [[11, 1]]}));
		const {data, interface: source} = await open({legacyBaseUrl: undefined}).depth('BTCUSDT');
		expect({data, source}).toEqual({data: {asks: [[11, 1]]}, source: 'v2'});
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

	test('keeps an empty list of bids', async ({server, open}) => {
		server.answer(paths.depth, v2({asks: [], bids: []}));
		const {data, interface: source} = await open().depth('BTCUSDT');
		expect({data, source}).toEqual({data: {asks: [], bids: []}, source: 'v2'});
	});
});

describe('trade sides other than `buy`', () => {
	test('`sell` as expected; anything else neutral; the original text is always kept', async ({server, open}) => {
		const sides = ['buy', 'SELL', 'Auction\u001b[2J', 7, null, undefined];
		server.answer(paths.trades, v2(sides.map((side, index) => trade(index, {side, time: 1000 - index}))));
		const {data, dropped} = await open().trades('BTCUSDT');
		expect(data.map(({side, sideText}) => ({side, sideText}))).toEqual([
			{side: 'buy', sideText: 'buy'},
			{side: 'sell', sideText: 'SELL'},
			{side: undefined, sideText: 'Auction'},
			{side: undefined, sideText: '7'},
			{side: undefined, sideText: undefined},
			{side: undefined, sideText: undefined},
		]);
		expect(dropped).toBe(0);
	});

	test('legacy trades have no side', async ({server, open}) => {
		server.answer(paths.legacyTrades, legacy([legacyTrade(1, 1000)]));
		expect((await open().trades('BTCUSDT', {use: 'legacy'})).data).toEqual([
			{id: '1', key: '1 1000 10 1', time: 1000, price: 10, quantity: 1},
		]);
	});
});

describe('market states other than `active`, `isFrozen` other than 0', () => {
	test('keep the exchange’s own text', async ({server, open}) => {
		server.answer(paths.markets, v2([market('BTC', {state: 'halted'})]));
		server.answer(paths.ticker, v2([ticker({state: 'break'})]));
		server.answer(paths.legacyTicker, legacy({BTCUSDT: legacyTicker({isFrozen: 3}), ETHUSDT: legacyTicker()}));
		const exchange = open();
		expect((await exchange.markets()).data.map(({state}) => state)).toEqual(['halted']);
		expect((await exchange.tickers()).data.map(({state}) => state)).toEqual(['break']);
		expect((await exchange.tickers({use: 'legacy'})).data.map(({state}) => state)).toEqual(['frozen 3', 'active']);
		expect((await exchange.markets({use: 'legacy'})).data.map(({state}) => state)).toEqual(['frozen 3', 'active']);
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

describe('unknown fields', () => {
	test('are ignored', async ({server, open}) => {
		server.answer(paths.candles, v2([candle(3600, {weight: 'x', constructor: 1})]));
		expect((await open().candles('BTCUSDT', {period: 60})).data).toEqual([
			{time: 3_600_000, open: 2, high: 4, low: 1, close: 3, volume: 5},
		]);
	});

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

	test('a missing or wrong field drops and counts its entry, not the list', async ({server, open}) => {
		server.answer(paths.markets, v2([market('BTC'), {...market('ETH'), base: 5}, null, market('')]));
		server.answer(
			paths.ticker,
			v2([ticker(), ticker({lastPrice: '5'}), ticker({askPrice: -1}), ticker({state: null})]),
		);
		server.answer(paths.trades, v2([trade(1), trade(2, {price: -1}), trade(3, {time: 'soon'}), 4]));
		server.answer(
			paths.candles,
			v2([candle(60), candle(120, {high: 2.5}), candle(180, {low: 2.5}), candle(240, {close: null})]),
		);
		server.answer(paths.depth, v2({asks: [...levels('1:1 -2:1'), ['3', 1]], bids: [[1], [1, 1]]}));
		const exchange = open();
		const kept = await Promise.all([
			exchange.markets(),
			exchange.tickers(),
			exchange.trades('BTCUSDT'),
			exchange.candles('BTCUSDT', {period: 1}),
		]);
		const readable = (entries: readonly object[]) => entries.filter(entry => !('unreadable' in entry));
		expect(kept.map(({data, dropped}) => [readable(data).length, dropped])).toEqual(kept.map(() => [1, 3]));
		const {data, dropped} = await exchange.depth('BTCUSDT');
		expect({data, dropped}).toEqual({data: {asks: [[1, 1]], bids: [[1, 1]]}, dropped: 3});
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

	test('drops levels without quantity silently, and sorts the book best first', async ({server, open}) => {
		server.answer(paths.depth, v2({asks: levels('12:1 10:0 11:2'), bids: levels('8:1 9:2')}));
		const {data, dropped} = await open().depth('BTCUSDT');
		expect({data, dropped}).toEqual({data: {asks: levels('11:2 12:1'), bids: levels('9:2 8:1')}, dropped: 0});
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

test('order of legacy trades: sorted by time, then id', async ({server, open}) => {
	server.answer(
		paths.legacyTrades,
		legacy([legacyTrade(9, 2000), legacyTrade(30, 1000), legacyTrade(10, 2000), legacyTrade(1, 3000)]),
	);
	const {data, dropped} = await open().trades('BTCUSDT', {use: 'legacy'});
	expect(data.map(({id, time}) => `${id} at ${time}`)).toEqual(['1 at 3000', '10 at 2000', '9 at 2000', '30 at 1000']);
	expect(dropped).toBe(0);
});

test('legacy timestamps are ISO 8601 with any offset and fraction, or epoch ms', async ({server, open}) => {
	const times = [
		'2024-08-08T23:54:59+0000',
		'2024-08-08T23:54:58.5Z',
		'2024-08-09T03:24:57.123456789+03:30',
		'2024-08-08T18:54:56,7-05',
		'2024-08-08 23:54:55',
		1_723_161_294_000,
		'yesterday',
	];
	server.answer(paths.legacyTrades, legacy(times.map((time, index) => legacyTrade(index, time))));
	const {data, dropped, serverTime: said} = await open().trades('BTCUSDT', {use: 'legacy'});
	expect(data.map(({time}) => new Date(time).toISOString().slice(11))).toEqual([
		'23:54:59.000Z',
		'23:54:58.500Z',
		'23:54:57.123Z',
		'23:54:56.700Z',
		'23:54:55.000Z',
		'23:54:54.000Z',
	]);
	expect({dropped, said}).toEqual({dropped: 1, said: serverTime});
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
