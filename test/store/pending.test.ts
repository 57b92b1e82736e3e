/** Since when an exchange that does not answer is waited for. */
import {expect, test} from 'vitest';
import {createPace} from '../../source/client/pace.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {longestWaitMs} from '../../source/store/state.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {book, timeout, tooMany} from './samples.ts';
import {answering, setUp, setUpAnswering, startTime} from './set-up.ts';

const names = ['depth', 'trades', 'tickers', 'candles'] as const;

test('says for how long an exchange that hangs has not answered, from the second second on', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	store.start();
	await clock.advance(3500);
	delete exchange.script.depth;
	const waits = [];
	for (let second = 0; second < 7; second++) {
		await clock.advance(1000);
		waits.push(longestWaitMs(now(), names, clock.now()));
	}

	expect(waits).toEqual([undefined, undefined, 2500, 3500, 4500, 5500, 6500]);
	expect(now().depth).toMatchObject({status: 'ready', receivedAt: startTime + 3000});
	expect(longestWaitMs(now(), ['trades', 'tickers'], clock.now())).toBeUndefined();

	exchange.last('depth').answer(book(1));
	await clock.advance(500);
	expect(now().pending.depth).toBeUndefined();
	store.stop();
});

test.each([
	{name: 'its failure', end: ({exchange}: ReturnType<typeof setUp>) => exchange.last('depth').fail(tooMany(0))},
	{name: 'another market', end: ({store}: ReturnType<typeof setUp>) => store.select('ETHUSDT')},
	{name: 'hiding the panel', end: ({store}: ReturnType<typeof setUp>) => store.show(new Set(['trades']))},
	{name: 'a pause', end: ({store}: ReturnType<typeof setUp>) => store.setPaused(true)},
])('ends the wait with $name', async ({end}) => {
	const all = setUp({symbol: 'BTCUSDT'});
	const {clock, exchange, store, now} = all;
	store.start();
	await clock.advance(2000);
	expect(now().pending.depth).toBe(startTime);
	const [aborted] = exchange.calls.depth;
	end(all);
	await clock.advance(500);
	expect(now().pending.depth).toBeUndefined();
	aborted?.answer(book(1));
	await clock.advance(3000);
	expect(now().pending.depth).not.toBe(startTime);
	store.stop();
});

test('goes on while requests time out, from the first of them', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'BTCUSDT'});
	exchange.script.depth = () => timeout();
	store.start();
	await clock.advance(500);
	expect(now().pending).toEqual({depth: startTime});
	await clock.advance(9500);
	expect(now().pending.depth).toBe(startTime);
	// A failure says so itself.
	expect(longestWaitMs(now(), ['depth'], clock.now())).toBeUndefined();
	exchange.script.depth = () => book(1);
	await clock.advance(2000);
	expect(now().pending.depth).toBeUndefined();
	store.stop();
});

test('says nothing while answers take a second', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	const {depth} = exchange.script;
	delete exchange.script.depth;
	store.start();
	for (let second = 0; second < 10; second++) {
		await clock.advance(990);
		expect(now().pending).toEqual({});
		const call = exchange.last('depth');
		const answer = depth?.(call);
		if (!call.settled && answer && 'asks' in answer) call.answer(answer);
		await clock.advance(10);
	}

	store.stop();
});

test('does not count the wait for the request budget', async () => {
	const clock = createFakeClock(startTime);
	const pace = createPace({rate: 0.5, maxRate: 0.5, clock, random: () => 0});
	const exchange = createFakeExchange(clock, answering, pace);
	const store = createMarketStore({exchange, clock, random: () => 0, symbol: 'BTCUSDT'});
	store.start();
	for (let second = 0; second < 30; second++) {
		await clock.advance(1000);
		expect(store.getSnapshot().pending).toEqual({});
	}

	store.stop();
});

test('lowers the request rate while nothing is sent', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	exchange.currentBudget = {used: 2.4, allowed: 5};
	store.start();
	await clock.advance(3500);
	store.setPaused(true);
	const rates = [];
	for (const used of [1.2, 0.4, 0]) {
		exchange.currentBudget = {used, allowed: 5};
		await clock.advance(1000);
		rates.push(now().budget.used);
	}

	expect(rates).toEqual([1.2, 0.4, 0]);
	store.stop();
	expect(clock.timers).toBe(0);
});
