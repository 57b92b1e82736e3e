import {candleEnd} from '../market/candles.ts';
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
} from './condition.ts';
import type {Side} from './judge.ts';

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

/** Judges what no trade is known of by the candles of that time: only what must have happened in the gap is said to have. */
export function missedIn(condition: Condition, before: Before, gap: Gap, candles: PastCandles): Missed {
	const steps = isOfLast(condition) ? stepsIn(gap, candles) : undefined;
	if (!steps) return {type: 'unknown'};
	const first = firstPossible(condition, before, steps);
	const from = steps[first]?.from;
	if (from === undefined) return {type: 'none'};
	const [next] = gap.after;
	const all = [...steps, {from: next.time, to: next.time, orders: [[next.price]], prices: exactly(next.price)}];
	const last = certainStep(condition, before, all);
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
function firstPossible(condition: Condition, {sideOf}: Before, steps: readonly Step[]): number {
	let traded = nothing;
	return steps.findIndex(({prices}) => {
		traded = hull([traded, prices]);
		return canHold(condition, traded, sideOf);
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
function certainStep(condition: Condition, before: Before, steps: readonly Step[]): number | undefined {
	const {type} = condition;
	if (crossingsIn(condition).length === 0) {
		const at = (price: number) => (canHold(condition, exactly(price), () => 0) ? 1 : -1);
		return crossedBy({start: before.isReleased ? -1 : 1, direction: 'above', at}, steps);
	}

	if (type === 'crossing') {
		const at = (price: number) => sideAt(condition, price);
		return crossedBy({start: before.sideOf(condition), direction: condition.direction, at}, steps);
	}

	// The trade that crosses is not known, so neither is what else holds at it.
	if (type !== 'or' || !before.isReleased) return undefined;
	const parts = [condition.left, condition.right].flatMap(part => certainStep(part, before, steps) ?? []);
	return parts.length > 0 ? Math.min(...parts) : undefined;
}

/** What goes from one side to the other as the price changes. */
type Signal = {
	/** Where it was before. */
	readonly start: Side;
	readonly direction: Crossing['direction'];
	at(price: number): Side;
};

function crossedBy(signal: Signal, steps: readonly Step[]): number | undefined {
	// Where it can be without having crossed.
	let sides: ReadonlySet<Side> = new Set([signal.start]);
	for (const [index, {orders}] of steps.entries()) {
		sides = new Set([...sides].flatMap(side => orders.flatMap(prices => uncrossed(signal, side, prices) ?? [])));
		if (sides.size === 0) return index;
	}

	return undefined;
}

/** Where the signal is after these prices; undefined: it crossed. */
function uncrossed({direction, at}: Signal, start: Side, prices: readonly number[]): Side | undefined {
	let side = start;
	for (const price of prices) {
		const next = at(price);
		if (next === 0 || next === side) continue;
		if (side !== 0 && (direction === 'any' || (direction === 'above') === next > 0)) return undefined;
		side = next;
	}

	return side;
}

/**
 * Whether a condition of the last price can be true while it is in `prices`, for any order of them; exact for one price and
 * no crossings. `sideOf`: where the left side of a crossing was before.
 */
function canHold(condition: Condition, prices: Range, sideOf: (crossing: Crossing) => Side): boolean {
	const {type} = condition;
	if (type === 'and') return canHold(condition.left, prices, sideOf) && canHold(condition.right, prices, sideOf);
	if (type === 'or') return canHold(condition.left, prices, sideOf) || canHold(condition.right, prices, sideOf);
	const [left, right] = [rangeOf(condition.left, prices), rangeOf(condition.right, prices)];
	if (type === 'comparison') return canCompare[condition.operator](left, right);
	const before = sideOf(condition);
	return (before > 0 || left.high > right.low) && (before < 0 || left.low < right.high);
}

/** On which side of its right side the left side of a crossing is at this price. */
export function sideAt({left, right}: Crossing, price: number): Side {
	const [a, b] = [rangeOf(left, exactly(price)).low, rangeOf(right, exactly(price)).low];
	if (a > b) return 1;
	return a < b ? -1 : 0;
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

/** All values that the expression can have while the last price is in `prices`, and maybe more. */
function rangeOf(expression: Expression, prices: Range): Range {
	if (expression.type === 'number') return exactly(expression.value);
	if (expression.type === 'quantity') return prices;
	const {operator} = expression;
	const left = rangeOf(expression.left, prices);
	const right = operandOf(expression.right, operator, left, prices);
	const isPoint = left.low === left.high && right.low === right.high;
	if (Number.isNaN(left.low) || Number.isNaN(right.low)) return unknown;
	if (operator === '/' && !isPoint && right.low <= 0 && right.high >= 0) return anything;
	const corners = [left.low, left.high].flatMap(a => [right.low, right.high].map(b => calculated(operator, a, b)));
	if (corners.every(Number.isFinite)) return {low: Math.min(...corners), high: Math.max(...corners)};
	return isPoint ? unknown : anything;
}

function operandOf(right: Expression | Percent, operator: ArithmeticOperator, left: Range, prices: Range): Range {
	if (right.type !== 'percent') return rangeOf(right, prices);
	const share = right.value / 100;
	if (operator === '*' || operator === '/') return exactly(share);
	return hull([exactly(left.low * share), exactly(left.high * share)]);
}
