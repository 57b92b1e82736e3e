import {describe, expect, test} from 'vitest';
import {bookAgreement, tickerAgreement} from '../../../source/client/inspect/agreement.ts';
import type {Level, Ticker} from '../../../source/market/types.ts';

const ticker = (symbol: string, last?: number, bid?: number, ask?: number): Ticker => ({
	...{symbol, last, bid, ask, state: 'active'},
});

describe('two interfaces agree', () => {
	test('on the prices of unchanged tickers', () => {
		const before = [ticker('AAA', 10, 9, 11), ticker('BBB', 20, 19, 21), ticker('CCC', 30, 29, 31), ticker('DDD')];
		const between = [
			ticker('BBB', 20, 18, 22),
			ticker('AAA', 10, 9, 12),
			ticker('CCC', 99, 29),
			ticker('DDD', 1, 1, 1),
		];
		const after = [ticker('AAA', 10, 9, 11), ticker('BBB', 20, 19, 22), ticker('CCC', 31, 29, 31), ticker('DDD')];
		expect(tickerAgreement({before, between, after})).toEqual({
			last: {compared: 2, agreeing: 2},
			bid: {compared: 3, agreeing: 2},
			ask: {compared: 1, agreeing: 0},
		});
	});

	test('on the levels of an unchanged book, as deep as the other one goes', () => {
		const asks: readonly Level[] = [
			[11, 1],
			[12, 2],
			[13, 3],
			[14, 4],
			[15, 5],
		];
		const moved: readonly Level[] = [
			[11, 1],
			[12, 9],
			[13, 3],
			[14, 4],
			[15, 5],
		];
		const between = {
			asks: [
				[11, 1],
				[12, 2],
				[14, 4],
			] satisfies Level[],
		};
		expect(bookAgreement({before: {asks, bids: []}, between, after: {asks: moved, bids: []}})).toEqual({
			asks: {compared: 3, agreeing: 2},
			bids: undefined,
		});
	});

	test('on bids, where both show them', () => {
		const bids: readonly Level[] = [
			[9, 1],
			[8, 2],
			[7, 3],
		];
		const still = {asks: [], bids};
		expect(
			bookAgreement({
				before: still,
				between: {
					asks: [],
					bids: [
						[9, 1],
						[8, 5],
					],
				},
				after: still,
			}),
		).toEqual({
			asks: {compared: 0, agreeing: 0},
			bids: {compared: 2, agreeing: 1},
		});
	});
});
