import type {DepthBook, Level, Trade} from './types.ts';

export type BookSide = 'ask' | 'bid';

/** `mantissa × 10^exponent` in quote asset, kept in whole numbers so that no step is off by a rounding. */
export type PriceStep = {
	readonly mantissa: 1 | 2 | 5;
	readonly exponent: number;
};

export type Spread = {
	/** Best ask minus best bid, in quote asset; negative where they cross. */
	readonly spread: number;
	readonly mid: number;
	/** The spread in hundredths of a percent of the mid. */
	readonly basisPoints: number;
	/** `locked`: both prices are the same; `crossed`: the bid is the higher one. An exchange would have matched either. */
	readonly state: 'open' | 'locked' | 'crossed';
};

/** A level with what one gets by taking everything from the best price to it. */
export type CumulativeLevel = {
	readonly price: number;
	readonly quantity: number;
	/** This level and all better ones, in base asset. */
	readonly cumulative: number;
	/** What they are worth at their prices, in quote asset. */
	readonly value: number;
};

/** Absent unless the book holds a level on both sides. */
export function spreadOf(book: DepthBook): Spread | undefined {
	const ask = book.asks[0]?.[0];
	const bid = book.bids?.[0]?.[0];
	if (ask === undefined || bid === undefined) return undefined;
	const spread = ask - bid;
	const mid = (ask + bid) / 2;
	const state = spread > 0 ? 'open' : spread === 0 ? 'locked' : 'crossed';
	return {spread, mid, basisPoints: (spread / mid) * 10_000, state};
}

export function cumulative(levels: readonly Level[]): readonly CumulativeLevel[] {
	let sum = 0;
	let value = 0;
	return levels.map(([price, quantity]) => {
		sum += quantity;
		value += price * quantity;
		return {price, quantity, cumulative: sum, value};
	});
}

export type BookTotals = {
	/** All levels of the side, in base asset. */
	readonly asks: number;
	readonly bids: number;
	/** The bids' part of both, 0 to 1. */
	readonly bidShare: number;
};

/** Absent unless the book holds a level on both sides. */
export function totalsOf({asks, bids = []}: DepthBook): BookTotals | undefined {
	if (asks.length === 0 || bids.length === 0) return undefined;
	const total = (levels: readonly Level[]) => levels.reduce((sum, [, quantity]) => sum + quantity, 0);
	const sizes = {asks: total(asks), bids: total(bids)};
	return {...sizes, bidShare: sizes.bids / (sizes.asks + sizes.bids)};
}

const mantissas = [1, 2, 5] as const;

/** Index 0 is the finest, one unit of the last of `decimals`; then 2, 5, 10, 20, 50 … of it. */
export function stepAt(decimals: number, index: number): PriceStep {
	return {
		mantissa: mantissas[index % mantissas.length] ?? 1,
		exponent: Math.floor(index / mantissas.length) - decimals,
	};
}

/** Every step worth offering at `price`, finest first: at least one, and none above a tenth of the price. */
export function groupSteps(decimals: number, price: number): readonly PriceStep[] {
	const steps = [stepAt(decimals, 0)];
	for (let step = stepAt(decimals, 1); stepSize(step) <= price / 10; step = stepAt(decimals, steps.length)) {
		steps.push(step);
	}

	return steps;
}

/** In quote asset. */
export const stepSize = (step: PriceStep): number => multiple(1, step);

/** Decimals that show every multiple of the step exactly. */
export const stepDecimals = (step: PriceStep): number => Math.max(0, -step.exponent);

/**
 * One level a step: bids are put down to the step below, asks up to the step above, so that no group promises a better
 * price than its levels have. `levels` best first, and so is the answer. A bid below one step is grouped at 0.
 */
export function groupLevels(levels: readonly Level[], side: BookSide, step: PriceStep): readonly Level[] {
	const groups: [price: number, quantity: number][] = [];
	let groupCount: number | undefined;
	for (const [price, quantity] of levels) {
		const count = wholeSteps(price, side, step);
		const group = groups.at(-1);
		if (group && count !== undefined && count === groupCount) {
			group[1] += quantity;
		} else {
			groups.push([count === undefined ? price : multiple(count, step), quantity]);
			groupCount = count;
		}
	}

	return groups;
}

/**
 * What was traded at each price of a side's grouped levels between `from` and `to`, in base asset: ask the answer with such a
 * price. Undefined where nothing was. A trade between two steps counts for the step that `groupLevels` would put a level of
 * its price to.
 */
export function tradedVolume(
	trades: readonly Trade[],
	side: BookSide,
	step: PriceStep,
	{from, to}: {readonly from: number; readonly to: number},
): (price: number) => number | undefined {
	const size = stepSize(step);
	// Both ends are groups: what is put to them lies up to a step beside them.
	const [least, most] = [Math.min(from, to) - size, Math.max(from, to) + size];
	const byPrice = new Map<number, number>();
	for (const {price, quantity} of trades) {
		if (price >= least && price <= most) byPrice.set(price, (byPrice.get(price) ?? 0) + quantity);
	}

	const volumes = new Map<number, number>();
	for (const [price, quantity] of byPrice) {
		const count = wholeSteps(price, side, step);
		if (count !== undefined) volumes.set(count, (volumes.get(count) ?? 0) + quantity);
	}

	return price => volumes.get(wholeSteps(price, side, step) ?? Number.NaN);
}

/** Absent where the price lies so many steps from 0 that a double cannot tell neighbouring steps apart. */
function wholeSteps(price: number, side: BookSide, step: PriceStep): number | undefined {
	let count = Math.floor(price / stepSize(step));
	if (!Number.isSafeInteger((count + 1) * step.mantissa)) return undefined;
	// The quotient is rounded (0.3 / 0.1 is 2.99…); the multiples are not.
	while (multiple(count, step) > price) count--;
	while (multiple(count + 1, step) <= price) count++;
	return side === 'ask' && multiple(count, step) < price ? count + 1 : count;
}

/** The double nearest to the decimal: a quotient of two exact whole numbers is rounded once. */
function multiple(count: number, {mantissa, exponent}: PriceStep): number {
	return exponent < 0 ? (count * mantissa) / 10 ** -exponent : count * mantissa * 10 ** exponent;
}
