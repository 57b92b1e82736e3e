import {expect, test} from 'vitest';
import {type CandleSeries, candlesFromTrades, withPartial} from '../../source/market/candles.ts';
import type {Tape} from '../../source/market/tape.ts';
import type {Trade} from '../../source/market/types.ts';

const minuteMs = 60_000;
const start = Date.UTC(2026, 0, 1);

/** Trades at these minutes after the start, newest first, with gaps below those of these minutes. */
function tapeOf(minutes: readonly number[], gaps: readonly number[] = []): Tape {
	const trades = minutes.map(
		(minute): Trade => ({id: String(minute), time: start + minute * minuteMs, price: 1, quantity: 1}),
	);
	return {trades, gaps: new Set(gaps.map(String))};
}

const partialOf = (series: CandleSeries) => [...(series.partial ?? [])].map(time => (time - start) / minuteMs);

/** Minutes of the candles of five minutes, built from the tape, that trades may be missing from. */
const built = (tape: Tape) => partialOf(withPartial(candlesFromTrades(tape.trades, 5), tape));

test('the first candle built from trades is partial', () => {
	expect(built(tapeOf([12, 8, 7, 2]))).toEqual([0]);
});

test('a gap makes every candle that it touches partial, and no other', () => {
	expect(built(tapeOf([22, 17, 16, 12, 8, 2], [16]))).toEqual([0, 10, 15]);
	expect(built(tapeOf([22, 17, 16, 12, 8, 2], [17]))).toEqual([0, 15]);
});

test('candles of the exchange are partial only where later trades were missed', () => {
	const candle = {open: 1, high: 1, low: 1, close: 1, volume: 1};
	const candles = [0, 5, 10, 15].map(minute => ({...candle, time: start + minute * minuteMs}));
	const series: CandleSeries = {period: 5, candles, builtFrom: 'exchange'};
	const partial = (tape: Tape, later: number) => partialOf(withPartial(series, tape, later, start + 15 * minuteMs));
	expect(partial(tapeOf([17, 16, 12, 8], [16]), 2)).toEqual([15]);
	// The exchange has sent them since.
	expect(partial(tapeOf([17, 16, 12, 8], [16]), 1)).toEqual([]);
	// The tape does not reach back to what the exchange sent.
	expect(partial(tapeOf([17, 16]), 2)).toEqual([15]);
	expect(withPartial(series, tapeOf([17, 16, 12]), 2, start)).toBe(series);
});
