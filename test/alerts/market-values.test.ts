import {describe, expect, test} from 'vitest';
import {operators} from '../../source/alerts/condition.ts';
import {marketValues} from '../../source/alerts/quantity-values.ts';
import {symbolKey} from '../../source/market/symbol.ts';
import type {DepthBook, Ticker, Trade} from '../../source/market/types.ts';
import {waiting} from '../../source/store/resource.ts';
import type {MarketState} from '../../source/store/state.ts';
import {failure, marketState, received} from '../helpers/market-state.ts';
import {start as now, watchRule} from './set-up.ts';

type Data = {
	readonly symbol?: string;
	readonly ticker?: Partial<Ticker>;
	readonly book?: DepthBook;
	readonly trades?: readonly Trade[];
	readonly failing?: readonly ('tickers' | 'depth' | 'trades')[];
};

/** The ticker arrived 3 s ago, the book 1 s ago, the trades now; `failing` resources have failed since. */
function stateOf({symbol = 'BTCUSDT', ticker, book, trades, failing = []}: Data): MarketState {
	const stale = (name: 'tickers' | 'depth' | 'trades') => (failing.includes(name) ? {failure: failure(now - 500)} : {});
	const tickers = new Map([[symbol, {symbol, state: 'active', ...ticker}]]);
	return marketState({
		symbol,
		...(ticker && {tickers: {...received(tickers, now - 3000), ...stale('tickers')}}),
		...(book && {depth: {...received(book, now - 1000), ...stale('depth')}}),
		...(trades && {trades: {...received({trades, gaps: new Set<string>()}, now), ...stale('trades')}}),
	});
}

const trade: Trade = {id: '1', time: now, price: 101, quantity: 1};
const ticker = {last: 99, change: -2, changePercent: -1.5, volume: 1234};
const book: DepthBook = {asks: [[100.3, 1]], bids: [[100.1, 2]]};
const whole: Data = {ticker, book, trades: [trade]};
const none = {
	...{last: null, bid: null, ask: null, mid: null, spread: null, spreadPercent: null, imbalance: null},
	...{open: null, high: null, low: null, change: null, changePercent: null, volume: null, age: null},
};

/** The symbols of the markets that make the rule fire when it is judged for all of them once, as of `now`. */
function metBy(text: string, states: readonly MarketState[]): readonly (string | undefined)[] | undefined {
	const data = new Map(
		states.map(state => [symbolKey(state.symbol ?? ''), {state, candlesOf: () => waiting, facts: new Map()}] as const),
	);
	const [first] = watchRule(text, [...data.keys()]).arrive(0, data);
	if (first?.type !== 'alert') return undefined;
	return states.map(({symbol}) => symbol).filter(symbol => first.markets?.includes(symbolKey(symbol ?? '')));
}

describe('the values of a market', () => {
	test('the values are the last trade, the best of the book, the day of the ticker, and the age of the oldest answer', () => {
		expect(marketValues(stateOf(whole), now)).toEqual({
			...{last: 101, bid: 100.1, ask: 100.3, mid: 100.2, spread: 0.2, spreadPercent: expect.closeTo(0.199_601, 6)},
			...{open: null, high: null, low: null, change: -2, changePercent: -1.5, volume: 1234, age: 3},
			imbalance: expect.closeTo(1 / 3, 9),
		});
	});

	test('the values are unknown before the first answers', () => {
		expect(marketValues(stateOf({}), now)).toEqual(none);
	});

	test("take the ticker's last price only where the exchange shows no trades", () => {
		expect(marketValues(stateOf({ticker, trades: []}), now).last).toBe(99);
		expect(marketValues(stateOf({ticker}), now).last).toBeNull();
	});

	const opened = {ticker: {...ticker, open: 100}};

	test.each<[string, Data, ReadonlyArray<number | null>]>([
		['from the open to the last trade', {...opened, trades: [trade]}, [1, 1]],
		['not known before the first answer with trades', opened, [null, null]],
		['not known while the trades are stale', {...opened, trades: [trade], failing: ['trades']}, [null, null]],
		["the ticker's own where the exchange shows no trades", {...opened, trades: []}, [-2, -1.5]],
		["the ticker's own where it has no open", {ticker, trades: [trade]}, [-2, -1.5]],
		["the ticker's own where it has no open, whatever the trades do", {ticker}, [-2, -1.5]],
	])('the change is %s', (_, data, changes) => {
		const {change, changePercent} = marketValues(stateOf(data), now);
		expect([change, changePercent]).toEqual(changes);
	});

	test('the values have no bid and no spread where the book shows no bids', () => {
		const values = marketValues(stateOf({ticker: {bid: 5}, book: {asks: book.asks}}), now);
		expect([values.bid, values.ask, values.spread, values.spreadPercent]).toEqual([...[null, 100.3, null, null]]);
	});

	test('the values have a negative spread where the book is crossed', () => {
		expect(marketValues(stateOf({book: {asks: [[9.9, 1]], bids: [[10, 1]]}}), now).spread).toBe(-0.1);
	});

	test('omit stale values except the age', () => {
		expect(marketValues(stateOf({...whole, failing: ['tickers', 'depth', 'trades']}), now)).toEqual({...none, age: 3});
		const {last, bid, change} = marketValues(stateOf({...whole, failing: ['depth']}), now);
		expect([last, bid, change]).toEqual([101, null, -2]);
	});
});

describe('a rule for several markets holds', () => {
	const bitcoin = stateOf(whole);
	const ether = stateOf({symbol: 'ETHUSDT', ticker: {change: 3}, trades: [{...trade, price: 7}]});
	const metSymbols = (text: string, states: readonly MarketState[] = [bitcoin, ether]) => metBy(text, states);

	test.each([
		['last > 101', undefined],
		['last <= 7', ['ETHUSDT']],
		['last = 7', ['ETHUSDT']],
		['age > 2.9', ['BTCUSDT']],
		['volume > 1000 and changePercent < -1', ['BTCUSDT']],
		['last > 100 and change > 0', undefined],
		['ETHUSDT.last = 7', ['ETHUSDT']],
		['BTCUSDT.last = 7', undefined],
		['BTCUSDT.last > 100 and ETHUSDT.change > 0', ['BTCUSDT', 'ETHUSDT']],
		['last = 7 and BTCUSDT.last > 100', ['BTCUSDT', 'ETHUSDT']],
		['change > 0 and BTCUSDT.change > 0', undefined],
		['last = 1 or ETHUSDT.last = 7', ['ETHUSDT']],
	])('%s: %j', (text, symbols) => {
		expect(metSymbols(text)).toEqual(symbols);
	});

	test.each(operators)('is not met by an unknown or stale value: last %s', operator => {
		expect(metBy(`last ${operator} 0`, [stateOf({})])).toBeUndefined();
		expect(metBy(`last ${operator} 0`, [stateOf({...whole, failing: ['trades']})])).toBeUndefined();
	});

	test('by the age of stale data', () => {
		expect(metSymbols('age >= 3', [stateOf({...whole, failing: ['tickers', 'depth', 'trades']})])).toEqual(['BTCUSDT']);
	});

	test('by a market in any spelling', () => {
		expect(metSymbols('BTC/USDT.last > 1', [stateOf({...whole, symbol: 'btc_usdt'})])).toEqual(['btc_usdt']);
	});

	test.each([
		['last > open + 1%', {open: 100}, undefined],
		['last >= open + 1%', {open: 100}, ['BTCUSDT']],
		['last = 1.01 * open', {open: 100}, ['BTCUSDT']],
		['last / open > 0', {}, undefined],
		['last / (bid - bid) > 0', {}, undefined],
	])('that calculates: %s with %j: %j', (text, day, symbols) => {
		expect(metSymbols(text, [stateOf({...whole, ticker: {...ticker, ...day}})])).toEqual(symbols);
	});

	test.each([
		['bidDepth(0.1%) = 2', undefined],
		['bidDepth(1%) = 2', ['BTCUSDT']],
		['bidDepth(100%) = 12', ['BTCUSDT']],
		['askDepth(0.05%) = 0', ['BTCUSDT']],
		['imbalance > 0.8', ['BTCUSDT']],
	])('by the depth of the book: %s: %j', (text, symbols) => {
		const deep: DepthBook = {
			asks: [[100.3, 1]],
			bids: [
				[100.05, 2],
				[50, 10],
			],
		};
		expect(metSymbols(text, [stateOf({book: deep})])).toEqual(symbols);
	});
});
