import {candleStart} from './candles.ts';
import {sumDecimals} from './precision.ts';
import {compareTrades} from './tape.ts';
import type {Candle, Period, Trade} from './types.ts';

type Growing = {first: Trade; last: Trade; high: number; low: number; quantities: number[]};

/** Quantities of a candle that are kept before they are summed up. */
const mostQuantities = 1000;

/**
 * The candles of trades in any order, oldest first, marked as built from trades. A time without trades has none. `anchor`: the start of
 * any other one; default: as in `candleStart`.
 */
export function candlesOfTrades(trades: Iterable<Trade>, period: Period, anchor?: number): readonly Candle[] {
	const byStart = new Map<number, Growing>();
	for (const trade of trades) {
		const start = candleStart(trade.time, period, anchor);
		const candle = byStart.get(start);
		if (candle) grow(candle, trade);
		else
			byStart.set(start, {
				first: trade,
				last: trade,
				high: trade.price,
				low: trade.price,
				quantities: [trade.quantity],
			});
	}

	return [...byStart].sort(([one], [other]) => one - other).map(([time, candle]) => closed(time, candle));
}

function grow(candle: Growing, trade: Trade): void {
	if (compareTrades(trade, candle.last) < 0) candle.last = trade;
	else if (compareTrades(trade, candle.first) > 0) candle.first = trade;
	candle.high = Math.max(candle.high, trade.price);
	candle.low = Math.min(candle.low, trade.price);
	candle.quantities.push(trade.quantity);
	if (candle.quantities.length > mostQuantities) candle.quantities = [sumDecimals(candle.quantities)];
}

/** The candles, with those marked partial that trades may be missing from. */
export const withMissing = (candles: readonly Candle[], isMissing: (candle: Candle) => boolean): readonly Candle[] =>
	candles.map(candle => (isMissing(candle) ? {...candle, partial: true} : candle));

const closed = (time: number, {first, last, high, low, quantities}: Growing): Candle => ({
	...{time, open: first.price, high, low, close: last.price},
	volume: sumDecimals(quantities),
	builtFrom: 'trades',
});
