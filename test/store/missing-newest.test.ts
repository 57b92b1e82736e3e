/** An exchange whose answers lack its newest candles. */
import {describe, expect, test} from 'vitest';
import {candleGaps} from '../../source/market/candles.ts';
import {fetchCandles} from '../../source/store/candle-feed.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../helpers/fake-exchange.ts';
import {candle, timeout, trade, tradePage} from './samples.ts';
import {hour, setUpAnswering, startTime} from './set-up.ts';

const minute = 60_000;
const now = 10_000 * minute;
const tradedAt = now + 20_000;

type Last = Exclude<Awaited<ReturnType<typeof fetchCandles>>, 'unavailable'>;

/** A candle for every minute of 3000, of which `send` chooses. */
function setUp(send: (times: readonly number[], limit: number) => readonly number[]) {
	const exchange = createFakeExchange(createFakeClock(now + 30_000), {
		candles({options: {limit = 500, from = 0, to = Infinity}}) {
			const times = Array.from({length: 3000}, (_, index) => now - (2999 - index) * minute);
			return send(
				times.filter(time => time >= from && time <= to),
				limit,
			).map(time => candle(time));
		},
	});
	async function fetch(traded?: number, last?: Last): Promise<Last> {
		const answer = await fetchCandles(exchange, {
			...{symbol: 'BTCUSDT', period: 1, last, now: now + 30_000, call: {}, tradedAt: traded},
		});
		if (answer === 'unavailable') throw new Error('candles are unavailable');
		return answer;
	}

	return {exchange, fetch};
}

const timesOf = ({data}: Last) => data.candles.map(({time}) => time);
const lastMinutes = (count: number) => Array.from({length: count}, (_, index) => now - (count - 1 - index) * minute);
const requested = (exchange: FakeExchange) =>
	exchange.calls.candles.map(({options: {limit, from, to}}) => [limit, from, to]);

describe('candles are requested again by their time where a trade is newer', () => {
	const oldest = (times: readonly number[], limit: number) => times.slice(0, limit);

	test('and replace the oldest ones, which the exchange sends for a limit', async () => {
		const {exchange, fetch} = setUp(oldest);
		const wrong = await fetch();
		expect(timesOf(wrong).at(-1)).toBe(now - 2500 * minute);
		const right = await fetch(tradedAt, wrong);
		expect(timesOf(right)).toEqual(lastMinutes(500));
		expect(requested(exchange)).toEqual([
			[500, undefined, undefined],
			[500, undefined, undefined],
			[500, now - 499 * minute, tradedAt],
		]);
		expect(timesOf(await fetch(tradedAt + minute, right))).toEqual(lastMinutes(500));
	});

	test('and are added to those that the exchange sends', async () => {
		let isLate = true;
		const {fetch} = setUp((times, limit) => times.filter(time => !isLate || time < now - minute).slice(-limit));
		const late = await fetch();
		expect(timesOf(late).at(-1)).toBe(now - 2 * minute);
		isLate = false;
		expect(timesOf(await fetch(tradedAt, late))).toEqual(lastMinutes(502));
	});

	test('and stay as they are where the exchange has no newer ones, or fails', async () => {
		const {exchange, fetch} = setUp((times, limit) => times.filter(time => time < now - minute).slice(-limit));
		const first = await fetch(tradedAt);
		expect([timesOf(first).length, timesOf(first).at(-1)]).toEqual([500, now - 2 * minute]);
		expect(requested(exchange)).toHaveLength(2);
		const {candles} = exchange.script;
		exchange.script.candles = call => (call.options.from === undefined ? candles?.(call) : timeout('candles'));
		expect(timesOf(await fetch(tradedAt, first))).toEqual(timesOf(first));
	});

	test('but not where the last one can be the newest', async () => {
		const {exchange, fetch} = setUp((times, limit) => times.slice(-limit));
		await fetch(tradedAt);
		await fetch(now + 2 * minute - 1);
		expect(requested(exchange)).toHaveLength(2);
	});
});

test('candles that the exchange does not send are built from trades after a gap, the first one partial, and requested again once', async () => {
	const {exchange, store, now: shown, clock, times} = setUpAnswering();
	const noon = startTime - hour / 2;
	exchange.script.candles = () => [candle(noon - 3 * hour), candle(noon - 2 * hour)];
	exchange.script.trades = () => tradePage(900, 50, clock.now() - 500);
	store.start();
	await clock.advance(2000);
	const {candles} = shown();
	if (candles.status !== 'ready') throw new Error('no candles');
	const {data} = candles;
	expect(data.candles.map(({time}) => time)).toEqual([noon - 3 * hour, noon - 2 * hour, noon]);
	expect(data.candles.at(-1)?.close).toBe(100);
	expect(candleGaps(data)).toEqual([2]);
	expect(data.partial?.has(noon)).toBe(true);
	await clock.advance(8000);
	// The first request, one by time, and the next one at once; no other before the next poll.
	expect(times('candles').length).toBeLessThanOrEqual(4);
	expect(times('candles').filter(time => time > 2000)).toEqual([]);
});

test('candles that lack newer ones are requested again at once, one time for each market and until they have them', async () => {
	const {exchange, store, clock, times} = setUpAnswering();
	let newest = startTime - 3 * minute;
	exchange.script.candles = () => [candle(newest - minute), candle(newest)];
	exchange.script.trades = () => [trade(1, clock.now() - 500)];
	store.setPeriod(1);
	store.start();
	await clock.advance(2000);
	store.select('ETHUSDT');
	await clock.advance(10_000);
	newest = startTime;
	await clock.advance(140_000);
	const counts = [...Map.groupBy(times('candles'), time => time)].map(([time, each]) => [time, each.length]);
	// At once comes a page and, by its time, what that lacks; at a poll of which it lacks some, only these two.
	expect(counts.filter(([, count = 0]) => count > 1)).toEqual([
		[0, 3],
		[2000, 3],
		[17_000, 2],
		[122_000, 3],
		[137_000, 2],
		[152_000, 2],
	]);
});
