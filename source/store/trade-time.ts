import {type Words, wordsFor} from '../client/messages.ts';
import {formatSpan} from '../format/time.ts';
import {candleEnd} from '../market/candles.ts';
import type {Tape} from '../market/tape.ts';
import {aheadMs, type Bounds, stampsAheadMs} from '../market/trade-clock.ts';
import {minuteMs} from '../market/units.ts';
import type {Ready, Resource} from './resource.ts';
import type {MarketState} from './state.ts';

const unbounded: Bounds = {least: -Infinity, most: Infinity};

/**
 * The time by the clock that dates the trades, of which the candles are made, when it is `at` by ours; both epoch ms. Where no
 * trade shows it, it is the earlier of ours and that of the answer's stamp.
 */
export function tradeTime(resource: Resource<unknown>, at: number): number {
	if (resource.status !== 'ready') return at;
	return at + aheadMs(resource.tradeClock?.ahead ?? unbounded, resource);
}

/** When the answer can have been made at the earliest, epoch ms by our clock. */
export const madeAfter = ({sentAt, receivedAt}: Pick<Ready<unknown>, 'sentAt' | 'receivedAt'>): number =>
	Math.min(sentAt ?? receivedAt, receivedAt);

/** Up to when the tape has all trades, epoch ms by their clock: to the newest, and to the request of the last answer. */
export const completeTo = (tape: Ready<Tape>): number =>
	Math.max(tape.data.trades[0]?.time ?? -Infinity, tradeTime(tape, madeAfter(tape)));

/** A market in which nothing was traded for a minute or more. */
type Quiet = {
	/** Epoch ms by the clock of the trades. */
	readonly lastTradeAt: number;
	/** From the last trade to the last answer that shows no newer one. */
	readonly ms: number;
};

/** A younger price counts as current. */
const leastQuietMs = minuteMs;

/** Undefined: something was traded in the minute before the last answer, or no trade is known. */
export function quietIn(tape: Resource<Tape>): Quiet | undefined {
	const lastTradeAt = lastTradeTime(tape);
	if (tape.status !== 'ready' || lastTradeAt === undefined) return undefined;
	const ms = completeTo(tape) - lastTradeAt;
	return ms < leastQuietMs ? undefined : {lastTradeAt, ms};
}

/**
 * Up to when nothing was traded after the newest candle, epoch ms by the clock of the trades, of a market that is quiet, in whole
 * minutes; undefined: something was, or it is not known.
 */
export function quietTo({trades: tape, candles}: Pick<MarketState, 'trades' | 'candles'>): number | undefined {
	const quiet = quietIn(tape);
	if (!quiet || tape.status !== 'ready' || candles.status !== 'ready') return undefined;
	const {candles: all, period} = candles.data;
	const newest = all.at(-1);
	// Each interface may have its own clock, and candles can come later than trades.
	const isOfBoth = tape.interface === candles.interface;
	if (!isOfBoth || !newest || quiet.lastTradeAt >= candleEnd(newest, period)) return undefined;
	return Math.floor(completeTo(tape) / minuteMs) * minuteMs;
}

/** Epoch ms by the clock of the trades; undefined: no trade is known. */
export const lastTradeTime = (tape: Resource<Tape>): number | undefined =>
	tape.status === 'ready' ? tape.data.trades[0]?.time : undefined;

/** How far the stamps of answers are ahead of the trades' own times, in ms (below 0: behind); undefined: less than 2 s, or unknown. */
export const stampsAhead = (resource: Resource<unknown>): number | undefined =>
	resource.status === 'ready' && resource.tradeClock ? stampsAheadMs(resource.tradeClock.stamps) : undefined;

const relationTo = (ms: number): string => `${formatSpan(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead of'}`;

/** The words for stamps that are `ms` ahead of the trades' own times, or (below 0) behind. */
export const stampsWords = (ms: number): Words => wordsFor('trade-clock', relationTo(ms));

/** The words for stamps that are as far from the trades' own times as from our clock; undefined: they differ as shown. */
export const stampsAndClockWords = (stampsMs: number, skewMs: number): Words | undefined =>
	relationTo(stampsMs) === relationTo(skewMs) ? wordsFor('clock-and-trade-clock', relationTo(stampsMs)) : undefined;
