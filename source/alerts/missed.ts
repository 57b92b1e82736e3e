import {candleEnd} from '../market/candles.ts';
import {linePriceAt} from '../market/trend-line.ts';
import type {Candle, Trade} from '../market/types.ts';
import type {PastCandles} from '../market/windows.ts';
import {
	type ArithmeticOperator,
	type Condition,
	type Crossing,
	calculated,
	crossingsIn,
	type Expression,
	isOfLast,
	type Operator,
	type Percent,
	type Quantity,
	roundedMean,
} from './condition.ts';
import type {Side} from './judge.ts';
import {lineNumbered, type MarketData} from './quantity-values.ts';

/** Values from the lowest to the highest. */
export type Range = {readonly low: number; readonly high: number};

export const exactly = (value: number): Range => ({low: value, high: value});

export const hull = (ranges: readonly Range[]): Range => ({
	low: Math.min(...ranges.map(({low}) => low)),
	high: Math.max(...ranges.map(({high}) => high)),
});

/** A time in which trades are missing. Times are epoch ms by the exchange's clock. */
export type Gap = {
	/** The time of the last trade before it. */
	readonly from: number;
	/** What was traded up to then in the candle that begins at `start`; undefined: not all of it is known. */
	readonly before: (start: number) => Range | undefined;
	/** The first trade after the gap and all later ones, oldest first. */
	readonly after: readonly [Trade, ...(readonly Trade[])];
	/** When those were received. */
	readonly completeTo: number;
};

/** Where a rule was before a gap. */
export type Before = {
	readonly sideOf: (crossing: Crossing) => Side;
	/** Whether the rule was false since it fired, so that it can fire. */
	readonly isReleased: boolean;
};

/** Something happened between these times (epoch ms by the exchange's clock), and these prices were traded. Absent: unknown. */
export type Stretch = {
	readonly from: number;
	readonly to: number;
	readonly high?: number | undefined;
	readonly low?: number | undefined;
};

/** What happened in a gap, or at its end. */
export type Missed =
	/** The condition began to hold within the stretch. */
	| {readonly type: 'held'; readonly stretch: Stretch}
	/** It may have: these prices were traded, but in another order, or before the gap. */
	| {readonly type: 'possible'; readonly stretch: Stretch}
	/** It held at no time before the first trade after the gap. */
	| {readonly type: 'none'}
	/** The candles do not tell. */
	| {readonly type: 'unknown'};

/**
 * Judges what no trade is known of by the candles of that time: only what must have happened in the gap is said to have. `linesOf`: of
 * the market. Default: none.
 */
export function missedIn(
	condition: Condition,
	before: Before,
	gap: Gap,
	candles: PastCandles,
	linesOf?: MarketData['linesOf'],
): Missed {
	const steps = isOfLast(condition) ? stepsIn(gap, candles) : undefined;
	if (!steps) return {type: 'unknown'};
	const first = firstPossible(condition, before, steps, linesOf);
	const from = steps[first]?.from;
	if (from === undefined) return {type: 'none'};
	const [next] = gap.after;
	const all = [...steps, {from: next.time, to: next.time, orders: [[next.price]], prices: exactly(next.price)}];
	const last = certainStep(condition, before, all, linesOf);
	const to = last === undefined ? undefined : all[last]?.to;
	if (last === undefined || to === undefined) {
		return {type: 'possible', stretch: {from, to: next.time, ...hull(steps.slice(first).map(step => step.prices))}};
	}

	const until = all.slice(first, last + 1);
	const traded = hull(until.flatMap(({orders}) => orders.flat().map(exactly)));
	const possible = hull(until.map(({prices}) => prices));
	// What is beyond may have been traded before the gap, or in it.
	return {
		type: 'held',
		stretch: {
			...{from, to},
			high: traded.high === possible.high ? traded.high : undefined,
			low: traded.low === possible.low ? traded.low : undefined,
		},
	};
}

/** Index of the first step by which the condition can have begun to hold; −1: none. */
function firstPossible(
	condition: Condition,
	{sideOf}: Before,
	steps: readonly Step[],
	linesOf: MarketData['linesOf'],
): number {
	let traded = nothing;
	return steps.findIndex(({prices, to}) => {
		traded = hull([traded, prices]);
		return canHold(condition, valuesIn(traded, {from: steps[0]?.from ?? to, to}, linesOf), sideOf);
	});
}

/** Trades of which only some prices are known. */
type Step = {
	readonly from: number;
	readonly to: number;
	/** Prices that were traded in the gap, in each order that is possible. */
	readonly orders: ReadonlyArray<readonly number[]>;
	/** No price in the gap was outside. */
	readonly prices: Range;
};

/** A step for each candle; undefined: they do not cover the gap, or lag behind the trades. */
function stepsIn(gap: Gap, {candles, period, completeTo}: PastCandles): readonly Step[] | undefined {
	const {from, after} = gap;
	const to = after[0].time;
	const within = candles.filter(candle => candleEnd(candle, period) > from && candle.time <= to);
	const [first, last] = [within[0], within.at(-1)];
	if (!first || !last || first.time > from) return undefined;
	const end = candleEnd(last, period);
	const later = after.filter(({time}) => time < end);
	// Else they were received before what the other says.
	const isComplete = gap.completeTo >= Math.min(end, completeTo) && later.some(({price}) => price === last.close);
	if (!isComplete) return undefined;
	return within.map((candle): Step => {
		const [beginsIn, endsIn] = [candle.time > from, candleEnd(candle, period) <= to];
		const elsewhere = elsewhereIn(candle, beginsIn ? [] : [gap.before(candle.time)], endsIn ? [] : later);
		const extremes = [
			...(elsewhere && candle.high > elsewhere.high ? [candle.high] : []),
			...(elsewhere && candle.low < elsewhere.low ? [candle.low] : []),
		];
		const inOrder = (prices: readonly number[]) => [
			...(beginsIn ? [candle.open] : []),
			...prices,
			...(endsIn ? [candle.close] : []),
		];
		return {
			from: Math.max(candle.time, from),
			to: Math.min(candleEnd(candle, period), to),
			orders: [inOrder(extremes), inOrder(extremes.toReversed())],
			prices: candle,
		};
	});
}

const nothing: Range = {low: Infinity, high: -Infinity};

/** Prices of the candle that were traded outside the gap; undefined: not all are known. */
function elsewhereIn(
	candle: Candle,
	before: ReadonlyArray<Range | undefined>,
	later: readonly Trade[],
): Range | undefined {
	const ranges = before.filter(range => range !== undefined);
	if (ranges.length < before.length) return undefined;
	// Some exchanges open a candle with the last price before it.
	const opening = before.length > 0 ? [exactly(candle.open)] : [];
	return hull([nothing, ...ranges, ...opening, ...later.map(({price}) => exactly(price))]);
}

/** Index of the first step after which the condition began to hold, whatever else was traded; undefined: none. */
function certainStep(
	condition: Condition,
	before: Before,
	steps: readonly Step[],
	linesOf: MarketData['linesOf'],
): number | undefined {
	const {type} = condition;
	if (crossingsIn(condition).length === 0) {
		const at = (price: number, step: Step) => {
			const values = valuesIn(exactly(price), step, linesOf);
			return mustHold(condition, values) ? 1 : canHold(condition, values, () => 0) ? 0 : -1;
		};
		return crossedBy({start: before.isReleased ? -1 : 1, direction: 'above', at}, steps);
	}

	if (type === 'crossing') {
		const at = (price: number, step: Step) => sideAt(condition, price, step, linesOf);
		return crossedBy({start: before.sideOf(condition), direction: condition.direction, at}, steps);
	}

	// The trade that crosses is not known, so neither is what else holds at it.
	if (type !== 'or' || !before.isReleased) return undefined;
	const parts = [condition.left, condition.right].flatMap(part => certainStep(part, before, steps, linesOf) ?? []);
	return parts.length > 0 ? Math.min(...parts) : undefined;
}

/** What goes from one side to the other as the price changes. */
type Signal = {
	/** Where it was before. */
	readonly start: Side;
	readonly direction: Crossing['direction'];
	/** 0: on neither side, or that is not known. */
	at(price: number, step: Step): Side;
};

function crossedBy(signal: Signal, steps: readonly Step[]): number | undefined {
	// Where it can be without having crossed.
	let sides: ReadonlySet<Side> = new Set([signal.start]);
	for (const [index, step] of steps.entries()) {
		sides = new Set(
			[...sides].flatMap(side => step.orders.flatMap(prices => uncrossed(signal, side, prices, step) ?? [])),
		);
		if (sides.size === 0) return index;
	}

	return undefined;
}

/** Where the signal is after these prices; undefined: it crossed. */
function uncrossed({direction, at}: Signal, start: Side, prices: readonly number[], step: Step): Side | undefined {
	let side = start;
	for (const price of prices) {
		const next = at(price, step);
		if (next === 0 || next === side) continue;
		if (side !== 0 && (direction === 'any' || (direction === 'above') === next > 0)) return undefined;
		side = next;
	}

	return side;
}

/**
 * Whether a condition of the last price can be true with these values, in any order; exact for one of each and no crossings.
 * `sideOf`: where the left side of a crossing was before.
 */
function canHold(condition: Condition, values: Values, sideOf: (crossing: Crossing) => Side): boolean {
	const {type} = condition;
	if (type === 'and') return canHold(condition.left, values, sideOf) && canHold(condition.right, values, sideOf);
	if (type === 'or') return canHold(condition.left, values, sideOf) || canHold(condition.right, values, sideOf);
	const [left, right] = [rangeOf(condition.left, values), rangeOf(condition.right, values)];
	if (type === 'comparison') return canCompare[condition.operator](left, right);
	const before = sideOf(condition);
	return (before > 0 || left.high > right.low) && (before < 0 || left.low < right.high);
}

/** Whether a condition without crossings is true with all of these values. */
function mustHold(condition: Condition, values: Values): boolean {
	const {type} = condition;
	if (type === 'and') return mustHold(condition.left, values) && mustHold(condition.right, values);
	if (type === 'or') return mustHold(condition.left, values) || mustHold(condition.right, values);
	if (type === 'crossing') return false;
	const [left, right] = [rangeOf(condition.left, values), rangeOf(condition.right, values)];
	const isKnown = !Number.isNaN(left.low) && !Number.isNaN(right.low);
	return isKnown && !canCompare[opposites[condition.operator]](left, right);
}

const opposites: Readonly<Record<Operator, Operator>> = {
	...{'>': '<=', '<=': '>', '<': '>=', '>=': '<', '=': '!=', '!=': '='},
};

/** On which side of its right side the left side of a crossing is at this price, traded at a time in `times`; 0 also if that is not known. */
export function sideAt({left, right}: Crossing, price: number, times?: Times, linesOf?: MarketData['linesOf']): Side {
	const values = valuesIn(exactly(price), times, linesOf);
	const [a, b] = [rangeOf(left, values), rangeOf(right, values)];
	if (a.low > b.high) return 1;
	return a.high < b.low ? -1 : 0;
}

const canCompare: Readonly<Record<Operator, (left: Range, right: Range) => boolean>> = {
	'>': (left, right) => left.high > right.low,
	'>=': (left, right) => left.high >= right.low,
	'<': (left, right) => left.low < right.high,
	'<=': (left, right) => left.low <= right.high,
	'=': (left, right) => left.low <= right.high && right.low <= left.high,
	'!=': (left, right) => left.low < right.high || left.high > right.low,
};

const anything: Range = {low: -Infinity, high: Infinity};
/** It satisfies no comparison. */
const unknown: Range = {low: Number.NaN, high: Number.NaN};

/** All values that a quantity has. */
type Values = (quantity: Quantity) => Range;

type Times = Pick<Step, 'from' | 'to'>;

/** Those of the last price, which is in `prices`, and of lines in these times. */
const valuesIn =
	(prices: Range, times: Times | undefined, linesOf: MarketData['linesOf']): Values =>
	({name, line: number = 0}) => {
		if (name !== 'line') return prices;
		const line = lineNumbered(number, linesOf);
		if (!line || !times) return unknown;
		const ends = [times.from, times.to].map(time => linePriceAt(line, time));
		const known = ends.flatMap(price => (price === undefined ? [] : exactly(roundedMean(price))));
		if (known.length === 0) return unknown;
		// It goes one way.
		return known.length === 2 ? hull(known) : anything;
	};

/** All values that the expression can have with these values, and maybe more. */
function rangeOf(expression: Expression, values: Values): Range {
	if (expression.type === 'number') return exactly(expression.value);
	if (expression.type === 'quantity') return values(expression);
	const {operator} = expression;
	const left = rangeOf(expression.left, values);
	const right = operandOf(expression.right, operator, left, values);
	const isPoint = left.low === left.high && right.low === right.high;
	if (Number.isNaN(left.low) || Number.isNaN(right.low)) return unknown;
	if (operator === '/' && !isPoint && right.low <= 0 && right.high >= 0) return anything;
	const corners = [left.low, left.high].flatMap(a => [right.low, right.high].map(b => calculated(operator, a, b)));
	if (corners.every(Number.isFinite)) return {low: Math.min(...corners), high: Math.max(...corners)};
	return isPoint ? unknown : anything;
}

function operandOf(right: Expression | Percent, operator: ArithmeticOperator, left: Range, values: Values): Range {
	if (right.type !== 'percent') return rangeOf(right, values);
	const share = right.value / 100;
	if (operator === '*' || operator === '/') return exactly(share);
	return hull([exactly(left.low * share), exactly(left.high * share)]);
}
