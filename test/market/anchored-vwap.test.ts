import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {anchoredVwap, tradedIn} from '../../source/market/anchored-vwap.ts';
import {candlesOfTrades} from '../../source/market/trade-candles.ts';
import type {Candle, Trade} from '../../source/market/types.ts';

const minute = 60_000;
const candle = (index: number, price: number, volume: number): Candle => ({
	...{time: index * minute, open: price, high: price + 3, low: price - 3, close: price, volume},
});
const trade = (time: number, price: number, quantity: number): Trade => ({
	...{id: String(time), time, price, quantity, side: 'buy'},
});

describe('anchoredVwap', () => {
	const candles = [candle(0, 50, 9), candle(1, 100, 1), candle(2, 110, 3), candle(3, 90, 0), candle(4, 120, 4)];

	test('weighs the typical price of each candle since the anchor by its volume', () => {
		const {mean, deviation, of} = anchoredVwap(candles, 1);
		expect(mean).toEqual([undefined, 100, 107.5, 107.5, 113.75]);
		expect(deviation.map(value => value && value ** 2)).toEqual([
			...[undefined, 0, expect.closeTo(18.75, 9), expect.closeTo(18.75, 9), expect.closeTo(48.4375, 9)],
		]);
		expect(of).toBe('candles');
	});

	test('has no value before anything is traded, nor behind the last candle', () => {
		expect(anchoredVwap([candle(0, 1, 0), candle(1, 2, 0)], 0).mean).toEqual([undefined, undefined]);
		expect(anchoredVwap(candles, candles.length).mean).toEqual(candles.map(() => undefined));
	});

	test('equals mean and deviation of all trades where it has them', () => {
		const anyTrades = fc.array(
			fc.record({
				time: fc.integer({min: 1, max: 5 * minute - 1}),
				price: fc.integer({min: 6_000_000, max: 6_100_000}).map(cents => cents / 100),
				quantity: fc.integer({min: 1, max: 1_000_000}).map(units => units / 100_000),
			}),
			{minLength: 1, maxLength: 60},
		);
		fc.assert(
			fc.property(anyTrades, any => {
				const all = any.map(({time, price, quantity}, index) => ({...trade(time, price, quantity), id: String(index)}));
				const trades = [...all].sort((a, b) => b.time - a.time || Number(b.id) - Number(a.id));
				const built = candlesOfTrades(trades, 1);
				const tape = {trades: [...trades, {...trade(-1, 1, 1), id: '-1'}], gaps: new Set<string>()};
				const {mean, deviation, of} = anchoredVwap(built, 0, tradedIn(built, 1, 0, tape));
				const volume = trades.reduce((sum, {quantity}) => sum + quantity, 0);
				const expected = trades.reduce((sum, {price, quantity}) => sum + price * quantity, 0) / volume;
				const square = trades.reduce((sum, {price, quantity}) => sum + (price - expected) ** 2 * quantity, 0) / volume;
				expect([of, mean.at(-1), deviation.at(-1)]).toEqual([
					'trades',
					expect.closeTo(expected, 6),
					expect.closeTo(Math.sqrt(square), 6),
				]);
			}),
		);
	});
});

describe('tradedIn', () => {
	const candles = [candle(0, 10, 2), candle(1, 20, 3), candle(2, 30, 5)];
	const trades = [
		trade(2.5 * minute, 32, 4),
		trade(2.1 * minute, 28, 1),
		trade(1.5 * minute, 20, 3),
		trade(0.5 * minute, 10, 2),
	];
	const starts = (gaps: readonly string[], change = candles) => [
		...tradedIn(change, 1, 0, {trades, gaps: new Set(gaps)}).keys(),
	];

	test('has the candles before whose start the tape reaches back', () => {
		expect(starts([])).toEqual([2 * minute, minute]);
		expect(tradedIn(candles, 1, 2, {trades, gaps: new Set()})).toEqual(
			new Map([[2 * minute, {volume: 5, mean: expect.closeTo(31.2, 9), spread: expect.closeTo(12.8, 9)}]]),
		);
	});

	test('ends at a gap, wherever it is', () => {
		expect(starts([String(1.5 * minute)])).toEqual([2 * minute]);
		expect(starts([String(2.1 * minute)])).toEqual([]);
	});

	test('leaves out a candle of which the exchange says another volume', () => {
		expect(starts([], [candle(0, 10, 2), candle(1, 20, 3.1), candle(2, 30, 5)])).toEqual([2 * minute]);
	});
});
