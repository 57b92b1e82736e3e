import {expect, test} from 'vitest';
import type {Candle} from '../../source/market/types.ts';
import {candle, timeout} from './samples.ts';
import {hour, setUpAnswering, startTime} from './set-up.ts';

const newest = startTime - 30 * 60_000;

/** An exchange with `count` candles of an hour, given a page at a time as the interface says. */
function setUp(count: number) {
	const all = setUpAnswering();
	const every: readonly Candle[] = Array.from({length: count}, (_, index) =>
		candle(newest - (count - 1 - index) * hour, 1000),
	);
	const upTo = (newestTime: number) => {
		all.exchange.script.candles = ({options: {limit = 500, to = newestTime}}) =>
			every.filter(({time}) => time <= Math.min(to, newestTime)).slice(-limit);
	};
	upTo(newest);
	const shown = () => {
		const {candles, history} = all.now();
		return {count: candles.status === 'ready' ? candles.data.candles.length : 0, history: history.status};
	};
	/** Requests older candles and waits for them. */
	const loadOlder = async () => {
		all.store.loadOlder();
		await all.clock.advance(250);
		return shown();
	};
	return {...all, upTo, shown, loadOlder, requested: () => all.exchange.calls.candles.map(call => call.options)};
}

async function started(count: number) {
	const all = setUp(count);
	all.store.start();
	await all.clock.advance(250);
	return all;
}

test('pages back by the start of the oldest candle until the exchange gives none', async () => {
	const {requested, loadOlder, now} = await started(1700);
	expect([await loadOlder(), await loadOlder(), await loadOlder()]).toEqual([
		{count: 1500, history: 'more'},
		{count: 1700, history: 'more'},
		{count: 1700, history: 'complete'},
	]);
	expect(requested().map(({limit, to}) => [limit, to])).toEqual([
		[500, undefined],
		[1000, newest - 499 * hour - 1],
		[1000, newest - 1499 * hour - 1],
		[1000, newest - 1699 * hour - 1],
	]);
	const {candles} = now();
	const times = candles.status === 'ready' ? candles.data.candles.map(({time}) => time) : [];
	expect(times).toEqual(Array.from({length: 1700}, (_, index) => newest - (1699 - index) * hour));
	await loadOlder();
	expect(requested()).toHaveLength(4);
});

test('a page that is loading is given up with the chart, and requested again when that is back', async () => {
	const {exchange, store, loadOlder, shown} = await started(1700);
	exchange.script.candles = () => undefined;
	for (const hide of [() => store.show(new Set(['depth'])), () => store.stop()]) {
		await loadOlder();
		const {signal} = exchange.last('candles').options;
		hide();
		expect([signal?.aborted, shown().history]).toEqual([true, 'more']);
		store.show(new Set(['candles']));
	}
});

test('keeps 20,000 candles and requests no more', async () => {
	const {requested, loadOlder, shown} = await started(30_000);
	for (let page = 0; page < 22; page++) await loadOlder();
	expect(shown()).toEqual({count: 20_000, history: 'full'});
	expect(requested().at(-1)).toMatchObject({limit: 500});
	expect(requested()).toHaveLength(21);
});

test('requests one page at a time, and shows that it is loading', async () => {
	const {exchange, store, shown} = await started(5000);
	exchange.script.candles = () => undefined;
	for (let press = 0; press < 10; press++) store.loadOlder();
	expect(exchange.calls.candles).toHaveLength(2);
	expect(shown()).toEqual({count: 500, history: 'loading'});
});

test('keeps the older candles when newer ones come', async () => {
	const {clock, loadOlder, shown} = await started(5000);
	await loadOlder();
	await clock.advance(60_000);
	expect(shown().count).toBe(1500);
});

test('requests older candles again after fewer have replaced all', async () => {
	const {clock, upTo, loadOlder, shown} = await started(700);
	await loadOlder();
	expect(await loadOlder()).toEqual({count: 700, history: 'complete'});
	// The exchange has set back its clock.
	upTo(newest - 2 * hour);
	await clock.advance(16_000);
	// With the partial one of the last trade.
	expect(shown()).toEqual({count: 501, history: 'more'});
	expect(await loadOlder()).toEqual({count: 699, history: 'more'});
});

test('shows the failure, and retries on request after four seconds', async () => {
	const {clock, exchange, loadOlder, now} = await started(5000);
	const {candles: script} = exchange.script;
	exchange.script.candles = call => (call.options.to === undefined ? script?.(call) : timeout('candles'));
	await loadOlder();
	expect(now().history).toMatchObject({status: 'failed', error: {kind: 'timeout'}});
	await loadOlder();
	expect(exchange.calls.candles.filter(call => call.options.to !== undefined)).toHaveLength(1);
	Object.assign(exchange.script, {candles: script});
	await clock.advance(4000);
	expect(await loadOlder()).toEqual({count: 1500, history: 'more'});
});

test('refuses a page that comes after a switch of market or period', async () => {
	for (const change of ['market', 'period'] as const) {
		const {clock, exchange, store, shown} = await started(5000);
		const {candles: script} = exchange.script;
		exchange.script.candles = call => (call.options.to === undefined ? script?.(call) : undefined);
		store.loadOlder();
		const late = exchange.last('candles');
		if (change === 'market') store.select('ETHUSDT');
		else store.setPeriod(120);
		late.answer([candle(newest - 600 * hour, 7)]);
		await clock.advance(300);
		expect(shown()).toEqual({count: 500, history: 'more'});
		expect(late.options.signal?.aborted).toBe(true);
	}
});

test('refuses a page that comes after the candles before it were replaced', async () => {
	const {clock, exchange, store, upTo, shown} = await started(5000);
	const {candles: script} = exchange.script;
	exchange.script.candles = call => (call.options.to === undefined ? script?.(call) : undefined);
	store.loadOlder();
	const late = exchange.last('candles');
	// The exchange has set back its clock.
	upTo(newest - 2000 * hour);
	await clock.advance(16_000);
	const before = shown();
	late.answer([candle(newest - 600 * hour, 7)]);
	await clock.advance(300);
	expect(shown()).toEqual({...before, history: 'more'});
});

test('requests nothing older before there are candles', () => {
	const {exchange, store} = setUp(5000);
	store.start();
	store.loadOlder();
	expect(exchange.calls.candles).toHaveLength(1);
});

test('requests nothing older than no candles, and older ones once there are some', async () => {
	const {clock, exchange, store, upTo, requested, loadOlder} = setUp(700);
	exchange.script.candles = () => [];
	store.start();
	await clock.advance(250);
	const polls = requested().length;
	// One is built from the trades.
	expect([await loadOlder(), requested().length]).toEqual([{count: 1, history: 'more'}, polls]);
	upTo(newest);
	await clock.advance(15_000);
	expect(await loadOlder()).toEqual({count: 700, history: 'more'});
});
