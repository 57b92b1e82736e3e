import {memo} from './memo.ts';
import {addTo, DecimalSum, difference, noDecimals, powerOfTen, roundDecimals, widen} from './precision.ts';
import type {DepthBook, Level, Trade} from './types.ts';

export type BookSide = 'ask' | 'bid';

/** `mantissa × 10^exponent` in quote asset, kept in whole numbers so that no step is off by a rounding error. */
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
	/** `locked`: both prices are equal; `crossed`: the bid is higher. An exchange would have matched either. */
	readonly state: 'open' | 'locked' | 'crossed';
};

/** A level with the sums of all levels from the best price to it. */
export type CumulativeLevel = {
	readonly price: number;
	readonly quantity: number;
	/** This level and all better ones, in base asset. */
	readonly cumulative: number;
	/** Their value at their own prices, in quote asset. */
	readonly value: number;
};

/** Spread and mid of a book; undefined unless both sides have a level. */
export function spreadOf(book: DepthBook): Spread | undefined {
	const ask = book.asks[0]?.[0];
	const bid = book.bids?.[0]?.[0];
	if (ask === undefined || bid === undefined) return undefined;
	const spread = difference(ask, bid);
	// The sum of the largest prices is not finite; halves of the smallest are 0.
	const mid = ask + bid < Infinity ? (ask + bid) / 2 : ask / 2 + bid / 2;
	const state = spread > 0 ? 'open' : spread === 0 ? 'locked' : 'crossed';
	return {spread, mid, basisPoints: (spread / mid) * 10_000, state};
}

/** The fewest decimals that fit all prices and quantities. */
export const levelDecimals = memo((levels: readonly Level[]) =>
	widen(noDecimals, {prices: levels.map(level => level[0]), quantities: levels.map(level => level[1])}),
);

/** Adds the sums to `levels` (best first). */
export const cumulative = memo((levels: readonly Level[]): readonly CumulativeLevel[] => {
	const decimals = levelDecimals(levels);
	const [sizes, values] = [new DecimalSum(), new DecimalSum()];
	return levels.map(([price, quantity]) => ({
		price,
		quantity,
		cumulative: sizes.add(quantity).total,
		value: values.add(roundDecimals(price * quantity, decimals.price + decimals.quantity)).total,
	}));
});

export type BookTotals = {
	/** All levels of the side, in base asset. */
	readonly asks: number;
	readonly bids: number;
	/** The bids' share of both sides, 0 to 1. */
	readonly bidShare: number;
};

/** Total quantity of each side; undefined unless both sides have a level. */
export function totalsOf({asks, bids = []}: DepthBook): BookTotals | undefined {
	if (asks.length === 0 || bids.length === 0) return undefined;
	const total = (levels: readonly Level[]) => cumulative(levels).at(-1)?.cumulative ?? 0;
	const sizes = {asks: total(asks), bids: total(bids)};
	return {...sizes, bidShare: sizes.bids / (sizes.asks + sizes.bids)};
}

const mantissas = [1, 2, 5] as const;

/** The price step at `index`: one unit of the last of `decimals` at 0, then 2, 5, 10, 20, 50 … units. */
export function stepAt(decimals: number, index: number): PriceStep {
	return {
		mantissa: mantissas[index % mantissas.length] ?? 1,
		exponent: Math.floor(index / mantissas.length) - decimals,
	};
}

/** `finest` and every coarser step up to a tenth of `price`, finest first. */
export function stepsFrom(finest: PriceStep, price: number): readonly PriceStep[] {
	const steps = [finest];
	const first = mantissas.indexOf(finest.mantissa);
	const nextOne = () => stepAt(-finest.exponent, first + steps.length);
	for (let step = nextOne(); stepSize(step) <= price / 10; step = nextOne()) steps.push(step);
	return steps;
}

/** The step of this size (in quote asset), where that is 1, 2 or 5 × 10ⁿ. */
export function stepOf(size: number): PriceStep | undefined {
	const [digits, exponent] = size.toExponential().split('e').map(Number);
	const mantissa = mantissas.find(each => each === digits);
	return mantissa === undefined || exponent === undefined ? undefined : {mantissa, exponent};
}

/** The step as a price difference, in quote asset. */
export const stepSize = (step: PriceStep): number => multiple(1, step);

/** Decimals that show every multiple of the step exactly. */
export const stepDecimals = (step: PriceStep): number => Math.max(0, -step.exponent);

/**
 * Groups `levels` (best first) into one level per step, best first. Bids are rounded down and asks up, so that no group
 * promises a better price than its levels have. A bid below one step is grouped at 0.
 */
export const groupLevels = (levels: readonly Level[], side: BookSide, step: PriceStep): readonly Level[] =>
	groupsOf(levels, side, step).map(({level}) => level);

/** The groups of `groupLevels` with their sums. Values are at the levels' own prices, not at those of the groups. */
export function cumulativeGroups(
	levels: readonly Level[],
	side: BookSide,
	step: PriceStep,
): readonly CumulativeLevel[] {
	const sums = cumulative(levels);
	return groupsOf(levels, side, step).map(({level: [price, quantity], last}) => {
		const {cumulative: size = 0, value = 0} = sums[last] ?? {};
		return {price, quantity, cumulative: size, value};
	});
}

/** How many levels `groupLevels` makes of these. */
export const groupCount = (levels: readonly Level[], side: BookSide, step: PriceStep): number =>
	groupStarts(levels, side, step).length;

type Group = {readonly level: Level /** Index of its worst level. */; readonly last: number};

function groupsOf(levels: readonly Level[], side: BookSide, step: PriceStep): readonly Group[] {
	const starts = groupStarts(levels, side, step);
	return starts.map(({price, first}, index) => {
		const last = (starts[index + 1]?.first ?? levels.length) - 1;
		const sum = new DecimalSum();
		for (let at = first; at <= last; at++) sum.add(levels[at]?.[1] ?? 0);
		return {level: [price, sum.total], last};
	});
}

/** The price of each group and the index of its best level. */
function groupStarts(levels: readonly Level[], side: BookSide, step: PriceStep) {
	const starts: Array<{readonly price: number; readonly first: number}> = [];
	let price = Number.NaN;
	for (const [first, [level]] of levels.entries()) {
		// Levels become worse: the first one beyond the price of a group begins the next.
		if (side === 'ask' ? level <= price : level >= price) continue;
		const count = wholeSteps(level, side, step);
		price = count === undefined ? level : multiple(count, step);
		starts.push({price, first});
	}

	return starts;
}

/** The prices that `tradedVolume` covers, in quote asset. */
type TradedRange = {
	/** The first and the last group, in either order. */
	readonly from: number;
	readonly to: number;
	/** Trades above it count only for asks, all others only for bids. Absent: every trade counts. */
	readonly middle?: number | undefined;
};

/**
 * The volume traded in each group of a side within the range, in base asset. The returned function takes the price of a
 * group, and returns undefined where nothing was traded. A trade belongs to the group that `groupLevels` would put a level
 * of its price into.
 */
export function tradedVolume(
	trades: readonly Trade[],
	side: BookSide,
	step: PriceStep,
	{from, to, middle}: TradedRange,
): (price: number) => number | undefined {
	const size = stepSize(step);
	// Both ends are groups: they take in prices up to one step outside the range.
	const [least, most] = [Math.min(from, to) - size, Math.max(from, to) + size];
	const isOfSide = (price: number) => middle === undefined || (side === 'ask' ? price > middle : price <= middle);
	const byPrice = new Map<number, DecimalSum>();
	for (const {price, quantity} of trades) {
		if (price >= least && price <= most && isOfSide(price)) addTo(byPrice, price, quantity);
	}

	const volumes = new Map<number, DecimalSum>();
	for (const [price, {total}] of byPrice) {
		const count = wholeSteps(price, side, step);
		if (count !== undefined) addTo(volumes, count, total);
	}

	return price => volumes.get(wholeSteps(price, side, step) ?? Number.NaN)?.total;
}

/**
 * Steps from 0 to the group of a price: rounded down for bids, up for asks. Undefined where the price lies so many steps from 0 that a
 * double cannot tell neighbouring steps apart.
 */
export function wholeSteps(price: number, side: BookSide, step: PriceStep): number | undefined {
	let count = Math.floor(price / stepSize(step));
	if (!Number.isSafeInteger((count + 1) * step.mantissa)) return undefined;
	// The quotient is rounded (0.3 / 0.1 is 2.99…); the multiples are not.
	while (multiple(count, step) > price) count--;
	while (multiple(count + 1, step) <= price) count++;
	return side === 'ask' && multiple(count, step) < price ? count + 1 : count;
}

/** The double nearest to the decimal: a quotient of two exact whole numbers is rounded once. */
function multiple(count: number, {mantissa, exponent}: PriceStep): number {
	return exponent < 0 ? (count * mantissa) / powerOfTen(-exponent) : count * mantissa * powerOfTen(exponent);
}
