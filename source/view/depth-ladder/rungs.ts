import {
	type BookSide,
	type CumulativeLevel,
	cumulative,
	groupLevels,
	groupSteps,
	type PriceStep,
	stepDecimals,
} from '../../market/depth.ts';
import type {Decimals} from '../../market/precision.ts';
import type {DepthBook} from '../../market/types.ts';

/** A book as the ladder shows it: grouped, added up, best first. */
export type Rungs = {
	readonly asks: readonly CumulativeLevel[];
	/** Absent: the interface shows no bids. */
	readonly bids?: readonly CumulativeLevel[] | undefined;
	readonly step: PriceStep;
	readonly priceDecimals: number;
};

/** The steps that `+` and `-` go through for this book, finest first. */
export function ladderSteps(book: DepthBook, decimals: Decimals): readonly PriceStep[] {
	return groupSteps(decimals.price, book.asks[0]?.[0] ?? book.bids?.[0]?.[0] ?? 0);
}

/** `grouping` is an index of `ladderSteps`; beyond the last it is the last. */
export function ladderStep(book: DepthBook, decimals: Decimals, grouping: number): PriceStep {
	const steps = ladderSteps(book, decimals);
	return steps[Math.min(Math.max(grouping, 0), steps.length - 1)] ?? {mantissa: 1, exponent: -decimals.price};
}

export function rungsOf(book: DepthBook, decimals: Decimals, grouping: number): Rungs {
	const step = ladderStep(book, decimals, grouping);
	// The finest step is the unit of the prices themselves: there is nothing to put together.
	const finest = step.mantissa === 1 && step.exponent === -decimals.price;
	const side = (levels: DepthBook['asks'], name: BookSide) =>
		cumulative(finest ? levels : groupLevels(levels, name, step));
	return {
		asks: side(book.asks, 'ask'),
		bids: book.bids && side(book.bids, 'bid'),
		step,
		priceDecimals: stepDecimals(step),
	};
}
