import {sumDecimals} from './precision.ts';
import {type Tape, tradeKey} from './tape.ts';
import type {Candle, Period, Trade} from './types.ts';
import {minuteMs} from './units.ts';

/** What happened in a stretch of time. */
export type Stretch = {
	/** The price of the last trade before it; where only candles are known, that of its first one. Absent: unknown. */
	readonly open?: number | undefined;
	/** Absent: there were no trades. */
	readonly high?: number | undefined;
	readonly low?: number | undefined;
	/** In base asset. */
	readonly volume: number;
	/** The periods of the candles in it; empty: it consists of trades. */
	readonly candles: readonly Period[];
	/** What only trades show. Absent: they do not reach back that far. */
	readonly trades?: SideSums | undefined;
};

type SideSums = {
	readonly count: number;
	/** Bought by takers, in base asset. Absent, as `sold` is: the side of a trade is unknown. */
	readonly bought?: number | undefined;
	readonly sold?: number | undefined;
};

/** Candles as the exchange sent them, oldest first. A time without trades has none. */
export type PastCandles = {
	readonly period: Period;
	readonly candles: readonly Candle[];
	/** When they were received, epoch ms by the exchange's clock. */
	readonly completeTo: number;
};

/** What is known of a market's past. */
export type Past = {
	readonly tape: Tape;
	/** Shorter periods first, each of which goes in whole times into the next. */
	readonly candles: readonly PastCandles[];
};

/**
 * The `ms` that end at `now` (epoch ms by the exchange's clock), as of the trade at index `newest` of the tape. As far as no
 * trade is missing it is exact; before that it consists of candles, and begins with a whole one. Undefined: not all of it is
 * known.
 */
export function windowBefore({tape, candles}: Past, ms: number, now: number, newest = 0): Stretch | undefined {
	const start = now - ms;
	const {trades} = tape;
	const {end, complete} = reach(tape, start, newest);
	if (complete) return stretchOf(trades.slice(newest, end), trades[end]?.price);

	const [finest] = candles;
	const oldest = trades[end - 1];
	if (!finest || !oldest || end <= newest) return undefined;
	// A trade of the same millisecond as the last known one may be missing.
	const seam = ceilTo(oldest.time + 1, finest.period);
	const before = ofCandles(candles, start, seam);
	if (!before || seam > now) return undefined;
	const later = trades.slice(newest, end);
	const after = later.findIndex(({time}) => time < seam);
	return joined(before, stretchOf(after < 0 ? later : later.slice(0, after)));
}

/** How far back from `newest` to `start` no trade is missing: to the trade before index `end`. */
function reach(
	{trades, gaps}: Tape,
	start: number,
	newest: number,
): {readonly end: number; readonly complete: boolean} {
	let end = newest;
	for (let trade = trades[end]; trade; trade = trades[end]) {
		if (trade.time <= start) return {end, complete: true};
		end++;
		if (gaps.size > 0 && gaps.has(tradeKey(trade))) break;
	}

	return {end, complete: false};
}

/** There can be thousands of trades: only what is read is calculated. */
const stretchOf = (counted: readonly Trade[], open?: number): Stretch => ({
	open,
	candles: [],
	get high() {
		return counted.length === 0 ? undefined : counted.reduce((high, {price}) => Math.max(high, price), -Infinity);
	},
	get low() {
		return counted.length === 0 ? undefined : counted.reduce((low, {price}) => Math.min(low, price), Infinity);
	},
	get volume() {
		return sumDecimals(counted.map(({quantity}) => quantity));
	},
	get trades() {
		return sidesOf(counted);
	},
});

function sidesOf(trades: readonly Trade[]): SideSums {
	const count = trades.length;
	if (trades.some(({side}) => side === undefined)) return {count};
	const sum = (of: Trade['side']) => sumDecimals(trades.flatMap(({side, quantity}) => (side === of ? quantity : [])));
	return {count, bought: sum('buy'), sold: sum('sell')};
}

const ceilTo = (time: number, period: Period): number => Math.ceil(time / (period * minuteMs)) * period * minuteMs;
const floorTo = (time: number, period: Period): number => Math.floor(time / (period * minuteMs)) * period * minuteMs;

/** From the beginning of the candle that `start` falls in to `end`, where a candle of the first period begins. */
function ofCandles([finest, ...longer]: readonly PastCandles[], start: number, end: number): Stretch | undefined {
	if (!finest || finest.completeTo < end) return undefined;
	const {candles, period} = finest;
	const from = floorTo(start, period);
	const first = candles[0];
	if (first && first.time <= from) return summed(finest, from, end);
	const [next] = longer;
	const seam = first && next && ceilTo(first.time, next.period);
	if (seam === undefined || seam >= end) return undefined;
	const before = ofCandles(longer, start, seam);
	return before && joined(before, summed(finest, seam, end));
}

function summed({candles, period}: PastCandles, from: number, end: number): Stretch {
	const first = candles.findLastIndex(({time}) => time < from) + 1;
	const counted = candles.slice(first).filter(({time}) => time < end);
	const open = candles[first - 1]?.close ?? counted[0]?.open;
	const volume = sumDecimals(counted.map(each => each.volume));
	const of = {open, volume, candles: [period]};
	if (counted.length === 0) return of;
	const [high, low] = [Math.max(...counted.map(each => each.high)), Math.min(...counted.map(each => each.low))];
	return {...of, high, low};
}

const joined = (before: Stretch, after: Stretch): Stretch => ({
	open: before.open,
	candles: [...before.candles, ...after.candles],
	get high() {
		const [a, b] = [before.high, after.high];
		return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
	},
	get low() {
		const [a, b] = [before.low, after.low];
		return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
	},
	get volume() {
		return sumDecimals([before.volume, after.volume]);
	},
});
