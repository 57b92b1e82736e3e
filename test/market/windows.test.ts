import {describe, expect, test} from 'vitest';
import {candlesFromTrades} from '../../source/market/candles.ts';
import {type Tape, tradeKey} from '../../source/market/tape.ts';
import type {Trade} from '../../source/market/types.ts';
import {minuteMs} from '../../source/market/units.ts';
import {type PastCandles, windowBefore} from '../../source/market/windows.ts';

const start = Date.UTC(2026, 10, 20);

const trade = (time: number, price: number, quantity = 1, side: Trade['side'] = 'buy'): Trade => ({
	...{id: String(time), time, price, quantity, side},
});
/** Newest first, as a tape has them. */
const tapeOf = (trades: readonly Trade[], gaps: readonly Trade[] = []): Tape => ({
	...{trades: trades.toSorted((a, b) => b.time - a.time), gaps: new Set(gaps.map(tradeKey))},
});
const candlesOf = (trades: readonly Trade[], period: number, from: number, completeTo: number): PastCandles => ({
	...{period, completeTo},
	candles: candlesFromTrades(tapeOf(trades).trades, period).candles.filter(({time}) => time >= from),
});

describe('a window that the trades cover', () => {
	const trades = [10, 20, 30, 40].map((seconds, index) => trade(start + seconds * 1000, 100 + index, index + 1));
	const now = start + 45_000;

	test('of no trades has a price and no range', () => {
		expect(windowBefore({tape: tapeOf(trades), candles: []}, 2000, now)).toEqual({
			...{open: 103, volume: 0, candles: [], trades: {count: 0, bought: 0, sold: 0}},
		});
	});

	test.each([
		['the tape begins later', tapeOf(trades), 60_000],
		['a gap lies in it', tapeOf([trade(start, 99), ...trades], [trades[2] ?? trade(0, 0)]), 40_000],
		['the gap lies below its oldest trade', tapeOf([trade(start, 99), ...trades], [trades[0] ?? trade(0, 0)]), 40_000],
		['there are no trades', tapeOf([]), 10_000],
	])('is unknown where %s and there are no candles', (_, tape, ms) => {
		expect(windowBefore({tape, candles: []}, ms, now)).toBeUndefined();
	});

	test('is known where a gap lies before it', () => {
		const tape = tapeOf([trade(start, 99), ...trades], trades.slice(0, 1));
		expect(windowBefore({tape, candles: []}, 30_000, now)).toMatchObject({open: 100, volume: 9});
	});
});

describe('a window that reaches back further than the trades', () => {
	const now = start + 5 * minuteMs + 30_000;
	const history = [10, 70, 130, 190, 250, 310, 320].map((seconds, index) => trade(start + seconds * 1000, 100 + index));
	const tape = tapeOf(history.slice(-3));

	test.each([
		['begin too late', candlesOf(history, 1, start + 2 * minuteMs, now)],
		['came before the trades begin', candlesOf(history, 1, start, start + 4 * minuteMs)],
	])('is unknown where the candles %s', (_, candles) => {
		expect(windowBefore({tape, candles: [candles]}, 3.9 * minuteMs, now)).toBeUndefined();
	});

	test('is unknown until the trades cover the minute that they begin in', () => {
		const first = {tape: tapeOf(history.slice(-1)), candles: [candlesOf(history, 1, start, now)]};
		expect(windowBefore(first, 3.9 * minuteMs, now)).toBeUndefined();
		expect(windowBefore(first, 3.9 * minuteMs, start + 6 * minuteMs)).toBeUndefined();
		const later = candlesOf(history, 1, start, start + 6 * minuteMs);
		expect(windowBefore({...first, candles: [later]}, 3.9 * minuteMs, start + 6 * minuteMs)).toEqual({
			...{open: 101, high: 106, low: 102, volume: 5, candles: [1]},
		});
	});
});
