import {expect, test} from 'vitest';
import {knownRange, liesIn, rangeUnit} from '../../../source/client/inspect/range-unit.ts';
import type {Candle} from '../../../source/market/types.ts';

const hourMs = 3_600_000;
const candle = (hour: number): Candle => ({time: hour * hourMs, open: 1, high: 1, low: 1, close: 1, volume: 1});
const candles = (...hours: readonly number[]) => hours.map(candle);

test('the range asked for has known candles on both sides', () => {
	expect(knownRange(candles(1, 2, 3, 4, 5, 6))).toEqual({from: 3 * hourMs, to: 4 * hourMs});
	expect(knownRange(candles(1, 2, 3, 4, 5))).toBeUndefined();
});

test.each([
	[[3, 4], true],
	[[3], true],
	[[2.5, 3, 4], true],
	[[2, 3, 4], false],
	[[3, 4, 5], false],
	[[1, 2, 3, 4, 5, 6], false],
	[[], false],
])('candles of the hours %j lie in the range of 3 to 4: %j', (hours, inside) => {
	expect(liesIn(candles(...hours), {from: 3 * hourMs, to: 4 * hourMs})).toBe(inside);
});

test.each([
	[true, false, 'ms'],
	[false, true, 's'],
	[true, true, 'both'],
	[false, false, 'neither'],
] as const)('understood in ms: %j, in s: %j, so: %s', (ms, s, unit) => {
	expect(rangeUnit({ms, s})).toBe(unit);
});
