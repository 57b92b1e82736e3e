/** What is asked for, where and how: paths, parameters, headers; and what is answered instead of data. */
import {expect} from 'vitest';
import {marketValues} from '../../../source/alerts/quantity-values.ts';
import type {Exchange} from '../../../source/client/exchange.ts';
import {createMarketStore} from '../../../source/store/market-store.ts';
import {
	type ExchangeServer,
	legacy,
	paths,
	type Reply,
	sends,
	startExchangeServer,
	v2,
} from '../../helpers/exchange-server.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange} from '../../helpers/fake-exchange.ts';
import {candle, legacyTicker, legacyTrade, market, ticker, trade} from '../../helpers/wire-entries.ts';
import {failureOf} from '../fixture.ts';
import {statement} from './statement.ts';

const only = {use: 'legacy'} as const;
const start = 1_723_158_000;
const hour = 3_600_000;
const book = {asks: [[11, 1]], bids: [[9, 1]]};

const answers: ReadonlyArray<readonly [path: string, reply: Reply]> = [
	[paths.info, v2({name: 'Loop'})],
	[paths.markets, v2([market('BTC')])],
	[paths.summary, v2({markets: [ticker()]})],
	[paths.ticker, v2([ticker()])],
	[paths.depth, v2(book)],
	[paths.trades, v2([trade(1)])],
	[paths.candles, v2([candle(start)])],
	[paths.legacyTicker, legacy({BTCUSDT: legacyTicker()})],
	[paths.legacyDepth, legacy(book)],
	[paths.legacyTrades, legacy([legacyTrade(1, '1970-01-01T00:00:01Z')])],
];

function answerAll(server: ExchangeServer, {prefix = '', without = ''} = {}): void {
	for (const [path, reply] of answers) if (path !== without) server.answer(prefix + path, reply);
}

/** Reads everything that there is to read, with every parameter. */
async function readAll(exchange: Exchange): Promise<void> {
	await exchange.info();
	await exchange.markets();
	await exchange.markets(only);
	await exchange.tickers();
	await exchange.tickers(only);
	await exchange.depth('BTCUSDT', {use: 'v2'});
	await exchange.depth('BTCUSDT', only);
	await exchange.trades('BTCUSDT', {limit: 5});
	await exchange.trades({id: '7'});
	await exchange.trades('BTCUSDT', {...only, limit: 5});
	const range = {period: 60, from: start * 1000, to: start * 1000 + hour};
	await exchange.candles('BTCUSDT', {...range, limit: 5});
}

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
	for (const symbol of ['BTCUSDT', 'BTC_USDT']) {
		const before = server.requests.length;
		await exchange.depth(symbol, {use: 'v2'});
		await exchange.trades(symbol);
		await exchange.candles(symbol, {period: 60});
		expect(server.requests.slice(before).map(({query}) => query.symbol)).toEqual(Array(3).fill('BTCUSDT'));
	}

	server.answer(paths.ticker, v2([ticker({symbol: 'BTC_USDT'})]));
	server.answer(paths.markets, v2([market('BTC', {marketName: 'BTC_USDT'})]));
	expect((await exchange.tickers()).data[0]?.symbol).toBe('BTCUSDT');
	expect((await exchange.markets()).data[0]?.symbol).toBe('BTCUSDT');
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
	store.show(new Set(['tape', 'tickers']));
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

statement('live trades: symbol alone selects the market', async ({server, open}) => {
	answerAll(server);
	await open().trades('ETH_USDT');
	expect(server.requests.map(({query}) => query)).toEqual([{symbol: 'ETHUSDT'}]);
});

statement('live trades: marketId, an integer, alone selects the market', async ({server, open}) => {
	answerAll(server);
	await open().trades({id: '7'});
	await open().trades({id: '90071992547409931'});
	expect(server.requests.map(({path, query}) => [path, query])).toEqual([
		[paths.trades, {marketId: '7'}],
		[paths.trades, {marketId: '90071992547409931'}],
	]);
});

const limits: ReadonlyArray<readonly [limit: number | undefined, sent: string | undefined]> = [
	...([
		[undefined, undefined],
		[1, '1'],
		[2, '2'],
		[500, '500'],
		[1000, '1000'],
	] as const),
];
const outside: ReadonlyArray<readonly [limit: number, sent: string]> = [
	...([
		[1001, '1000'],
		[0, '1'],
		[-1, '1'],
		[-1000, '1'],
		[1e9, '1000'],
		[2.7, '2'],
	] as const),
];

type LimitedRead = (exchange: Exchange, limit: number | undefined) => Promise<unknown>;

function limitStatement(words: string, read: LimitedRead, cases: typeof limits, entries?: number): void {
	statement(words, async ({server, open}) => {
		answerAll(server);
		const exchange = open();
		for (const [limit] of cases) await read(exchange, limit);
		expect(server.requests.map(({query}) => query.limit)).toEqual(cases.map(([, sent]) => sent));
		if (entries === undefined) return;
		// What the exchange sends of its own accord is taken whole.
		const ids = Array.from({length: entries}, (_, index) => index + 1);
		server.answer(paths.candles, v2(ids.map(id => candle(id * 3600))));
		server.answer(paths.trades, v2(ids.map(id => trade(id))));
		server.answer(paths.legacyTrades, legacy(ids.map(id => legacyTrade(id, '1970-01-01T00:00:01Z'))));
		expect(await read(exchange, undefined)).toMatchObject({data: {length: entries}, dropped: 0});
	});
}

const ofTrades: LimitedRead = (exchange, limit) => exchange.trades('BTCUSDT', {limit});
const ofLegacyTrades: LimitedRead = (exchange, limit) => exchange.trades('BTCUSDT', {...only, limit});
const ofCandles: LimitedRead = (exchange, limit) => exchange.candles('BTCUSDT', {period: 60, limit});

limitStatement('live trades limit: an integer, and can be left out', ofTrades, limits);
limitStatement(
	'default and bounds of the live trades limit are not written down: 1 to 1000 here',
	ofTrades,
	outside,
	1000,
);
limitStatement('candles limit: an integer, and can be left out', ofCandles, limits);
limitStatement('candles limit: 500 by default, all of which are taken', ofCandles, limits, 500);
limitStatement('candles limit: at most 1000, all of which are taken', ofCandles, outside, 1000);
limitStatement('legacy trades limit: an integer, and can be left out', ofLegacyTrades, limits);
limitStatement('legacy trades limit: 500 by default, all of which are taken', ofLegacyTrades, limits, 500);
limitStatement(
	'legacy trades limit: its bounds are written with a minus, which is never sent',
	ofLegacyTrades,
	outside,
	1000,
);

statement('candles period: an integer of minutes, and always sent', async ({server, open}) => {
	answerAll(server);
	const exchange = open();
	for (const period of [1, 15, 60, 1440, 7]) await exchange.candles('BTCUSDT', {period});
	expect(server.requests.map(({query}) => query.period)).toEqual(['1', '15', '60', '1440', '7']);
});

const from = start * 1000;
const range = {period: 60, from, to: from + hour};

/** An exchange that reads its range in one unit: of what it holds, it sends what starts in the range. */
function ofUnit(unit: 'ms' | 's'): Reply {
	const starts = Array.from({length: 48}, (_, index) => start + (index - 24) * 3600);
	const toSeconds = (text: string | undefined, none: number) =>
		text === undefined ? none : Number(text) / (unit === 'ms' ? 1000 : 1);
	return (response, request) => {
		const first = toSeconds(request.query.startTime, -Infinity);
		const last = toSeconds(request.query.endTime, Infinity);
		const sent = starts.filter(time => time >= first && time <= last).toReversed();
		v2(sent.map(id => candle(id)))(response, request);
	};
}

statement('candles startTime: a long integer, and can be left out', async ({server, open}) => {
	const exchange = open();
	server.answer(paths.candles, ofUnit('ms'));
	expect((await exchange.candles('BTCUSDT', {period: 60, from: from + 22 * hour})).data.map(({time}) => time)).toEqual([
		...[from + 22 * hour, from + 23 * hour],
	]);
	expect((await exchange.candles('BTCUSDT', {period: 60})).data).toHaveLength(48);
	expect(server.requests.map(({query}) => [query.startTime, query.endTime])).toEqual([
		[String(from + 22 * hour), undefined],
		[undefined, undefined],
	]);
});

statement('candles endTime: a long integer, and can be left out', async ({server, open}) => {
	server.answer(paths.candles, ofUnit('ms'));
	const {data} = await open().candles('BTCUSDT', {period: 60, to: from - 23 * hour});
	expect(data.map(({time}) => time)).toEqual([from - 24 * hour, from - 23 * hour]);
	expect(server.requests.map(({query}) => [query.startTime, query.endTime])).toEqual([
		[undefined, String(from - 23 * hour)],
	]);
});

statement(
	'the range of candles is in seconds by the text and in milliseconds by the example: either works',
	async given => {
		for (const unit of ['ms', 's'] as const) {
			given.server.answer(paths.candles, ofUnit(unit));
			const exchange = given.open();
			for (let call = 0; call < 2; call++) {
				const {data} = await exchange.candles('BTCUSDT', range);
				expect(
					data.map(({time}) => time),
					unit,
				).toEqual([from, from + hour]);
			}
		}

		const digits = given.server.requests.map(({query}) => [query.startTime?.length, query.endTime?.length]);
		expect(digits).toEqual([...Array(3).fill([13, 13]), ...Array(2).fill([10, 10])]);
	},
);

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

const failed = (status: number, message: string) => ({
	...{data: null, message, status, timestamp: '2024-08-08T23:54:59+0000', isSuccess: false},
});
const legacyReads: ReadonlyArray<readonly [string, (exchange: Exchange) => Promise<unknown>]> = [
	[paths.legacyTicker, exchange => exchange.tickers(only)],
	[paths.legacyDepth, exchange => exchange.depth('BTCUSDT', only)],
	[paths.legacyTrades, exchange => exchange.trades('BTCUSDT', only)],
];

statement('legacy status 200 is a success', async ({server, open}) => {
	answerAll(server);
	const exchange = open();
	for (const [, read] of legacyReads)
		await expect(read(exchange)).resolves.toMatchObject({interface: 'legacy', dropped: 0});
});

for (const [statuses, words, brief] of [
	[[400], 'a bad request', 'bad request 400'],
	[[422], 'a request that cannot be processed', 'bad request 422'],
	[[500, 502, 503, 599], 'an error of the server', 'server error'],
] as const) {
	const name = statuses.length > 1 ? '5xx' : statuses[0];
	statement(`legacy status ${name} is ${words}`, async ({server, open}) => {
		const exchange = open();
		for (const status of statuses) {
			for (const [path, read] of legacyReads) {
				server.answer(path, sends(failed(status, 'why'), {status}));
				const error = await failureOf(read(exchange));
				expect(error).toMatchObject({kind: 'http', status, retryAfterMs: undefined});
				expect(error.brief).toContain(brief);
				expect(error.message).toContain(`HTTP ${status}: why`);
			}
		}
	});
}

statement(
	'legacy status 429 is too many requests: the client slows down, and asks the other interface for nothing',
	async given => {
		const {server, open} = given;
		answerAll(server);
		const clock = createFakeClock();
		for (const [path, read] of legacyReads) {
			server.answer(path, sends(failed(429, 'slow down'), {status: 429, headers: {'retry-after': '7'}}));
			const exchange = open({clock, rate: 8});
			const before = server.requests.length;
			expect(await failureOf(read(exchange))).toMatchObject({kind: 'http', status: 429, retryAfterMs: 7000});
			const {allowed, freeAt = 0} = exchange.budget();
			expect([allowed < 5, freeAt - clock.now()]).toEqual([true, 7000]);
			expect(server.requests).toHaveLength(before + 1);
		}
	},
);

statement('the allowed rate is not written down: 5 requests a second at first', async ({server, open}) => {
	const clock = createFakeClock();
	answerAll(server);
	const exchange = open({clock, rate: undefined, maxRate: 5});
	const reads = Array.from({length: 8}, () => exchange.info());
	await server.received(5);
	expect(server.requests).toHaveLength(5);
	await clock.advance(1000);
	await Promise.all(reads);
	expect(server.requests).toHaveLength(8);
});

statement('a legacy failure has the envelope, whose message is quoted', async ({server, open}) => {
	const exchange = open();
	for (const [path, read] of legacyReads) {
		const envelope = failed(422, 'no such market');
		server.answer(path, sends(envelope, {status: 422}));
		const error = await failureOf(read(exchange));
		expect(error).toMatchObject({body: JSON.stringify(envelope)});
		expect(error.message).toContain('no such market');
	}
});

statement('the body of a v2 failure is not written down: any is a failure of its status', async ({server, open}) => {
	const bodies = ['', '<html>Bad gateway</html>', '{"code":7}', '[1]', JSON.stringify({data: [], success: true})];
	const exchange = open();
	for (const status of [400, 404, 418, 500, 503]) {
		for (const body of bodies) {
			server.answer(paths.trades, sends(body, {status}));
			const error = await failureOf(exchange.trades('BTCUSDT', {use: 'v2'}));
			expect(error).toMatchObject({kind: 'http', interface: 'v2', operation: 'trades', status});
		}
	}
});

statement('which status an invalid parameter has is not written down: any refusal is one', async ({server, open}) => {
	const exchange = open({legacyBaseUrl: undefined});
	const refusals: ReadonlyArray<readonly [Reply, string]> = [
		...[400, 404, 422, 500].map(status => [sends({success: false, message: 'bad'}, {status}), 'http'] as const),
		[sends({data: null, success: false, message: 'bad'}), 'refused'],
	];
	for (const [reply, kind] of refusals) {
		server.answer(paths.candles, reply);
		const error = await failureOf(exchange.candles('BTCUSDT', {period: 60}));
		expect(error.kind).toBe(kind);
		expect(error.message).toContain('bad');
	}
});

statement('exchange info has the label of its version as text, of any kind', async ({server, open}) => {
	for (const version of ['2.0', 'v2', '2026-01 beta']) {
		server.answer(paths.info, v2({version}));
		expect((await open().info()).data.version).toBe(version);
	}
});

statement(
	'what changes between versions is not written down: fields that are new are ignored',
	async ({server, open}) => {
		const added = {added: {any: ['thing']}};
		server.answer(paths.trades, v2([trade(1, added)]));
		server.answer(paths.markets, v2([market('BTC', added)]));
		server.answer(paths.ticker, v2([ticker(added)]));
		server.answer(paths.candles, v2([candle(start, added)]));
		server.answer(paths.depth, v2({...book, ...added}));
		const exchange = open();
		const all = await Promise.all([
			...[exchange.trades('BTCUSDT'), exchange.markets(), exchange.tickers(), exchange.depth('BTCUSDT')],
			exchange.candles('BTCUSDT', {period: 60}),
		]);
		expect(all.map(({dropped}) => dropped)).toEqual([0, 0, 0, 0, 0]);
		expect(JSON.stringify(all.map(({data}) => data))).not.toContain('added');
	},
);
