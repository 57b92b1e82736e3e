import {expect, test} from 'vitest';
import {dayChange, dayRange} from '../../source/market/day.ts';
import type {Trade} from '../../source/market/types.ts';
import {dayMs} from '../../source/market/units.ts';

const ticker = {symbol: 'BTCUSDT', state: 'active', open: 0.3, change: -0.05, changePercent: -5, high: 0.5, low: 0.2};
const now = 2 * dayMs;
const trade = (price: number, time = now - 1): Trade => ({id: String(time), time, price, quantity: 1});

test.each([
	{
		name: 'from the open to the last trade, exactly',
		of: ticker,
		last: 0.1,
		expected: [-0.2, expect.closeTo(-66.67, 2), false],
	},
	{name: 'the ticker’s own without a trade', of: ticker, last: undefined, expected: [-0.05, -5, true]},
	{name: 'the ticker’s own without an open', of: {...ticker, open: undefined}, last: 0.1, expected: [-0.05, -5, true]},
	{name: 'unknown without a ticker', of: undefined, last: 0.1, expected: [undefined, undefined, true]},
])('the change of a day is $name', ({of, last, expected}) => {
	const {change, percent, ofTicker} = dayChange(of, last);
	expect([change, percent, ofTicker]).toEqual(expected);
});

test.each([
	{name: 'the ticker’s', of: ticker, trades: [trade(0.4)], range: {high: 0.5, low: 0.2}},
	{name: 'unknown where the ticker’s is', of: undefined, trades: [trade(0.4)], range: {}},
])('the range of a day is $name', ({of, trades, range}) => {
	expect(dayRange(of, trades, now)).toEqual(range);
});
