import type {ArithmeticOperator} from './condition.ts';

const calculates: Readonly<Record<ArithmeticOperator, (left: number, right: number) => number>> = {
	'+': (left, right) => left + right,
	'-': (left, right) => left - right,
	'*': (left, right) => left * right,
	'/': (left, right) => left / right,
};

/** NaN: divided by 0, or too large. What is beyond 15 digits is a rounding error: 1.1 × 70,000 is 77,000. */
export function calculated(operator: ArithmeticOperator, left: number, right: number): number {
	const value = calculates[operator](left, right);
	return Number.isFinite(value) ? Number(value.toPrecision(15)) : Number.NaN;
}
