/** Rules that name a line which the user drew. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {MarketsData} from '../../source/alerts/market-data.ts';
import {missedIn} from '../../source/alerts/missed.ts';
import {parseCondition} from '../../source/alerts/parse-condition.ts';
import {candlesFromTrades} from '../../source/market/candles.ts';
import {symbolKey} from '../../source/market/symbol.ts';
import {emptyTape, mergeTape} from '../../source/market/tape.ts';
import {linePriceAt, type TrendLine} from '../../source/market/trend-line.ts';
import type {Trade} from '../../source/market/types.ts';
import {waiting} from '../../source/store/resource.ts';
import type {MarketState} from '../../source/store/state.ts';
import {marketState, received} from '../helpers/market-state.ts';
import {book, ticker} from '../store/samples.ts';
import {judgeOf} from './judge-of.ts';
import {second, setUp, shown, start, watchRule} from './set-up.ts';

const conditionOf = (text: string) => parseCondition(text, name => ({key: symbolKey(name)}));

/** From 98 at the start to 102 after 20 s: at 100 after 10 s. */
const rising: TrendLine = {
	...{from: {time: start, price: 98}, to: {time: start + 20 * second, price: 102}, log: false},
};

/** Rules on the market on screen, whose price is 100, except at some seconds. */
function judged(
	texts: readonly string[],
	lines: () => readonly TrendLine[],
	prices: Readonly<Record<number, number>> = {},
) {
	const all = Array.from({length: 60}, (_, index) => prices[index] ?? 100);
	const bench = setUp(
		texts,
		all,
		() => ['BTCUSDT'],
		undefined,
		(market, number) => (market === 'BTCUSDT' && number === 1 ? lines() : []),
	);
	bench.screen.show(shown);
	bench.screen.start();
	bench.alerts.start();
	return bench;
}

describe('last crosses line 1', () => {
	test('fires at the first trade that is on the other side of the line at its own time, not at one that touches it', async () => {
		const {clock, said} = judged(['last crosses line 1'], () => [rising]);
		await clock.advance(20 * second);
		expect(said()).toEqual([expect.stringMatching(/^1[12]\S* BTCUSDT trade of 11$/)]);
	});

	test('fires at a price that crosses the line and comes back between two polls', async () => {
		const {clock, said} = judged(['last crosses below line 1'], () => [rising], {4: 98.5});
		await clock.advance(9 * second);
		expect(said()).toEqual([expect.stringMatching(/ trade of 4$/)]);
	});

	test('is blind at once while there is no such line, and says so; it never fires', async () => {
		let lines: readonly TrendLine[] = [rising];
		const {clock, said} = judged(['last crosses line 1', 'last > line 7'], () => lines);
		await clock.advance(5 * second);
		expect(said()).toEqual([expect.stringMatching(/^\d BTCUSDT blind since \S+: no line 7 in BTCUSDT$/)]);
		lines = [];
		await clock.advance(15 * second);
		expect(said().slice(1)).toEqual([expect.stringMatching(/ blind since \S+: no line 1 in BTCUSDT$/)]);
	});

	test('is blind while two lines have that number, as each instance drew one', async () => {
		const {clock, said} = judged(['last crosses line 1'], () => [rising, {...rising, log: true}]);
		await clock.advance(20 * second);
		expect(said()).toEqual([expect.stringMatching(/ blind since \S+: 2 lines are line 1 in BTCUSDT$/)]);
	});

	test('counts a line that is drawn anew at once', async () => {
		let lines: readonly TrendLine[] = [rising];
		const {clock, said} = judged(['last > line 1'], () => lines, {0: 90});
		await clock.advance(5 * second);
		lines = [{...rising, from: {...rising.from, price: 99.99}, to: {...rising.to, price: 99.99}}];
		await clock.advance(2 * second);
		expect(said().length).toBe(1);
	});
});

describe('a rule that names another line than before', () => {
	const flat = (price: number): TrendLine => ({from: {time: start - 1, price}, to: {time: start, price}, log: false});

	test('is judged from then on: a price that was above the line before has not crossed one that it is below', async () => {
		let lines = [flat(95)];
		const {clock, said, fired, state} = judged(['last crosses line 1'], () => lines);
		await clock.advance(5 * second);
		lines = [flat(95), flat(105)];
		await clock.advance(5 * second);
		lines = [flat(105)];
		await clock.advance(5 * second);
		expect(said()).toEqual([
			expect.stringMatching(/ blind since \S+: 2 lines are line 1 in BTCUSDT$/),
			expect.stringMatching(/ judged again$/),
		]);
		state.prices = Array.from({length: 60}, (_, index) => (index < 20 ? 100 : 106));
		await clock.advance(10 * second);
		expect(fired().map(({trade}) => trade?.time)).toEqual([start + 20 * second]);
	});

	test.each([
		['the same line', flat(95), ['1']],
		['another line', flat(98), []],
	])('is judged from the restart on, if that is between: %s', (_, line, expected) => {
		const dataAt = (at: number, prices: readonly number[], drawn: TrendLine): MarketsData => {
			const trades = prices.map((price, index) => ({
				id: String(index),
				time: start + index * second,
				price,
				quantity: 1,
			}));
			const state = marketState({
				symbol: 'BTCUSDT',
				trades: received(mergeTape(emptyTape, trades), start + at * second),
			});
			return new Map([['BTCUSDT', {state, candlesOf: () => waiting, linesOf: () => [drawn], facts: new Map()}]]);
		};
		const text = 'last crosses line 1 every 1s';
		const first = watchRule(text);
		first.arrive(0, dataAt(0, [97], flat(95)));
		const memory = first.alerts.remembered().get(text)?.markets;
		const restarted = watchRule(text, ['BTCUSDT'], memory);
		const events = restarted.arrive(5, dataAt(5, [97, 94, 96], line));
		expect(events.flatMap(event => (event.type === 'alert' ? (event.trade?.id ?? 'gap') : []))).toEqual(expected);
	});
});

test('a rule of many markets that compares the last price with a line asks for no trades', async () => {
	const {clock, screen, alerts, requests} = setUp(
		['* last > line 1'],
		[],
		() => ['ETHUSDT'],
		undefined,
		() => [rising],
	);
	screen.start();
	alerts.start();
	await clock.advance(10 * second);
	expect([requests('trades').ETHUSDT, requests('tickers').all]).toEqual([undefined, expect.any(Number)]);
	expect(alerts.getSnapshot().entries[0]?.markets[0]).toMatchObject({symbol: 'ETHUSDT', blind: undefined});
});

test('a book is compared with the line as it is now', async () => {
	const {clock, said} = judged(['mid < line 1'], () => [rising]);
	await clock.advance(20 * second);
	expect(said()).toEqual([expect.stringMatching(/^1[0-5]\S* BTCUSDT trade of none$/)]);
});

describe('a computer whose clock is an hour ahead', () => {
	const before = start - 3600 * second;
	const line: TrendLine = {from: {time: before, price: 90}, to: {time: before + 60 * second, price: 91}, log: false};
	const dataWith = (change: Partial<MarketState>): MarketsData => {
		const state = marketState({symbol: 'BTCUSDT', ...change});
		return new Map([['BTCUSDT', {state, candlesOf: () => waiting, linesOf: () => [line], facts: new Map()}]]);
	};
	const stamped = <T>(data: T) => ({...received(data, start), sentAt: start, serverTime: before});

	test('does not compare a book with the line before trades show their clock', () => {
		const rule = watchRule('mid < line 1');
		const depth = stamped(book(100));
		const trades = stamped(mergeTape(emptyTape, [{id: '1', time: before, price: 100, quantity: 1}]));
		expect([...rule.arrive(1, dataWith({depth})), ...rule.arrive(2, dataWith({depth, trades}))]).toEqual([]);
	});

	test('compares the ticker with the line at its stamp', () => {
		const rule = watchRule('* last < line 1');
		const tickers = stamped(new Map([['BTCUSDT', ticker('BTCUSDT')]]));
		expect(rule.arrive(1, dataWith({tickers}))).toEqual([]);
	});
});

const anyTrades = fc.array(fc.record({ms: fc.integer({min: 1, max: 90_000}), price: fc.integer({min: 94, max: 106})}), {
	minLength: 3,
	maxLength: 30,
});
const anyLine = fc
	.record({first: fc.integer({min: 95, max: 105}), second: fc.integer({min: 95, max: 105}), log: fc.boolean()})
	.map(
		({first, second: later, log}): TrendLine => ({
			...{from: {time: start, price: first}, to: {time: start + 300_000, price: later}, log},
		}),
	);

function tradesOf(steps: ReadonlyArray<{readonly ms: number; readonly price: number}>): readonly Trade[] {
	let time = start;
	return steps.map(({ms, price}, index) => {
		time += ms;
		return {id: String(index), time, price, quantity: 1};
	});
}

/** −1, 0 or 1: where a trade is, from a line at its time. */
const sideOf = ({time, price}: Trade, line: TrendLine): number =>
	Math.sign(Number((price - (linePriceAt(line, time) ?? Number.NaN)).toPrecision(9)));

/** The trades that cross the line, judged one after the other from the first on. */
function crossings(trades: readonly Trade[], line: TrendLine): readonly Trade[] {
	let before = 0;
	return trades.filter(trade => {
		const side = sideOf(trade, line);
		const crosses = side !== 0 && before !== 0 && side !== before;
		if (side !== 0) before = side;
		return crosses;
	});
}

test('crosses at the trades that are on the other side of the line than the trade before, each at its own time', () => {
	fc.assert(
		fc.property(anyTrades, anyLine, (steps, line) => {
			const trades = tradesOf(steps);
			const judge = judgeOf(conditionOf('last crosses line 1'));
			const held: string[] = [];
			let tape = emptyTape;
			// One trade is known after the other, and asked for as it comes.
			for (const trade of trades) {
				tape = mergeTape(tape, [trade]);
				const state = marketState({symbol: 'BTCUSDT', trades: received(tape, trade.time)});
				const known = new Map([
					['BTCUSDT', {state, candlesOf: () => waiting, linesOf: () => [line], facts: new Map()}],
				]);
				for (const {holding} of judge(known, trade.time).moments) if (holding?.trade) held.push(holding.trade.id);
			}

			expect(held).toEqual(crossings(trades, line).map(({id}) => id));
		}),
	);
});

test('of trades that are missing, only what must have happened is said to have, and only what cannot have is said not to', () => {
	fc.assert(
		fc.property(anyTrades, anyLine, fc.nat(), fc.nat(), (steps, line, a, b) => {
			const trades = tradesOf(steps);
			const first = 1 + (a % (trades.length - 2));
			const next = first + 1 + (b % (trades.length - first - 1));
			const [last, after, ...later] = [trades[first - 1], ...trades.slice(next)];
			if (!last || !after) return;
			let side = 0;
			for (const trade of trades.slice(0, first)) side = sideOf(trade, line) || side;
			const result = missedIn(
				conditionOf('last crosses line 1'),
				{sideOf: () => Math.sign(side) as -1 | 0 | 1, isReleased: true},
				{from: last.time, before: () => undefined, after: [after, ...later], completeTo: trades.at(-1)?.time ?? 0},
				{period: 1, candles: candlesFromTrades(trades.toReversed(), 1).candles, completeTo: trades.at(-1)?.time ?? 0},
				() => [line],
			);
			const all = crossings(trades.slice(0, next + 1), line).filter(({id}) => Number(id) >= first);
			expect(result.type).not.toBe('unknown');
			if (result.type === 'none') expect(all.filter(({id}) => Number(id) < next)).toEqual([]);
			if (result.type !== 'held') return;
			const {from, to} = result.stretch;
			expect(all.some(({time}) => time >= from && time <= to)).toBe(true);
		}),
		{numRuns: 300},
	);
});

test.each([
	['last crosses line 1', 'held'],
	['last > line 1', 'held'],
	['last > line 1 + 5', 'none'],
	['last crosses line 2', 'none'],
	['last > line 1 or last < line 2', 'held'],
])('what candles tell of %s, where a price passes a line in a gap: %s', (text, expected) => {
	const flat: TrendLine = {from: {time: start - 1, price: 100}, to: {time: start, price: 100}, log: false};
	const trades = tradesOf([99, 99, 104, 98, 99].map(price => ({ms: 60_000, price})));
	const [before, , , , after] = trades;
	if (!before || !after) throw new Error('there are five');
	const completeTo = after.time;
	const {candles} = candlesFromTrades(trades.toReversed(), 1);
	const gap = {from: before.time, before: () => ({low: 99, high: 99}), after: [after], completeTo} as const;
	const linesOf = (number: number) => (number === 1 ? [flat] : []);
	const result = missedIn(
		conditionOf(text),
		{sideOf: () => -1, isReleased: true},
		gap,
		{period: 1, candles, completeTo},
		linesOf,
	);
	expect(result.type).toBe(expected);
});
