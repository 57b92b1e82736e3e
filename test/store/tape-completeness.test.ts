/** The tape of a busy market, polled through a request budget: nothing is lost unmarked. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createPace} from '../../source/client/pace.ts';
import type {Tape} from '../../source/market/tape.ts';
import type {Trade} from '../../source/market/types.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {fetchTape, type TapeAnswer} from '../../source/store/tape-feed.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../helpers/fake-exchange.ts';
import {trade, tradePage} from './samples.ts';
import {answering, startTime} from './set-up.ts';

/** Trades a second from a second after the start on. */
type Phase = {readonly perSecond: number; readonly seconds: number};

/** A market that trades as the phases say: id 1 at the start, then one after the other. */
function createMarket(phases: readonly Phase[]) {
	const times: number[] = [];
	let from = startTime;
	/** How many have happened. */
	let newest = 0;
	for (const {perSecond, seconds} of phases) {
		for (let index = 0; index < perSecond * seconds; index++) times.push(from + Math.floor((index * 1000) / perSecond));
		from += seconds * 1000;
	}

	return {
		durationMs: from - startTime,
		/** Newest first. */
		page(now: number, limit: number): readonly Trade[] {
			while ((times[newest] ?? Infinity) <= now) newest++;
			return Array.from({length: Math.min(limit, newest)}, (_, index) => {
				const id = newest - index;
				return trade(id, times[id - 1] ?? 0);
			});
		},
	};
}

/** What a store shows of the market in the end, and when and for how much it asked. */
async function watch(phases: readonly Phase[], rate: number) {
	const clock = createFakeClock(startTime);
	const market = createMarket(phases);
	const pace = createPace({rate, maxRate: rate, clock, random: () => 0});
	const trades: FakeExchange['script']['trades'] = call => market.page(call.at, call.options.limit ?? 500);
	const exchange = createFakeExchange(clock, {...answering, trades}, pace);
	const store = createMarketStore({exchange, clock, random: () => 0, symbol: 'BTCUSDT'});
	store.show(new Set(['trades']));
	store.start();
	await clock.advance(market.durationMs);
	store.stop();
	const {trades: tape} = store.getSnapshot();
	if (tape.status !== 'ready') throw new Error('no tape');
	return {tape: tape.data, calls: exchange.calls.trades};
}

/** Ids of trades below which the next one that the market made is not shown. */
function lostAfter({trades}: Tape): ReadonlySet<string> {
	const below = trades.slice(1).map((next, index) => [trades[index]?.id ?? '', next.id] as const);
	return new Set(below.filter(([id, next]) => Number(id) - Number(next) !== 1).map(([id]) => id));
}

test('loses nothing at 200 trades per second with polls every second', async () => {
	const {tape, calls} = await watch([{perSecond: 200, seconds: 30}], 5);
	expect(lostAfter(tape)).toEqual(new Set());
	expect(tape.gaps).toEqual(new Set());
	expect(tape.trades.length).toBeGreaterThan(5700);
	// Each second one request, and a second one when the market proves busier than thought.
	expect(calls.length).toBeLessThanOrEqual(33);
});

test('polls sooner when a page per second is not enough, and returns to its interval', async () => {
	const phases = [
		{perSecond: 1000, seconds: 1},
		{perSecond: 2500, seconds: 6},
		{perSecond: 1, seconds: 45},
	];
	const {tape, calls} = await watch(phases, 20);
	expect(tape.gaps).toEqual(lostAfter(tape));
	// Each time that the rush grew came unforeseen.
	expect(tape.gaps.size).toBeLessThanOrEqual(2);
	const at = calls.map(call => call.at - startTime);
	expect(at.filter(ms => ms >= 3000 && ms < 7000).length).toBeGreaterThan(14);
	expect(at.filter(ms => ms >= 37_000 && ms < 52_000).length).toBeLessThanOrEqual(16);
});

test('marks every stretch that the budget loses, and nothing else', async () => {
	const phase = fc.record({
		perSecond: fc.constantFrom(0, 1, 20, 200, 700, 2000),
		seconds: fc.integer({min: 1, max: 6}),
	});
	let lost = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.array(phase, {minLength: 1, maxLength: 5}),
			fc.constantFrom(0.1, 0.3, 1, 5),
			async (phases, rate) => {
				const {tape} = await watch([{perSecond: 10, seconds: 2}, ...phases], rate);
				expect(tape.gaps).toEqual(lostAfter(tape));
				lost += tape.gaps.size;
			},
		),
		{numRuns: 25, seed: 7},
	);
	// The runs are not all harmless.
	expect(lost).toBeGreaterThan(3);
});

test('requests a page that reaches back to the tape when requests wait for their turns', async () => {
	const clock = createFakeClock(startTime);
	const exchange = createFakeExchange(clock, {
		trades: ({options: {limit = 500}}) => tradePage(clock.now() / 200, limit, clock.now(), 200),
	});
	/** Each request is sent 20 s after it was asked for. */
	const late = {
		...exchange,
		async trades(...read: Parameters<typeof exchange.trades>) {
			await clock.advance(20_000);
			return exchange.trades(...read);
		},
	};
	let last: TapeAnswer | undefined;
	for (let poll = 0; poll < 4; poll++) {
		await clock.advance(2000);
		last = await fetchTape(late, {symbol: 'BTCUSDT', last, now: clock.now(), call: {}});
	}

	// Only the second poll needs two: it shows how long they take.
	expect(exchange.calls.trades.slice(1).map(({options}) => options.limit)).toEqual([50, 1000, 1000, 800]);
});
