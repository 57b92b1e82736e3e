import {candleEnd, hasVolume} from './candles.ts';
import {sumDecimals} from './precision.ts';
import {firstBefore, reachOf, type Tape} from './tape.ts';
import type {Candle, Period, Trade} from './types.ts';

/** What was traded in one candle: its volume, the mean price, and the volume times the variance of the price. */
export type Traded = {readonly volume: number; readonly mean: number; readonly spread: number};

export type AnchoredVwap = {
	/** By candle; undefined before the anchor, and where nothing was traded since. */
	readonly mean: ReadonlyArray<number | undefined>;
	/** Standard deviations of the price, weighted by volume, in the price's unit. */
	readonly deviation: ReadonlyArray<number | undefined>;
	/** What it is made of from the anchor on. */
	readonly of: 'candles' | 'trades' | 'candles and trades';
};

const none: Traded = {volume: 0, mean: 0, spread: 0};

const typical = ({high, low, close, volume}: Candle): Traded => ({
	volume,
	mean: (high + low + close) / 3,
	spread: 0,
});

/**
 * The volume-weighted mean price since the start of the candle at index `from`. Each candle counts with its typical price, the mean of
 * high, low and close, or, where `traded` has it by its start, with its trades.
 */
export function anchoredVwap(
	candles: readonly Candle[],
	from: number,
	traded: ReadonlyMap<number, Traded> = new Map(),
): AnchoredVwap {
	const mean = new Array<number | undefined>(Math.max(from, 0)).fill(undefined);
	const deviation = [...mean];
	let sum = none;
	let ofTrades = 0;
	for (const candle of candles.slice(from)) {
		const own = traded.get(candle.time);
		if (own) ofTrades++;
		sum = joined(sum, own ?? typical(candle));
		mean.push(sum.volume > 0 ? sum.mean : undefined);
		deviation.push(sum.volume > 0 ? Math.sqrt(sum.spread / sum.volume) : undefined);
	}

	const count = candles.length - from;
	return {mean, deviation, of: ofTrades === 0 ? 'candles' : ofTrades === count ? 'trades' : 'candles and trades'};
}

/** Of two samples. (Chan, Golub and LeVeque: no small difference of large sums.) */
function joined(one: Traded, other: Traded): Traded {
	const volume = one.volume + other.volume;
	if (!(other.volume > 0)) return one;
	const apart = other.mean - one.mean;
	const share = other.volume / volume;
	return {
		volume,
		mean: one.mean + apart * share,
		spread: one.spread + other.spread + apart * apart * one.volume * share,
	};
}

/**
 * What was traded in the candles from index `from` on of which the tape has every trade, by their starts: it reaches back to before
 * their start without a gap, and its quantities add up to their volume.
 */
export function tradedIn(
	candles: readonly Candle[],
	period: Period,
	from: number,
	tape: Tape,
): ReadonlyMap<number, Traded> {
	const {trades} = tape;
	const reach = reachOf(tape);
	const found = new Map<number, Traded>();
	for (let index = candles.length - 1; index >= from; index--) {
		const candle = candles[index];
		const to = candle ? firstBefore(trades, candle.time) : reach;
		// An older trade shows that the tape reaches back to the start.
		if (!candle || to >= reach) break;
		const within = trades.slice(firstBefore(trades, candleEnd(candle, period)), to);
		const volume = sumDecimals(within.map(({quantity}) => quantity));
		if (hasVolume(candle, volume)) found.set(candle.time, sumOf(within));
	}

	return found;
}

const sumOf = (trades: readonly Trade[]): Traded =>
	trades.reduce<Traded>((sum, {quantity, price}) => joined(sum, {volume: quantity, mean: price, spread: 0}), none);
