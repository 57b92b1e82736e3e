import {monthsIn} from './calendar.ts';
import {candleEnd, candleStart, startAfter} from './candles.ts';
import {commonStart, incremental, type Results, type Walk} from './follow.ts';
import {memo} from './memo.ts';
import {firstWhere} from './numbers.ts';
import {sumDecimals} from './precision.ts';
import {type Candle, commonPeriods, type Period} from './types.ts';
import {dayMinutes} from './units.ts';

/** Candles of a longer period, built from shorter ones. */
export type CandleGroups = {
	/** Oldest first. A time without shorter candles has no group. */
	readonly candles: readonly Candle[];
	/** For each: the index of the last shorter candle in it. */
	readonly ends: readonly number[];
	/** Indexes of candles before or in which shorter ones are missing. */
	readonly gaps: readonly number[];
};

/**
 * Groups candles of `period` (oldest first) into candles of `longer`. The first group may lack its beginning. Complete
 * groups are reused while a list changes only at its end.
 */
export function groupCandles(candles: readonly Candle[], period: Period, longer: Period): CandleGroups {
	const [first] = candles;
	if (!first) return noGroups;
	const latest = latestGrouping(first, period, longer);
	if (latest.candles !== candles) {
		latest.groups = continuedGroups(completeGroups(latest, candles), candles, period, longer);
		latest.candles = candles;
	}

	return latest.groups;
}

const noGroups: CandleGroups = {candles: [], ends: [], gaps: []};

type Grouping = {candles: readonly Candle[]; groups: CandleGroups};

/** The latest grouping of a list with this first candle. */
const latestGrouping = memo(
	(_first: Candle, _period: Period, _longer: Period): Grouping => ({candles: [], groups: noGroups}),
);

/** The groups that hold the same candles in both lists, and are followed by another group in both. */
function completeGroups({candles, groups}: Grouping, next: readonly Candle[]): CandleGroups {
	const common = commonStart(candles, next);
	const opened = groups.ends.findIndex(end => end + 1 >= common);
	const count = opened < 0 ? groups.ends.length : opened;
	return {
		candles: groups.candles.slice(0, count),
		ends: groups.ends.slice(0, count),
		gaps: groups.gaps.filter(gap => gap < count),
	};
}

/** `complete` and the groups of all candles after it. */
function continuedGroups(
	complete: CandleGroups,
	candles: readonly Candle[],
	period: Period,
	longer: Period,
): CandleGroups {
	const groups = [...complete.candles];
	const ends = [...complete.ends];
	const gaps = [...complete.gaps];
	let first = (ends.at(-1) ?? -1) + 1;
	while (first < candles.length) {
		const time = candleStart(candles[first]?.time ?? 0, longer);
		const end = startAfter(time, longer);
		let missing = false;
		let next = first;
		for (let candle = candles[next]; candle && candle.time < end; candle = candles[next]) {
			const before = candles[next - 1];
			if (before && candle.time !== candleEnd(before, period)) missing = true;
			next++;
		}

		if (missing) gaps.push(groups.length);
		groups.push(groupOf(candles.slice(first, next), time));
		ends.push(next - 1);
		first = next;
	}

	return {candles: groups, ends, gaps};
}

/** Start times of the candles before or in which shorter ones are missing; undefined: there are none. */
export const startsOfGaps = ({candles, gaps}: CandleGroups): ReadonlySet<number> | undefined =>
	gaps.length > 0 ? new Set(gaps.map(index => candles[index]?.time ?? 0)) : undefined;

function groupOf(parts: readonly Candle[], time: number): Candle {
	let high = -Infinity;
	let low = Infinity;
	for (const part of parts) {
		high = Math.max(high, part.high);
		low = Math.min(low, part.low);
	}

	const volume = sumDecimals(parts.map(part => part.volume));
	const marks = {
		...(parts.every(({builtFrom}) => builtFrom === 'trades') && {builtFrom: 'trades' as const}),
		...(parts.some(({partial}) => partial) && {partial: true}),
	};
	return {time, open: parts[0]?.open ?? 0, high, low, close: parts.at(-1)?.close ?? 0, volume, ...marks};
}

/** Builds candles of `longer`, without a first one that lacks its beginning. The last may still be forming. */
export function candlesBuiltFrom(candles: readonly Candle[], period: Period, longer: Period): readonly Candle[] {
	const {candles: built} = groupCandles(candles, period, longer);
	return built[0]?.time === candles[0]?.time ? built : built.slice(1);
}

const averages = incremental((): Walk<Candle> => {
	let before: Candle | undefined;
	let last: Candle | undefined;
	const averaged = (candle: Candle): Candle => {
		const close = (candle.open + candle.high + candle.low + candle.close) / 4;
		const open = before ? (before.open + before.close) / 2 : (candle.open + candle.close) / 2;
		last = {...candle, open, close, high: Math.max(candle.high, open, close), low: Math.min(candle.low, open, close)};
		return last;
	};

	return {
		next(candle) {
			before = last;
			return averaged(candle);
		},
		replace: averaged,
	};
});

/** Heikin-Ashi candles: averages that smooth the traded prices, so no trade has these prices. Volumes and times stay. */
export const heikinAshi = (candles: readonly Candle[]): Results<Candle> => averages(candles);

/** The shorter common periods that `period` can be built from, longest first. Months are built from days or less. */
export function buildingPeriods(period: Period): readonly Period[] {
	const whole = monthsIn(period) > 0 ? dayMinutes : period;
	return commonPeriods
		.filter(shorter => shorter < period && shorter <= whole && whole % shorter === 0)
		.sort((a, b) => b - a);
}

/** Index of the last candle that starts at or before `time` (epoch ms); −1: all are later. */
export const indexAtTime = (candles: readonly Candle[], time: number): number =>
	firstWhere(0, candles.length, index => (candles[index]?.time ?? Infinity) > time) - 1;
