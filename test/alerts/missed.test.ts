import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Condition} from '../../source/alerts/condition.ts';
import {crossingsIn} from '../../source/alerts/condition.ts';
import type {Side} from '../../source/alerts/judge.ts';
import {type Before, type Missed, missedIn, sideAt} from '../../source/alerts/missed.ts';
import {parseCondition} from '../../source/alerts/parse-condition.ts';
import {candlesFromTrades} from '../../source/market/candles.ts';
import {symbolKey} from '../../source/market/symbol.ts';
import type {Trade} from '../../source/market/types.ts';
import {minuteMs, secondMs} from '../../source/market/units.ts';

const start = Date.UTC(2026, 10, 22, 14);

const tradesOf = (prices: ReadonlyArray<readonly [second: number, price: number]>): readonly Trade[] =>
	prices.map(([second, price], index) => ({id: String(index), time: start + second * secondMs, price, quantity: 1}));

type Missing = {
	/** Index of the first trade that is missing, and of the first one after those. */
	readonly gap: readonly [first: number, after: number];
	/** How many trades are known when the candles are received; default all. */
	readonly received?: number;
	/** Whether the trades before the gap are known too; default yes. */
	readonly isBeforeKnown?: boolean;
};

const conditionOf = (text: string): Condition => parseCondition(text, name => ({key: symbolKey(name)}));

/** Where each crossing is after these prices. */
function sidesAfter(condition: Condition, trades: readonly Trade[]) {
	const sides = new Map<unknown, Side>();
	for (const crossing of crossingsIn(condition)) {
		for (const {price} of trades) sides.set(crossing, sideAt(crossing, price) || (sides.get(crossing) ?? 0));
	}

	return (crossing: unknown): Side => sides.get(crossing) ?? 0;
}

/** What candles of a minute tell of the missing trades. */
function missed(text: string, trades: readonly Trade[], {gap, received, isBeforeKnown = true}: Missing): Missed {
	const condition = conditionOf(text);
	const [first, next] = gap;
	const known = trades.slice(0, received ?? trades.length);
	const [after, ...later] = known.slice(next);
	if (!after) throw new Error('no trade after the gap');
	const completeTo = known.at(-1)?.time ?? 0;
	const before = trades.slice(0, first);
	const {candles} = candlesFromTrades(known.toReversed(), 1);
	return missedIn(
		condition,
		{sideOf: sidesAfter(condition, before), isReleased: heldAt(condition, before).at(-1) !== before.at(-1)},
		{
			from: before.at(-1)?.time ?? 0,
			before(time) {
				const prices = before.filter(each => each.time >= time).map(({price}) => price);
				return isBeforeKnown ? {high: Math.max(...prices), low: Math.min(...prices)} : undefined;
			},
			after: [after, ...later],
			completeTo,
		},
		{period: 1, candles, completeTo},
	);
}

/** In seconds since the start. */
function told(result: Missed): string {
	if (!('stretch' in result)) return result.type;
	const {from, to, high, low} = result.stretch;
	return `${result.type} from ${(from - start) / 1000} to ${(to - start) / 1000}, ${low ?? '?'} to ${high ?? '?'}`;
}

describe('what candles tell of a gap', () => {
	const spike = tradesOf([
		[10, 99],
		[70, 99],
		[80, 104],
		[110, 98],
		[200, 99],
		[310, 99],
	]);
	// All but the first, and all but the last.
	const gap = [1, 5] as const;

	test.each([
		['last crosses 100', 'held from 60 to 120, 98 to 104'],
		['last crosses above 100', 'held from 60 to 120, 98 to 104'],
		['last crosses below 100', 'held from 60 to 120, 98 to 104'],
		['last crosses 104', 'none'],
		['last crosses 105', 'none'],
		['last > 100', 'held from 60 to 120, 98 to 104'],
		['last > 104', 'none'],
		['last >= 104', 'held from 60 to 120, 98 to 104'],
		['last = 101', 'possible from 60 to 310, 98 to 104'],
		['last * 2 > 207', 'held from 60 to 120, 98 to 104'],
		['last crosses 50 + 50%', 'none'],
		['last crosses 80 + 25%', 'held from 60 to 120, 98 to 104'],
		['last crosses 100 and last > 103', 'possible from 60 to 310, 98 to 104'],
		['last crosses 120 or last > 103', 'held from 60 to 120, 98 to 104'],
		['BTCUSDT.last crosses 100', 'held from 60 to 120, 98 to 104'],
		['1 / (last - 100) > 5', 'possible from 60 to 310, 98 to 104'],
		['tradeSize > 5', 'unknown'],
		['last crosses sma(5, 1m)', 'unknown'],
		['BTCUSDT.last > ETHUSDT.last', 'unknown'],
	])('%s: %s', (text, expected) => {
		expect(told(missed(text, spike, {gap}))).toBe(expected);
	});

	test('is nothing if they do not reach back, or lag behind the trades', () => {
		const trades = tradesOf([
			[10, 99],
			[70, 101],
			[130, 99],
			[190, 98],
		]);
		const condition = conditionOf('last crosses 100');
		const of = (times: readonly number[], close = 98) => {
			const known = candlesFromTrades(trades.toReversed(), 1).candles.filter(({time}) => times.includes(time - start));
			const candles = known.map(each => (each.time === start + 3 * minuteMs ? {...each, close} : each));
			const [after] = trades.slice(3);
			if (!after) throw new Error('no trade after the gap');
			const knownGap = {from: start + 10_000, before: () => undefined, after: [after], completeTo: after.time} as const;
			const before: Before = {sideOf: () => -1, isReleased: true};
			return missedIn(condition, before, knownGap, {period: 1, candles, completeTo: after.time}).type;
		};
		expect(of([0, 60_000, 120_000, 180_000])).toBe('held');
		expect(of([60_000, 120_000, 180_000])).toBe('unknown');
		expect(of([0, 60_000, 120_000])).toBe('unknown');
		expect(of([0, 60_000, 120_000, 180_000], 97)).toBe('unknown');
	});

	test('says of the candle that began before the gap only what cannot have happened before', () => {
		const trades = tradesOf([
			[5, 101],
			[10, 99],
			[20, 98],
			[70, 99],
		]);
		// The price before the gap explains the high, and nothing does if it is not known.
		expect(told(missed('last crosses 100', trades, {gap: [2, 3]}))).toBe('possible from 10 to 70, 98 to 101');
		expect(told(missed('last < 99', trades, {gap: [2, 3]}))).toBe('held from 10 to 60, 98 to ?');
		const higher = trades.map(each => (each.id === '2' ? {...each, price: 102} : each));
		expect(told(missed('last crosses 100', higher, {gap: [2, 3]}))).toBe('held from 10 to 60, ? to 102');
		expect(told(missed('last crosses 100', trades, {gap: [2, 3], isBeforeKnown: false}))).toBe(
			'possible from 10 to 70, 98 to 101',
		);
		// Whether the low was before the price on the level or after it is not known.
		const onLevel = tradesOf([
			[0, 100],
			[0, 95],
			[0, 100],
			[60, 101],
			[120, 100],
		]);
		expect(missed('last crosses 100', onLevel, {gap: [1, 4], isBeforeKnown: false}).type).toBe('possible');
	});

	test('says of the candle that ends after the gap only what the trades after it do not explain', () => {
		const trades = tradesOf([
			[10, 99],
			[70, 98],
			[80, 99],
			[90, 101],
		]);
		expect(told(missed('last crosses above 100', trades, {gap: [1, 2]}))).toBe('possible from 60 to 80, 98 to 101');
		expect(told(missed('last < 99', trades, {gap: [1, 2]}))).toBe('held from 60 to 80, 98 to ?');
		expect(told(missed('last crosses above 100', trades, {gap: [1, 2], received: 3}))).toBe('none');
	});
});

const conditions = [
	...['last crosses 100', 'last crosses above 100', 'last crosses below 100', 'last > 103', 'last <= 97', 'last = 100'],
	...['last crosses 100 or last > 104', 'last crosses 100 and last > 102', 'last > 98 and last < 102'],
];

/** The trades at which the condition holds, judged on each. */
function heldAt(condition: Condition, trades: readonly Trade[]): readonly Trade[] {
	const sides = new Map<Condition, number>();
	const holds = (part: Condition, price: number): boolean => {
		if (part.type === 'and' || part.type === 'or') {
			const both = [holds(part.left, price), holds(part.right, price)];
			return part.type === 'and' ? both.every(Boolean) : both.some(Boolean);
		}

		const level = part.right.type === 'number' ? part.right.value : 0;
		if (part.type === 'comparison') {
			const {operator} = part;
			if (operator === '=') return price === level;
			if (operator === '<=') return price <= level;
			return operator === '>' ? price > level : price < level;
		}

		const side = Math.sign(price - level);
		const before = sides.get(part) ?? side;
		if (side === 0) return false;
		sides.set(part, side);
		if (before === 0 || before === side) return false;
		return part.direction === 'any' || (part.direction === 'above') === side > 0;
	};
	return trades.filter(({price}) => holds(condition, price));
}

const anyTrades = fc.array(fc.tuple(fc.nat({max: 400}), fc.integer({min: 95, max: 105})), {
	minLength: 3,
	maxLength: 40,
});

test('says that it held only if it did, at that time and price, and that it did not only if it did not', () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...conditions),
			anyTrades,
			fc.nat(),
			fc.nat(),
			fc.boolean(),
			(text, prices, a, b, isBeforeKnown) => {
				const trades = tradesOf(prices.toSorted((one, other) => one[0] - other[0]));
				const first = 1 + (a % (trades.length - 2));
				const next = first + 1 + (b % (trades.length - first - 1));
				const result = missed(text, trades, {gap: [first, next], isBeforeKnown});
				const held = heldAt(conditionOf(text), trades.slice(0, next + 1)).filter(({id}) => Number(id) >= first);
				const inGap = held.filter(({id}) => Number(id) < next);
				expect(result.type).not.toBe('unknown');
				if (result.type === 'none') expect(inGap).toEqual([]);
				if (result.type !== 'held') return;
				const {from, to, high, low} = result.stretch;
				expect(held.some(({time}) => time >= from && time <= to)).toBe(true);
				const traded = trades.slice(first - 1, next + 1).map(({price}) => price);
				if (high !== undefined) expect(traded).toContain(high);
				if (low !== undefined) expect(traded).toContain(low);
				// They are the extremes of all that was traded from the last trade before the gap to the end of the stretch.
				const upTo = trades.slice(first - 1, next + 1).filter(({time}) => time >= from && time < to);
				for (const {price} of upTo) {
					if (high !== undefined) expect(price).toBeLessThanOrEqual(high);
					if (low !== undefined) expect(price).toBeGreaterThanOrEqual(low);
				}
				// Nothing happened in the gap before that.
				expect(inGap.filter(({time}) => time < from)).toEqual([]);
			},
		),
		{numRuns: 100},
	);
});

test('misses no crossing within a candle that lies in the gap', () => {
	fc.assert(
		fc.property(anyTrades, fc.nat(), fc.nat(), (prices, a, b) => {
			const trades = tradesOf(prices.toSorted((one, other) => one[0] - other[0]));
			const first = 1 + (a % (trades.length - 2));
			const next = first + 1 + (b % (trades.length - first - 1));
			const [from, to] = [trades[first - 1]?.time ?? 0, trades[next]?.time ?? 0];
			const within = candlesFromTrades(trades.toReversed(), 1).candles.filter(
				({time}) => time > from && time + minuteMs <= to,
			);
			if (!within.some(({low, high}) => low < 100 && high > 100)) return;
			expect(missed('last crosses 100', trades, {gap: [first, next], isBeforeKnown: false}).type).toBe('held');
		}),
		{numRuns: 100},
	);
});
