import {expect, test} from 'vitest';
import {UnavailableError} from '../../source/client/errors.ts';
import {readBy, withMiddleware} from '../../source/client/middleware.ts';
import {withWholeRanges} from '../../source/client/whole-ranges.ts';
import type {Candle, Trade} from '../../source/market/types.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';

const minute = 60_000;
const now = Date.UTC(2026, 10, 22, 12);
const candleAt = (time: number): Candle => ({time, open: 1, high: 1, low: 1, close: 1, volume: 1});
const candles = Array.from({length: 3000}, (_, index) => candleAt(now - (2999 - index) * minute));

/** The exchange sends the newest candles of a range, at most 1000. */
function open(all: readonly Candle[] = candles, trades: readonly Trade[] = []) {
	const requests: object[] = [];
	const clock = createFakeClock(now);
	const answer = <T>(data: T) => ({data, interface: 'v2', receivedAt: now, dropped: 0}) as const;
	const answering = withMiddleware(createFakeExchange(clock, {}), next =>
		readBy(
			{
				trades: async () => answer(trades),
				async candles({from = 0, to = Infinity, limit = 500, period}) {
					requests.push({from, to, limit, period});
					return answer(all.filter(({time}) => time >= from && time <= to).slice(-Math.min(limit, 1000)));
				},
			},
			next,
		),
	);
	const exchange = withWholeRanges(answering, clock);
	return {exchange, requests};
}

test('reads a range and a limit longer than one answer whole, page by page', async () => {
	const {exchange, requests} = open();
	const from = now - 2499 * minute;
	expect((await exchange.candles('BTCUSDT', {period: 1, from})).data).toEqual(candles.slice(-2500));
	expect(requests.length).toBe(3);
	expect((await exchange.candles('BTCUSDT', {period: 1, limit: 1800})).data).toEqual(candles.slice(-1800));
	expect((await exchange.candles('BTCUSDT', {period: 1})).data).toEqual(candles.slice(-500));
});

test('builds candles from the trades where the exchange sends none, and says so', async () => {
	const trade = (seconds: number, price: number) => ({
		id: String(seconds),
		time: now + seconds * 1000,
		price,
		quantity: 2,
	});
	const {exchange} = open([], [trade(10, 7), trade(5, 8), trade(-5, 9)]);
	const {data, incomplete} = await exchange.candles('BTCUSDT', {period: 1});
	expect(incomplete).toBe('built from trades, as the exchange sends no candles');
	expect(data).toEqual([
		{
			...{time: now - minute, open: 9, high: 9, low: 9, close: 9, volume: 2},
			...({builtFrom: 'trades', partial: true} as const),
		},
		{time: now, open: 8, high: 8, low: 7, close: 7, volume: 4, builtFrom: 'trades'},
	]);
});

test('gives a reason for an empty answer', async () => {
	const {data, incomplete} = await open([]).exchange.candles('BTCUSDT', {period: 1});
	expect([data, incomplete]).toEqual([[], 'the exchange has neither candles nor trades']);
});

test.each([
	[{period: 1.5}, 'no candles have a period of 1.5 minutes; give a whole number of minutes, from 1'],
	[{period: 0}, 'no candles have a period of 0 minutes; give a whole number of minutes, from 1'],
	[{period: NaN}, 'no candles have a period of NaN minutes; give a whole number of minutes, from 1'],
	[{period: 1, limit: 0}, 'no read has a limit of 0; give a whole number from 1 to 100000'],
	[{period: 1, limit: 2.5}, 'no read has a limit of 2.5; give a whole number from 1 to 100000'],
	[{period: 1, from: NaN}, 'from is no time: NaN; give epoch milliseconds'],
	[{period: 1, from: now, to: now - 1}, 'the range ends before it begins; give from and to in order'],
	[
		{period: 1, from: now - 100_000 * minute},
		'the range has 100001 candles; at most 100000 candles are read: give a longer period or a shorter range',
	],
] as const)('refuses %o without a request', async (options, message) => {
	const {exchange, requests} = open();
	const error = await exchange.candles('BTCUSDT', options).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(UnavailableError);
	expect(error).toHaveProperty('message', `${message} (v2 candles)`);
	expect(requests).toEqual([]);
});
