import {calculated} from './arithmetic.ts';
import {
	type ArithmeticOperator,
	type Condition,
	type Crossing,
	type Expression,
	type Operator,
	type Percent,
	quantitiesIn,
} from './condition.ts';

/** Values from the lowest to the highest. */
export type Range = {readonly low: number; readonly high: number};

/** −1: below, 1: above, 0: neither, or unknown. */
export type Side = -1 | 0 | 1;

export const exactly = (value: number): Range => ({low: value, high: value});

export const hull = (ranges: readonly Range[]): Range => ({
	low: Math.min(...ranges.map(({low}) => low)),
	high: Math.max(...ranges.map(({high}) => high)),
});

/** Whether nothing but the last price of one market can make the condition true or false. */
export function isOfLast(condition: Condition): boolean {
	const quantities = quantitiesIn(condition);
	const markets = new Set(quantities.map(({market}) => market));
	return markets.size === 1 && quantities.every(({name}) => name === 'last');
}

export function hasCrossing(condition: Condition): boolean {
	if (condition.type === 'and' || condition.type === 'or') {
		return hasCrossing(condition.left) || hasCrossing(condition.right);
	}

	return condition.type === 'crossing';
}

/** All crossings, from left to right. */
export function crossingsIn(condition: Condition): readonly Crossing[] {
	if (condition.type === 'crossing') return [condition];
	if (condition.type === 'comparison') return [];
	return [...crossingsIn(condition.left), ...crossingsIn(condition.right)];
}

/**
 * Whether a condition of the last price can be true while it is in `prices`, for any order of them; exact for one price and
 * no crossings. `sideOf`: where the left side of a crossing was before.
 */
export function canHold(condition: Condition, prices: Range, sideOf: (crossing: Crossing) => Side): boolean {
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
