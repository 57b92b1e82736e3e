import {monthStart, monthsBetween, monthsIn} from './calendar.ts';
import {incremental, type Walk} from './follow.ts';
import {sumDecimals} from './precision.ts';
import {type Tape, tradeKey} from './tape.ts';
import type {Candle, Period, Trade} from './types.ts';
import {minuteMs, weekMinutes} from './units.ts';

/** The first Monday since the epoch, which began on a Thursday. */
const firstMonday = Date.UTC(1970, 0, 5);

export type CandleSeries = {
	readonly period: Period;
	/** Oldest first, one per start time. */
	readonly candles: readonly Candle[];
	/**
	 * `trades`: built from the trades seen since the start, as the exchange has no candles. A period: built from candles of
	 * that many minutes, as the exchange has none of `period`.
	 */
	readonly builtFrom: 'exchange' | 'trades' | Period;
	/** Where later trades were added to what the exchange sent; absent: nowhere. */
	readonly added?: AddedTrades | undefined;
	/** Start times of candles that trades may be missing from; absent: none. */
	readonly partial?: ReadonlySet<number> | undefined;
	/** Start times of candles before or in which some are missing that they are built from; absent: none. */
	readonly lacking?: ReadonlySet<number> | undefined;
};

/** Epoch ms. */
export type AddedTrades = {
	/** Start of the first candle that trades were added to. */
	readonly from: number;
	/** Start of the last candle that the exchange sent: later ones are built from trades alone. -Infinity: it sent none. */
	readonly lastSent: number;
};

/** The highest price up to each candle. */
export const highestSoFar = incremental((): Walk<number> => {
	let [before, highest] = [0, 0];
	const step = ({high}: Candle): number => {
		highest = Math.max(before, high);
		return highest;
	};
	return {
		next(candle) {
			before = highest;
			return step(candle);
		},
		replace: step,
	};
});

/**
 * Epoch ms of the start of the candle that `time` falls in. `anchor` is the start of any candle of the series; default: weeks begin on
 * Monday, all other periods are counted from the epoch. Months need none.
 */
export function candleStart(
	time: number,
	period: Period,
	anchor = period % weekMinutes === 0 ? firstMonday : 0,
): number {
	const months = monthsIn(period);
	if (months > 0) return monthStart(time, months);
	const periodMs = Math.round(period * minuteMs);
	return anchor + Math.floor((time - anchor) / periodMs) * periodMs;
}

/** The start of the candle `by` periods after one that starts at `start`, epoch ms. */
export function startAfter(start: number, period: Period, by = 1): number {
	const months = monthsIn(period);
	return months > 0 ? monthStart(start, months, by) : start + by * Math.round(period * minuteMs);
}

/** How many periods lie between two starts of candles, epoch ms, rounded down. */
export function periodsBetween(from: number, to: number, period: Period): number {
	const months = monthsIn(period);
	return months > 0 ? monthsBetween(from, to, months) : Math.floor((to - from) / Math.round(period * minuteMs));
}

/** Whether candles this far apart are of another period. Months are of any length. */
export const isOffPeriod = (gapMs: number, period: Period): boolean =>
	monthsIn(period) === 0 && gapMs % (period * minuteMs) !== 0;

/** How many candles (oldest first) are apart from the one before by no multiple of the period. */
export const countOffPeriod = (candles: readonly Candle[], period: Period): number =>
	candles.filter(({time}, index) => isOffPeriod(time - (candles[index - 1]?.time ?? time), period)).length;

/** Volumes of candles have fewer digits than sums of quantities at some exchanges. */
const equalShare = 1e-6;

/** Whether the trades that sum up to `volume` are those of the candle. */
export const hasVolume = (candle: Pick<Candle, 'volume'>, volume: number): boolean =>
	Math.abs(volume - candle.volume) <= candle.volume * equalShare;

/** Epoch ms of the first moment after the candle. */
export const candleEnd = (candle: Candle, period: Period): number => startAfter(candle.time, period);

/** Merges two lists (oldest first, one candle per start time). Where both have a candle, that of `newer` is kept. */
export function mergeCandles(older: readonly Candle[], newer: readonly Candle[]): readonly Candle[] {
	const merged: Candle[] = [];
	let next = 0;
	for (const candle of newer) {
		for (let before = older[next]; before && before.time <= candle.time; before = older[++next]) {
			if (before.time < candle.time) merged.push(before);
		}

		merged.push(candle);
	}

	return [...merged, ...older.slice(next)];
}

/**
 * The series with the first `later` of `trades` (newest first, default all) added. They move the last candle; trades beyond its
 * end open new candles, also one that the trades begin inside: `withPartial` marks it. Trades of earlier candles are left out,
 * and a time without trades gets no candle. Returns `series` itself when no trade counts.
 */
export function withTrades(series: CandleSeries, trades: readonly Trade[], later = trades.length): CandleSeries {
	const {period, candles} = series;
	const last = candles.at(-1);
	const moved: GrowingCandle[] = [];
	for (const trade of trades.slice(0, later).reverse()) {
		const time = candleStart(trade.time, period, last?.time);
		if (last && time < last.time) continue;
		let candle = moved.at(-1);
		if (candle?.time !== time) {
			candle = last?.time === time ? {...last, quantities: [last.volume]} : openCandle(time, trade.price);
			moved.push(candle);
		}

		candle.high = Math.max(candle.high, trade.price);
		candle.low = Math.min(candle.low, trade.price);
		candle.close = trade.price;
		candle.quantities.push(trade.quantity);
	}

	if (moved.length === 0) return series;
	const kept = moved[0]?.time === last?.time ? candles.slice(0, -1) : candles;
	return {...series, candles: [...kept, ...moved.map(closeCandle)]};
}

/**
 * The series with the price of `trade` as its last close, if the trade falls into the last candle: the exchange's candles can
 * lag behind its trades. The volume stays, as it may include the trade. Returns `series` itself when nothing changes.
 */
export function closedBy(series: CandleSeries, {time, price}: Trade): CandleSeries {
	const last = series.candles.at(-1);
	if (!last || last.close === price || candleStart(time, series.period, last.time) !== last.time) return series;
	const closed = {...last, high: Math.max(last.high, price), low: Math.min(last.low, price), close: price};
	return {...series, candles: [...series.candles.slice(0, -1), closed]};
}

/** The candles of `trades` (newest first), with starts counted from the epoch. Times without trades have none. */
export function candlesFromTrades(trades: readonly Trade[], period: Period): CandleSeries {
	return withTrades({period, candles: [], builtFrom: 'trades'}, trades);
}

/**
 * Marks the candles that trades may be missing from: a gap of the tape lies in them, or the tape begins inside them. Only the
 * first `later` trades of the tape (default all) count, and candles from `from` (epoch ms) on: the exchange has sent the others
 * complete. Returns `series` itself when none is marked.
 */
export function withPartial(series: CandleSeries, tape: Tape, later?: number, from = -Infinity): CandleSeries {
	const stretches = missingTimes(tape, later);
	if (stretches.length === 0) return series;
	const partial = series.candles.flatMap(candle => {
		const end = candleEnd(candle, series.period);
		const isMissing = stretches.some(stretch => candle.time <= stretch.to && end > stretch.from);
		return candle.time >= from && isMissing ? candle.time : [];
	});
	return partial.length > 0 ? {...series, partial: new Set(partial)} : series;
}

/** Times below the first `later` trades of a tape in which it may lack others. */
function missingTimes(
	{trades, gaps}: Tape,
	later = trades.length,
): readonly {readonly from: number; readonly to: number}[] {
	return trades.slice(0, later).flatMap((trade, index) => {
		const next = trades[index + 1];
		return gaps.has(tradeKey(trade)) || !next ? {from: next?.time ?? -Infinity, to: trade.time} : [];
	});
}

/** Whether trades may be missing from a candle that begins between `from` and `to` (excluded), epoch ms. */
export const lacksTrades = ({partial = new Set()}: CandleSeries, from: number, to: number): boolean =>
	partial.values().some(time => time >= from && time < to);

/** Whether candles are missing before the one at `index`, or in it if it is built from shorter ones. */
export function isAfterGap({period, candles, lacking}: CandleSeries, index: number): boolean {
	const before = candles[index - 1];
	const candle = candles[index];
	if (candle === undefined) return false;
	return lacking?.has(candle.time) || (before !== undefined && candle.time !== candleEnd(before, period));
}

/** Indexes of candles that others are missing before or in. */
export const candleGaps = (series: CandleSeries): readonly number[] =>
	[...series.candles.keys()].filter(index => isAfterGap(series, index));

/** This many steps of one multiple of the period do not happen by chance in a quiet market. */
const enoughSteps = 10;

/**
 * Whether candles (oldest first) are not of `period`: some start within a minute or are less than the period apart, or all are
 * whole multiples of a longer time apart. Months and days of summer time differ from their period by less than a tenth.
 */
export function isOtherPeriod(candles: readonly Candle[], period: Period): boolean {
	const times = candles.map(({time}) => time);
	const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
	const shortest = steps.reduce((least, step) => Math.min(least, step), Infinity);
	const periodMs = period * minuteMs;
	if (times.some(time => time % minuteMs !== 0) || shortest < 0.9 * periodMs) return true;
	return steps.length >= enoughSteps && shortest > 1.1 * periodMs && steps.every(step => step % shortest === 0);
}

type GrowingCandle = {
	time: number;
	open: number;
	high: number;
	low: number;
	close: number;
	quantities: number[];
};

function openCandle(time: number, price: number): GrowingCandle {
	return {time, open: price, high: price, low: price, close: price, quantities: []};
}

function closeCandle({time, open, high, low, close, quantities}: GrowingCandle): Candle {
	return {time, open, high, low, close, volume: sumDecimals(quantities)};
}
