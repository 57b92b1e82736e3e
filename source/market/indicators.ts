import {BollingerBands, EMA, MACD, RSI, SMA, VWAP} from 'trading-signals';
import {remembered} from './remember.ts';
import type {Candle} from './types.ts';

export type IndicatorName = 'sma' | 'ema' | 'vwap' | 'bollinger' | 'rsi' | 'macd';

/** One value a candle; undefined where too few candles come before it. */
export type Values = ReadonlyArray<number | undefined>;

export type Bands = {readonly lower: Values; readonly middle: Values; readonly upper: Values};
export type MacdValues = {readonly macd: Values; readonly signal: Values; readonly histogram: Values};

const dayMs = 86_400_000;

type Stream<Result> = {
	update(close: number, replace: boolean): unknown;
	getResult(): Result | null;
	readonly isStable: boolean;
};

type Followed<Result> = {
	readonly stream: Stream<Result>;
	readonly first: Candle | undefined;
	readonly values: ReadonlyArray<Result | undefined>;
};

/**
 * Feeds the closing prices and reads a value once there are enough. A list that differs from an earlier one only in its
 * newest candle, as after a trade, costs one step: what came of the others is known by the candle before the newest.
 */
function follower<Result>(
	create: (...figures: readonly number[]) => Stream<Result>,
): (candles: readonly Candle[], ...figures: readonly number[]) => ReadonlyArray<Result | undefined> {
	const known = new WeakMap<Candle, Map<string, Followed<Result>>>();
	const stepped = (stream: Stream<Result>, close: number, replace: boolean): Result | undefined => {
		stream.update(close, replace);
		return stream.isStable ? (stream.getResult() ?? undefined) : undefined;
	};

	return (candles, ...figures) => {
		const newest = candles.at(-1);
		const closed = candles.at(-2);
		const byFigures = (closed && known.get(closed)) ?? new Map<string, Followed<Result>>();
		const key = figures.join(' ');
		const before = byFigures.get(key);
		const isMoved = before?.first === candles[0] && before?.values.length === candles.length;
		const stream = before && isMoved ? before.stream : create(...figures);
		const values =
			before && isMoved && newest
				? before.values.with(-1, stepped(stream, newest.close, true))
				: candles.map(({close}) => stepped(stream, close, false));
		if (closed) known.set(closed, byFigures.set(key, {stream, first: candles[0], values}));
		return values;
	};
}

const means = follower((interval = 1) => new SMA(interval));
const exponentials = follower((interval = 1) => new EMA(interval));
const bands = follower((interval = 1, deviations = 1) => new BollingerBands(interval, deviations));
const strengths = follower((interval = 1) => new RSI(interval));

/** Mean of the last `interval` closing prices. */
export const sma = remembered((candles: readonly Candle[], interval: number): Values => means(candles, interval));

/** Exponential mean of the closing prices, weight 2 ÷ (interval + 1), begun with the first of them. */
export const ema = remembered(
	(candles: readonly Candle[], interval: number): Values => exponentials(candles, interval),
);

/** The stretch of time (UTC) that a volume-weighted mean belongs to. */
export type Session = 'day' | 'month' | 'year';

const sessionOf: Readonly<Record<Session, (time: number) => number>> = {
	day: time => Math.floor(time / dayMs),
	month: time => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth(),
	year: time => new Date(time).getUTCFullYear(),
};

/** Volume-weighted mean of the typical prices, begun anew with each session and with the first candle of the list. */
export const vwap = remembered((candles: readonly Candle[], session: Session): Values => {
	let stream = new VWAP();
	let current: number | undefined;
	return candles.map(candle => {
		const its = sessionOf[session](candle.time);
		if (its !== current) stream = new VWAP();
		current = its;
		stream.update(candle, false);
		return stream.getResult() ?? undefined;
	});
});

/** The mean of the last `interval` closing prices, and `deviations` standard deviations (of the population) around it. */
export const bollinger = remembered((candles: readonly Candle[], interval: number, deviations: number): Bands => {
	const values = bands(candles, interval, deviations);
	return {
		lower: values.map(band => band?.lower),
		middle: values.map(band => band?.middle),
		upper: values.map(band => band?.upper),
	};
});

/** Relative strength, 0 to 100, of the last `interval` changes of the closing price, smoothed as Wilder does. */
export const rsi = remembered((candles: readonly Candle[], interval: number): Values => strengths(candles, interval));

/** Difference of two exponential means of the closing price, its own mean as signal, and the distance of the two. */
export const macd = remembered(
	(candles: readonly Candle[], short: number, long: number, signal: number): MacdValues => {
		const signalMean = new EMA(signal);
		const stream = new MACD(new EMA(short), new EMA(long), signalMean);
		const values = candles.map(({close}) => {
			const value = stream.update(close, false);
			return {value, hasSignal: signalMean.isStable};
		});
		return {
			macd: values.map(({value}) => value?.macd),
			signal: values.map(({value, hasSignal}) => (hasSignal ? value?.signal : undefined)),
			histogram: values.map(({value, hasSignal}) => (hasSignal ? value?.histogram : undefined)),
		};
	},
);
