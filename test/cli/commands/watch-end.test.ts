import {describe, expect, onTestFinished, test} from 'vitest';
import {afterLong, judgeUntil, noteGap} from '../../../source/cli/commands/watch-end.ts';
import type {Met} from '../../../source/cli/commands/watch-events.ts';
import {readCondition} from '../../../source/cli/options/rule-options.ts';
import {hourMs} from '../../../source/market/units.ts';
import {createMarketStore} from '../../../source/store/market-store.ts';
import type {IntervalChoices} from '../../../source/store/polling.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange} from '../../helpers/fake-exchange.ts';
import {book, candle, market, ticker, timeout, trade} from '../../store/samples.ts';

type Watched = {
	readonly until: string;
	/** Of the stores. Default: as in the monitor. */
	readonly intervals?: IntervalChoices;
};

/** Two markets on an exchange whose trades cost what `prices` says. */
function watch({until, intervals = {}}: Watched) {
	const clock = createFakeClock();
	const hour = Math.floor(clock.now() / hourMs) * hourMs;
	const prices = new Map([
		['BTCUSDT', 100],
		['ETHUSDT', 10],
	]);
	const symbols = [...prices.keys()];
	const exchange = createFakeExchange(clock, {
		markets: () => symbols.map(symbol => market(symbol)),
		tickers: () => symbols.map(symbol => ticker(symbol)),
		depth: () => book(100),
		candles: () => [99, 100, 101].map((price, index) => candle(hour - (3 - index) * hourMs, price)),
		trades: ({symbol = ''}) => [trade(clock.now(), clock.now(), prices.get(symbol))],
	});
	const stores = symbols.map(symbol => createMarketStore({exchange, clock, symbol, intervals, random: () => 0}));
	const mets: {readonly markets: readonly unknown[]; readonly atMs: number}[] = [];
	const gaps: Met['gap'][] = [];
	const start = clock.now();
	const judging = {exchange, clock, turns: undefined, intervals, blindAfterMs: 30_000};
	const judged = judgeUntil(readCondition(until, symbols, {once: false}), stores, judging, met => {
		gaps.push(met.gap);
		mets.push({markets: met.states.map(({symbol}) => symbol), atMs: clock.now() - start});
	});
	for (const store of stores) store.show(new Set(['tickers', 'depth', 'trades']));
	for (const store of stores) store.start();
	judged.start();
	const close = () => {
		judged.stop();
		for (const store of stores) store.stop();
	};
	onTestFinished(close);
	return {clock, exchange, prices, mets, gaps, close};
}

test('a condition is met once, by the first answer', async () => {
	const {clock, prices, mets} = watch({until: 'last > 105'});
	await clock.advance(2500);
	expect(mets).toEqual([]);
	prices.set('BTCUSDT', 106);
	await clock.advance(60_000);
	expect(mets).toEqual([{markets: ['BTCUSDT'], atMs: 3250}]);
});

test('a condition is met by the trade that crosses an average of closed candles, of which no others are polled', async () => {
	const {clock, prices, exchange, mets, close} = watch({until: 'ETHUSDT.last crosses above sma(3, 1h)'});
	await clock.advance(2500);
	expect(exchange.calls.candles.map(({symbol, options}) => [symbol, options.period])).toEqual([['ETHUSDT', 60]]);
	prices.set('ETHUSDT', 100.5);
	await clock.advance(1000);
	expect(mets).toEqual([{markets: ['ETHUSDT'], atMs: 3250}]);
	close();
	expect(clock.timers).toBe(0);
});

test('a condition is judged with the growing age while no answer arrives, and never by stale data', async () => {
	const {clock, exchange, prices, mets} = watch({until: 'ETHUSDT.age >= 20 or last > 105'});
	await clock.advance(2000);
	exchange.script.trades = () => timeout('trades');
	exchange.script.depth = () => undefined;
	exchange.script.tickers = () => undefined;
	prices.set('BTCUSDT', 106);
	await clock.advance(30_000);
	expect(mets).toEqual([{markets: ['ETHUSDT'], atMs: 20_000}]);
});

test('a condition is judged on what is polled anyway, however seldom', async () => {
	const {clock, exchange, prices, mets} = watch({until: 'last > 105 and spread < 5', intervals: {depth: 60_000}});
	await clock.advance(45_000);
	prices.set('BTCUSDT', 106);
	await clock.advance(5000);
	expect([exchange.calls.depth.length, mets]).toEqual([2, [{markets: ['BTCUSDT'], atMs: 46_000}]]);
});

describe('a condition that was met where trades are missing', () => {
	test('is met at a time that is noted, as its markets are printed as they are now', () => {
		const notes: string[] = [];
		const [from, to] = ['2026-11-20T14:03:12Z', '2026-11-20T14:07:05Z'].map(Date.parse);
		const until = readCondition('last crosses 70000', [], {once: false});
		const met = {
			time: Number(to),
			values: {last: null},
			gap: {from: Number(from), to: Number(to), high: 70_120},
			states: [],
		};
		noteGap(until, met, {note: text => void notes.push(text)});
		noteGap(until, {...met, gap: undefined}, {note: text => void notes.push(text)});
		expect(notes).toEqual(['--until was met between 14:03:12 and 14:07:05 (high 70,120): last crosses 70000']);
	});

	test.each([
		['by the trade after the gap', 106, {}],
		['by candles that show that the price went there and back', 100, {high: 107, low: 99}],
	])('is met %s', async (_, price, traded) => {
		const {clock, exchange, mets, gaps} = watch({until: 'BTCUSDT.last crosses 105'});
		const seconds = (count: number, last: number) => () =>
			Array.from({length: count}, (_, ago) => trade(clock.now() - ago * 1000, clock.now() - ago * 1000, last));
		exchange.script.trades = seconds(5, 100);
		await clock.advance(65_000);
		const from = clock.now();
		exchange.script.trades = () => timeout('trades');
		exchange.script.candles = () => [{...candle(from - 5000, 100), high: 107, low: 99, close: price}];
		await clock.advance(10_000);
		exchange.script.trades = seconds(2, price);
		expect(mets).toEqual([]);
		await clock.advance(20_000);
		const [gap, ...others] = gaps;
		expect([mets.length, others, gap]).toEqual([1, [], {from, to: expect.any(Number), ...traded}]);
	});
});

test('a condition leaves no timers when it is stopped', async () => {
	const {clock, prices, mets, close} = watch({until: 'last > 105'});
	await clock.advance(1000);
	close();
	prices.set('BTCUSDT', 106);
	await clock.advance(20_000);
	expect([mets, clock.timers]).toEqual([[], 0]);
});

test('a watch ends after a time longer than a timer can last, and can be stopped meanwhile', async () => {
	const dayMs = 86_400_000;
	const long = {clock: createFakeClock(), ends: 0};
	afterLong(long.clock, 40.5 * dayMs, () => long.ends++);
	await long.clock.advance(40.5 * dayMs - 1);
	expect(long.ends).toBe(0);
	await long.clock.advance(1);
	expect([long.ends, long.clock.timers]).toEqual([1, 0]);

	const stop = afterLong(long.clock, 3 * dayMs, () => long.ends++);
	await long.clock.advance(2.5 * dayMs);
	stop();
	await long.clock.advance(dayMs);
	expect([long.ends, long.clock.timers]).toEqual([1, 0]);
});
