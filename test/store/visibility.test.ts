import {expect, test} from 'vitest';
import type {Ask} from '../../source/client/question.ts';
import {book, timeout} from './samples.ts';
import {setUp, setUpAnswering, startTime} from './set-up.ts';

const only = (...names: Ask[]) => new Set(names);

test('requests the hidden list and info once, behind everything else', async () => {
	const {clock, exchange, store, times} = setUpAnswering();
	store.show(only('depth'));
	store.start();
	await clock.advance(600_000);
	expect([times('markets'), times('info')]).toEqual([[0], [0]]);
	expect([exchange.last('markets').options.priority, exchange.last('info').options.priority]).toEqual([2, 2]);
});

test('retries a hidden list until it is loaded', async () => {
	const {clock, exchange, store, times} = setUpAnswering();
	let tries = 0;
	const {markets} = exchange.script;
	exchange.script.markets = call => (++tries < 3 ? timeout('markets') : markets?.(call));
	store.show(only('tickers'));
	store.start();
	await clock.advance(600_000);
	expect(times('markets')).toEqual([0, 4000, 12_000]);
});

test('polls the tape for the candles, which move with each trade', async () => {
	const {clock, store, times} = setUpAnswering();
	store.show(only('candles'));
	store.start();
	await clock.advance(2000);
	expect([times('candles'), times('trades'), times('depth')]).toEqual([[0], [0, 1000, 2000], []]);
});

test('requests the focused panel first', () => {
	const {exchange, store} = setUp({symbol: 'BTCUSDT'});
	store.show(only('depth', 'candles'), 'depth');
	store.start();
	const priorities = (['depth', 'candles', 'trades', 'markets'] as const).map(
		name => exchange.last(name).options.priority,
	);
	expect(priorities).toEqual([0, 1, 1, 2]);
});

test('leaves the requests of visible panels alone when another is hidden', () => {
	const {exchange, store} = setUp({symbol: 'BTCUSDT'});
	store.start();
	store.show(only('candles', 'markets', 'info'));
	const aborted = (['depth', 'tickers', 'trades', 'candles', 'markets', 'info'] as const).map(
		name => exchange.last(name).options.signal?.aborted,
	);
	expect(aborted).toEqual([true, true, false, false, false, false]);
});

test('keeps data and its age while paused, and polls at once afterwards', async () => {
	const {clock, store, now, times} = setUpAnswering();
	store.start();
	await clock.advance(500);
	const before = now();
	store.setPaused(true);
	await clock.advance(60_000);
	expect(now()).toEqual({...before, paused: true});
	expect(now().depth).toBe(before.depth);
	expect(times('depth')).toEqual([0]);
	store.setPaused(false);
	expect(times('depth')).toEqual([0, 60_500]);
});

test('announces no retry while paused, and the next one afterwards', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	store.start();
	await clock.advance(500);
	exchange.script.depth = () => timeout();
	await clock.advance(1000);
	const failing = now().depth;
	expect(failing).toMatchObject({failure: {retryAt: startTime + 2000}});
	store.setPaused(true);
	expect(now().depth).toMatchObject({status: 'ready', failure: {since: startTime + 1000}});
	expect(now().depth).not.toHaveProperty('failure.retryAt');
	store.setPaused(false);
	expect(now().depth).toBe(failing);
});

test('polls one round of what is visible on refresh while paused', async () => {
	const {clock, store, now, times} = setUpAnswering();
	store.start();
	store.show(only('depth', 'candles', 'markets'));
	await clock.advance(500);
	store.setPaused(true);
	await clock.advance(10_000);
	store.refresh();
	await clock.advance(10_000);
	expect([times('depth'), times('candles'), times('markets'), times('tickers')]).toEqual([
		[0, 10_500],
		[0, 10_500],
		[0, 10_500],
		[0],
	]);
	expect(now().depth).toMatchObject({receivedAt: startTime + 10_500});
});

test('finishes a refresh while paused when the focus moves', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'BTCUSDT'});
	store.start();
	store.setPaused(true);
	store.refresh();
	store.show(only('depth', 'trades'), 'trades');
	exchange.last('depth').answer(book(5));
	await clock.advance(300);
	expect(now().depth).toMatchObject({data: book(5)});
});

test('polls once for a market that is selected while paused', async () => {
	const {clock, store, now, times} = setUpAnswering();
	store.start();
	await clock.advance(500);
	store.setPaused(true);
	store.select('ETHUSDT');
	await clock.advance(10_000);
	expect(now()).toMatchObject({paused: true, depth: {data: book(1000)}, candles: {data: {candles: [{open: 1000}]}}});
	expect(times('depth')).toEqual([0, 500]);
});

test('does not poll on refresh before the start', () => {
	const {exchange, store} = setUp({symbol: 'BTCUSDT'});
	store.refresh();
	store.select('ETHUSDT');
	store.setPeriod(5);
	store.setChoice('legacy');
	expect(Object.values(exchange.calls).flat()).toEqual([]);
});
