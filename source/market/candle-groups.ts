import {candleEnd, candleStart} from './candles.ts';
import {followed, type Results, sameBeginning, type Walk} from './follow.ts';
import {sumDecimals} from './precision.ts';
import type {Candle, Period} from './types.ts';

/** Candles of a longer period, made of shorter ones. */
export type CandleGroups = {
	/** Oldest first; a stretch of time without candles has none. */
	readonly candles: readonly Candle[];
	/** For each: the index of the last shorter candle in it. */
	readonly ends: readonly number[];
	/** Indexes of candles before or in which shorter ones are missing. */
	readonly gaps: readonly number[];
};

const minuteMs = 60_000;
const weekMinutes = 7 * 24 * 60;
/** The first Monday since the epoch, which began on a Thursday. */
const firstMonday = Date.UTC(1970, 0, 5);

/** The start of some candle of this period: weeks begin on Monday, everything else is counted from the epoch. */
const anchorOf = (period: Period): number => (period % weekMinutes === 0 ? firstMonday : 0);

/** The candles of `period` (oldest first) gathered in candles of `longer`. The first may lack its beginning. */
export function groupCandles(candles: readonly Candle[], period: Period, longer: Period): CandleGroups {
	return groupedOn({candles: [], ends: [], gaps: []}, candles, period, longer);
}

/** The same of a list that goes on from an earlier one: `known`, whose groups no new or other candle belongs to. */
function groupedOn(known: CandleGroups, candles: readonly Candle[], period: Period, longer: Period): CandleGroups {
	const groups = [...known.candles];
	const ends = [...known.ends];
	const gaps = [...known.gaps];
	const anchor = anchorOf(longer);
	let first = (ends.at(-1) ?? -1) + 1;
	while (first < candles.length) {
		const time = candleStart(candles[first]?.time ?? 0, longer, anchor);
		const end = time + longer * minuteMs;
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

type Grouped = {readonly candles: readonly Candle[]; readonly groups: CandleGroups};

/**
 * `groupCandles` for lists that follow each other: groups that are complete stay as they are while the newest candle moves
 * or others come after it.
 */
export function createGrouper(): typeof groupCandles {
	const known = new WeakMap<Candle, Map<string, Grouped>>();
	return (candles, period, longer) => {
		const [first] = candles;
		if (!first) return groupCandles(candles, period, longer);
		const byPeriods = known.get(first) ?? new Map<string, Grouped>();
		known.set(first, byPeriods);
		const key = `${period} ${longer}`;
		const before = byPeriods.get(key);
		if (before?.candles === candles) return before.groups;
		const groups = groupedOn(complete(before, candles), candles, period, longer);
		byPeriods.set(key, {candles, groups});
		return groups;
	};
}

/** The groups that are the same in both lists, and after which another begins in both. */
function complete(before: Grouped | undefined, candles: readonly Candle[]): CandleGroups {
	if (!before) return {candles: [], ends: [], gaps: []};
	const same = sameBeginning(before.candles, candles);
	const {groups} = before;
	const opened = groups.ends.findIndex(end => end + 1 >= same);
	const count = opened < 0 ? groups.ends.length : opened;
	return {
		candles: groups.candles.slice(0, count),
		ends: groups.ends.slice(0, count),
		gaps: groups.gaps.filter(gap => gap < count),
	};
}

function groupOf(parts: readonly Candle[], time: number): Candle {
	let high = -Infinity;
	let low = Infinity;
	for (const part of parts) {
		high = Math.max(high, part.high);
		low = Math.min(low, part.low);
	}

	const volume = sumDecimals(parts.map(part => part.volume));
	return {time, open: parts[0]?.open ?? 0, high, low, close: parts.at(-1)?.close ?? 0, volume};
}

const grouped = createGrouper();

/**
 * The candles that `groupCandles` makes, but only those that are whole at their beginning: the first is left out unless it starts where `candles` do.
 * The last may still be forming.
 */
export function candlesBuiltFrom(candles: readonly Candle[], period: Period, longer: Period): readonly Candle[] {
	const {candles: built} = grouped(candles, period, longer);
	return built[0]?.time === candles[0]?.time ? built : built.slice(1);
}

const averages = followed((): Walk<Candle> => {
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
		instead: averaged,
	};
});

/** Heikin-Ashi: averages of the traded prices that smooth them; nobody traded at these. Volumes and times stay. */
export const heikinAshi = (candles: readonly Candle[]): Results<Candle> => averages(candles);

/** The shorter common periods that `period` can be built from, longest first. */
export function buildingPeriods(period: Period, common: readonly Period[]): readonly Period[] {
	return common.filter(shorter => shorter < period && period % shorter === 0).sort((a, b) => b - a);
}

/** Index of the last candle that starts at or before `time` (epoch ms); −1: all are later. */
export function indexAtTime(candles: readonly Candle[], time: number): number {
	let low = 0;
	let high = candles.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((candles[middle]?.time ?? Infinity) <= time) low = middle + 1;
		else high = middle;
	}

	return low - 1;
}
