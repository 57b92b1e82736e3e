import {stepAt, stepSize} from './depth.ts';
import {memo} from './memo.ts';
import {percentile} from './numbers.ts';
import {DecimalSum, sumDecimals} from './precision.ts';
import {type Tape, tradeKey} from './tape.ts';
import type {Side, Trade} from './types.ts';
import {minuteMs} from './units.ts';

export type TapeSums = {
	/** Bought by takers, in base asset. */
	readonly bought: number;
	readonly sold: number;
	/** Traded without a known side. */
	readonly unknown: number;
	/** Bought minus sold. */
	readonly delta: number;
	/** Epoch ms of the oldest trade counted; absent: there is none. */
	readonly since?: number | undefined;
	/** Trades may be missing, so the sums are lower bounds. */
	readonly hasGaps: boolean;
	/** Trades in the last minute. */
	readonly perMinute: number;
	/** There may have been more: a gap lies in the last minute, or the tape does not reach back that far. */
	readonly perMinutePartial: boolean;
};

/** Sums all trades on the tape. The last minute ends at `now` (epoch ms; the exchange's time where it has one). */
export function tapeSums({trades, gaps}: Tape, now: number): TapeSums {
	const sums = sumsBySide(trades);
	const older = trades.findIndex(({time}) => time <= now - minuteMs);
	const perMinute = older < 0 ? trades.length : older;
	// A gap belongs to the trade above it: one below the oldest trade of the minute may still reach into it.
	const hidesSome = gaps.size > 0 && trades.slice(0, perMinute).some(trade => gaps.has(tradeKey(trade)));
	return {
		bought: sums.buy,
		sold: sums.sell,
		unknown: sums.unknown,
		delta: sumDecimals([sums.buy, -sums.sell]),
		since: trades.at(-1)?.time,
		hasGaps: gaps.size > 0,
		perMinute,
		perMinutePartial: hidesSome || (older < 0 && trades.length > 0),
	};
}

/** Cached by list: these sums do not depend on the clock. */
const sumsBySide = memo((trades: readonly Trade[]) => {
	const sums: Record<Side | 'unknown', DecimalSum> = {
		buy: new DecimalSum(),
		sell: new DecimalSum(),
		unknown: new DecimalSum(),
	};
	for (const {side, quantity} of trades) sums[side ?? 'unknown'].add(quantity);
	return {buy: sums.buy.total, sell: sums.sell.total, unknown: sums.unknown.total};
});

/** How many of the newest trades show the usual size. */
const recent = 500;

/** Median quantity of the newest trades, the lower one of two in the middle; undefined without trades. */
export const medianQuantity = memo((trades: readonly Trade[]): number | undefined =>
	percentile(
		trades.slice(0, recent).map(({quantity}) => quantity),
		0.5,
	),
);

/** The multiple of the median at which each tier begins. */
const tiers = [
	{name: 'huge', times: 20},
	{name: 'large', times: 5},
] as const;

export type SizeTier = (typeof tiers)[number]['name'] | 'usual';

export function sizeTier(quantity: number, median: number): SizeTier {
	return tiers.find(({times}) => quantity >= times * median)?.name ?? 'usual';
}

/**
 * The next larger or smaller minimum size out of 1, 2, 5 × 10ⁿ; 0 hides no trade. From 0 it steps to about the median. It
 * never exceeds the largest trade, and returns to 0 where it would hide nothing. `decimals`: of quantities.
 */
export function nextMinSize(minSize: number, by: 1 | -1, trades: readonly Trade[], decimals: number): number {
	const quantities = trades.map(({quantity}) => quantity);
	const least = quantities.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
	const most = quantities.reduce((a, b) => Math.max(a, b), 0);
	if (minSize === 0 && by < 0) return 0;

	const sizes: number[] = [];
	for (let index = 0, size = 0; ; index++) {
		size = stepSize(stepAt(decimals, index));
		if (size > most) break;
		sizes.push(size);
	}

	if (by < 0) {
		const smaller = sizes.findLast(size => size < minSize) ?? 0;
		return smaller > least ? smaller : 0;
	}

	const from = minSize === 0 ? (medianQuantity(trades) ?? 0) : minSize;
	if (minSize === 0) return sizes.findLast(size => size <= from) ?? sizes[0] ?? 0;
	return sizes.find(size => size > from) ?? minSize;
}
