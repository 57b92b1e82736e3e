/**
 * An exchange whose answers are stamped by another clock than its trades, or by one of whole seconds, and a computer whose own
 * clock is wrong. Every figure is compared with the same one computed from all trades that the exchange ever made.
 */
import {expect, type TestContext, test} from 'vitest';
import {quantityValue} from '../../source/alerts/quantity-values.ts';
import {createMarketEvents} from '../../source/cli/commands/watch-events.ts';
import type {Answer} from '../../source/client/exchange.ts';
import {tapeSums} from '../../source/market/tape-sums.ts';
import type {Candle, Period, Trade} from '../../source/market/types.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {waiting} from '../../source/store/resource.ts';
import {completeTo, stampsAhead} from '../../source/store/trade-time.ts';
import {comparing} from '../helpers/comparing.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';

const second = 1000;
const minute = 60 * second;
/** On the clock of the trades, 15 s before a minute ends. */
const start = Date.UTC(2026, 0, 1, 12, 4, 45);
/** From the request to the answer's making, and from that to its arrival. */
const onWayMs = 40;

/** A market that trades `perSecond`, from 4 minutes before the start: at random, but always the same. */
function createMarket(perSecond: number, seconds: number): readonly Trade[] {
	let state = 7;
	const random = () => {
		state = (state * 48_271) % 2_147_483_647;
		return state / 2_147_483_647;
	};
	let [time, ticks, id] = [start - 4 * minute, 500_000, 1000];
	const trades: Trade[] = [];
	while (time < start + seconds * second) {
		time += Math.ceil((-Math.log(random()) * second) / perSecond);
		// Half of the trades have the price of the one before.
		if (random() < 0.5) ticks += Math.round((random() - 0.5) * 20);
		trades.push({
			id: String(id++),
			time,
			price: ticks / 100,
			quantity: Math.ceil(random() * 5000) / 10_000,
			side: 'buy',
		});
	}

	return trades;
}

const sum = (trades: readonly Trade[]) =>
	trades.reduce((lots, {quantity}) => lots + Math.round(quantity * 10_000), 0) / 10_000;

/** The candle of `period` that the last of these trades is in. */
function lastCandle(trades: readonly Trade[], period: Period): Candle {
	const time = Math.floor((trades.at(-1)?.time ?? 0) / (period * minute)) * period * minute;
	const within = trades.slice(trades.findLastIndex(trade => trade.time < time) + 1);
	const prices = within.map(({price}) => price);
	return {
		...{time, open: prices[0] ?? 0, close: prices.at(-1) ?? 0},
		...{high: Math.max(...prices), low: Math.min(...prices), volume: sum(within)},
	};
}

type Clocks = {
	/** How far the stamps are ahead of the trades' own times, ms. */
	readonly stampsMs?: number;
	readonly areStampsWhole?: boolean;
	/** How far this computer's clock is ahead of the trades' own times, ms. */
	readonly oursMs?: number;
	/** How long before the making of its answer a candle was made. */
	readonly candleLagMs?: number;
};

type Watched = Clocks & {readonly perSecond: number; readonly period: Period; readonly seconds: number};

/** Watches the market, and compares what is shown at each change. */
async function watch(context: TestContext, {perSecond, period, seconds, ...clocks}: Watched) {
	const check = comparing(context);
	const {stampsMs = 0, areStampsWhole = false, oursMs = 0, candleLagMs = 0} = clocks;
	const all = createMarket(perSecond, seconds);
	const clock = createFakeClock(start + oursMs);
	/** By the clock of the trades. */
	const now = () => clock.now() - oursMs;
	const until = (time: number) => all.slice(0, all.findLastIndex(trade => trade.time <= time) + 1);
	const stamp = () => {
		const time = now() + stampsMs;
		return areStampsWhole ? Math.floor(time / second) * second : time;
	};

	/** The last two candles. */
	function candlesUntil(time: number): readonly Candle[] {
		const last = lastCandle(until(time), period);
		const before = until(last.time - 1);
		return before.length > 0 ? [lastCandle(before, period), last] : [last];
	}

	const exchange = createFakeExchange(clock, {
		trades: call =>
			later(call, () =>
				until(now())
					.toReversed()
					.slice(0, call.options.limit ?? 500),
			),
		candles: call => later(call, () => candlesUntil(now() - candleLagMs)),
	});
	function later<Data>(
		call: {at: number; answer(data: Data, more: Partial<Answer<Data>>): void},
		make: () => Data,
	): undefined {
		clock.after(onWayMs, () => {
			const [data, serverTime] = [make(), stamp()];
			clock.after(onWayMs, () => call.answer(data, {serverTime, sentAt: call.at}));
		});
	}

	const store = createMarketStore({exchange, clock, random: () => 0, symbol: 'BTCUSDT', period});
	store.show(new Set(['trades', 'candles']));
	let partialUntil = 0;
	const events = createMarketEvents();
	const reported: string[] = [];
	store.subscribe(() => {
		for (const event of events(store.getSnapshot(), clock.now())) {
			if (event.type === 'trade') reported.push(event.id);
			if (event.type !== 'candle' || !event.closed || event.partial) continue;
			const {time, open, close, high, low, volume} = event;
			const whole = lastCandle(until(time + period * minute - 1), period);
			check({time, open, close, high, low, volume}, whole, 'a candle that closed');
		}

		const {trades: tape, candles} = store.getSnapshot();
		if (tape.status !== 'ready' || candles.status !== 'ready') return;
		const [newest] = tape.data.trades;
		const shown = candles.data.candles.at(-1);
		const made = tape.receivedAt - onWayMs - oursMs;
		if (!newest || !shown) return;
		check(newest, until(made).at(-1), 'the newest trade');
		// A candle may be ahead of the trades by the time between their answers.
		const last = until(now());
		const wholes = () =>
			last.slice(last.indexOf(newest)).map(trade => lastCandle(last.slice(0, last.indexOf(trade) + 1), period));
		if (candles.data.partial?.has(shown.time)) {
			partialUntil = now();
			check(shown.volume <= (wholes().at(-1)?.volume ?? 0), true, 'no trade counts twice');
		} else {
			const known = lastCandle(until(newest.time), period);
			const whole = known.volume === shown.volume ? known : wholes().find(({volume}) => volume === shown.volume);
			check(shown, whole ?? known, `the candle at ${new Date(now()).toISOString()}`);
		}

		// Nothing tells before the second page that both clocks are wrong.
		if (stampsMs !== 0 && oursMs !== 0 && tape.tradeClock?.ahead.most === Infinity) return;
		// What a minute has is known up to the newest trade: any end of it up to the answer's arrival is right.
		const counts = (ms: number, of: (trades: readonly Trade[]) => number) => {
			const known = until(newest.time);
			const ends = [newest.time, ...known.map(({time}) => time + ms), made + onWayMs].filter(
				end => end >= newest.time && end <= made + onWayMs,
			);
			return ends.map(end => of(known.filter(({time}) => time > end - ms)));
		};
		const rates = counts(minute, trades => trades.length);
		const {perMinute, perMinutePartial} = tapeSums(tape.data, completeTo(tape));
		if (!perMinutePartial) check(rates.includes(perMinute) ? 'right' : [perMinute, rates], 'right', 'the rate');
		const known = {state: store.getSnapshot(), candlesOf: () => waiting, facts: new Map()};
		const moment = {now: clock.now(), newest: 0, isTrade: false};
		const volume = quantityValue({type: 'quantity', name: 'volume', windowMs: 10 * second}, known, moment);
		const volumes = counts(10 * second, trades => sum(trades));
		check(volumes.includes(volume ?? -1) ? 'right' : [volume, volumes], 'right', 'the volume of 10 s');
		const age = quantityValue({type: 'quantity', name: 'age'}, known, moment);
		check(age, (clock.now() - tape.receivedAt) / second, 'the age');
	});
	store.start();
	await clock.advance(seconds * second);
	store.stop();
	const {trades: tape} = store.getSnapshot();
	const first = all.findIndex(({id}) => id === reported[0]);
	const ids = all.slice(first, first + reported.length).map(({id}) => id);
	check(reported, ids, 'the trades that were reported');
	return {stampsMs: stampsAhead(tape), partialMs: Math.max(partialUntil - start, 0)};
}

const shifts = [-300, -9, -1, 0, 1, 60];

test.for([1, 40])(
	'counts each trade once at %i trades a second, whatever the stamps say',
	async (perSecond, context) => {
		for (const shift of shifts) {
			const {stampsMs, partialMs} = await watch(context, {perSecond, period: 1, seconds: 25, stampsMs: shift * second});
			expect(Math.abs(shift) >= 2 ? Math.round((stampsMs ?? 0) / second) : (stampsMs ?? shift)).toBe(shift);
			expect(partialMs).toBeLessThan(4 * second);
		}

		const whole = await watch(context, {perSecond, period: 1, seconds: 25, areStampsWhole: true});
		expect(whole.stampsMs).toBe(undefined);
	},
);

test.for<readonly [string, Clocks]>([
	['this computer’s clock is ahead', {oursMs: 300 * second}],
	['this computer’s clock is behind', {oursMs: -300 * second}],
	['this computer’s clock and the stamps are ahead', {oursMs: 300 * second, stampsMs: 9 * second}],
	['this computer’s clock and the stamps are behind', {oursMs: -300 * second, stampsMs: -9 * second}],
	['candles lag', {candleLagMs: 3 * second, areStampsWhole: true}],
])('counts each trade once in a candle that began before the tape where %s', async ([, clocks], context) => {
	const {stampsMs, partialMs} = await watch(context, {perSecond: 4, period: 60, seconds: 25, ...clocks});
	expect(stampsMs === undefined ? 0 : Math.round(stampsMs / second)).toBe((clocks.stampsMs ?? 0) / second);
	expect(partialMs).toBeLessThan(4 * second);
});
