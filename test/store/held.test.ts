/** What is shown while the request budget holds requests back. */
import {expect, test} from 'vitest';
import {timeout} from './samples.ts';
import {setUp, setUpAnswering} from './set-up.ts';

const minutes = 60_000;

test('shows how long a resource without data waits, a second after its request', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'BTCUSDT'});
	const freeAt = clock.now() + 9 * minutes;
	store.start();
	exchange.currentBudget = {used: 0, allowed: 1, freeAt, retryAfterMs: 8 * minutes};
	await clock.advance(900);
	expect(now().depth).toEqual({status: 'waiting'});
	await clock.advance(600);
	const held = {status: 'waiting', held: {error: {kind: 'held', retryAfterMs: 8 * minutes}, retryAt: freeAt}};
	for (const name of ['depth', 'trades', 'tickers', 'candles', 'markets'] as const)
		expect(now()[name]).toMatchObject(held);
	store.select('ETHUSDT');
	expect(now().depth).toMatchObject(held);
	store.stop();
});

test('marks data stale while its request waits, and fresh with the next answer', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	store.start();
	await clock.advance(3500);
	const {depth} = now();
	const {depth: answer} = exchange.script;
	delete exchange.script.depth;
	const freeAt = clock.now() + 9 * minutes;
	exchange.currentBudget = {used: 0, allowed: 1, freeAt};
	await clock.advance(minutes);
	const wait = {error: {kind: 'held', operation: 'depth'}, retryAt: freeAt};
	expect(now().depth).toMatchObject({...depth, failure: wait});
	exchange.currentBudget = {used: 0, allowed: 1};
	if (answer) exchange.script.depth = answer;
	exchange.last('depth').answer({asks: [[1, 1]], bids: []});
	await clock.advance(500);
	expect(now().depth).toMatchObject({status: 'ready', receivedAt: clock.now() - 500});
	expect(now().depth).not.toHaveProperty('failure');
	store.stop();
});

test('waits for nothing while paused, until a refresh', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	delete exchange.script.trades;
	store.start();
	await clock.advance(3500);
	delete exchange.script.depth;
	exchange.currentBudget = {used: 0, allowed: 1, freeAt: clock.now() + 9 * minutes};
	await clock.advance(5000);
	expect(now()).toMatchObject({depth: {failure: {error: {kind: 'held'}}}, trades: {held: {error: {kind: 'held'}}}});
	store.setPaused(true);
	expect(now().depth).toMatchObject({status: 'ready', failure: undefined});
	expect(now().trades).toEqual({status: 'waiting'});
	expect(now().budget).toEqual({used: 0, allowed: 1});
	store.refresh();
	await clock.advance(1500);
	expect(now()).toMatchObject({depth: {failure: {error: {kind: 'held'}}}, trades: {held: {error: {kind: 'held'}}}});
	store.stop();
});

test('reports at once a refresh that has to wait', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'BTCUSDT'});
	store.start();
	await clock.advance(100);
	exchange.currentBudget = {used: 0, allowed: 1, freeAt: clock.now() + minutes};
	store.refresh();
	await clock.advance(250);
	expect(now().depth).toMatchObject({status: 'waiting', held: {error: {kind: 'held'}}});
	store.stop();
});

test('keeps an earlier failure as the reason, with the time of the next retry', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	exchange.script.depth = () => timeout();
	store.start();
	await clock.advance(500);
	expect(now().depth).toMatchObject({status: 'failed', failure: {error: {kind: 'timeout'}}});
	delete exchange.script.depth;
	const freeAt = clock.now() + 9 * minutes;
	exchange.currentBudget = {used: 0, allowed: 1, freeAt};
	await clock.advance(5000);
	expect(now().depth).toMatchObject({status: 'failed', failure: {error: {kind: 'timeout'}, retryAt: freeAt}});
	store.stop();
});

test('reports neither a slow answer nor a short wait', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'BTCUSDT'});
	store.start();
	await clock.advance(3000);
	expect(now().depth).toEqual({status: 'waiting'});
	exchange.currentBudget = {used: 0, allowed: 1, freeAt: clock.now() + 1900};
	await clock.advance(2000);
	expect(now().depth).toEqual({status: 'waiting'});
	store.stop();
	expect(clock.timers).toBe(0);
});
