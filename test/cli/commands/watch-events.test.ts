import {describe, expect, test} from 'vitest';
import {eventsBetween} from '../../../source/cli/commands/watch-events.ts';
import type {Candle, Trade} from '../../../source/market/types.ts';
import {marketState, received} from '../../helpers/market-state.ts';

const nothing = marketState();
const ready = <T>(data: T, receivedAt = 1000) => ({...received(data, receivedAt), serverTime: 900});

const trade = (id: number, time: number): Trade => ({
	id: String(id),
	time,
	price: 10 + id,
	quantity: 0.5,
	side: 'sell',
	sideText: 'SELL',
});
const tapeOf = (trades: readonly Trade[], gaps: readonly string[] = []) => ready({trades, gaps: new Set(gaps)});
const tradeEvent = (id: number, time: number, gap = false) => ({
	...{
		type: 'trade',
		symbol: 'BTCUSDT',
		id: String(id),
		time,
		price: 10 + id,
		quantity: 0.5,
		side: 'sell',
		sideText: 'SELL',
		gap,
	},
	...{interface: 'v2', receivedAt: 1000},
});

describe('trades', () => {
	const first = {...nothing, tape: tapeOf([trade(3, 30), trade(2, 20), trade(1, 10)])};

	test('begin with the newest of the first page', () => {
		expect(eventsBetween(nothing, first, 0)).toEqual([tradeEvent(3, 30)]);
	});

	test('continue with new ones, oldest first, late ones too, with gaps marked', () => {
		const trades = [trade(7, 60), trade(6, 50), trade(3, 30), trade(4, 25), trade(2, 20), trade(1, 10)];
		const next = {...first, tape: tapeOf(trades, ['6'])};
		expect(eventsBetween(first, next, 0)).toEqual([tradeEvent(4, 25), tradeEvent(6, 50, true), tradeEvent(7, 60)]);
	});

	test('of a tape that restarted with other ids are reported only once', () => {
		const next = {...first, tape: tapeOf([trade(91, 40), trade(90, 30), trade(89, 20)], ['89'])};
		expect(eventsBetween(first, next, 0)).toEqual([tradeEvent(91, 40)]);
	});

	test('from before the start of the watch are not reported', () => {
		const next = {...first, tape: tapeOf([trade(3, 30), trade(2, 20), trade(1, 10), trade(0, 5)])};
		expect(eventsBetween(first, next, 0)).toEqual([]);
	});
});

describe('candles', () => {
	const candle = (time: number, close: number): Candle => ({time, open: 1, high: 9, low: 1, close, volume: 2});
	const seriesOf = (...candles: readonly Candle[]) => ready({period: 60, candles, builtFrom: 'exchange'} as const);
	const candleEvent = (time: number, close: number) => ({
		...{type: 'candle', symbol: 'BTCUSDT', period: 60, time, open: 1, high: 9, low: 1, close, volume: 2},
		...{builtFrom: 'exchange', partial: false, interface: 'v2', receivedAt: 1000},
	});

	test('are marked when trades may be missing', () => {
		const candles = [candle(0, 2), candle(60, 3)];
		const built = ready({period: 60, candles, builtFrom: 'trades', partial: new Set([60])} as const);
		expect(eventsBetween(nothing, {...nothing, candles: built}, 0)).toEqual([
			{...candleEvent(60, 3), builtFrom: 'trades', partial: true},
		]);
	});

	test('begin with the last, continue when it moves and when one opens', () => {
		const first = {...nothing, candles: seriesOf(candle(0, 2), candle(60, 3))};
		const next = {...nothing, candles: seriesOf(candle(0, 2), candle(60, 4), candle(120, 5))};
		expect(eventsBetween(nothing, first, 0)).toEqual([candleEvent(60, 3)]);
		expect(eventsBetween(first, next, 0)).toEqual([candleEvent(60, 4), candleEvent(120, 5)]);
		expect(eventsBetween(next, {...next, candles: seriesOf(candle(60, 4), candle(120, 5))}, 0)).toEqual([]);
	});
});

test('a book is an event with every answer, with null for bids that are not shown', () => {
	const first = {...nothing, depth: ready({asks: [[2, 1]] as const})};
	const event = {
		type: 'depth',
		symbol: 'BTCUSDT',
		asks: [[2, 1]],
		bids: null,
		bidsFailure: null,
		interface: 'v2',
		serverTime: 900,
	};
	expect(eventsBetween(nothing, first, 0)).toEqual([{...event, time: 1000, receivedAt: 1000}]);
	expect(eventsBetween(first, first, 0)).toEqual([]);
	const again = {...nothing, depth: ready({asks: [[2, 1]] as const}, 2000)};
	expect(eventsBetween(first, again, 0)).toEqual([{...event, time: 2000, receivedAt: 2000}]);
});

test('a ticker is an event of its own market only', () => {
	const tickers = ready(new Map([['ETHUSDT', {symbol: 'ETHUSDT', state: 'active'}]]));
	expect(eventsBetween(nothing, {...nothing, tickers}, 0)).toEqual([]);
});
