import {ATR, BollingerBands, EMA, MACD, RSI, SMA, VWAP} from 'trading-signals';
import {monthOf} from './calendar.ts';
import type {CandleSeries} from './candles.ts';
import {incremental, type Results, type Walk} from './follow.ts';
import {finite} from './numbers.ts';
import type {Candle} from './types.ts';
import {dayOf} from './units.ts';

export type IndicatorName =
	| 'sma'
	| 'ema'
	| 'vwap'
	| 'bollinger'
	| 'rsi'
	| 'macd'
	| 'atr'
	| 'volume-average'
	| 'profile';

/** One value per candle; undefined where too few candles come before it. */
export type Values = Results<number | undefined>;

export type Bands = {readonly lower: Values; readonly middle: Values; readonly upper: Values};
export type MacdValues = {readonly macd: Values; readonly signal: Values; readonly histogram: Values};

type Stream<Input, Result> = {
	update(input: Input, replace: boolean): unknown;
	getResult(): Result | null;
	readonly isStable: boolean;
};

/** Feeds something of each candle, and reads a value once there are enough. */
function walkOf<Input, Result>(
	stream: Stream<Input, Result>,
	inputOf: (candle: Candle) => Input,
): Walk<Result | undefined> {
	const step = (candle: Candle, replace: boolean): Result | undefined => {
		stream.update(inputOf(candle), replace);
		return stream.isStable ? (stream.getResult() ?? undefined) : undefined;
	};
	return {next: candle => step(candle, false), replace: candle => step(candle, true)};
}

const closing = ({close}: Candle): number => close;

const finiteWalk = ({next, replace}: Walk<number | undefined>): Walk<number | undefined> => ({
	next: candle => finite(next(candle)),
	replace: candle => finite(replace(candle)),
});

/** One figure of each result. */
const each = <Result>(results: Results<Result>, figure: (result: Result) => number | undefined): Values => ({
	length: results.length,
	at(index) {
		const result = results.at(index);
		return result === undefined ? undefined : finite(figure(result));
	},
});

/** Mean of the last `interval` closing prices. */
export const sma = incremental((interval: number) => finiteWalk(walkOf(new SMA(interval), closing)));

/** Exponential mean of the closing prices, weight 2 ÷ (interval + 1), starting with the first one. */
export const ema = incremental((interval: number) => finiteWalk(walkOf(new EMA(interval), closing)));

/** Volume-weighted means since the start of the session or the first candle of the list, whichever is later. */
const typicalMeans = incremental((session: Session): Walk<number | undefined> => {
	// The candles of the newest session, which is computed again when its last candle moves: to subtract from the stream
	// would lose a little precision each time.
	let candles: Candle[] = [];
	let stream = new VWAP();
	const isOfAnother = ({time}: Candle): boolean =>
		candles[0] !== undefined && sessionAt(candles[0].time, session) !== sessionAt(time, session);
	const next = (candle: Candle): number | undefined => {
		if (isOfAnother(candle)) {
			candles = [];
			stream = new VWAP();
		}

		candles.push(candle);
		stream.update(candle, false);
		return finite(stream.getResult());
	};

	return {
		next,
		replace(candle) {
			const before = candles.slice(0, -1);
			candles = [];
			stream = new VWAP();
			for (const each of before) next(each);
			return next(candle);
		},
	};
});

/**
 * Volume-weighted mean of the typical prices since the session's start. Undefined in `incompleteSessions`, as it would be
 * the mean of a different stretch of time.
 */
export function vwap(series: CandleSeries, session: Session, complete: boolean): Values {
	const {candles} = series;
	const means = typicalMeans(candles, session);
	const incomplete = incompleteSessions(series, session, complete);
	return {
		length: means.length,
		at(index) {
			const candle = candles[index];
			return candle && !incomplete.has(sessionAt(candle.time, session)) ? means.at(index) : undefined;
		},
	};
}

const bands = incremental((interval: number, deviations: number) =>
	walkOf(new BollingerBands(interval, deviations), closing),
);

/** The mean of the last `interval` closing prices, and `deviations` standard deviations (of the population) around it. */
export function bollinger(candles: readonly Candle[], interval: number, deviations: number): Bands {
	const results = bands(candles, interval, deviations);
	return {
		lower: each(results, band => band?.lower),
		middle: each(results, band => band?.middle),
		upper: each(results, band => band?.upper),
	};
}

/**
 * Relative strength, 0 to 100, of the last `interval` changes of the closing price, with Wilder's smoothing. Undefined where
 * none of them moved it: a market without trades is neither strong nor weak.
 */
export const rsi = incremental((interval: number): Walk<number | undefined> => {
	const strength = walkOf(new RSI(interval), closing);
	let before: {readonly close?: number; readonly unmoved: number} = {unmoved: 0};
	let last = before;
	const step = (candle: Candle, value: number | undefined): number | undefined => {
		last = {close: candle.close, unmoved: candle.close === before.close ? before.unmoved + 1 : 0};
		return last.unmoved < interval ? finite(value) : undefined;
	};
	return {
		next(candle) {
			before = last;
			return step(candle, strength.next(candle));
		},
		replace: candle => step(candle, strength.replace(candle)),
	};
});

const differences = incremental((short: number, long: number, signal: number) => {
	const signalMean = new EMA(signal);
	const stream = new MACD(new EMA(short), new EMA(long), signalMean);
	const step = ({close}: Candle, replace: boolean) => {
		const result = stream.update(close, replace);
		return result && {...result, hasSignal: signalMean.isStable};
	};
	return {next: (candle: Candle) => step(candle, false), replace: (candle: Candle) => step(candle, true)};
});

/** Difference of two exponential means of the closing price, its own mean as the signal, and the gap between those two. */
export function macd(candles: readonly Candle[], short: number, long: number, signal: number): MacdValues {
	const results = differences(candles, short, long, signal);
	return {
		macd: each(results, result => result?.macd),
		signal: each(results, result => (result?.hasSignal ? result.signal : undefined)),
		histogram: each(results, result => (result?.hasSignal ? result.histogram : undefined)),
	};
}

/** Wilder's mean of the last `interval` true ranges: how far the price reached from the previous closing price on. */
export const atr = incremental((interval: number) => finiteWalk(walkOf(new ATR(interval), candle => candle)));

/** Mean of the last `interval` volumes, in base asset. */
export const volumeAverage = incremental((interval: number) =>
	finiteWalk(walkOf(new SMA(interval), ({volume}) => volume)),
);

/** A stretch of time (UTC) that a mean belongs to. */
export type Session = 'day' | 'month' | 'year';

const numberOf: Readonly<Record<Session, (time: number) => number>> = {
	day: dayOf,
	month: monthOf,
	year: time => new Date(time).getUTCFullYear(),
};

/** The number of the session that `time` (epoch ms) falls in; later ones have larger numbers. */
export const sessionAt = (time: number, session: Session): number => numberOf[session](time);

/** Whether the session of the first candle began before that candle did. */
export function beginsInside([first]: readonly Candle[], session: Session): boolean {
	return first !== undefined && sessionAt(first.time - 1, session) === sessionAt(first.time, session);
}

/**
 * Numbers of the sessions that lack candles or trades: the first, if the series begins inside it and is not `complete`
 * (older candles exist), and for a series built from trades those that trades may be missing from.
 */
function incompleteSessions(
	{candles, builtFrom, partial}: CandleSeries,
	session: Session,
	complete: boolean,
): ReadonlySet<number> {
	const times = [
		...(beginsInside(candles, session) && !complete ? candles.slice(0, 1).map(({time}) => time) : []),
		...(builtFrom === 'trades' ? (partial ?? []) : []),
	];
	return new Set(times.map(time => sessionAt(time, session)));
}
