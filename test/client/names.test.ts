import {describe, expect} from 'vitest';
import type {Exchange} from '../../source/client/exchange.ts';
import {paths, sends} from '../helpers/exchange-server.ts';
import {answerByName, oddNames, sharedNames} from '../helpers/named-markets.ts';
import {failureOf, test} from './fixture.ts';

/** The price that each read of a market is at; the error's message where it is refused. */
async function pricesOf(exchange: Exchange, symbol: string, call: Parameters<Exchange['depth']>[1] = {}) {
	const message = (error: unknown) => String(error).replace(/^\w+: /, '');
	const [book, trades, candles] = await Promise.all([
		exchange.depth(symbol, call).then(({data}) => data.asks[0]?.[0], message),
		exchange.trades(symbol, call).then(({data}) => data[0]?.price, message),
		exchange.candles(symbol, {...call, period: 1}).then(({data}) => data[0]?.close, message),
	]);
	return {book, trades, candles};
}

const all = (price: number) => ({book: price, trades: price, candles: price});

describe('markets that share a name', () => {
	test('are asked for by base and quote, and each gets its own numbers', async ({server, open}) => {
		answerByName(server, () => sharedNames);
		const exchange = open({legacyBaseUrl: undefined});
		await exchange.markets();
		expect(await pricesOf(exchange, 'ABUSD#3')).toEqual(all(300));
		expect(await pricesOf(exchange, 'ABUSD#2')).toEqual(all(1.5));
		expect(await pricesOf(exchange, 'ab/usd')).toEqual(all(300));
		expect(await pricesOf(exchange, 'A/BUSD')).toEqual(all(1.5));
	});

	test('are known by their ids before the list was read: it is read first, once', async ({server, open}) => {
		answerByName(server, () => sharedNames);
		expect(await pricesOf(open({legacyBaseUrl: undefined}), 'ABUSD#3')).toEqual(all(300));
		expect(server.requests.map(({path}) => path)).toEqual([paths.markets, paths.depth, paths.trades, paths.candles]);
	});

	test('without a list, only trades are read, by the id', async ({server, open}) => {
		answerByName(server, () => sharedNames);
		server.answer(paths.markets, sends('', {status: 503}));
		const notListed = expect.stringContaining('ABUSD#3 is not listed; choose another market');
		expect(await pricesOf(open(), 'ABUSD#3')).toEqual({book: notListed, trades: 300, candles: notListed});
	});

	test('are refused by their bare name', async ({server, open}) => {
		answerByName(server, () => sharedNames);
		const exchange = open();
		await exchange.markets();
		const sent = server.requests.length;
		const names = 'ABUSD is the name of several markets: A/BUSD#2 (Spot, active), AB/USD#3 (Spot, active)';
		const message = `${names}; name one of them`;
		expect(await pricesOf(exchange, 'ABUSD')).toMatchObject({
			...{book: expect.stringContaining(message), trades: expect.stringContaining(message)},
			candles: expect.stringContaining(message),
		});
		expect(server.requests).toHaveLength(sent);
	});

	test('of one pair are told apart by their ids, which only trades take', async ({server, open}) => {
		answerByName(server, () => sharedNames);
		const exchange = open();
		await exchange.markets();
		const refused = expect.stringContaining('several markets are LUNA/USDT; only their trades can be read, by id');
		expect(await pricesOf(exchange, 'LUNAUSDT#5')).toEqual({book: refused, trades: 5, candles: refused});
		expect(await pricesOf(exchange, 'LUNAUSDT#4')).toEqual({book: refused, trades: 0.0001, candles: refused});
	});

	test('have no bids from legacy, which knows only the shared name, and the book says so', async ({server, open}) => {
		answerByName(server, () => sharedNames);
		const exchange = open();
		await exchange.markets();
		const {data, interface: source} = await exchange.depth('ABUSD#3');
		const {bidsFailure} = data;
		expect([source, data.asks, data.bids, bidsFailure?.interface, bidsFailure?.message]).toEqual([
			...['v2', [[300, 2]], undefined, 'legacy'],
			expect.stringContaining('ABUSD names several markets; choose v2'),
		]);
		const failure = await failureOf(exchange.depth('ABUSD#3', {use: 'legacy'}));
		expect(failure.message).toContain('ABUSD names several markets; choose v2');
		expect((await exchange.depth('BTCUSDT')).data.bids).toEqual([[30_000, 1]]);
		expect(server.requests.filter(({path}) => path === paths.legacyDepth)).toHaveLength(1);
	});

	test('stay told apart while legacy lists the markets', async ({server, open}) => {
		answerByName(server, () => sharedNames);
		const exchange = open();
		const {data} = await exchange.markets();
		const fromLegacy = await exchange.markets({use: 'legacy'});
		expect(fromLegacy.data.map(({symbol}) => symbol)).toEqual(data.map(({symbol}) => symbol));
	});

	test('have the ticker that only their state or type can mean', async ({server, open}) => {
		const margin = {id: 6, base: 'BTC', quote: 'USDT', price: 59_000, type: 'Margin'};
		answerByName(server, () => [...sharedNames, margin]);
		const exchange = open();
		const {data, dropped} = await exchange.tickers();
		expect(Object.fromEntries(data.map(({symbol, last}) => [symbol, last]))).toEqual({
			...{'BTCUSDT#1': 60_000, 'BTCUSDT#6': 59_000},
			...{'LUNAUSDT#4': 0.0001, 'LUNAUSDT#5': 5},
		});
		// Either ABUSD may be A/BUSD or AB/USD.
		expect(dropped).toBe(2);
	});

	test('have no ticker of legacy', async ({server, open}) => {
		answerByName(server, () => sharedNames);
		const exchange = open();
		await exchange.markets();
		const {data, dropped} = await exchange.tickers({use: 'legacy'});
		expect([data.map(({symbol}) => symbol), dropped]).toEqual([['BTCUSDT'], 2]);
	});
});

test('before a list was read, a separated pair is sent as BASE_QUOTE, anything else as one name', async ({
	server,
	open,
}) => {
	answerByName(server, () => sharedNames);
	const exchange = open({legacyBaseUrl: undefined});
	for (const text of ['ab/usd', 'A-BUSD', 'btcusdt']) await exchange.depth(text);
	expect(server.requests.map(({query}) => query.symbol)).toEqual(['AB_USD', 'A_BUSD', 'BTCUSDT']);
});

test('asks for markets with odd characters by the name that the exchange lists', async ({server, open}) => {
	answerByName(server, () => oddNames);
	const exchange = open();
	const {data} = await exchange.markets();
	const prices = await Promise.all(data.map(({symbol}) => pricesOf(exchange, symbol)));
	expect(prices).toEqual(oddNames.map(({price}) => all(price)));
	expect(await pricesOf(exchange, 'a-b.c/usdt')).toEqual(all(2));
	expect((await exchange.trades('AB.CUSDT', {use: 'legacy'})).data[0]?.price).toBe(2);
	expect((await exchange.trades('kbonk-usdt', {use: 'legacy'})).data[0]?.price).toBe(0.03);
});
