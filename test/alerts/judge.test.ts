import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Holding} from '../../source/alerts/judge.ts';
import {parseCondition} from '../../source/alerts/parse-condition.ts';
import {type CandleSeries, candlesFromTrades} from '../../source/market/candles.ts';
import {symbolKey} from '../../source/market/symbol.ts';
import {emptyTape, mergeTape, type Tape} from '../../source/market/tape.ts';
import type {Ticker, Trade} from '../../source/market/types.ts';
import {minuteMs} from '../../source/market/units.ts';
import {type Resource, waiting} from '../../source/store/resource.ts';
import {failure, marketState, received} from '../helpers/market-state.ts';
import {judgeOf} from './judge-of.ts';

const start = Date.UTC(2026, 10, 20, 12);

const trade = (id: number, price: number, quantity = 1): Trade => ({
	...{id: String(id), time: start + id * 1000, price, quantity, side: 'buy'},
});

type Known = {
	readonly tape?: Tape | undefined;
	readonly ticker?: Partial<Ticker>;
	readonly failing?: boolean;
	/** Candles of a minute, of all these trades. */
	readonly candlesOf?: readonly Trade[];
};

/** Judges the condition for BTCUSDT, of which each call tells what is known. */
function judgeText(text: string) {
	const condition = parseCondition(text, name => ({key: symbolKey(name)}));
	const judge = judgeOf(condition);
	let minutes: Resource<CandleSeries> = waiting;
	const candlesOf = (period: number) => (period === 1 ? minutes : waiting);
	return ({tape = emptyTape, ticker = {}, failing = false, candlesOf: candleTrades}: Known, now = start) => {
		const tickers = new Map([['BTCUSDT', {symbol: 'BTCUSDT', state: 'active', ...ticker}]]);
		const state = marketState({
			tickers: received(tickers, now),
			trades: {...received(tape, now), ...(failing && {failure: failure(now)})},
		});
		const series = candleTrades && candlesFromTrades(candleTrades.toReversed(), 1);
		minutes = series ? received({...series, builtFrom: 'exchange'} as const, now) : waiting;
		return judge(new Map([['BTCUSDT', {state, candlesOf, facts: new Map()}]]), now).held;
	};
}

/** Judges each of these pages of trades after the other; what held after each: the id of its trade, `now` or nothing. */
function judged(text: string, pages: ReadonlyArray<readonly Trade[] | 'failing'>, ticker: Partial<Ticker> = {}) {
	const judge = judgeText(text);
	let tape = emptyTape;
	let now = start;
	return pages.map(page => {
		if (page !== 'failing') tape = mergeTape(tape, page);
		now = Math.max(now, ...tape.trades.map(({time}) => time));
		return heldAt(judge({tape, ticker, failing: page === 'failing'}, now));
	});
}

const heldAt = (held: Holding | undefined) => (held ? (held.trade?.id ?? 'now') : undefined);
const priced = (...prices: readonly number[]) => prices.map((price, index) => trade(index, price));
const pages = (trades: readonly Trade[], ...counts: readonly number[]) => {
	const ends = counts.map((_, index) => counts.slice(0, index + 1).reduce((a, b) => a + b));
	return ends.map((end, index) => trades.slice(ends[index - 1] ?? 0, end));
};

/** Each page begins with some trades that the one before ended with. */
const overlapping = (taken: ReadonlyArray<readonly Trade[]>) =>
	taken.map((page, index) => [...(taken[index - 1]?.slice(-3) ?? []), ...page]);

describe('a crossing', () => {
	test.each<readonly [text: string, prices: readonly number[], held: string | undefined]>([
		['last crosses 100', [99, 101], '1'],
		['last crosses 100', [101, 99], '1'],
		['last crosses 100', [99, 99.5, 98], undefined],
		['last crosses 100', [99, 100], undefined],
		['last crosses 100', [99, 100, 100, 101], '3'],
		['last crosses 100', [99, 100, 99], undefined],
		['last crosses above 100', [101, 99, 101], '2'],
		['last crosses above 100', [101, 99], undefined],
		['last crosses below 100', [99, 101, 99], '2'],
		['100 crosses below last', [99, 101], '1'],
		['last crosses 100 and last > 104', [99, 101, 105, 99, 105], '4'],
		['last crosses 100 or last > 104', [99, 101, 105], '1'],
		['last crosses open * 102%', [101, 103], '1'],
	])('%s: %j: %s', (text, prices, held) => {
		const trades = priced(...prices);
		expect(judged(text, pages(trades, 1, trades.length - 1), {open: 100})).toEqual([undefined, held]);
	});

	test('is judged on each trade of a poll, the first of which counts', () => {
		expect(judged('last crosses 100', pages(priced(99, 98, 101, 99, 101, 102), 2, 3, 1))).toEqual([
			...[undefined, '2', undefined],
		]);
	});

	test('needs two sides: what was found first is none', () => {
		expect(judged('last crosses 100', [priced(99, 101)])).toEqual([undefined]);
		expect(judged('last crosses 100', [[], priced(99, 101)])).toEqual([undefined, '1']);
	});

	test('is found at the first trade after data was unknown', () => {
		const trades = priced(99, 99, 105);
		expect(judged('last crosses 100', [trades.slice(0, 1), 'failing', trades])).toEqual([undefined, undefined, '2']);
	});

	test.each<readonly [text: string, pages: readonly (readonly Trade[])[], held: readonly (string | undefined)[]]>([
		['last crosses 100', [[trade(0, 99), trade(4, 99)], [trade(2, 101)], [trade(5, 99)]], [undefined, '2', undefined]],
		[
			'last crosses 100',
			[
				[trade(0, 99), trade(5, 99)],
				[trade(2, 101), trade(3, 101)],
			],
			[undefined, '2'],
		],
		[
			'last crosses 100',
			[[trade(0, 99)], [trade(4, 101)], [trade(2, 101)], [trade(1, 99)]],
			[undefined, '4', undefined, undefined],
		],
		[
			'last crosses below 100',
			[[trade(0, 99)], [trade(4, 101)], [trade(2, 99)], [trade(5, 99)]],
			[undefined, undefined, undefined, '5'],
		],
		['last crosses 100', [[trade(4, 99)], [trade(2, 101)]], [undefined, undefined]],
		['tradeSize > 1', [[trade(0, 99), trade(4, 99)], [trade(2, 99, 2)]], [undefined, '2']],
	])('%s: by a trade that comes late: %j', (text, all, held) => {
		expect(judged(text, all)).toEqual(held);
	});

	test('of what no trade moves is found when it is known', () => {
		const judge = judgeText('volume crosses 10');
		const held = [9, 9, 11, 12].map(volume => heldAt(judge({ticker: {volume}})));
		expect(held).toEqual([undefined, undefined, 'now', undefined]);
	});

	test('is found exactly once over any polls of any trades', () => {
		const anyPrice = fc.integer({min: 95, max: 105});
		fc.assert(
			fc.property(
				fc.array(anyPrice, {minLength: 2, maxLength: 60}),
				fc.array(fc.integer({min: 1, max: 9})),
				(prices, counts) => {
					const trades = priced(...prices);
					const crossings: string[] = [];
					let side = 0;
					for (const {id, price} of trades) {
						const next = Math.sign(price - 100);
						if (next !== 0 && side !== 0 && next !== side) crossings.push(id);
						if (next !== 0) side = next;
					}

					const taken = pages(trades, 1, ...counts, trades.length);
					const held = judged('last crosses 100', overlapping(taken));
					const expected = taken.map(page => page.find(({id}) => crossings.includes(id))?.id);
					expect(held).toEqual(expected);
				},
			),
		);
	});
});

test('what holds says what the values were at that moment', () => {
	const judge = judgeText('last crosses open + 1 and tradeSize > 1');
	const judgeTrades = (...trades: readonly Trade[]) => judge({tape: mergeTape(emptyTape, trades), ticker: {open: 100}});
	judgeTrades(trade(0, 100));
	const held = judgeTrades(trade(0, 100), trade(1, 102, 2), trade(2, 105));
	expect(held).toEqual({markets: ['BTCUSDT'], trade: trade(1, 102, 2), values: {last: 102, open: 100, tradeSize: 2}});
});

describe('a single trade', () => {
	test('holds at each that is large enough, but not at those of the first page', () => {
		const trades = [trade(0, 100, 9), trade(1, 100, 1), trade(2, 100, 5), trade(3, 100, 6)];
		expect(judged('tradeSize >= 5', pages(trades, 1, 1, 2))).toEqual([undefined, undefined, '2']);
		expect(judged('tradeValue > 500', pages(trades, 1, 1, 2))).toEqual([undefined, undefined, '3']);
	});

	test('is compared with others of the same trade', () => {
		const trades = [trade(0, 100), trade(1, 101, 5), trade(2, 99, 1)];
		expect(judged('tradeSize >= 5 and last < 100', pages(trades, 1, 2))).toEqual([undefined, undefined]);
		expect(judged('tradeSize >= 5 and last > 100', pages(trades, 1, 2))).toEqual([undefined, '1']);
	});
});

describe('a window', () => {
	test('has its highest and lowest price before each trade, so that a new one is found in between', () => {
		const trades = priced(100, 101, 102, 101, 103, 102, 102);
		expect(judged('last > high(1m)', pages(trades, 4, 2, 1))).toEqual([undefined, undefined, undefined]);
		const known = [trade(-100, 90), ...trades];
		expect(judged('last > high(1m)', overlapping(pages(known, 5, 2, 1)))).toEqual([undefined, '4', undefined]);
	});

	test('has no highest price before a trade that others may be missing before', () => {
		const known = [trade(-100, 90), ...priced(100, 102, 101)];
		expect(judged('last > high(1m)', [known, [...known, trade(4, 103)]])).toEqual([undefined, '4']);
		expect(judged('last > high(1m)', [known, [trade(4, 103)]])).toEqual([undefined, undefined]);
	});

	test.each<readonly [text: string, held: boolean]>([
		['change(10s) = 3', true],
		['changePercent(10s) = 3', true],
		['volume(10s) = 5', true],
		['trades(10s) = 2', true],
		['buyVolume(10s) = 5', true],
		['sellVolume(10s) = 0', true],
		['low(10s) = 102 and high(10s) = 102', true],
		['volume(60s) > 0', false],
	])('%s', (text, held) => {
		const trades = [trade(0, 100), trade(12, 102, 2), trade(20, 103, 3)];
		expect(judged(text, [trades])).toEqual([held ? 'now' : undefined]);
	});
});

test.each([
	['tradeValue > 6159.973', [trade(0, 61_599.73), trade(10, 61_599.73, 0.1)]],
	['changePercent > 3', [trade(0, 4679), trade(10, 4819.37)]],
	['changePercent(5s) > 3', [trade(0, 4679), trade(10, 4819.37)]],
])('a rounding error does not make a condition hold: %s', (text, trades) => {
	const pages = [trades.slice(0, 1), trades];
	expect(judged(text, pages, {open: 4679})).toEqual([undefined, undefined]);
	expect(judged(text.replace('>', '>='), pages, {open: 4679})[1]).toBeDefined();
});

test('a change does not cross where the ticker stands in for trades that are stale or to come', () => {
	const ticker = {open: 100, changePercent: -1.9};
	const judge = judgeText('changePercent crosses -2');
	const tape = mergeTape(emptyTape, [trade(0, 97.9)]);
	const steps = [{failing: true}, {tape}, {tape, failing: true}, {tape}];
	expect(steps.map(step => judge({ticker, ...step}))).toEqual([undefined, undefined, undefined, undefined]);
});

describe('an indicator', () => {
	const minutes = Array.from({length: 6}, (_, index) => ({...trade(index * 60, 100 + index, index + 1)}));
	const now = start + 5 * minuteMs + 1000;
	const holds = (text: string) => {
		const tape = mergeTape(emptyTape, minutes);
		return judgeText(text)({tape, candlesOf: minutes}, now) !== undefined;
	};

	test.each([
		['sma(3, 1m) = 103', true],
		['sma(5, 1m) = 102', true],
		['sma(6, 1m) > 0', false],
		['ema(3, 1m) > 102', true],
		['rsi(3, 1m) = 100', true],
		['vwap(2, 1m) > 103.55 and vwap(2, 1m) < 103.56', true],
		['vwap(6, 1m) > 0', false],
		['last > sma(3, 1m)', true],
		['last > sma(3, 15m)', false],
	])('is that of the candles that are closed: %s: %s', (text, held) => {
		expect(holds(text)).toBe(held);
	});
});
