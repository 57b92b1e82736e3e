import {monthsIn} from '../../market/calendar.ts';
import {candlesBuiltFrom, groupCandles} from '../../market/candle-groups.ts';
import {candleStart, startAfter} from '../../market/candles.ts';
import {type Candle, largestPage, type Period} from '../../market/types.ts';
import {dayMinutes} from '../../market/units.ts';
import type {AskedTimes} from '../recorded.ts';

/** A read of candles: the newest `limit` of those that start in a range. */
export type CandleRead = AskedTimes & {readonly period: Period; readonly limit?: number | undefined};

const mostDays = 31;

/** The days to read for candles of calendar months; other candles are read as they are. `now` in epoch ms. */
export function readOfParts(asked: CandleRead, now: number): CandleRead {
	const {from, to, period, limit} = asked;
	const months = monthsIn(period);
	if (months === 0) return asked;
	const end = to === undefined ? Infinity : startAfter(candleStart(to, period), period) - 1;
	return {
		period: dayMinutes,
		from: from === undefined ? undefined : startAfter(candleStart(from - 1, period), period),
		to: end < now ? end : undefined,
		limit: from === undefined ? (limit === undefined ? largestPage : limit * months * mostDays) : undefined,
	};
}

/**
 * The candles that were asked for, built from what was read by `read`, oldest first. A first month that the read may have begun
 * inside is left out; one that the exchange has no earlier days of is not.
 */
export function candlesOfParts(parts: readonly Candle[], asked: CandleRead, read: CandleRead): readonly Candle[] {
	if (asked.period === read.period) return parts;
	const isCut = read.limit !== undefined && parts.length >= read.limit;
	const built = isCut
		? candlesBuiltFrom(parts, read.period, asked.period)
		: groupCandles(parts, read.period, asked.period).candles;
	return built.slice(-(asked.limit ?? built.length));
}
