import {groupCount, type PriceStep, stepAt, stepSize, stepsFrom} from './depth.ts';
import {memo} from './memo.ts';
import {powerOfTen} from './precision.ts';
import type {DepthBook, Level} from './types.ts';

/** A coarser grouping would leave fewer rows. */
const fewestRows = 10;

/**
 * The book's own step: the largest of 1, 2 or 5 × 10ⁿ that every price is a multiple of. `decimals` are enough for all of its
 * prices; what is too long for whole numbers has the step of the last decimal.
 */
export const ownStep = memo(({asks, bids = []}: DepthBook, decimals: number): PriceStep => {
	const perPrice = powerOfTen(decimals);
	const units = commonUnits(bids, perPrice, commonUnits(asks, perPrice, 0)) || 1;
	let own = stepAt(decimals, 0);
	for (let index = 0; ; index++) {
		const step = stepAt(decimals, index);
		const size = step.mantissa * powerOfTen(step.exponent + decimals);
		if (size > units) return own;
		if (units % size === 0) own = step;
	}
});

/** The greatest common divisor of `before` and the prices in units: 0 without any, 1 where they are no safe whole numbers. */
function commonUnits(levels: readonly Level[], perPrice: number, before: number): number {
	let common = before;
	for (const [price] of levels) {
		const units = Math.round(price * perPrice);
		if (!Number.isSafeInteger(units)) return 1;
		common = divisorOf(common, units);
		if (common === 1) break;
	}

	return common;
}

function divisorOf(a: number, b: number): number {
	let [larger, smaller] = [a, b];
	while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
	return larger;
}

/**
 * The steps to group a book by, finest first: its own, in which every level has a row, then those that put levels together and
 * leave at least ten rows.
 */
export const groupSteps = memo((book: DepthBook, decimals: number): readonly PriceStep[] => {
	const {asks, bids = []} = book;
	const own = ownStep(book, decimals);
	const rowsIn = (step: PriceStep) => groupCount(asks, 'ask', step) + groupCount(bids, 'bid', step);
	const levels = asks.length + bids.length;
	const steps = [own];
	for (const step of stepsFrom(own, bestPrice(book))) {
		const rows = rowsIn(step);
		if (rows < fewestRows) break;
		if (rows < levels && stepSize(step) > stepSize(own)) steps.push(step);
	}

	return steps;
});

/** The best ask, or the best bid of a book without asks; 0 for an empty book. */
export const bestPrice = ({asks, bids}: DepthBook): number => asks[0]?.[0] ?? bids?.[0]?.[0] ?? 0;
