/** Why a number of the header is unknown. */
import {expect, test} from 'vitest';
import type {Market} from '../../../../source/market/types.ts';
import {lineText} from '../../../../source/view/line.ts';
import {tickerLines} from '../../../../source/view/panels/ticker/header.ts';
import {type TickerInput, tickerInput} from '../../../../source/view/panels/ticker/model.ts';
import {tickerBody} from '../../../../source/view/panels/ticker/panel.ts';
import {marketState, received} from '../../../helpers/market-state.ts';
import {timeout, tooMany} from '../../../store/samples.ts';
import {bitcoinInput, bitcoinTicker, tickerInputOf} from './tickers.ts';

const {asks} = bitcoinInput.book ?? {asks: []};
const withoutBids = {...bitcoinTicker, bid: undefined, bidQuantity: undefined};
const at = [120, 80, 40] as const;

test.each<[string, Partial<TickerInput>, readonly [string, string, string]]>([
	[
		'trades',
		{lastTrade: undefined, absences: {trades: 'server error 500'}},
		['trades: server error 500', 'trades: server error 500', 'no trades'],
	],
	['a first trade', {lastTrade: undefined}, ['no trades yet', 'no trades yet', 'no trades']],
	[
		'a book',
		{book: undefined, ticker: {...withoutBids, ask: undefined}, absences: {book: 'still loading'}},
		['book: still loading', 'book: still loading', 'no book'],
	],
	[
		'bids, as that interface fails',
		{book: {asks, bidsFailure: tooMany()}},
		['bids missing: v2 rate-limited (429)', 'no bids: rate-limited (429)', ''],
	],
	['bids of the interface', {book: {asks}, ticker: withoutBids}, ['bids not shown', 'bids not shown', 'no bids']],
	['bids of the market', {book: {asks, bids: []}}, ['no bids received', 'no bids received', 'no bids']],
	['asks', {book: {asks: [], bids: [[1, 1]]}}, ['no asks received', 'no asks received', 'no asks']],
	[
		'a ticker',
		{ticker: undefined, absences: {ticker: 'not in the ticker list'}},
		['ticker: not in the ticker list', 'ticker: not in the ticker list', 'no ticker'],
	],
	[
		'values in the ticker',
		{ticker: {symbol: 'BTCUSDT', state: 'active'}, range: {high: undefined, low: undefined}},
		['ticker: no values', 'ticker: no values', 'no ticker'],
	],
	[
		'the opening price',
		{ticker: {...bitcoinTicker, open: undefined}},
		['no opening price', 'no opening price', 'no open'],
	],
	['a volume', {ticker: {...bitcoinTicker, volume: undefined}}, ['no volume', '', '']],
	['nothing', {}, ['', '', '']],
])('without %s the header says so where there is room', (_, change, expected) => {
	const shown = at.map(columns => {
		const line = lineText(tickerLines({...tickerInputOf(change), columns, rows: 2})[1] ?? []);
		return / {2}((?:trades|book|bids|ticker|no) ?(?:[^ ] ?)*)/.exec(line)?.[1]?.trim() ?? '';
	});
	// The ticker's own price or change is no reason.
	expect(shown.map(text => text.replace(/^ticker .*/, ''))).toEqual(expected);
});

test.each<[string, Partial<TickerInput>, columns: number, string]>([
	['failed', {ticker: withoutBids, book: {asks, bidsFailure: tooMany()}}, 80, '–  bids missing: v2 rate-limited (429)'],
	['failed, in short', {ticker: withoutBids, book: {asks, bidsFailure: timeout()}}, 36, '–  bids missing: timed out'],
	[
		'failed, beside the ticker’s',
		{book: {asks, bidsFailure: tooMany()}},
		80,
		'61,822.10 (ticker) × 0.30000   bids missing: v2 rate-limited (429)',
	],
	['are not shown', {ticker: withoutBids, book: {asks}}, 80, '–  not shown by this interface'],
	['are none', {book: {asks, bids: []}}, 80, '–  no bids received'],
])('the panel says why where bids %s', (_, change, columns, expected) => {
	const lines = tickerBody({...tickerInputOf(change), size: {columns, rows: 9}}).map(lineText);
	expect(lines[3]).toBe(` bid     ${expected}`.padEnd(columns));
});

test('the header says that the entry of the market in the list could not be read, or that it is not listed', () => {
	const listed = (...data: readonly Market[]) =>
		tickerInput(marketState({symbol: 'BTCUSDT', markets: received(data, 0)}), {now: 1000, ascii: false});
	const unreadable = listed({symbol: 'BTCUSDT', state: 'unknown', unreadable: true});
	const unlisted = listed({symbol: 'ETHUSDT', state: 'active'});
	expect([unreadable, unlisted, listed()].map(({entryFault, state}) => [entryFault, state])).toEqual([
		['entry unreadable', 'active'],
		['not listed', 'active'],
		[undefined, 'active'],
	]);
	const rows = [60, 40].map(columns => {
		const input = {...tickerInputOf({entryFault: unreadable.entryFault}), columns, rows: 2} as const;
		return lineText(tickerLines(input)[0] ?? []);
	});
	expect(rows).toEqual([
		' BTC/USDT  entry unreadable  61,824.01 ▲        −0.02 %     ',
		' BTC/USDT  61,824.01 ▲  −0.02 %         ',
	]);
});
