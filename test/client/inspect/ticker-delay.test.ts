import {describe, expect, test} from 'vitest';
import {tickerDelay} from '../../../source/client/inspect/ticker-delay.ts';
import type {Trade} from '../../../source/market/types.ts';
import {looked} from './looks.ts';

const trade = (time: number, price: number): Trade => ({id: `${time}${price}`, time, price, quantity: 1});

/** Newest first. */
const trades = [trade(9000, 12), trade(7000, 11), trade(4000, 10), trade(1000, 9)];

const pair = (last: number | undefined, serverTime: number | undefined, list: readonly Trade[] = trades) => ({
	ticker: looked({data: [{symbol: 'BTCUSDT', last, state: 'active'}], serverTime}),
	trades: looked({data: list}),
});
const delay = (...pairs: ReturnType<typeof pair>[]) => tickerDelay(pairs, 'BTCUSDT');

describe('a ticker', () => {
	test('with the price of the last trade before it is not late', () => {
		expect(delay(pair(11, 8000), pair(12, 9000))).toEqual({looks: 2, behind: 0, atLeastMs: 0});
	});

	test('is as late as its price has been replaced', () => {
		expect(delay(pair(10, 8000))).toEqual({looks: 1, behind: 1, atLeastMs: 1000});
		expect(delay(pair(11, 8000), pair(9, 8000), pair(10, 8000))).toEqual({looks: 3, behind: 2, atLeastMs: 4000});
	});

	test('with a price of no trade in sight is at least as late as these reach back', () => {
		expect(delay(pair(5, 8000))).toEqual({looks: 1, behind: 1, atLeastMs: 7000});
	});

	test('with the price of any trade of the last moment is not late: these have no order', () => {
		expect(delay(pair(10, 8000, [trade(7000, 11), trade(7000, 10)]))).toEqual({looks: 1, behind: 0, atLeastMs: 0});
	});

	test.each([
		['names no price', pair(undefined, 8000)],
		['names no time', pair(11, undefined)],
		['is older than every trade in sight', pair(11, 500)],
		['meets no trades', pair(11, 8000, [])],
	])('that %s is not compared', (_, only) => {
		expect(delay(only)).toBeUndefined();
		expect(delay(only, pair(11, 8000))).toMatchObject({looks: 1});
	});

	test('of another market is not compared', () => {
		expect(tickerDelay([pair(11, 8000)], 'ETHUSDT')).toBeUndefined();
	});
});
