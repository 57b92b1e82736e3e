import {expect, test} from 'vitest';
import type {Tape} from '../../source/market/tape.ts';
import type {Candle} from '../../source/market/types.ts';
import {fetchCandles, liveCandles} from '../../source/store/candle-feed.ts';
import type {Resource} from '../../source/store/resource.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
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
	exchange.script.candles = () => [candle(start - minute, 7), candle(start, 8)];
	const second = await fetch(first);
	expect(second.data.candles.slice(-3)).toEqual([
		candle(start - 2 * minute),
		candle(start - minute, 7),
		candle(start, 8),
	]);
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
	expect(times(second.data.candles)).toEqual(everyMinute(start - 489 * minute, start + 10 * minute));
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

test('keeps the newest 1,000 candles', async () => {
	const {clock, fetch} = setUp();
	let last = await fetch();
	for (let round = 0; round < 3; round++) {
		await clock.advance(400 * minute);
		last = await fetch(last);
	}

	expect(times(last.data.candles)).toEqual(everyMinute(start + 201 * minute, start + 1200 * minute));
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
