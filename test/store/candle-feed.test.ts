import {describe, expect, test} from 'vitest';
import {type ExchangeError, HttpStatusError, RefusedError} from '../../source/client/errors.ts';
import type {Tape} from '../../source/market/tape.ts';
import type {Candle} from '../../source/market/types.ts';
import {fetchCandles, liveCandles} from '../../source/store/candle-feed.ts';
import type {Resource} from '../../source/store/resource.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../helpers/fake-exchange.ts';
import {candle, timeout, trade, unavailable} from './samples.ts';

const minute = 60_000;
const start = 1000 * minute;

type Last = Exclude<Awaited<ReturnType<typeof fetchCandles>>, 'unavailable'>;

/** An exchange with a candle for every minute up to now. */
function setUp() {
	const clock = createFakeClock(start + 30_000);
	const closed = () =>
		Array.from({length: 1000}, (_, index) => candle(Math.floor(clock.now() / minute - 999 + index) * minute));
	const exchange = createFakeExchange(clock, {candles: call => closed().slice(-(call.options.limit ?? 500))});
	const ask = (last?: Last) => fetchCandles(exchange, {symbol: 'BTCUSDT', period: 1, last, now: clock.now(), call: {}});
	const fetch = async (last?: Last): Promise<Last> => {
		const answer = await ask(last);
		if (answer === 'unavailable') throw new Error('candles are unavailable');
		return answer;
	};

	const limits = () => exchange.calls.candles.map(call => call.options.limit);
	return {clock, exchange, ask, fetch, limits};
}

const times = (candles: readonly Candle[]) => candles.map(({time}) => time);
const everyMinute = (from: number, to: number) =>
	Array.from({length: (to - from) / minute + 1}, (_, index) => from + index * minute);

test('asks for 500 candles first and afterwards only for those that can have changed', async () => {
	const {clock, fetch, limits} = setUp();
	const first = await fetch();
	await clock.advance(15_000);
	const second = await fetch(first);
	await clock.advance(10 * minute);
	const third = await fetch(second);
	expect(limits()).toEqual([500, 4, 13]);
	expect(third.data.builtFrom).toBe('exchange');
	expect(times(third.data.candles)).toEqual(everyMinute(start - 499 * minute, start + 10 * minute));
});

test('takes the candles that changed from the newer answer', async () => {
	const {clock, exchange, fetch} = setUp();
	const first = await fetch();
	await clock.advance(15_000);
	const changed = [
		{...candle(start - minute), close: 107, high: 107},
		{...candle(start), close: 98, low: 98},
	];
	exchange.script.candles = () => changed;
	const second = await fetch(first);
	expect(second.data.candles.slice(-3)).toEqual([candle(start - 2 * minute), ...changed]);
	expect(second.data.candles).toHaveLength(500);
});

test('asks for all candles again after a long silence', async () => {
	const {clock, fetch, limits} = setUp();
	const first = await fetch();
	await clock.advance(600 * minute);
	const second = await fetch(first);
	expect(limits()).toEqual([500, 500]);
	expect(times(second.data.candles)).toEqual(everyMinute(start + 101 * minute, start + 600 * minute));
});

test('asks for all candles again when a short answer does not meet the known ones', async () => {
	const {clock, fetch, limits} = setUp();
	const first = await fetch();
	await clock.advance(10 * minute);
	// Our clock was set back meanwhile: the short answer is too short.
	const second = await fetch({...first, receivedAt: clock.now() + 60 * minute});
	expect(limits()).toEqual([500, 3, 500]);
	expect(times(second.data.candles)).toEqual(everyMinute(start - 499 * minute, start + 10 * minute));
});

test('replaces all candles when the exchange sets back a clock that was ahead', async () => {
	const {clock, exchange, fetch, limits} = setUp();
	const {candles} = exchange.script;
	exchange.script.candles = call => {
		const answer = candles?.(call);
		return Array.isArray(answer) ? answer.map(each => ({...each, time: each.time + 120 * minute})) : [];
	};
	const ahead = await fetch();
	exchange.script.candles = candles ?? (() => []);
	await clock.advance(15_000);
	const right = await fetch(ahead);
	expect(limits()).toEqual([500, 4, 500]);
	expect(times(ahead.data.candles)).toEqual(everyMinute(start - 379 * minute, start + 120 * minute));
	expect(times(right.data.candles)).toEqual(everyMinute(start - 499 * minute, start));
});

test('replaces all candles when the exchange sets forward a clock that was behind', async () => {
	const {clock, exchange, fetch, limits} = setUp();
	const rising = (behindMs: number) => {
		exchange.script.candles = ({options: {limit = 500}}) =>
			everyMinute(start - (limit - 1) * minute, start).map(time => candle(time - behindMs, time / minute));
	};
	rising(2 * minute);
	const behind = await fetch();
	rising(0);
	await clock.advance(15_000);
	const right = await fetch(behind);
	expect(limits()).toEqual([500, 4, 500]);
	expect(right.data.candles).toEqual(everyMinute(start - 499 * minute, start).map(time => candle(time, time / minute)));
});

test('keeps the known candles when an answer lacks the last of them because entries were refused', async () => {
	const {clock, exchange, fetch, limits} = setUp();
	const first = await fetch();
	await clock.advance(15_000);
	exchange.script.candles = call => {
		call.answer([candle(start - 2 * minute), candle(start - minute)], {dropped: 1});
		return undefined;
	};
	const second = await fetch(first);
	expect(limits()).toEqual([500, 4]);
	expect(second.data.candles).toEqual(first.data.candles);
});

test('asks for all candles again when the other interface answers', async () => {
	const {clock, exchange, fetch, limits} = setUp();
	const first = await fetch();
	await clock.advance(15_000);
	exchange.script.candles = call => {
		call.answer([candle(start, 5)], {interface: 'v1'});
		return undefined;
	};
	const second = await fetch(first);
	expect(limits()).toEqual([500, 4, 500]);
	expect(second.data.candles).toEqual([candle(start, 5)]);
});

test('asks for all candles again where there were none', async () => {
	const {clock, exchange, fetch, limits} = setUp();
	exchange.script.candles = () => [];
	const first = await fetch();
	await clock.advance(15_000);
	await fetch(first);
	expect(first.data).toEqual({period: 1, candles: [], builtFrom: 'exchange'});
	expect(limits()).toEqual([500, 500]);
});

test('keeps the newest 20,000 candles', async () => {
	const {clock, fetch} = setUp();
	const first = await fetch();
	const known = everyMinute(start - 19_998 * minute, start).map(time => candle(time));
	await clock.advance(10 * minute);
	const second = await fetch({...first, data: {...first.data, candles: known}});
	expect(times(second.data.candles)).toEqual(everyMinute(start - 19_989 * minute, start + 10 * minute));
});

describe('a period that the exchange does not give', () => {
	const bad = (status: number) =>
		new HttpStatusError({operation: 'candles', interface: 'v2', url: '', status, body: '', said: ''});
	const refused = new RefusedError({operation: 'candles', interface: 'v2', url: '', status: 200, body: '', said: ''});
	const asked = (exchange: FakeExchange) => exchange.calls.candles.map(({options: {period, limit}}) => [period, limit]);
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
		['refused in a good answer', refused],
		['answered with no candles', []],
	])('%s is taken from the longest shorter one', async (_, answer) => {
		const {exchange, ask} = giving(answer, 15);
		expect(await ask(45)).toMatchObject({data: {period: 15, candles: [candle(start)]}});
		expect(asked(exchange)).toEqual([
			[45, 500],
			[15, 1000],
		]);
	});

	test('is taken from hours or minutes where the exchange refuses more', async () => {
		const {exchange, ask} = giving(bad(400), 1);
		expect(await ask(240)).toMatchObject({data: {period: 1}});
		expect(asked(exchange).map(([period]) => period)).toEqual([240, 120, 60, 1]);
	});

	test('stays with the shorter one afterwards', async () => {
		const {exchange, ask} = giving(bad(400), 15);
		const first = await ask(45);
		if (first === 'unavailable') throw new Error('candles are unavailable');
		await ask(45, first);
		expect(asked(exchange).at(-1)).toEqual([15, 3]);
	});

	test('is refused for the reason of the period itself when all are', async () => {
		const {ask} = giving(bad(422));
		await expect(ask(60)).rejects.toEqual(bad(422));
	});

	test('has no candles where no period has any, and is not searched for again', async () => {
		const {exchange, ask} = giving([]);
		const first = await ask(45);
		expect(first).toMatchObject({data: {period: 45, candles: []}});
		if (first !== 'unavailable') await ask(45, first);
		expect(asked(exchange).map(([period]) => period)).toEqual([45, 15, 1, 45]);
	});

	test('is not searched for while the exchange is in trouble', async () => {
		const {exchange, ask} = giving(bad(503));
		await expect(ask(45)).rejects.toMatchObject({status: 503});
		expect(asked(exchange)).toEqual([[45, 500]]);
	});

	test('is built from the shorter one, moves with each trade and says what it is built from', () => {
		const raw = [0, 1, 2, 3].map(index => candle(start - minute + index * 15 * minute + minute, 100 + index, 10));
		const answer = {...answered(start).answer, data: {period: 15, candles: raw, builtFrom: 'exchange' as const}};
		const built = liveCandles({answer, failure: undefined}, tapeOf(trade(1, start + 46 * minute, 90, 4)), 30);
		expect(built).toMatchObject({
			data: {
				period: 30,
				candles: [{time: start + 20 * minute, open: 102, high: 103, low: 90, close: 90, volume: 24}],
				builtFrom: 15,
			},
		});
	});
});

test('answers that candles are unavailable, and rejects every other failure', async () => {
	const {exchange, ask} = setUp();
	exchange.script.candles = () => unavailable('candles');
	expect(await ask()).toBe('unavailable');
	const error = timeout('candles');
	exchange.script.candles = () => error;
	await expect(ask()).rejects.toBe(error);
});

const tapeOf = (...trades: Tape['trades']): Resource<Tape> => ({
	status: 'ready',
	data: {trades, gaps: new Set()},
	interface: 'v1',
	receivedAt: start + 45_000,
	dropped: 2,
});
const answered = (serverTime: number | undefined) => ({
	answer: {
		data: {period: 1, candles: [candle(start, 100, 10)], builtFrom: 'exchange' as const},
		interface: 'v2' as const,
		receivedAt: start + 30_000,
		serverTime,
		dropped: 0,
	},
	failure: undefined,
});

test('moves the last candle with each trade that is newer than the answer, and counts none twice', () => {
	const tape = tapeOf(
		trade(3, start + 40_000, 90, 4),
		trade(2, start + 25_000, 120, 2),
		trade(1, start + 20_000, 110, 1),
	);
	expect(liveCandles(answered(start + 20_000), tape, 1)).toEqual({
		status: 'ready',
		data: {
			period: 1,
			candles: [{time: start, open: 100, high: 120, low: 90, close: 90, volume: 16}],
			builtFrom: 'exchange',
		},
		interface: 'v2',
		receivedAt: start + 30_000,
		serverTime: start + 20_000,
		dropped: 0,
	});
});

test('goes by our own clock where the exchange says no time', () => {
	const tape = tapeOf(trade(2, start + 40_000, 90, 4), trade(1, start + 25_000, 120, 2));
	expect(liveCandles(answered(undefined), tape, 1)).toMatchObject({
		data: {candles: [{time: start, open: 100, high: 100, low: 90, close: 90, volume: 14}]},
	});
});

test('builds candles from the tape where the exchange has none, with the age and interface of the tape', () => {
	const tape = tapeOf(trade(2, start + 40_000, 90, 4), trade(1, start - 5000, 120, 2));
	expect(liveCandles({answer: 'unavailable', failure: undefined}, tape, 1)).toEqual({
		status: 'ready',
		data: {
			period: 1,
			candles: [candle(start - minute, 120, 2), candle(start, 90, 4)],
			builtFrom: 'trades',
		},
		interface: 'v1',
		receivedAt: start + 45_000,
		dropped: 2,
	});
});

test('shows the failure of the tape where candles are built from it', () => {
	const failure = {error: timeout('trades'), since: start};
	expect(liveCandles({answer: 'unavailable', failure: undefined}, {status: 'failed', failure}, 1)).toEqual({
		status: 'failed',
		failure,
	});
});

test('waits while neither candles nor trades are known', () => {
	expect(liveCandles({answer: undefined, failure: undefined}, {status: 'waiting'}, 1)).toEqual({status: 'waiting'});
	expect(liveCandles({answer: 'unavailable', failure: undefined}, {status: 'waiting'}, 1)).toEqual({status: 'waiting'});
});

test('keeps the candles and marks them stale while their refresh fails', () => {
	const failure = {error: timeout('candles'), since: start};
	const tape = tapeOf(trade(1, start + 40_000, 90, 4));
	expect(liveCandles({...answered(start + 30_000), failure}, tape, 1)).toMatchObject({
		status: 'ready',
		data: {candles: [{close: 90, volume: 14}]},
		failure,
	});
});
