/** Numbers with more digits than a double holds, and numbers that are near to no double. */
import {describe, expect, test} from 'vitest';
import {parseJson} from '../../../source/client/body.ts';
import type {Http} from '../../../source/client/http.ts';
import {legacyClient, readSummary, v2Client} from '../../helpers/clients.ts';
import {candle, legacyTicker, legacyTrade, market, ticker, trade} from '../../helpers/wire-entries.ts';

/** Answers with `data`; a text `#1.5` in it is sent as the number 1.5, with all its digits. */
function clientsOf(data: unknown) {
	const text = JSON.stringify({data, success: true, isSuccess: true}).replace(/"#([^"]+)"/g, '$1');
	const http: Http = {
		get: async () => ({json: parseJson(text), text, status: 200, headers: {}, sentBytes: 0, receivedAt: 0}),
		pause: () => ({waitMs: 0}),
		close: async () => {},
	};
	return {v2: {...v2Client(http), summary: () => readSummary(http)}, legacy: legacyClient(http)};
}

const long = '#1.000000000000000001';

describe('a number with more digits than a double holds', () => {
	test('is rounded in trades, and its trade is counted once', async () => {
		const {data, dropped, rounded} = await clientsOf([
			trade(1, {price: long, quantity: long, time: 1000}),
			trade(2, {quantity: long, time: 2000}),
			trade(3, {time: 3000}),
		]).v2.trades('X');
		expect({data: data.map(({id, price, quantity}) => [id, price, quantity]), dropped, rounded}).toEqual({
			data: [
				['3', 10, 1],
				['2', 10, 1],
				['1', 1, 1],
			],
			dropped: 0,
			rounded: 2,
		});
	});

	test.each([
		['summary', 'v2', 'summary', {markets: [ticker({volume: long}), ticker({symbol: 'ETHUSDT'})]}],
		['ticker', 'v2', 'tickers', [ticker({priceChange: '#-0.1000000000000000001'}), ticker({symbol: 'ETHUSDT'})]],
		['legacy ticker', 'legacy', 'tickers', {BTC_USDT: legacyTicker({last: long}), ETH_USDT: legacyTicker()}],
		['legacy trades', 'legacy', 'trades', [{...legacyTrade(1, 1000), price: long}, legacyTrade(2, 1000)]],
		['candles', 'v2', 'candles', [candle(60, {volume: long}), candle(120)]],
	] as const)('is counted in %s', async (_, source, read, data) => {
		const client: Record<string, unknown> = clientsOf(data)[source];
		const call = client[read] as (symbol: string, options: object) => Promise<object>;
		expect(await call('X', {period: 1})).toMatchObject({data: [{}, {}], dropped: 0, rounded: 1});
	});

	test('comes with its text, once, at most 100 of them', async () => {
		const other = (index: number) => `#2.0000000000000000${100 + index}`;
		const few = [trade(1, {price: long, quantity: long}), trade(2, {quantity: other(0)}), trade(3)];
		const {sentNumbers: texts = []} = await clientsOf(few).v2.trades('X');
		expect(texts.toSorted()).toEqual(['1.000000000000000001', '2.0000000000000000100']);
		const many = Array.from({length: 150}, (_, index) => trade(index, {quantity: other(index)}));
		expect((await clientsOf(many).v2.trades('X')).sentNumbers).toHaveLength(100);
		expect((await clientsOf([trade(1)]).v2.trades('X')).sentNumbers).toBeUndefined();
	});

	test.each([
		['trades without it', [trade(1)]],
		['a field that is not read', [trade(1, {fee: long})]],
		['an id', [trade(1, {id: '#9007199254740993'})]],
		['a time, which is cut to ms', [trade(1, {time: '#1723161299000.1234567'})]],
	])('is not counted: %s', async (_, data) => {
		expect((await clientsOf(data).v2.trades('X')).rounded).toBeUndefined();
	});

	test('is dropped where its field takes no number, or not this one', async () => {
		const {data, dropped, rounded} = await clientsOf([
			market('BTC'),
			market('ETH', {state: '#9007199254740993'}),
			market('SOL', {id: '#9007199254740993.5'}),
		]).v2.markets();
		expect([data.map(({unreadable = false}) => unreadable), dropped, rounded]).toEqual([
			[false, true, true],
			2,
			undefined,
		]);
		const trades = [trade(1), trade(2, {price: '#-9007199254740993'}), trade(3, {price: '#1e-400'})];
		expect(await clientsOf(trades).v2.trades('X')).toMatchObject({data: [{id: '1'}], dropped: 2});
	});
});

describe('a level', () => {
	const book = (asks: readonly unknown[], bids: readonly unknown[] = []) => clientsOf({asks, bids}).legacy.depth('X');

	test('is merged with the level whose price it gets by rounding', async () => {
		const asks = [
			['#1.000000000000000001', 0.1],
			['#1.000000000000000002', 0.2],
			[1.5, 4],
			[1, 8],
		];
		expect(await book(asks, [[0.9, '#0.30000000000000000001']])).toMatchObject({
			data: {
				asks: [
					[1, 8.3],
					[1.5, 4],
				],
				bids: [[0.9, 0.3]],
			},
			dropped: 0,
			rounded: 3,
		});
	});

	test('that is rounded is one of the best 5000', async () => {
		const asks = Array.from({length: 6000}, (_, index) => [`#${6001 - index}.000000000000000001`, 1]);
		const {data, cut, rounded} = await book(asks);
		expect([data.asks.length, data.asks[0], cut, rounded]).toEqual([5000, [2, 1], 1000, 5000]);
	});
});

test.each([
	['9007199254740993', '9007199254740993'],
	['9007199254740994', '9007199254740994'],
	['100000000000000000000000', '100000000000000000000000'],
	['90071992547409931234', '90071992547409931234'],
	['1e3', '1000'],
	['-0', '0'],
])('the id %s is %s', async (sent, id) => {
	const [read] = (await clientsOf([trade(1, {id: `#${sent}`})]).v2.trades('X')).data;
	expect(read?.id).toBe(id);
});

test.each(['1.5', '-1', '1e400', '1e-7', '9007199254740993.5'])('an id of %s is refused', async sent => {
	const entries = [trade(1), trade(2, {id: `#${sent}`})];
	expect(await clientsOf(entries).v2.trades('X')).toMatchObject({data: [{id: '1'}], dropped: 1});
});

test.each([
	['text', '1.000000000000000001'],
	['text of an object', {digits: '1'}],
	['infinity', '#1e400'],
	['negative', '#-1.000000000000000001'],
])('a price that is %s drops its trade', async (_, price) => {
	expect(await clientsOf([trade(1), trade(2, {price})]).v2.trades('X')).toMatchObject({data: [{id: '1'}], dropped: 1});
});

test('numbers with exponents and negative zeros are read as they are', async () => {
	const {data, rounded} = await clientsOf([trade(1, {price: '#1e-7', quantity: '#-0'})]).v2.trades('X');
	expect([data[0]?.price, data[0]?.quantity === 0, rounded]).toEqual([1e-7, true, undefined]);
});
