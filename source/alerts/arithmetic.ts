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
	return Number.isFinite(value) ? rounded(value, 15) : Number.NaN;
}

/** The mean of hundreds of equal prices is that price: what is beyond 13 digits adds up from rounding errors. */
export const roundedMean = (value: number): number => rounded(value, 13);

const rounded = (value: number, digits: number): number => Number(value.toPrecision(digits));
