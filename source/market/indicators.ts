import {BollingerBands, EMA, MACD, RSI, SMA, VWAP} from 'trading-signals';
import {remembered} from './remember.ts';
import type {Candle} from './types.ts';

export type IndicatorName = 'sma' | 'ema' | 'vwap' | 'bollinger' | 'rsi' | 'macd';

/** One value a candle; undefined where too few candles come before it. */
export type Values = ReadonlyArray<number | undefined>;

export type Bands = {readonly lower: Values; readonly middle: Values; readonly upper: Values};
export type MacdValues = {readonly macd: Values; readonly signal: Values; readonly histogram: Values};

const dayMs = 86_400_000;

type Stream<Input> = {update(input: Input, replace: boolean): unknown; readonly isStable: boolean};

/** Feeds what is `of` each candle and reads the value once there are enough. */
function follow<Input, Result>(
	candles: readonly Candle[],
	stream: Stream<Input> & {getResult(): Result | null},
	of: (candle: Candle) => Input,
): ReadonlyArray<Result | undefined> {
	return candles.map(candle => {
		stream.update(of(candle), false);
		return stream.isStable ? (stream.getResult() ?? undefined) : undefined;
	});
}

const closeOf = ({close}: Candle): number => close;

/** Mean of the last `interval` closing prices. */
export const sma = remembered(
	(candles: readonly Candle[], interval: number): Values => follow(candles, new SMA(interval), closeOf),
);

/** Exponential mean of the closing prices, weight 2 ÷ (interval + 1), begun with the first of them. */
export const ema = remembered(
	(candles: readonly Candle[], interval: number): Values => follow(candles, new EMA(interval), closeOf),
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
	const bands = follow(candles, new BollingerBands(interval, deviations), closeOf);
	return {
		lower: bands.map(band => band?.lower),
		middle: bands.map(band => band?.middle),
		upper: bands.map(band => band?.upper),
	};
});

/** Relative strength, 0 to 100, of the last `interval` changes of the closing price, smoothed as Wilder does. */
export const rsi = remembered(
	(candles: readonly Candle[], interval: number): Values => follow(candles, new RSI(interval), closeOf),
);

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
