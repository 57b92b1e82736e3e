import {stepAt, stepSize} from './depth.ts';
import {medianQuantity} from './tape-sums.ts';
import type {Trade} from './types.ts';

/**
 * The next larger or smaller of the sizes 1, 2, 5 × 10ⁿ below which trades are hidden; 0: none is. From 0 it goes to about the
 * median, never beyond the largest trade, and back to 0 where it would hide nothing any more. `decimals`: of quantities.
 */
export function nextMinimum(minimum: number, by: 1 | -1, trades: readonly Trade[], decimals: number): number {
	const quantities = trades.map(({quantity}) => quantity);
	const least = quantities.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
	const most = quantities.reduce((a, b) => Math.max(a, b), 0);
	if (minimum === 0 && by < 0) return 0;

	const sizes: number[] = [];
	for (let index = 0, size = 0; ; index++) {
		size = stepSize(stepAt(decimals, index));
		if (size > most) break;
		sizes.push(size);
	}

	if (by < 0) {
		const smaller = sizes.findLast(size => size < minimum) ?? 0;
		return smaller > least ? smaller : 0;
	}

	const from = minimum === 0 ? (medianQuantity(trades) ?? 0) : minimum;
	if (minimum === 0) return sizes.findLast(size => size <= from) ?? sizes[0] ?? 0;
	return sizes.find(size => size > from) ?? minimum;
}
