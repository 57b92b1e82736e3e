import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {ExchangeError, RefusedError, SchemaError} from '../../../source/client/errors.ts';
import type {Answer} from '../../../source/client/exchange.ts';
import type {Http} from '../../../source/client/http.ts';
import {decodeSummary, decodeTickers} from '../../../source/client/wire/v2/schemas.ts';
import {legacyClient, readSummary, v2Client} from '../../helpers/clients.ts';
import {legacyTicker} from '../../helpers/wire-entries.ts';

/** Answers every request with `json`. */
function answering(json: unknown): Http {
	const answer = {json, text: JSON.stringify(json), status: 200, headers: {}, sentBytes: 0, receivedAt: 0};
	return {get: async () => answer, pause: () => ({waitMs: 0}), close: async () => {}};
}

/** Every read of both interfaces. */
function readsOf(json: unknown): Record<string, () => Promise<Answer<unknown>>> {
	const http = answering(json);
	const [v2, v1] = [v2Client(http), legacyClient(http)];
	return {
		info: () => v2.info(),
		markets: () => v2.markets(),
		summary: () => readSummary(http),
		ticker: () => v2.tickers(),
		depth: () => v2.depth('X'),
		trades: () => v2.trades('X'),
		candles: () => v2.candles('X', {period: 1, from: 0, to: 1e13}),
		legacyMarkets: () => v1.markets(),
		legacyTickers: () => v1.tickers(),
		legacyDepth: () => v1.depth('X'),
		legacyTrades: () => v1.trades('X'),
	};
}

const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -1, 1e300, 1e12));
const leaf = fc.oneof(
	number,
	fc.string(),
	fc.constantFrom(null, true, 'active', 'buy', '2024-08-08T23:54:59+0000', '123'),
);
const keys = [
	'id marketName base quote state marketType symbol lastPrice volume time side price quantity open high low close',
	'tradeId createdOn isFrozen last asks bids markets capability candles name',
].flatMap(names => names.split(' '));
/** JSON that uses the words of the wire, so that much of it passes the first checks. */
const wireLike = fc.letrec<{value: unknown}>(tie => ({
	value: fc.oneof(
		{depthSize: 'small', withCrossShrink: true},
		leaf,
		fc.array(tie('value'), {maxLength: 4}),
		fc.tuple(number, number),
		fc.dictionary(fc.constantFrom(...keys, 'BTC_USDT'), tie('value'), {maxKeys: 8}),
	),
})).value;
const envelope = fc.record({data: wireLike, timestamp: leaf, success: fc.constantFrom(true, true, undefined, false)});

test('every read gives a value or an ExchangeError for any JSON', async () => {
	await fc.assert(
		fc.asyncProperty(fc.oneof(fc.jsonValue(), envelope), async json => {
			for (const [name, read] of Object.entries(readsOf(json))) {
				const outcome = await read().catch((error: unknown) => error);
				if (outcome instanceof Error) expect(outcome, name).toBeInstanceOf(ExchangeError);
				else expect(outcome, name).toMatchObject({dropped: expect.any(Number)});
			}
		}),
		{numRuns: 120},
	);
});

test('anything but a JSON object is a schema error, and a refusal stays a refusal', async () => {
	await fc.assert(
		fc.asyncProperty(fc.oneof(fc.array(fc.jsonValue()), leaf), wireLike, async (json, data) => {
			for (const read of Object.values(readsOf(json))) await expect(read()).rejects.toBeInstanceOf(SchemaError);
			for (const read of Object.values(readsOf({data, success: false}))) {
				await expect(read()).rejects.toBeInstanceOf(RefusedError);
			}
		}),
		{numRuns: 50},
	);
});

const level = fc.oneof(fc.tuple(fc.double({noNaN: true}), fc.double({noNaN: true})), fc.tuple(number, number), leaf);

/** One of them can be read: without any the side is unreadable. */
const side = fc.array(level).map(levels => [...levels, [1, 1]] as const);

/** Two of them at one price come to more than a number holds. */
const huge: [number, number] = [1, 1e308];

test('a book has positive levels only, best first, one per price, and every level is kept, merged, empty or dropped', async () => {
	await fc.assert(
		fc.asyncProperty(side, side, async (asks, bids) => {
			const {data, dropped} = await legacyClient(answering({data: {asks, bids}})).depth('X');
			const kept = [...data.asks, ...(data.bids ?? [])];
			expect(
				kept.every(([price, quantity]) => Math.min(price, quantity) > 0 && Math.max(price, quantity) < Infinity),
			).toBe(true);
			const good = (entries: typeof asks) =>
				entries.filter(
					entry => Array.isArray(entry) && entry[0] > 0 && entry[0] < Infinity && entry[1] >= 0 && entry[1] < Infinity,
				);
			const prices = (entries: typeof asks) => [
				...new Set(good(entries).flatMap(entry => (Array.isArray(entry) && entry[1] > 0 ? [entry[0]] : []))),
			];
			expect(data.asks.map(([price]) => price)).toEqual(prices(asks).toSorted((a, b) => Number(a) - Number(b)));
			expect(data.bids?.map(([price]) => price)).toEqual(prices(bids).toSorted((a, b) => Number(b) - Number(a)));
			expect(good(asks).length + good(bids).length + dropped).toBe(asks.length + bids.length);
		}),
		{examples: [[[huge, huge, [1, 1]], [[1, 1]]]]},
	);
});

test('a list of unreadable entries is a schema error; a list without entries is empty', async () => {
	const unreadable = {markets: [{}, 7], asks: [{}], bids: [[1]]};
	for (const data of [unreadable, [null, {}], {BTCUSDT: {}}]) {
		const reads = Object.entries(readsOf({data})).filter(([name]) => name !== 'info');
		for (const [name, read] of reads) await expect(read(), name).rejects.toBeInstanceOf(SchemaError);
	}

	const http = (data: unknown) => answering({data});
	await expect(v2Client(http([null, {}])).trades('X')).rejects.toThrow(
		'unreadable answer: data has no readable entry (v2 trades',
	);
	for (const read of [v2Client(http([])).trades('X'), legacyClient(http({})).tickers()]) {
		expect(await read).toMatchObject({data: [], dropped: 0});
	}
});

const refuse = (path: string, problem: string): never => {
	throw new TypeError(`${path} ${problem}`);
};
const v2Of = (data: unknown, timestamp?: number) => v2Client(answering({data, timestamp}));
const wireTicker = (symbol: string, lastPrice: number) => ({
	...{
		symbol,
		lastPrice,
		priceChange: 0,
		priceChangePercent: 0,
		bidPrice: 1,
		bidQuantity: 1,
		askPrice: 2,
		askQuantity: 1,
	},
	...{openPrice: 1, highPrice: 2, lowPrice: 1, volume: 1, state: 'active', type: 'spot'},
});
const wireCandle = (id: number, close: number) => ({id, open: 1, high: 9, low: 1, close, volume: 1});

test('a ticker that contradicts an earlier one of its market is dropped and counted, a repeated one is not', () => {
	const sent = [...[wireTicker('A', 1), wireTicker('B', 1)], ...[wireTicker('A', 1), wireTicker('A', 2)]];
	const {data, dropped} = decodeTickers(sent, refuse);
	expect([data.map(({symbol, last}) => [symbol, last]), dropped]).toEqual([
		[
			['A', 1],
			['B', 1],
		],
		1,
	]);
});

test('a contradicting ticker is dropped and counted of the summary and of legacy, too', async () => {
	const summary = decodeSummary({markets: [wireTicker('A', 1), wireTicker('A', 2), wireTicker('A', 1)]}, refuse);
	const legacyEntry = (last: number) => legacyTicker({last});
	// Two spellings of one market.
	const legacy = await legacyClient(
		answering({data: {A_B: legacyEntry(1), AB: legacyEntry(2), 'a-b': legacyEntry(1)}}),
	).tickers();
	expect([summary, legacy].map(({data, dropped}) => [data.map(({symbol, last}) => [symbol, last]), dropped])).toEqual([
		[[['A', 1]], 1],
		[[['AB', 1]], 1],
	]);
});

test('a candle that contradicts an earlier one of its start is dropped and counted', async () => {
	const candles = [wireCandle(3600, 2), wireCandle(7200, 2), wireCandle(3600, 3), wireCandle(7200, 2)];
	const {data, dropped, offPeriod} = await v2Of(candles).candles('A', {period: 60});
	expect([data.map(({close}) => close), dropped, offPeriod]).toEqual([[2, 2], 1, undefined]);
});

test('candles of another period are kept and counted', async () => {
	const candles = [0, 60, 120, 3720].map(seconds => wireCandle(36_000 + seconds, 2));
	expect(await v2Of(candles).candles('A', {period: 60})).toMatchObject({dropped: 0, offPeriod: 2, data: {length: 4}});
});

describe('of entries with times that cannot be right', () => {
	const time = Date.UTC(2026, 0, 1);
	const hourMs = 3_600_000;
	const wireTrades = (...times: readonly number[]) =>
		times.map((at, index) => ({id: 100 - index, price: 1, quantity: 1, time: at, side: 'buy'}));
	/** A trade a minute, newest first. */
	const minutely = Array.from({length: 20}, (_, index) => time - index * 60_000);
	const tradesWith = (indexes: number | readonly number[], at: number) =>
		wireTrades(...minutely.map((usual, index) => ([indexes].flat().includes(index) ? at : usual)));

	test.each([
		['implausible', tradesWith(5, 1000), {length: 19, dropped: 1}],
		['implausible and the oldest', tradesWith(19, 1000), {length: 19, dropped: 1}],
		['all implausible', wireTrades(1000, 900, 800), {length: 3, dropped: 0, misdated: 3}],
		['later than the answer', tradesWith(5, time + hourMs), {length: 19, dropped: 1}],
		['all later than the answer', wireTrades(time + hourMs + 1, time + hourMs), {length: 2, dropped: 0, misdated: 2}],
		['years older than those with ids beside it', tradesWith(5, Date.UTC(2015, 0)), {length: 19, dropped: 1}],
		['days older than those with lower ids', tradesWith(0, time - 72 * hourMs), {length: 19, dropped: 1}],
		['older as the market was quiet', tradesWith(19, Date.UTC(2015, 0)), {length: 20, dropped: 0}],
		['years older, three in a row', tradesWith([7, 8, 9], time - 400 * 24 * hourMs), {length: 17, dropped: 3}],
		['hours older, the newest two', tradesWith([0, 1], time - 3 * hourMs), {length: 18, dropped: 2}],
		[
			'older in so many that any may be right',
			tradesWith([5, 6, 7, 8, 9, 10, 11], time - 3 * hourMs),
			{length: 20, dropped: 0},
		],
		['of ids that do not follow time', wireTrades(time, 1.6e12, time, 1.6e12, time), {length: 5, dropped: 0}],
	])('trades are dropped and counted, and kept and counted where all are: %s', async (_, trades, expected) => {
		const {data, dropped, misdated} = await v2Of(trades, time).trades('A');
		expect({length: data.length, dropped, misdated}).toEqual({misdated: undefined, ...expected});
	});

	test.each([
		[
			'in a row by id, as a clock was set back',
			tradesWith([17, 18, 19], time + hourMs),
			{length: 20, besideDropped: undefined},
		],
		[
			'in a row by id, as a clock is ahead since',
			tradesWith([0, 1, 2], time + hourMs),
			{length: 20, besideDropped: undefined},
		],
		[
			'of a market that trades every 10 min',
			wireTrades(...minutely.map(at => time + (at - time) * 10 + 5 * 60_000)),
			{length: 20, besideDropped: undefined},
		],
		['single, beside the next one', tradesWith(5, time + hourMs), {length: 19, besideDropped: ['96']}],
		['older, beside the next one', tradesWith([7, 8], time - 72 * hourMs), {length: 18, besideDropped: ['94']}],
	])('trades later than the answer are kept, or a gap beside them is known: %s', async (_, trades, expected) => {
		const {data, besideDropped} = await v2Of(trades, time).trades('A');
		expect({length: data.length, besideDropped}).toEqual(expected);
	});

	test('candles are, too', async () => {
		const candlesAt = (...times: readonly number[]) => times.map(at => wireCandle(at / 1000, 2));
		const some = await v2Of(candlesAt(5000, time - hourMs, time + 48 * hourMs), time).candles('A', {period: 60});
		expect([some.data.length, some.dropped, some.misdated]).toEqual([1, 2, undefined]);
		const all = await v2Of(candlesAt(5000, hourMs), time).candles('A', {period: 60});
		expect([all.data.length, all.dropped, all.misdated]).toEqual([2, 0, 2]);
	});
});

describe('markets that share a name', () => {
	const entry = (id: number, base: string, quote: string, more: object = {}) => ({
		...{id, marketName: base + quote, base, quote, state: 'active', marketType: 'Spot', ...more},
	});
	const marketsOf = (list: readonly unknown[]) => v2Client(answering({data: list, success: true})).markets();

	test('are told apart by their ids: other pairs, a delisted one, another type', async () => {
		const {data, dropped} = await marketsOf([
			entry(2, 'A', 'BUSD'),
			entry(3, 'AB', 'USD'),
			entry(4, 'LUNA', 'USDT', {state: 'delisted'}),
			entry(5, 'LUNA', 'USDT'),
			entry(6, 'BTC', 'USDT'),
			entry(7, 'BTC', 'USDT', {marketType: 'Margin'}),
			entry(8, 'ETH', 'USDT'),
		]);
		expect(dropped).toBe(0);
		expect(data.map(({symbol, name, base, quote, state, type}) => [symbol, name, base, quote, state, type])).toEqual([
			['ABUSD#2', 'ABUSD', 'A', 'BUSD', 'active', 'Spot'],
			['ABUSD#3', 'ABUSD', 'AB', 'USD', 'active', 'Spot'],
			['LUNAUSDT#4', 'LUNAUSDT', 'LUNA', 'USDT', 'delisted', 'Spot'],
			['LUNAUSDT#5', 'LUNAUSDT', 'LUNA', 'USDT', 'active', 'Spot'],
			['BTCUSDT#6', 'BTCUSDT', 'BTC', 'USDT', 'active', 'Spot'],
			['BTCUSDT#7', 'BTCUSDT', 'BTC', 'USDT', 'active', 'Margin'],
			['ETHUSDT', undefined, 'ETH', 'USDT', 'active', 'Spot'],
		]);
	});

	test('are one where they have one id: the active one is kept, the other counts as dropped', async () => {
		const {data, dropped} = await marketsOf([entry(5, 'LUNA', 'USDT', {state: 'halted'}), entry(5, 'LUNA', 'USDT')]);
		expect(data).toEqual([{symbol: 'LUNAUSDT', id: '5', base: 'LUNA', quote: 'USDT', state: 'active', type: 'Spot'}]);
		expect(dropped).toBe(1);
	});

	test('have no pair where several have one id', async () => {
		const {data, dropped} = await marketsOf([entry(0, 'A', 'BUSD'), entry(0, 'AB', 'USD')]);
		expect(data).toEqual([{symbol: 'ABUSD#0', name: 'ABUSD', id: '0', state: 'active', type: 'Spot'}]);
		expect(dropped).toBe(1);
	});

	test('are numbered also where the entry of the other pair cannot be read', async () => {
		const {data} = await marketsOf([entry(2, 'A', 'BUSD'), entry(3, 'AB', 'USD', {state: null})]);
		expect(data.map(({symbol}) => symbol)).toEqual(['ABUSD#2']);
		const same = await marketsOf([entry(2, 'A', 'BUSD'), entry(3, 'A', 'BUSD', {state: null})]);
		expect(same.data.map(({symbol}) => symbol)).toEqual(['ABUSD']);
	});
});

test('keeps the name of the exchange where the symbol has lost something of it', async () => {
	const entry = (marketName: string, at: string) => {
		const [base, quote] = at.split('/');
		return {id: 1, marketName, base, quote, state: 'active', marketType: 'Spot'};
	};
	const list = [
		entry('A-B.CUSDT', 'A-B.C/USDT'),
		entry('kBONKUSDT', 'kBONK/USDT'),
		entry('BTC_USDT', 'BTC/USDT'),
		entry('币安人生USDT', '币安人生/USDT'),
	];
	const {data} = await v2Client(answering({data: list, success: true})).markets();
	expect(data.map(({symbol, name}) => [symbol, name])).toEqual([
		['AB.CUSDT', 'A-B.CUSDT'],
		['KBONKUSDT', 'kBONKUSDT'],
		['BTCUSDT', undefined],
		['币安人生USDT', undefined],
	]);
});
