import {describe, expect, test} from 'vitest';
import {type ExchangeError, HttpStatusError} from '../../source/client/errors.ts';
import type {Candle} from '../../source/market/types.ts';
import {monthMinutes} from '../../source/market/units.ts';
import {fetchCandles} from '../../source/store/candle-feed.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../helpers/fake-exchange.ts';
import {candle, refusedPeriod} from './samples.ts';

const start = 60_000_000;

type Last = Exclude<Awaited<ReturnType<typeof fetchCandles>>, 'unavailable'>;

describe('a period that the exchange does not give', () => {
	const bad = (status: number) =>
		new HttpStatusError({operation: 'candles', interface: 'v2', url: '', status, body: '', message: ''});
	const requested = (exchange: FakeExchange) =>
		exchange.calls.candles.map(({options: {period, limit}}) => [period, limit]);
	const giving = (answer: readonly Candle[] | ExchangeError, ...periods: readonly number[]) => {
		const clock = createFakeClock(start + 30_000);
		const exchange = createFakeExchange(clock, {
			candles: call => (periods.includes(call.options.period ?? 0) ? [candle(start)] : answer),
		});
		const ask = (period: number, last?: Last) =>
			fetchCandles(exchange, {symbol: 'BTCUSDT', period, last, now: clock.now(), call: {}});
		return {exchange, ask};
	};

	test.each([
		['answered with 400', bad(400)],
		['answered with 422', bad(422)],
		['refused in a good answer', refusedPeriod()],
		['answered with no candles', []],
	])('%s is taken from the longest shorter one', async (_, answer) => {
		const {exchange, ask} = giving(answer, 15);
		expect(await ask(45)).toMatchObject({data: {period: 15, candles: [candle(start)]}});
		expect(requested(exchange)).toEqual([
			[45, 500],
			[15, 1000],
		]);
	});

	test('is taken from hours or minutes where the exchange refuses more', async () => {
		const {exchange, ask} = giving(bad(400), 1);
		expect(await ask(240)).toMatchObject({data: {period: 1}});
		expect(requested(exchange).map(([period]) => period)).toEqual([240, 120, 60, 1]);
	});

	test('of calendar months is taken from days, and no months are requested', async () => {
		const {exchange, ask} = giving([], 1440);
		expect(await ask(3 * monthMinutes)).toMatchObject({data: {period: 1440}});
		expect(requested(exchange)).toEqual([[1440, 1000]]);
	});

	test('keeps using the shorter period', async () => {
		const {exchange, ask} = giving(bad(400), 15);
		const first = await ask(45);
		if (first === 'unavailable') throw new Error('candles are unavailable');
		await ask(45, first);
		expect(requested(exchange).at(-1)).toEqual([15, 3]);
	});

	test('fails with the reason of the requested period if all are refused', async () => {
		const {ask} = giving(bad(422));
		await expect(ask(60)).rejects.toEqual(bad(422));
	});

	test('has no candles if no period has any, and is then requested alone', async () => {
		const {exchange, ask} = giving([]);
		const first = await ask(45);
		expect(first).toMatchObject({data: {period: 45, candles: []}});
		if (first !== 'unavailable') await ask(45, first);
		expect(requested(exchange).map(([period]) => period)).toEqual([45, 15, 1, 45]);
	});

	test('is not replaced while the exchange fails', async () => {
		const {exchange, ask} = giving(bad(503));
		await expect(ask(45)).rejects.toMatchObject({status: 503});
		expect(requested(exchange)).toEqual([[45, 500]]);
	});
});
