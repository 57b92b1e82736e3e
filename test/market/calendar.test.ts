import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {monthStart, monthsBetween, monthsIn} from '../../source/market/calendar.ts';
import {buildingPeriods, candlesBuiltFrom, groupCandles} from '../../source/market/candle-groups.ts';
import {
	candleEnd,
	candleGaps,
	candleStart,
	candlesFromTrades,
	isOtherPeriod,
	startAfter,
} from '../../source/market/candles.ts';
import type {Candle} from '../../source/market/types.ts';
import {dayMinutes, dayMs, monthMinutes} from '../../source/market/units.ts';

const month = monthMinutes;
const day = (time: number): Candle => ({time, open: 1, high: 3, low: 1, close: 2, volume: 1});
const daysBetween = (from: number, to: number): readonly Candle[] =>
	Array.from({length: (to - from) / dayMs}, (_, index) => day(from + index * dayMs));
const anyTime = fc.integer({min: Date.UTC(1900, 0), max: Date.UTC(2200, 0)});
const anyMonths = fc.constantFrom(1, 2, 3, 6, 12);

test('whole minutes are never months, however many share a column', () => {
	expect([monthsIn(4383 * 10), monthsIn(43_830), monthsIn(43_830 * 100)]).toEqual([0, 0, 0]);
	fc.assert(
		fc.property(fc.integer({min: 1, max: 525_600}), fc.integer({min: 1, max: 1000}), (minutes, merged) => {
			expect([monthsIn(minutes * merged), monthsIn(month * merged)]).toEqual([0, merged]);
		}),
	);
});

describe('a candle of months', () => {
	test('begins on the first of its month and ends where the next one begins, whatever the length', () => {
		fc.assert(
			fc.property(anyTime, anyMonths, (time, months) => {
				const start = candleStart(time, months * month);
				const end = candleEnd(day(start), months * month);
				const [from, to] = [new Date(start), new Date(end)];
				expect([from.getUTCDate(), Math.abs(start % dayMs), from.getUTCMonth() % months]).toEqual([1, 0, 0]);
				expect((to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()).toBe(months);
				expect(start <= time && time < end).toBe(true);
				expect([monthStart(end - 1, months), monthStart(end, months)]).toEqual([start, end]);
			}),
		);
	});

	test('is found again from one that is so many later', () => {
		fc.assert(
			fc.property(anyTime, anyMonths, fc.integer({min: -500, max: 500}), (time, months, by) => {
				const start = candleStart(time, months * month);
				const later = startAfter(start, months * month, by);
				expect(startAfter(later, months * month, -by)).toBe(start);
				expect(monthsBetween(start, later, months)).toBe(by);
			}),
		);
	});
});

test('months built from days lose none, join each other, and are of the right number of days', () => {
	fc.assert(
		fc.property(
			fc.integer({min: -2000, max: 30_000}),
			fc.integer({min: 1, max: 3000}),
			anyMonths,
			(first, count, months) => {
				const days = daysBetween(first * dayMs, (first + count) * dayMs);
				const {candles, ends, gaps} = groupCandles(days, dayMinutes, months * month);
				expect(gaps).toEqual([]);
				expect(candleGaps({period: months * month, candles, builtFrom: dayMinutes})).toEqual([]);
				expect(candles.reduce((sum, {volume}) => sum + volume, 0)).toBe(count);
				for (const [index, candle] of candles.slice(1, -1).entries()) {
					expect(candle.volume).toBe((candleEnd(candle, months * month) - candle.time) / dayMs);
					expect(days[(ends[index] ?? 0) + 1]?.time).toBe(candle.time);
				}
			},
		),
		{numRuns: 50},
	);
});

test('the first month is built only from its first day on, and the last one may still be forming', () => {
	const days = daysBetween(Date.UTC(2024, 0, 15), Date.UTC(2024, 3, 10));
	expect(candlesBuiltFrom(days, dayMinutes, month)).toEqual([
		{...day(Date.UTC(2024, 1)), volume: 29},
		{...day(Date.UTC(2024, 2)), volume: 31},
		{...day(Date.UTC(2024, 3)), volume: 9},
	]);
});

test('a month without days is a gap, and so is one in which a day is missing', () => {
	const days = daysBetween(Date.UTC(2024, 0), Date.UTC(2024, 5));
	const without = days.filter(({time}) => new Date(time).getUTCMonth() !== 2 && time !== Date.UTC(2024, 4, 7));
	const {candles, gaps} = groupCandles(without, dayMinutes, month);
	expect([candles.length, gaps]).toEqual([4, [2, 3]]);
	expect(candleGaps({period: month, candles, builtFrom: dayMinutes})).toEqual([2]);
});

test('months are built from days or less, and months of any length are of their period', () => {
	expect(buildingPeriods(month)).toEqual([1440, 720, 360, 240, 120, 60, 30, 15, 5, 3, 1]);
	expect(buildingPeriods(12 * month)).toEqual(buildingPeriods(month));
	const {candles} = groupCandles(daysBetween(Date.UTC(2020, 0), Date.UTC(2024, 0)), dayMinutes, month);
	expect(isOtherPeriod(candles, month)).toBe(false);
});

test('a trade of the next month opens a new candle', () => {
	const trade = (time: number) => ({id: String(time), time, price: 5, quantity: 1});
	const times = [Date.UTC(2024, 1, 29, 23, 59), Date.UTC(2024, 2, 1)];
	expect(candlesFromTrades(times.map(trade).toReversed(), month).candles.map(({time}) => time)).toEqual([
		Date.UTC(2024, 1),
		Date.UTC(2024, 2),
	]);
});
