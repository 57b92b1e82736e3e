import {memo} from './memo.ts';
import {addedOnTop} from './new-trades.ts';
import {percentile} from './numbers.ts';
import {DecimalSum, sumDecimals} from './precision.ts';
import {firstBefore, type Tape, tradeKey} from './tape.ts';
import type {Side, Trade} from './types.ts';
import {minuteMs} from './units.ts';

/** Volumes by the taker's side. */
export type SideSums = {
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
};

export type TapeSums = SideSums & {
	/** Trades in the last minute. */
	readonly perMinute: number;
	/** There may have been more: a gap lies in the last minute, or the tape does not reach back that far. */
	readonly perMinutePartial: boolean;
};

/** Sums all trades on the tape. The last minute ends at `end`, epoch ms by the clock of the trades. */
export function tapeSums(tape: Tape, end: number): TapeSums {
	const {trades, gaps} = tape;
	const older = trades.findIndex(({time}) => time <= end - minuteMs);
	const perMinute = older < 0 ? trades.length : older;
	// A gap belongs to the trade above it: one below the oldest trade of the minute may still reach into it.
	const hidesSome = gaps.size > 0 && trades.slice(0, perMinute).some(trade => gaps.has(tradeKey(trade)));
	return {...sideSums(tape), perMinute, perMinutePartial: hidesSome || (older < 0 && trades.length > 0)};
}

/** Sums all trades on the tape by their sides. */
export function sideSums({trades, gaps}: Tape): SideSums {
	const sums = sumsBySide(trades);
	return {
		bought: sums.buy,
		sold: sums.sell,
		unknown: sums.unknown,
		delta: sumDecimals([sums.buy, -sums.sell]),
		since: trades.at(-1)?.time,
		hasGaps: gaps.size > 0,
	};
}

/** Whether any trade counted has a known side. */
export const hasSides = ({bought, sold}: SideSums): boolean => bought + sold > 0;

/** Whether the sums of the sides may lack trades: some may be missing, or some but not all have no known side. */
export const isPartial = (sums: SideSums): boolean => sums.hasGaps || (hasSides(sums) && sums.unknown > 0);

/**
 * Sums the trades of the day that begins at `start` (epoch ms), as far as the tape reaches back. `since` is the start of the
 * day if the tape holds an older trade, else the time of its oldest one.
 */
export const daySums = memo((tape: Tape, start: number): SideSums => {
	const end = firstBefore(tape.trades, start);
	if (end === tape.trades.length) return sideSums(tape);
	const trades = tape.trades.slice(0, end);
	// A gap belongs to the trade above it, so one that reaches back over the start counts.
	const gaps = tape.gaps.size > 0 ? tape.gaps.intersection(new Set(trades.map(tradeKey))) : tape.gaps;
	return {...sideSums({trades, gaps}), since: start};
});

/** By the oldest trade: to those of a tape that goes on, which has thousands, only what is new on top of it is added. */
const summerOf = memo((_oldest: Trade) => {
	let sums: Readonly<Record<Side | 'unknown', DecimalSum>> | undefined;
	let summed: readonly Trade[] = [];
	return memo((trades: readonly Trade[]) => {
		const onTop = addedOnTop(summed, trades);
		if (onTop === undefined) sums = undefined;
		sums ??= {buy: new DecimalSum(), sell: new DecimalSum(), unknown: new DecimalSum()};
		for (const {side, quantity} of trades.slice(0, onTop)) sums[side ?? 'unknown'].add(quantity);
		summed = trades;
		return {buy: sums.buy.total, sell: sums.sell.total, unknown: sums.unknown.total};
	});
});

const none = {buy: 0, sell: 0, unknown: 0};

function sumsBySide(trades: readonly Trade[]): Readonly<Record<Side | 'unknown', number>> {
	const oldest = trades.at(-1);
	return oldest ? summerOf(oldest)(trades) : none;
}

/** How many of the newest trades show the usual size. */
const recent = 500;

/** Median quantity of the newest trades, the lower one of two in the middle; undefined without trades. */
export const medianQuantity = memo((trades: readonly Trade[]): number | undefined =>
	medianOf(trades, ({quantity}) => quantity),
);

/** Median of the newest trades' values in quote asset, the lower one of two in the middle; undefined without trades. */
export const medianValue = memo((trades: readonly Trade[]): number | undefined =>
	medianOf(trades, ({price, quantity}) => price * quantity),
);

const medianOf = (trades: readonly Trade[], amount: (trade: Trade) => number): number | undefined =>
	percentile(trades.slice(0, recent).map(amount), 0.5);

/** The multiple of the median at which each tier begins. */
const tiers = [
	{name: 'huge', times: 20},
	{name: 'large', times: 5},
] as const;

export type SizeTier = (typeof tiers)[number]['name'] | 'usual';

export function sizeTier(quantity: number, median: number): SizeTier {
	return tiers.find(({times}) => quantity >= times * median)?.name ?? 'usual';
}

export type DayAverage = {
	/** What the trades cost in quote asset, by what they moved in base asset. */
	readonly price: number;
	/** Epoch ms, as in the sums of the day. */
	readonly since: number;
	/** How many trades it counts. */
	readonly trades: number;
	readonly hasGaps: boolean;
};

/** The volume-weighted average price of the day that begins at `start` (epoch ms), as far as the tape reaches back; undefined without trades. */
export const dayAverage = memo((tape: Tape, start: number): DayAverage | undefined => {
	const {since, hasGaps} = daySums(tape, start);
	const trades = tape.trades.filter(({time}) => time >= start);
	const quantity = sumDecimals(trades.map(trade => trade.quantity));
	const value = trades.reduce((sum, trade) => sum + trade.price * trade.quantity, 0);
	if (since === undefined || quantity === 0) return undefined;
	return {price: value / quantity, since, trades: trades.length, hasGaps};
});
