/** What is asked for, where and how: paths and headers. */
import {expect} from 'vitest';
import {marketValues} from '../../../source/alerts/quantity-values.ts';
import type {Exchange} from '../../../source/client/exchange.ts';
import {createMarketStore} from '../../../source/store/market-store.ts';
import {paths, startExchangeServer, v2} from '../../helpers/exchange-server.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange} from '../../helpers/fake-exchange.ts';
import {market, ticker} from '../../helpers/wire-entries.ts';
import {answerAll, hour, only, readAll, start} from './answering.ts';
import {statement} from './statement.ts';

const isLegacy = ({path}: {readonly path: string}) => path.startsWith('/api-');

statement('v2: every request is a GET without a body', async ({server, open}) => {
	answerAll(server);
	await readAll(open());
	const v2Requests = server.requests.filter(request => !isLegacy(request));
	expect(new Set(v2Requests.map(({path}) => path)).size).toBe(6);
	for (const {method, headers} of v2Requests) {
		expect([method, headers['content-length'], headers['transfer-encoding']]).toEqual(['GET', undefined, undefined]);
	}
});

statement('legacy: every request is a GET without a body, with the content type of JSON', async ({server, open}) => {
	answerAll(server);
	await readAll(open());
	const requests = server.requests.filter(isLegacy);
	expect(new Set(requests.map(({path}) => path)).size).toBe(3);
	for (const {method, headers} of requests) {
		const {'content-type': type, 'content-length': length, 'transfer-encoding': encoding} = headers;
		expect([method, type, length, encoding]).toEqual(['GET', 'application/json', undefined, undefined]);
	}
});

statement('the v2 ticker alone of v2 is asked for with the content type of JSON', async ({server, open}) => {
	answerAll(server);
	await readAll(open());
	const typed = server.requests.filter(request => !isLegacy(request) && request.headers['content-type'] !== undefined);
	expect(typed.map(({path, headers}) => [path, headers['content-type']])).toEqual([[paths.ticker, 'application/json']]);
});

statement('answers are asked for as JSON', async ({server, open}) => {
	answerAll(server);
	await readAll(open());
	expect(new Set(server.requests.map(({headers}) => headers.accept))).toEqual(new Set(['application/json']));
});

statement('parameters are in the query, and need no order', async ({server, open}) => {
	answerAll(server);
	await readAll(open());
	const asked = server.requests.filter(({path, query}) => path === paths.candles && query.limit !== undefined);
	const entries = (query: object) => new Map(Object.entries(query));
	expect(asked.map(({query}) => entries(query))).toEqual([
		entries({
			endTime: String(start * 1000 + hour),
			startTime: String(start * 1000),
			...{limit: '5', period: '60', symbol: 'BTCUSDT'},
		}),
	]);
});

statement('both spellings of a symbol are one market', async ({server, open}) => {
	answerAll(server);
	const exchange = open();
	const sent = async (symbol: string) => {
		const before = server.requests.length;
		await exchange.depth(symbol, {use: 'v2'});
		await exchange.trades(symbol);
		await exchange.candles(symbol, {period: 60});
		return server.requests.slice(before).map(({query}) => query.symbol);
	};
	expect(await sent('BTCUSDT')).toEqual(Array(3).fill('BTCUSDT'));
	expect(await sent('BTC_USDT')).toEqual(Array(3).fill('BTC_USDT'));

	server.answer(paths.ticker, v2([ticker({symbol: 'BTC_USDT'})]));
	server.answer(paths.markets, v2([market('BTC', {marketName: 'BTC_USDT'})]));
	expect((await exchange.tickers()).data[0]?.symbol).toBe('BTCUSDT');
	expect((await exchange.markets()).data[0]?.symbol).toBe('BTCUSDT');
	// The list tells that both are one.
	expect(await sent('BTC_USDT')).toEqual(await sent('BTCUSDT'));
});

statement('legacy symbols are base and quote in one word', async ({server, open}) => {
	answerAll(server);
	const exchange = open();
	for (const symbol of ['BTCUSDT', 'BTC_USDT', 'btc/usdt']) {
		await exchange.depth(symbol, only);
		await exchange.trades(symbol, only);
	}

	expect(server.requests.map(({query}) => query)).toEqual(Array(6).fill({symbol: 'BTCUSDT'}));
	expect((await exchange.tickers(only)).data.map(({symbol}) => symbol)).toEqual(['BTCUSDT']);
});

statement('legacy requests have times in epoch ms, and none of the operations has one', async ({server, open}) => {
	answerAll(server);
	await readAll(open());
	const names = new Set(server.requests.filter(isLegacy).flatMap(({query}) => Object.keys(query)));
	expect(names).toEqual(new Set(['symbol', 'limit']));
});

statement('the ticker is delayed: the price of a market is that of its last trade', async () => {
	const clock = createFakeClock();
	const entry = {symbol: 'BTCUSDT', last: 99, open: 50, change: 49, changePercent: 98, state: 'active'};
	const exchange = createFakeExchange(clock, {
		tickers: () => [entry],
		trades: () => [{id: '1', time: clock.now(), price: 48.75, quantity: 1, side: 'buy'}],
	});
	const store = createMarketStore({exchange, clock, random: () => 0, symbol: 'BTCUSDT', period: 1});
	store.show(new Set(['trades', 'tickers']));
	store.start();
	await clock.advance(1000);
	const {last, open: opened, change, changePercent} = marketValues(store.getSnapshot(), clock.now());
	store.stop();
	expect({last, opened, change, changePercent}).toEqual({last: 48.75, opened: 50, change: -1.25, changePercent: -2.5});
});

type PathStatement = readonly [
	words: string,
	path: string,
	read: (exchange: Exchange) => Promise<unknown>,
	query?: object,
];

const symbol = {symbol: 'BTCUSDT'};
const operations: readonly PathStatement[] = [
	['exchange info', paths.info, exchange => exchange.info()],
	['market list', paths.markets, exchange => exchange.markets()],
	['summary', paths.summary, exchange => exchange.tickers({use: 'v2'})],
	['ticker', paths.ticker, exchange => exchange.tickers()],
	['order book', paths.depth, exchange => exchange.depth('BTCUSDT'), symbol],
	['live trades', paths.trades, exchange => exchange.trades('BTCUSDT'), symbol],
	['candles', paths.candles, exchange => exchange.candles('BTCUSDT', {period: 60}), {...symbol, period: '60'}],
	['legacy ticker', paths.legacyTicker, exchange => exchange.tickers(only)],
	['legacy order book', paths.legacyDepth, exchange => exchange.depth('BTCUSDT', only), symbol],
	['legacy trades', paths.legacyTrades, exchange => exchange.trades('BTCUSDT', only), symbol],
];
for (const [name, path, read, query = {}] of operations) {
	const parameters = Object.keys(query);
	statement(
		`${name}: at ${path}, with ${parameters.length > 0 ? parameters.join(' and ') : 'no parameters'}`,
		async given => {
			answerAll(given.server, {without: path === paths.summary ? paths.ticker : ''});
			await read(given.open());
			expect(given.server.requests.at(-1)).toMatchObject({path});
			expect(given.server.requests.at(-1)?.query).toEqual(query);
		},
	);
}

statement('v2 paths are appended to its base address', async ({server, open}) => {
	answerAll(server, {prefix: '/some/prefix'});
	for (const end of ['', '/']) {
		const exchange = open({baseUrl: `${server.url}/some/prefix${end}`, legacyBaseUrl: undefined});
		await exchange.info();
		await exchange.candles('BTCUSDT', {period: 60});
	}

	const asked = [`/some/prefix${paths.info}`, `/some/prefix${paths.candles}`];
	expect(server.requests.map(({path}) => path)).toEqual([...asked, ...asked]);
});

statement('legacy paths are appended to the legacy base address', async ({server, open}) => {
	answerAll(server, {prefix: '/old'});
	const other = await startExchangeServer();
	try {
		for (const end of ['', '/']) {
			const exchange = open({baseUrl: other.url, legacyBaseUrl: `${server.url}/old${end}`});
			await exchange.tickers(only);
			await exchange.depth('BTCUSDT', only);
		}
	} finally {
		await other.close();
	}

	const asked = [`/old${paths.legacyTicker}`, `/old${paths.legacyDepth}`];
	expect(server.requests.map(({path}) => path)).toEqual([...asked, ...asked]);
	expect(other.requests).toEqual([]);
});

statement('v2 is a segment of every path of the current interface', async ({server, open}) => {
	answerAll(server, {without: paths.ticker});
	const exchange = open({legacyBaseUrl: undefined});
	await readAll({...exchange, ...legacyLess(exchange)});
	expect(new Set(server.requests.map(({path}) => path)).size).toBe(7);
	for (const {path} of server.requests) expect(path.split('/')).toContain('v2');
});

/** The exchange without what only legacy answers. */
function legacyLess(exchange: Exchange): Partial<Exchange> {
	const isOf = (options?: {readonly use?: string | undefined}) => options?.use === 'legacy';
	return {
		markets: options => exchange.markets(isOf(options) ? {} : options),
		tickers: options => exchange.tickers(isOf(options) ? {} : options),
		depth: (name, options) => exchange.depth(name, isOf(options) ? {} : options),
		trades: (name, options) => exchange.trades(name, isOf(options) ? {} : options),
	};
}

statement('api/v1 is in every path of the legacy interface', async ({server, open}) => {
	answerAll(server);
	const exchange = open({baseUrl: undefined});
	await exchange.markets();
	await exchange.tickers();
	await exchange.depth('BTCUSDT');
	await exchange.trades('BTCUSDT');
	expect(server.requests).toHaveLength(4);
	for (const {path} of server.requests) expect(path).toContain('/api/v1/');
});

statement('no authentication is written down: nothing is sent for it', async ({server, open}) => {
	answerAll(server);
	await readAll(open());
	const names = new Set(server.requests.flatMap(({headers}) => Object.keys(headers)));
	expect(names).toEqual(new Set(['host', 'connection', 'accept', 'accept-encoding', 'user-agent', 'content-type']));
});

statement(
	'no events are written down: nothing is upgraded to a socket, whatever the flags say',
	async ({server, open}) => {
		answerAll(server);
		const capability = {tradesSocket: true, ordersSocket: true};
		server.answer(paths.info, v2({name: 'Loop', capability}));
		await readAll(open());
		for (const {headers} of server.requests) {
			expect([headers.upgrade, headers.connection]).toEqual([undefined, 'keep-alive']);
		}
	},
);

statement('null for the flags of sockets is no value, which is not false', async ({server, open}) => {
	server.answer(paths.info, v2({capability: {tradesSocket: null, ordersSocket: null, trades: false}}));
	const {tradesSocket, ordersSocket, trades} = (await open().info()).data.capability;
	expect({tradesSocket, ordersSocket, trades}).toEqual({tradesSocket: null, ordersSocket: null, trades: false});
});
