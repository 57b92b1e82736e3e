import {expect, test} from 'vitest';
import {changeSince, stepPrices, stepStarts} from '../../source/market/performance.ts';
import type {Candle} from '../../source/market/types.ts';
import {monthMinutes} from '../../source/market/units.ts';

const candles = (...points: ReadonlyArray<readonly [time: number, close: number]>): readonly Candle[] =>
	points.map(([time, close]) => ({time, open: close, high: close, low: close, close, volume: 1}));

test('steps of months begin on the first, and have the price of the last candle of the month', () => {
	const steps = {from: Date.UTC(2026, 0), period: monthMinutes, count: 3};
	expect(stepStarts(steps)).toEqual([0, 1, 2].map(month => Date.UTC(2026, month)));
	const days = candles([Date.UTC(2026, 0, 31), 1], [Date.UTC(2026, 1, 1), 2], [Date.UTC(2026, 2, 1), 3]);
	expect(stepPrices(days, steps)).toEqual([1, 2, 3]);
});

test.each([
	[100, 110, 10],
	[0.1 + 0.2, 0.1 + 0.2, 0],
	[undefined, 1, undefined],
	[1, undefined, undefined],
	[0, 1, undefined],
	[1e-10, 1e300, undefined],
])('the change from %s to %s is %s', (base, price, change) => {
	const changed = changeSince(base, price);
	if (change === undefined) expect(changed).toBeUndefined();
	else expect(changed).toBeCloseTo(change, 9);
});
