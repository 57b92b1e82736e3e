import {candleEnd, candleStart} from './candles.ts';
import {sumDecimals} from './precision.ts';
import {remembered} from './remember.ts';
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
	const groups: Candle[] = [];
	const ends: number[] = [];
	const gaps: number[] = [];
	const anchor = anchorOf(longer);
	let first = 0;
	let missing = false;
	while (first < candles.length) {
		const time = candleStart(candles[first]?.time ?? 0, longer, anchor);
		const end = time + longer * minuteMs;
		let next = first;
		for (let candle = candles[next]; candle && candle.time < end; candle = candles[next]) {
			const before = candles[next - 1];
			if (before && candle.time !== candleEnd(before, period)) missing = true;
			next++;
		}

		if (missing) gaps.push(groups.length);
		missing = false;
		groups.push(groupOf(candles.slice(first, next), time));
		ends.push(next - 1);
		first = next;
	}

	return {candles: groups, ends, gaps};
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

/**
 * The same, but only candles that are whole at their beginning: the first is left out unless it starts where `candles` do.
 * The last may still be forming.
 */
export function candlesBuiltFrom(candles: readonly Candle[], period: Period, longer: Period): readonly Candle[] {
	const {candles: built} = groupCandles(candles, period, longer);
	return built[0]?.time === candles[0]?.time ? built : built.slice(1);
}

/** Heikin-Ashi: averages of the traded prices that smooth them; nobody traded at these. Volumes and times stay. */
export const heikinAshi = remembered((candles: readonly Candle[]): readonly Candle[] => {
	const averaged: Candle[] = [];
	let last: Candle | undefined;
	for (const candle of candles) {
		const close = (candle.open + candle.high + candle.low + candle.close) / 4;
		const open = last ? (last.open + last.close) / 2 : (candle.open + candle.close) / 2;
		last = {...candle, open, close, high: Math.max(candle.high, open, close), low: Math.min(candle.low, open, close)};
		averaged.push(last);
	}

	return averaged;
});

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
