import {formatPlain} from '../format/number.ts';
import {formatDuration} from '../format/time.ts';
import {minuteMs} from '../market/units.ts';
import type {ArithmeticOperator, Condition, Expression, Percent, Quantity} from './condition.ts';

/** The condition in the syntax of `parseCondition`, with as few parentheses as possible. */
export function printCondition(condition: Condition): string {
	const {type, left, right} = condition;
	if (type === 'comparison') return `${printExpression(left)} ${condition.operator} ${printExpression(right)}`;
	if (type === 'crossing') {
		const direction = condition.direction === 'any' ? '' : ` ${condition.direction}`;
		return `${printExpression(left)} crosses${direction} ${printExpression(right)}`;
	}

	const grouped = (part: Condition, inGroup: readonly Condition['type'][]) =>
		inGroup.includes(part.type) ? `(${printCondition(part)})` : printCondition(part);
	return type === 'or'
		? `${grouped(left, [])} or ${grouped(right, ['or'])}`
		: `${grouped(left, ['or'])} and ${grouped(right, ['or', 'and'])}`;
}

export function printExpression(part: Expression | Percent): string {
	if (part.type === 'number') return formatPlain(part.value);
	if (part.type === 'percent') return `${formatPlain(part.value)}%`;
	if (part.type === 'quantity') {
		const market = part.market === undefined ? '' : `${part.market}.`;
		const taken = argumentsText(part);
		return `${market}${part.name}${taken.length === 0 ? '' : `(${taken.join(', ')})`}`;
	}

	const {operator, left, right} = part;
	const grouped = (side: Expression | Percent, isRight: boolean) =>
		side.type === 'arithmetic' && rank(side.operator) < rank(operator) + (isRight ? 1 : 0)
			? `(${printExpression(side)})`
			: printExpression(side);
	return `${grouped(left, false)} ${operator} ${grouped(right, true)}`;
}

const rank = (operator: ArithmeticOperator): number => (operator === '+' || operator === '-' ? 0 : 1);

/** What stands in parentheses behind the quantity; empty: nothing. */
function argumentsText({windowMs, count, period, distance}: Quantity): readonly string[] {
	return [
		...(windowMs === undefined ? [] : [formatDuration(windowMs)]),
		...(count === undefined ? [] : [String(count)]),
		...(period === undefined ? [] : [formatDuration(period * minuteMs)]),
		...(distance === undefined ? [] : [`${formatPlain(distance)}%`]),
	];
}
