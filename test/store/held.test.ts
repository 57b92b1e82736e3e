/** What is shown while the exchange wants to be left alone. */
import {expect, test} from 'vitest';
import {timeout} from './samples.ts';
import {setUp, setUpAnswering} from './set-up.ts';

const minutes = 60_000;

test('what is not there yet waits, and says until when, a second after it was asked for', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'BTCUSDT'});
	const freeAt = clock.now() + 9 * minutes;
	store.start();
	exchange.currentBudget = {used: 0, allowed: 1, freeAt};
	await clock.advance(900);
	expect(now().depth).toEqual({status: 'waiting'});
	await clock.advance(600);
	const held = {status: 'waiting', held: {error: {kind: 'waits'}, retryAt: freeAt}};
	for (const name of ['depth', 'tape', 'tickers', 'candles', 'markets'] as const)
		expect(now()[name]).toMatchObject(held);
	store.select('ETHUSDT');
	expect(now().depth).toMatchObject(held);
	store.stop();
});

test('what is there goes stale with its age, and is fresh with the next answer', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	store.start();
	await clock.advance(3500);
	const {depth} = now();
	const {depth: answer} = exchange.script;
	delete exchange.script.depth;
	const freeAt = clock.now() + 9 * minutes;
	exchange.currentBudget = {used: 0, allowed: 1, freeAt};
	await clock.advance(minutes);
	const wait = {error: {kind: 'waits', operation: 'depth'}, retryAt: freeAt};
	expect(now().depth).toMatchObject({...depth, failure: wait});
	exchange.currentBudget = {used: 0, allowed: 1};
	if (answer) exchange.script.depth = answer;
	exchange.last('depth').answer({asks: [[1, 1]], bids: []});
	await clock.advance(500);
	expect(now().depth).toMatchObject({status: 'ready', receivedAt: clock.now() - 500});
	expect(now().depth).not.toHaveProperty('failure');
	store.stop();
});

test('a refresh that has to wait says so at once', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'BTCUSDT'});
	store.start();
	await clock.advance(100);
	exchange.currentBudget = {used: 0, allowed: 1, freeAt: clock.now() + minutes};
	store.refresh();
	await clock.advance(250);
	expect(now().depth).toMatchObject({status: 'waiting', held: {error: {kind: 'waits'}}});
	store.stop();
});

test('what failed before stays the reason, with the time of the next try', async () => {
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

test('a slow answer, or a wait that is soon over, is no reason', async () => {
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
