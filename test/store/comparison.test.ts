import {describe, expect, test} from 'vitest';
import {monthMinutes} from '../../source/market/units.ts';
import {createComparison} from '../../source/store/comparison.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {candle, refusedPeriod, timeout, unavailable} from './samples.ts';

const two = {symbols: ['BTCUSDT', 'ETHUSDT'], period: 60, choice: 'auto'} as const;

function setUp() {
	const clock = createFakeClock();
	const exchange = createFakeExchange(clock);
	const comparison = createComparison({exchange, clock, random: () => 0});
	let published = 0;
	comparison.subscribe(() => published++);
	const requested = () => exchange.calls.candles.map(({symbol, options: {period, use}}) => [symbol, period, use]);
	return {clock, exchange, comparison, requested, published: () => published};
}

test('requests nothing until it is shown, then the candles of each market every 15 s', async () => {
	const {clock, exchange, comparison, requested} = setUp();
	await clock.advance(60_000);
	expect(requested()).toEqual([]);
	comparison.show(two);
	expect(requested()).toEqual([
		['BTCUSDT', 60, 'auto'],
		['ETHUSDT', 60, 'auto'],
	]);
	expect(comparison.getSnapshot().map(({candles}) => candles.status)).toEqual(['waiting', 'waiting']);
	exchange.script.candles = () => [candle(0, 1)];
	for (const call of exchange.calls.candles) call.answer([candle(0, 1)]);
	await clock.advance(15_000);
	expect(requested().length).toBe(4);
	expect(comparison.getSnapshot()).toMatchObject([
		{symbol: 'BTCUSDT', candles: {data: {candles: [candle(0, 1)]}}},
		{symbol: 'ETHUSDT', candles: {data: {candles: [candle(0, 1)]}}},
	]);
});

test('keeps the last candles of a failing market while the others continue', async () => {
	const {clock, exchange, comparison} = setUp();
	exchange.script.candles = () => [candle(0, 1)];
	comparison.show(two);
	await clock.advance(0);
	exchange.script.candles = ({symbol}) => (symbol === 'BTCUSDT' ? timeout() : [candle(0, 2)]);
	await clock.advance(15_000);
	const [failed, good] = comparison.getSnapshot();
	expect(failed?.candles).toMatchObject({
		status: 'ready',
		data: {candles: [candle(0, 1)]},
		failure: {error: {kind: 'timeout'}},
	});
	expect(good?.candles).toMatchObject({status: 'ready', data: {candles: [candle(0, 2)]}});
	expect(good?.candles).not.toHaveProperty('failure');
});

test('stops polling while hidden, and keeps its candles', async () => {
	const {clock, exchange, comparison, requested} = setUp();
	exchange.script.candles = () => [candle(0, 1)];
	comparison.show(two);
	await clock.advance(0);
	comparison.show(undefined);
	await clock.advance(60_000);
	expect(requested().length).toBe(2);
	const before = comparison.getSnapshot();
	comparison.show(two);
	expect(comparison.getSnapshot()).toBe(before);
	expect(requested().length).toBe(4);
});

test('polls at once on refresh, but not while hidden, and leaves the waits of the exchange to the screen', async () => {
	const {clock, exchange, comparison, requested} = setUp();
	let ended = 0;
	exchange.retryNow = () => ended++;
	exchange.script.candles = () => [candle(0, 1)];
	comparison.refresh();
	expect(requested().length).toBe(0);
	comparison.show(two);
	await clock.advance(0);
	comparison.refresh();
	expect(requested().length).toBe(4);
	comparison.show(undefined);
	comparison.refresh();
	expect([requested().length, ended]).toEqual([4, 0]);
});

test('builds a refused period from a shorter one, and keeps requesting that one', async () => {
	const {clock, exchange, comparison, requested} = setUp();
	const minute = 60_000;
	exchange.script.candles = ({symbol, options: {period}}) => {
		if (symbol === 'BTCUSDT' && period === 45) return refusedPeriod();
		return period === 45 ? [candle(0, 7)] : [candle(0, 1), candle(15 * minute, 2), candle(30 * minute, 3)];
	};
	comparison.show({...two, period: 45});
	await clock.advance(0);
	const [built, given] = comparison.getSnapshot().map(({candles}) => candles.status === 'ready' && candles.data);
	expect(built).toMatchObject({period: 45, builtFrom: 15, candles: [{time: 0, close: 3}]});
	expect(given).toEqual({period: 45, builtFrom: 'exchange', candles: [candle(0, 7)]});
	const count = requested().length;
	await clock.advance(15_000);
	expect(requested().slice(count).toSorted()).toEqual([
		['BTCUSDT', 15, 'auto'],
		['ETHUSDT', 45, 'auto'],
	]);
});

test('shows the failure where no interface has candles', async () => {
	const {clock, exchange, comparison} = setUp();
	exchange.script.candles = () => unavailable('candles');
	comparison.show(two);
	await clock.advance(0);
	const failed = {status: 'failed', failure: {error: {kind: 'unavailable', brief: 'not offered'}}};
	expect(comparison.getSnapshot().map(({candles}) => candles)).toMatchObject([failed, failed]);
});

test('says that requests wait for the rate limit, and that the clock of the exchange is frozen', async () => {
	const {clock, exchange, comparison} = setUp();
	comparison.show({...two, symbols: ['BTCUSDT']});
	exchange.currentBudget = {used: 0, allowed: 1, freeAt: clock.now() + 60_000};
	await clock.advance(1000);
	expect(comparison.getSnapshot()).toMatchObject([{candles: {held: {error: {kind: 'held'}}}}]);
	exchange.currentBudget = {used: 0, allowed: 1};
	const serverTime = clock.now();
	for (let poll = 0; poll < 6; poll++) {
		exchange.last('candles').answer([candle(0)], {serverTime});
		await clock.advance(15_000);
	}

	expect(comparison.getSnapshot()).toMatchObject([{candles: {failure: {error: {kind: 'frozen-clock'}}}}]);
});

test('refuses answers to an earlier request', async () => {
	const {clock, exchange, comparison} = setUp();
	comparison.show(two);
	const [late] = exchange.calls.candles;
	comparison.show({...two, period: 15});
	late?.answer([candle(0, 99)]);
	await clock.advance(0);
	expect(comparison.getSnapshot().map(({candles}) => candles.status)).toEqual(['waiting', 'waiting']);
});

describe('older candles', () => {
	const hourMs = 3_600_000;
	const hours = (from: number, to: number) =>
		Array.from({length: to - from}, (_, index) => candle((from + index) * hourMs, from + index + 1));

	async function loaded() {
		const setting = setUp();
		setting.exchange.script.candles = () => hours(10, 13);
		setting.comparison.show(two);
		await setting.clock.advance(0);
		const closes = () =>
			setting.comparison
				.getSnapshot()
				.map(({candles}) => (candles.status === 'ready' ? candles.data.candles.map(({close}) => close) : []));
		const history = () => setting.comparison.getSnapshot().map(each => each.history.status);
		return {...setting, closes, history};
	}

	test('are requested for one market, a page at a time, until the exchange has no more', async () => {
		const {clock, exchange, comparison, closes, history} = await loaded();
		delete exchange.script.candles;
		comparison.loadOlder('ETHUSDT');
		comparison.loadOlder('ETHUSDT');
		expect(history()).toEqual(['more', 'loading']);
		const {symbol, options} = exchange.last('candles');
		expect([symbol, options.to, exchange.calls.candles.length]).toEqual(['ETHUSDT', 10 * hourMs - 1, 3]);
		exchange.last('candles').answer(hours(8, 10));
		await clock.advance(0);
		expect([closes(), history()]).toEqual([
			[
				[11, 12, 13],
				[9, 10, 11, 12, 13],
			],
			['more', 'more'],
		]);
		comparison.loadOlder('ETHUSDT');
		exchange.last('candles').answer([]);
		await clock.advance(0);
		expect(history()).toEqual(['more', 'complete']);
		comparison.loadOlder('ETHUSDT');
		expect(exchange.calls.candles.length).toBe(4);
	});

	test('that do not exist make the first candle that is built a whole one', async () => {
		const {clock, exchange, comparison} = setUp();
		const [february, march] = [Date.UTC(2024, 1), Date.UTC(2024, 2)];
		const days = Array.from({length: 20}, (_, index) => candle(Date.UTC(2024, 1, 12 + index), 1));
		comparison.show({...two, period: monthMinutes});
		for (const call of exchange.calls.candles) call.answer(days);
		await clock.advance(0);
		const starts = () =>
			comparison
				.getSnapshot()
				.map(({candles}) => (candles.status === 'ready' ? candles.data.candles.map(({time}) => time) : []));
		expect(starts()).toEqual([[march], [march]]);
		comparison.loadOlder('BTCUSDT');
		exchange.last('candles').answer([]);
		await clock.advance(0);
		expect(starts()).toEqual([[february, march], [march]]);
	});

	test('stay when newer ones arrive', async () => {
		const {clock, exchange, comparison, closes} = await loaded();
		exchange.script.candles = ({options}) => (options.to === undefined ? hours(11, 14) : hours(8, 10));
		comparison.loadOlder('BTCUSDT');
		await clock.advance(15_000);
		expect(closes()).toEqual([
			[9, 10, 11, 12, 13, 14],
			[11, 12, 13, 14],
		]);
	});

	test('that fail are requested again only after a wait, and those that come too late are dropped', async () => {
		const {clock, exchange, comparison, closes, history} = await loaded();
		exchange.script.candles = ({options}) => (options.to === undefined ? hours(10, 13) : timeout());
		comparison.loadOlder('BTCUSDT');
		await clock.advance(0);
		expect(history()).toEqual(['failed', 'more']);
		const count = exchange.calls.candles.length;
		comparison.loadOlder('BTCUSDT');
		expect(exchange.calls.candles.length).toBe(count);
		await clock.advance(60_000);
		comparison.loadOlder('BTCUSDT');
		expect(exchange.last('candles')).toMatchObject({symbol: 'BTCUSDT', options: {to: 10 * hourMs - 1}});
		delete exchange.script.candles;
		comparison.loadOlder('ETHUSDT');
		const late = exchange.last('candles');
		comparison.show(undefined);
		expect(history()[1]).toBe('more');
		late.answer(hours(8, 10));
		await clock.advance(0);
		expect(closes()[1]).toEqual([11, 12, 13]);
		comparison.loadOlder('ETHUSDT');
		expect(exchange.last('candles')).toBe(late);
	});
});
