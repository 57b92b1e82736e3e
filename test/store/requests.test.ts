import {expect, test} from 'vitest';
import {createFeeds} from '../../source/alerts/feeds.ts';
import type {Exchange} from '../../source/client/exchange.ts';
import {createComparison} from '../../source/store/comparison.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import {createSharedExchange} from '../../source/store/shared-exchange.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../helpers/fake-exchange.ts';
import {book, candle, info, market, ticker, tradePage} from './samples.ts';
import {startTime} from './set-up.ts';

const symbols = Array.from({length: 12}, (_, index) => `M${index}USDT`);
const answerMs = 80;
const tradeMs = 500;
const minute = 60_000;

/** An exchange that answers after 80 ms, with a trade in each market every half second. */
function open() {
	const clock = createFakeClock(startTime);
	const exchange = createFakeExchange(clock);
	const later = (answer: () => void) => {
		clock.after(answerMs, answer);
		return undefined;
	};
	Object.assign(exchange.script, {
		info: call => later(() => call.answer(info)),
		markets: call => later(() => call.answer(symbols.map(each => market(each)))),
		tickers: call => later(() => call.answer(symbols.map(each => ticker(each)))),
		depth: call => later(() => call.answer(book(100 + (clock.now() % 7)))),
		trades: call =>
			later(() => {
				const newest = Math.floor(clock.now() / tradeMs);
				call.answer(tradePage(newest, call.options.limit ?? 500, newest * tradeMs, tradeMs));
			}),
		candles: call =>
			later(() => {
				const {limit = 500, period = 60, to = clock.now()} = call.options;
				const last = Math.floor(to / (period * minute));
				call.answer(Array.from({length: limit}, (_, index) => candle((last - limit + 1 + index) * period * minute)));
			}),
	} satisfies FakeExchange['script']);
	return {clock, exchange};
}

/** How often each was requested, with the sizes of pages, as `trades 500, 6×50`. */
function requestsOf({calls}: FakeExchange): readonly string[] {
	return (['depth', 'trades', 'tickers', 'candles', 'markets', 'info'] as const).flatMap(name => {
		const sizes = calls[name].map(({options: {limit = 0}}) => limit);
		const counts = [...Map.groupBy(sizes, size => size)].map(([size, {length}]) =>
			size === 0 ? `${length}` : `${length}×${size}`,
		);
		return counts.length === 0 ? [] : [`${name} ${counts.join(', ')}`];
	});
}

const screen = (exchange: Exchange, clock: FakeClock, symbol = symbols[0]) => {
	const store = createMarketStore({exchange, clock, random: () => 0, symbol});
	store.start();
	return store;
};

const shared = (exchange: Exchange, clock: FakeClock, leastMs = {}) =>
	createSharedExchange({exchange, clock, random: () => 0, intervals: pollIntervals(), leastMs});

test('a screen that switches markets requests what is of the new one at once', async () => {
	const {clock, exchange} = open();
	const store = screen(exchange, clock);
	for (const symbol of symbols.slice(0, 5)) {
		store.select(symbol);
		await clock.advance(3300);
	}

	store.setPeriod(5);
	await clock.advance(20_000);
	store.loadOlder();
	await clock.advance(1000);
	expect(requestsOf(exchange)).toMatchInlineSnapshot(`
		[
		  "depth 41",
		  "trades 5×500, 36×50",
		  "tickers 8",
		  "candles 6×500, 6×4, 1×1000",
		  "markets 1",
		  "info 1",
		]
	`);
});

test('six tiles share the lists', async () => {
	const {clock, exchange} = open();
	const joined = shared(exchange, clock).join();
	for (const symbol of symbols.slice(0, 6)) screen(joined, clock, symbol);
	await clock.advance(minute);
	expect(requestsOf(exchange)).toMatchInlineSnapshot(`
		[
		  "depth 366",
		  "trades 6×500, 360×50",
		  "tickers 13",
		  "candles 6×500, 24×4",
		  "markets 1",
		  "info 1",
		]
	`);
});

test('a viewer that joins another on its market costs no requests', async () => {
	const {clock, exchange} = open();
	const {join} = shared(exchange, clock);
	screen(join({}), clock);
	await clock.advance(10_300);
	const other = screen(join({}), clock);
	await clock.advance(20_000);
	other.loadOlder();
	await clock.advance(30_000);
	expect(requestsOf(exchange)).toMatchInlineSnapshot(`
		[
		  "depth 61",
		  "trades 1×500, 60×50",
		  "tickers 13",
		  "candles 1×500, 4×4, 1×1000",
		  "markets 1",
		  "info 1",
		]
	`);
});

test('rules for ten markets request what they need every two seconds in turn', async () => {
	const {clock, exchange} = open();
	const store = screen(exchange, clock);
	const feeds = createFeeds({exchange, clock, screens: [store], random: () => 0});
	feeds.subscribe(() => {});
	const asked = [{ask: 'trades'}, {ask: 'tickers'}, {ask: 'candles', period: 60}] as const;
	feeds.follow(symbols.slice(1, 11).flatMap(market => asked.map(each => ({...each, market}))));
	await clock.advance(minute);
	expect(requestsOf(exchange)).toMatchInlineSnapshot(`
		[
		  "depth 61",
		  "trades 21×500, 272×50",
		  "tickers 13",
		  "candles 1×500, 10×1000, 34×4",
		  "markets 1",
		  "info 1",
		]
	`);
});

test('a comparison requests the candles of its markets, and one more page of one', async () => {
	const {clock, exchange} = open();
	const comparison = createComparison({exchange, clock, random: () => 0});
	comparison.show({symbols: symbols.slice(0, 3), period: 60, choice: 'auto'});
	await clock.advance(minute);
	comparison.loadOlder('M1USDT');
	await clock.advance(minute);
	expect(requestsOf(exchange)).toMatchInlineSnapshot(`
		[
		  "candles 3×500, 24×4, 1×1000",
		]
	`);
});
