import {describe, expect, test} from 'vitest';
import {
	examineBook,
	examineCandles,
	examineMarkets,
	examineTickers,
	examineTrades,
} from '../../../source/client/inspect/operations.ts';
import type {Ticker, Trade} from '../../../source/market/types.ts';

const ticker = (symbol: string, changes: Partial<Ticker> = {}): Ticker => ({
	...{symbol, last: 10, bid: 9, ask: 11, volume: 5, state: 'active', ...changes},
});
const trade = (changes: Partial<Trade>): Trade => ({id: '1', time: 0, price: 10, quantity: 1, ...changes});

describe('the flaws of', () => {
	test.each([
		['active', ['BTCUSDT', 'ETHUSDT'], 'active', []],
		['inactive', ['BTCUSDT'], 'halted', [{kind: 'inactive', part: 'markets', example: 'halted', count: 1, of: 1}]],
		['absent', ['ETHUSDT'], 'active', [{kind: 'absent', part: 'markets', example: 'BTCUSDT', count: 1, of: 1}]],
		['empty', [], 'active', [{kind: 'empty', part: 'markets', count: 1, of: 1}]],
	])('a market list: %s', (_, symbols, state, flaws) => {
		const markets = symbols.map(symbol => ({symbol, state}));
		expect(examineMarkets(markets, 'BTCUSDT')).toEqual(flaws);
	});

	test.each<[string, Partial<Ticker>, object[]]>([
		['none', {}, []],
		['bid and ask equal', {bid: 11}, []],
		[
			'bid above ask',
			{bid: 12},
			[{kind: 'crossed', part: 'tickers', example: 'BTCUSDT bid 12, ask 11', count: 1, of: 2}],
		],
		['never traded', {last: undefined, volume: 0}, []],
		[
			'traded without a last price',
			{last: undefined},
			[{kind: 'unpriced', part: 'tickers', example: 'BTCUSDT', count: 1, of: 2}],
		],
		[
			'traded without a last price, on legacy',
			{last: undefined, volume: undefined, quoteVolume: 7},
			[{kind: 'unpriced', part: 'tickers', example: 'BTCUSDT', count: 1, of: 2}],
		],
	])('a ticker: %s', (_, changes, flaws) => {
		expect(examineTickers([ticker('BTCUSDT', changes), ticker('ETHUSDT')], 'BTCUSDT')).toEqual(flaws);
	});

	test.each([
		['none', {asks: [[11, 1]], bids: [[9, 1]]}, []],
		['no bids shown', {asks: [[11, 1]]}, []],
		['no asks', {asks: [], bids: [[9, 1]]}, [{kind: 'empty', part: 'asks', count: 1, of: 1}]],
		['no bids', {asks: [[11, 1]], bids: []}, [{kind: 'empty', part: 'bids', count: 1, of: 1}]],
		[
			'bid at the ask',
			{asks: [[11, 1]], bids: [[11, 1]]},
			[{kind: 'crossed', part: 'book', example: 'bid 11, ask 11', count: 1, of: 1}],
		],
	] as const)('a book: %s', (_, book, flaws) => {
		expect(examineBook(book, 'BTCUSDT')).toEqual(flaws);
	});

	test('trades and candles', () => {
		const trades = [trade({side: 'buy'}), trade({sideText: 'short'})];
		expect(examineTrades(true)(trades, '')).toEqual([{kind: 'sideless', part: 'trades', count: 1, of: 2}]);
		expect(examineTrades(false)(trades, '')).toEqual([]);
		expect(examineTrades(true)([], '')).toEqual([{kind: 'empty', part: 'trades', count: 1, of: 1}]);
	});

	test.each([
		['none', [0, 60, 180], []],
		['none of one', [0], []],
		['empty', [], [{kind: 'empty', part: 'candles', count: 1, of: 1}]],
		['another period', [0, 1, 2], [{kind: 'spacing', part: 'candles', example: '1 min', count: 2, of: 2}]],
	])('candles: %s', (_, minutes, flaws) => {
		const candles = minutes.map(minute => ({time: minute * 60_000, open: 1, high: 1, low: 1, close: 1, volume: 1}));
		expect(examineCandles(60)(candles, '')).toEqual(flaws);
	});
});
