import {describe, expect, test} from 'vitest';
import {candleGaps} from '../../source/market/candles.ts';
import type {Tape} from '../../source/market/tape.ts';
import type {Candle} from '../../source/market/types.ts';
import {monthMinutes} from '../../source/market/units.ts';
import {fetchCandles} from '../../source/store/candle-feed.ts';
import {liveCandles} from '../../source/store/live-candles.ts';
import {type Failure, failing, type Resource} from '../../source/store/resource.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../helpers/fake-exchange.ts';
import {candle, timeout, trade, unavailable} from './samples.ts';

const minute = 60_000;
const start = 1000 * minute;

type Last = Exclude<Awaited<ReturnType<typeof fetchCandles>>, 'unavailable'>;

/** An exchange with a candle for every minute up to now, `kept` of them. */
function setUp(kept = 30_000) {
	const clock = createFakeClock(start + 30_000);
	const exchange = createFakeExchange(clock, {
		candles: ({options: {limit = 500, to = Infinity}}) => {
			const newest = Math.floor(clock.now() / minute) * minute;
			const end = Math.min(newest, Math.floor(to / minute) * minute);
			const first = Math.max(end - (limit - 1) * minute, newest - (kept - 1) * minute);
			return everyMinute(first, end).map(time => candle(time));
		},
	});
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
	Array.from({length: Math.max((to - from) / minute + 1, 0)}, (_, index) => from + index * minute);

test('requests 500 candles first and afterwards only those that can have changed', async () => {
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

describe('after a long silence', () => {
	test('counts the flawed candles of all pages, and those of another period in the whole series', async () => {
		const {clock, exchange, fetch} = setUp();
		const first = await fetch();
		await clock.advance(1500 * minute);
		const {candles: script} = exchange.script;
		exchange.script.candles = call => {
			const page = script?.(call);
			if (page === undefined || page instanceof Error) return page;
			// One candle is a second late.
			const shifted = page.map((each, index) => (index === 5 ? {...each, time: each.time + 1000} : each));
			call.answer(shifted, {dropped: 1, rounded: 2, misdated: 3});
			return undefined;
		};
		const {dropped, rounded, misdated, offPeriod} = await fetch(first);
		expect({dropped, rounded, misdated, offPeriod}).toEqual({dropped: 2, rounded: 4, misdated: 6, offPeriod: 4});
	});

	const requested = (exchange: FakeExchange) => exchange.calls.candles.map(({options: {limit, to}}) => [limit, to]);

	test('pages back to the loaded candles where one page does not hold them', async () => {
		const {clock, exchange, fetch} = setUp();
		const first = await fetch();
		await clock.advance(2500 * minute);
		const second = await fetch(first);
		expect(requested(exchange)).toEqual([
			[500, undefined],
			[1000, undefined],
			[1000, start + 1501 * minute - 1],
			[504, start + 501 * minute - 1],
		]);
		expect(times(second.data.candles)).toEqual(everyMinute(start - 499 * minute, start + 2500 * minute));
	});

	test('leaves a gap where the exchange no longer has the candles between', async () => {
		const {clock, fetch} = setUp(1200);
		const first = await fetch();
		await clock.advance(3000 * minute);
		const second = await fetch(first);
		expect(times(second.data.candles)).toEqual([
			...everyMinute(start - 499 * minute, start),
			...everyMinute(start + 1801 * minute, start + 3000 * minute),
		]);
	});

	test('keeps no more than 20,000 candles, and requests no more', async () => {
		const {clock, exchange, fetch} = setUp();
		const first = await fetch();
		await clock.advance(25_000 * minute);
		const second = await fetch(first);
		expect(times(second.data.candles)).toEqual(everyMinute(start + 5001 * minute, start + 25_000 * minute));
		expect(requested(exchange)).toHaveLength(21);
	});

	test('fails as a whole when a page does, and the next poll retries', async () => {
		const {clock, exchange, ask, fetch} = setUp();
		const first = await fetch();
		await clock.advance(2500 * minute);
		const {candles} = exchange.script;
		exchange.script.candles = call => (call.options.to === undefined ? candles?.(call) : timeout('candles'));
		await expect(ask(first)).rejects.toEqual(timeout('candles'));
		Object.assign(exchange.script, {candles});
		const second = await fetch(first);
		expect(second.data.candles).toHaveLength(3000);
	});

	test('gives up paging where the exchange does not go back in time', async () => {
		const {clock, exchange, fetch} = setUp();
		const first = await fetch();
		await clock.advance(2500 * minute);
		exchange.script.candles = ({options: {limit = 0}}) =>
			everyMinute(start + (2501 - limit) * minute, start + 2500 * minute).map(time => candle(time));
		const second = await fetch(first);
		expect(requested(exchange)).toHaveLength(3);
		expect(second.data.candles).toHaveLength(1500);
	});
});

test('requests more when a short answer does not meet the loaded candles', async () => {
	const {clock, fetch, limits} = setUp();
	const first = await fetch();
	await clock.advance(10 * minute);
	// Our clock was set back meanwhile: the short answer is too short.
	const second = await fetch({...first, receivedAt: clock.now() + 60 * minute});
	expect(limits()).toEqual([500, 3, 11]);
	expect(times(second.data.candles)).toEqual(everyMinute(start - 499 * minute, start + 10 * minute));
});

test.each([
	['back a clock that was 2 h ahead', -120],
	['forward a clock that was 2 min behind', 2],
	['forward a clock that was 3 h behind', 180],
])('replaces all candles when the exchange sets %s', async (_, behind) => {
	const {clock, exchange, fetch} = setUp();
	let behindMs = behind * minute;
	exchange.script.candles = ({options: {limit = 500, to = Infinity}}) => {
		const end = Math.min(start, Math.floor((to + behindMs) / minute) * minute);
		return everyMinute(end - (limit - 1) * minute, end).map(time => candle(time - behindMs, time / minute));
	};
	const wrong = await fetch();
	behindMs = 0;
	await clock.advance(15_000);
	const right = await fetch(wrong);
	expect(times(wrong.data.candles)).toEqual(everyMinute(start - (499 + behind) * minute, start - behind * minute));
	expect(right.data.candles).toEqual(everyMinute(start - 499 * minute, start).map(time => candle(time, time / minute)));
});

test('keeps the loaded candles when an answer lacks the last of them because entries were refused', async () => {
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

test('requests all candles again when the other interface answers', async () => {
	const {clock, exchange, fetch, limits} = setUp();
	const first = await fetch();
	await clock.advance(15_000);
	exchange.script.candles = call => {
		call.answer([candle(start, 5)], {interface: 'legacy'});
		return undefined;
	};
	const second = await fetch(first);
	expect(limits()).toEqual([500, 4, 500]);
	expect(second.data.candles).toEqual([candle(start, 5)]);
});

test('requests all candles again where there were none', async () => {
	const {clock, exchange, fetch, limits} = setUp();
	exchange.script.candles = () => [];
	const first = await fetch();
	await clock.advance(15_000);
	await fetch(first);
	expect(first.data).toEqual({period: 1, candles: [], builtFrom: 'exchange'});
	expect(limits()).toEqual([500, 500]);
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
	interface: 'legacy',
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

/** The newest `later` trades came after an answer; the candle had this `volume`. */
const after = (later: number, volume = 10) => ({period: 1, growth: {volume, later, isCertain: true}});

test('moves the last candle with each trade that its answer has not', () => {
	const tape = tapeOf(
		trade(3, start + 40_000, 90, 4),
		trade(2, start + 25_000, 120, 2),
		trade(1, start + 20_000, 110, 1),
	);
	expect(liveCandles(answered(start + 60_000), tape, after(2))).toEqual({
		status: 'ready',
		data: {
			period: 1,
			candles: [{time: start, open: 100, high: 120, low: 90, close: 90, volume: 16}],
			builtFrom: 'exchange',
			added: {from: start, lastSent: start},
		},
		interface: 'v2',
		receivedAt: start + 30_000,
		serverTime: start + 60_000,
		dropped: 0,
	});
});

test('builds an empty series from the trades, partial where the tape begins', () => {
	const answer = {...answered(start).answer, data: {period: 1, candles: [], builtFrom: 'exchange' as const}};
	const tape = tapeOf(trade(3, start + minute, 90, 4), trade(1, start + 20_000, 110, 1));
	expect(liveCandles({answer, failure: undefined}, tape, after(2, 0))).toMatchObject({
		data: {
			candles: [candle(start, 110, 1), candle(start + minute, 90, 4)],
			builtFrom: 'trades',
			partial: new Set([start]),
		},
	});
});

test('builds a refused period from a shorter one, moves it with each trade and names that period', () => {
	const raw = [0, 1, 2, 3].map(index => candle(start - minute + index * 15 * minute + minute, 100 + index, 10));
	const answer = {...answered(start).answer, data: {period: 15, candles: raw, builtFrom: 'exchange' as const}};
	const built = liveCandles({answer, failure: undefined}, tapeOf(trade(1, start + 46 * minute, 90, 4)), {
		...after(1),
		period: 30,
	});
	expect(built).toMatchObject({
		data: {
			period: 30,
			candles: [{time: start + 20 * minute, open: 102, high: 103, low: 90, close: 90, volume: 24}],
			builtFrom: 15,
			added: {from: start + 45 * minute, lastSent: start + 45 * minute},
		},
	});
});

test('builds the first month of a market from its first day on, once the exchange has no older ones', () => {
	const listed = Date.UTC(2024, 1, 12);
	const days = Array.from({length: 20}, (_, index) => candle(listed + index * 1440 * minute, 100, 10));
	const answer = {...answered(start).answer, data: {period: 1440, candles: days, builtFrom: 'exchange' as const}};
	const startsOf = (isWhole: boolean) => {
		const built = liveCandles({answer, failure: undefined}, {status: 'waiting'}, {period: monthMinutes, isWhole});
		return built.status === 'ready' && built.data.candles.map(({time, volume}) => [time, volume]);
	};
	const march = [Date.UTC(2024, 2), 20];
	expect([startsOf(false), startsOf(true)]).toEqual([[march], [[Date.UTC(2024, 1), 180], march]]);
});

test('marks a month that lacks a day', () => {
	const days = Array.from({length: 100}, (_, index) => candle(Date.UTC(2024, 0, 1 + index), 100, 10));
	const without = days.filter(({time}) => time !== Date.UTC(2024, 2, 7));
	const answer = {...answered(start).answer, data: {period: 1440, candles: without, builtFrom: 'exchange' as const}};
	const built = liveCandles({answer, failure: undefined}, {status: 'waiting'}, {period: monthMinutes});
	expect(built.status === 'ready' && candleGaps(built.data)).toEqual([2]);
});

test('tells candles that are built from trades alone from those that trades moved', () => {
	const opened = liveCandles(answered(start), tapeOf(trade(2, start + minute + 1), trade(1, start - 1)), after(1));
	expect(opened).toMatchObject({data: {added: {from: start + minute, lastSent: start}}});
	const still = liveCandles(answered(start), tapeOf(trade(1, start + 40_000)), after(0));
	expect(still).toMatchObject({data: {added: undefined}});
});

describe('the last candle', () => {
	const shown = (tape: Resource<Tape>, failure?: Failure) => {
		const growth = {volume: 10, later: 0, isCertain: false};
		const shownTape = failure ? failing(tape, failure) : tape;
		const candles = liveCandles(answered(start + 50_000), shownTape, {period: 1, growth});
		return candles.status === 'ready' ? candles.data.candles : [];
	};

	test.each([
		['closes at the last trade where it lags behind it', start + 20_000, {high: 120, close: 120}],
		['keeps its close where the last trade is older', start - 1, {}],
	])('%s', (_, time, change) => {
		expect(shown(tapeOf(trade(1, time, 120, 4)))).toEqual([{...candle(start, 100, 10), ...change}]);
	});

	test('keeps its close while the tape is stale', () => {
		const failure = {error: timeout('trades'), since: start};
		expect(shown(tapeOf(trade(1, start + 20_000, 120, 4)), failure)).toEqual([candle(start, 100, 10)]);
	});
});

test('waits while there are neither candles nor trades', () => {
	expect(liveCandles({answer: undefined, failure: undefined}, {status: 'waiting'}, {period: 1})).toEqual({
		status: 'waiting',
	});
	expect(liveCandles({answer: 'unavailable', failure: undefined}, {status: 'waiting'}, {period: 1})).toEqual({
		status: 'waiting',
	});
});

test('keeps the candles and marks them stale while their refresh fails', () => {
	const failure = {error: timeout('candles'), since: start};
	const tape = tapeOf(trade(1, start + 40_000, 90, 4));
	expect(liveCandles({...answered(start + 30_000), failure}, tape, after(1))).toMatchObject({
		status: 'ready',
		data: {candles: [{close: 90, volume: 14}]},
		failure,
	});
});
