import {describe, expect, test} from 'vitest';
import {infoDocument} from '../../../source/cli/commands/documents.ts';
import * as tables from '../../../source/cli/commands/tables.ts';
import type {Table} from '../../../source/view/kit/table.ts';
import {zoneOf} from '../../helpers/zones.ts';
import {expectAtWidths, printed} from './table-widths.ts';

const receivedAt = Date.UTC(2026, 10, 20, 10, 30);
const style = {demo: false, ascii: false};
/** The lines of a table with room for every column. */
const whole =
	<Args extends readonly unknown[]>(table: (...args: Args) => Table) =>
	(...args: Args): readonly string[] =>
		table(...args).lines;
const [infoTable, tickerTable] = [whole(tables.infoTable), whole(tables.tickerTable)];
const [depthTable, tradesTable] = [whole(tables.depthTable), whole(tables.tradesTable)];
const candlesTable = whole(tables.candlesTable);

const answer = <T>(data: T) => ({data, interface: 'v2', receivedAt, dropped: 0}) as const;

test('prices and sizes of a market have the most decimals of any, and no digit is rounded away', () => {
	const ticker = {symbol: 'BTCUSDT', state: 'active', last: 61_588.68, open: 61_584.4, high: 62_000, low: 61_338.9};
	const book = {bid: 61_588, bidQuantity: 0.5, ask: 61_588.7, askQuantity: 1.00001};
	const dust = {symbol: 'DUST', state: 'active', last: 1e-10, open: 1.5e-9, change: -1.400000000000001e-9};
	expect(tickerTable(answer([{...ticker, ...book, change: 4.28}, dust]), style).slice(1)).toMatchInlineSnapshot(`
		[
		  "symbol                last                       change  change %               open       high        low        bid  bid size        ask  ask size  volume  quote volume  state",
		  "BTCUSDT  61,588.68           4.28                               –  61,584.40          62,000.00  61,338.90  61,588.00   0.50000  61,588.70   1.00001       –             –  active",
		  "DUST          0.0000000001  −0.000000001400000000000001         –       0.0000000015          –          –          –         –          –         –       –             –  active",
		]
	`);
});

test('a market of unknown assets has no units and is named by its symbol', () => {
	expect(depthTable({symbol: 'XYZ', state: 'active'}, answer({asks: [[0.5, 1e-8]], bids: []} as const), style)).toEqual(
		[
			'XYZ depth · 0 bids · 1 ask · 0 dropped · v2 · 2026-11-20 10:30:00 UTC',
			'bid size  bid  ask    ask size',
			'               0.5  0.00000001',
		],
	);
});

test.each([
	[100, 100.5, []],
	[100, 100, ['LOCKED']],
	[100.5, 100, ['CROSSED by 0.5']],
])('a book with a bid of %d and an ask of %d is marked %j', (bid, ask, marks) => {
	const book = {asks: [[ask, 1]], bids: [[bid, 1]]} as const;
	const [title] = depthTable({symbol: 'XYZ', state: 'active'}, answer(book), style);
	expect(title).toBe(
		['XYZ depth', '1 bid', '1 ask', ...marks, '0 dropped', 'v2', '2026-11-20 10:30:00 UTC'].join(' · '),
	);
});

test('a number with hundreds of digits has its zeros counted and adds none to the others', () => {
	const asks = [
		[61_824.01, 1],
		[61_825, 0.5],
	] as const;
	const book = {asks, bids: [[5e-324, 1]]} as const;
	expect(depthTable({symbol: 'XYZ', state: 'active'}, answer(book), style).slice(1)).toMatchInlineSnapshot(`
		[
		  "bid size      bid        ask  ask size",
		  "     1.0  0.0₃₂₃5  61,824.01       1.0",
		  "                   61,825.00       0.5",
		]
	`);
});

test('the earlier of the exchange’s clock and ours decides whether the newest candle is still forming', () => {
	const candle = {time: Date.UTC(2026, 10, 20, 10), open: 1, high: 3, low: 0.5, close: 2, volume: 10};
	const before = {...candle, time: candle.time - 3_600_000};
	const formingAt = (serverTime: number, receivedAt: number) =>
		candlesTable(
			...([{symbol: 'BTCUSDT', state: 'active'}, 60] as const),
			...([{...answer([before, candle]), serverTime, receivedAt}, style] as const),
		)
			.slice(2)
			.map(row => row.endsWith('forming'));
	const end = Date.UTC(2026, 10, 20, 11);
	expect([formingAt(end - 1, end), formingAt(end, end - 1), formingAt(end, end)]).toEqual([
		...[
			[false, true],
			[false, true],
			[false, false],
		],
	]);
	// A clock that is far behind says nothing of a candle that another one follows.
	expect(formingAt(end, end - 7_200_000)).toEqual([false, true]);
});

test('a free text of a megabyte is cut at 2,000 characters, none of them halved, and whole in JSON', () => {
	const flags = {markets: null, trades: null, tradesByTimestamp: null, tradesSocket: null};
	const capability = {...flags, orders: null, ordersSocket: null, ordersSnapshot: null, candles: null};
	const description = `a${'😀'.repeat(500_000)}`;
	const info = answer({description, capability});
	expect(infoTable(info, style)[2]).toBe(`description          a${'😀'.repeat(999)}…`);
	expect(infoDocument(info).description).toBe(description);
});

test('times are in the zone that is named, and those of daily candles are dates of the exchange', () => {
	const market = {symbol: 'XYZ', state: 'active'};
	const zoned = {...style, zone: zoneOf('Europe/Berlin')};
	const time = Date.UTC(2026, 6, 10, 23, 30);
	const [title, header, row] = tradesTable(market, {...answer([{id: '1', time, price: 1, quantity: 2}])}, zoned);
	expect(title).toContain('2026-11-20 11:30:00 +01:00');
	expect([header, row].map(text => text?.slice(0, 20).trimEnd())).toEqual([
		'time (Europe/Berlin)',
		'2026-07-11 01:30:00',
	]);
	const candle = {time: Date.UTC(2026, 6, 10), open: 1, high: 1, low: 1, close: 1, volume: 1};
	const startsOf = (period: number) =>
		candlesTable(market, period, answer([candle]), zoned)
			.slice(1)
			.map(text => text.slice(0, 21).trimEnd());
	expect(startsOf(60)).toEqual(['start (Europe/Berlin)', '2026-07-10 02:00']);
	expect(startsOf(1440).map(text => text.slice(0, 16).trimEnd())).toEqual(['start (UTC)', '2026-07-10 00:00']);
});

test('times have their offsets in a table during which clocks change, so that an hour that comes twice is told apart', () => {
	const zoned = {...style, zone: zoneOf('Europe/Berlin')};
	const times = [0, 1].map(hour => Date.UTC(2026, 9, 25, hour));
	const values = {open: 1, high: 1, low: 1, close: 1, volume: 1};
	const market = {symbol: 'XYZ', state: 'active'};
	const candles = candlesTable(market, 60, answer(times.map(time => ({...values, time}))), zoned);
	const trades = tradesTable(market, answer(times.map(time => ({id: '1', time, price: 1, quantity: 2}))), zoned);
	const starts = (table: readonly string[]) => table.slice(2).map(text => text.slice(0, 27).trimEnd());
	expect(starts(trades)).toEqual(['2026-10-25 02:00:00 +02:00', '2026-10-25 02:00:00 +01:00']);
	expect(starts(candles).map(text => text.slice(0, 23))).toEqual([
		'2026-10-25 02:00 +02:00',
		'2026-10-25 02:00 +01:00',
	]);
});

describe('on a terminal the least important columns of a table go first, and no number is cut:', () => {
	const market = {symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', state: 'active'};
	const time = Date.UTC(2026, 10, 20, 9);
	const bitcoin = {
		...{symbol: 'BTCUSDT', state: 'active', last: 61_824.01, change: -13.62, changePercent: -0.02, open: 61_837.63},
		...{
			high: 62_745.14,
			low: 59_535,
			bid: 61_824,
			bidQuantity: 0.94,
			ask: 61_824.01,
			askQuantity: 6.67,
			volume: 48_201.5,
		},
	};
	const cheap = {
		...{symbol: '1000SATSTRY', state: 'active', last: 0.0123, change: -0.0004, changePercent: -3.15, open: 0.0127},
		...{high: 0.013, low: 0.0119, bid: 0.0122, bidQuantity: 1_204_551, ask: 0.0124, askQuantity: 96_442},
		...{volume: 1_820_447_113.5, quoteVolume: 22_391_499.4961},
	};
	const coin = {symbol: 'PEPEBTC', state: 'halted', last: 0.000_000_000_123, changePercent: 0, volume: 1e21};
	const prices = {open: 61_837.63, high: 62_745.14, low: 59_535, close: 61_824.01, volume: 201.73621};
	const candles = [0, 1, 3, 4].map(hour => ({...prices, time: time + hour * 3_600_000 - 10_800_000}));
	const trade = {price: 61_824.01, quantity: 0.00098, time, id: '59860550679'};
	const flags = {markets: true, trades: null, tradesByTimestamp: null, tradesSocket: null};
	const capability = {...flags, orders: false, ordersSocket: null, ordersSnapshot: null, candles: true};
	const description =
		'Real 24 h tickers of 595 markets, and books and trades of two of them, replayed in a loop as if it were now';
	const marketList = [
		{...market, id: '17', type: 'Spot'},
		{...market, symbol: '1000SATSTRY', base: '1000SATS', quote: 'TRY', state: 'halted', id: '1604', type: 'Spot'},
	];
	const byName: Readonly<Record<string, (style: tables.TableStyle) => Table>> = {
		info: each =>
			tables.infoTable(answer({name: 'Sample', description, website: 'https://sample.example', capability}), each),
		markets: each => tables.marketsTable(answer(marketList), each),
		ticker: each => tables.tickerTable(answer([bitcoin, cheap, coin]), each),
		'ticker of active markets': each => tables.tickerTable(answer([bitcoin, {...bitcoin, symbol: 'ETHUSDT'}]), each),
		depth: each =>
			tables.depthTable(
				market,
				answer({
					asks: [[61_824.01, 6.67]],
					bids: [
						[61_824, 0.94],
						[61_823.5, 12.00001],
					],
				}),
				each,
			),
		trades: each =>
			tables.tradesTable(
				market,
				answer([
					{...trade, side: 'buy'},
					{...trade, sideText: 'liquidation'},
				]),
				each,
			),
		candles: each => tables.candlesTable(market, 60, answer(candles), each, [], new Set([candles[1]?.time ?? 0])),
	};
	test.each(Object.entries(byName))('%s', async (name, table) => {
		const look = {...style, demo: true, zone: zoneOf('Europe/Berlin')};
		await expectAtWidths(name.replaceAll(' ', '-'), width => printed(table({...look, width})));
	});
});
