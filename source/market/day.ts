import {difference} from './precision.ts';
import type {Ticker, Trade} from './types.ts';
import {dayMs} from './units.ts';

/** The change of a price in 24 hours. Absent: unknown. */
export type DayChange = {
	readonly change?: number | undefined;
	readonly percent?: number | undefined;
	/** It is the delayed ticker's own and does not belong to the price of the last trade. */
	readonly ofTicker: boolean;
};

/** From the ticker's opening price to `last`, the last trade's price; the ticker's own change where either is unknown. */
export function dayChange(ticker: Ticker | undefined, last: number | undefined): DayChange {
	const {open, change, changePercent} = ticker ?? {};
	if (last === undefined || !open) return {change, percent: changePercent, ofTicker: true};
	const moved = difference(last, open);
	return {change: moved, percent: (moved / open) * 100, ofTicker: false};
}

/** Highest and lowest price in 24 hours. Absent: unknown. */
export type DayRange = Pick<Ticker, 'high' | 'low'>;

/** The delayed ticker's range, with the `trades` (newest first) of the 24 hours before `now` (epoch ms). */
export function dayRange(ticker: Ticker | undefined, trades: readonly Trade[], now: number): DayRange {
	let {high, low} = ticker ?? {};
	for (const {time, price} of trades) {
		if (time <= now - dayMs) break;
		if (high !== undefined && price > high) high = price;
		if (low !== undefined && price < low) low = price;
	}

	return {high, low};
}
