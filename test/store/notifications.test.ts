import {expect, test} from 'vitest';
import {book, trade} from './samples.ts';
import {setUp, setUpAnswering, startTime} from './set-up.ts';

test('shows the same snapshot until listeners are called', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'BTCUSDT'});
	const seen: unknown[] = [];
	store.subscribe(() => seen.push(now()));
	store.start();
	exchange.last('depth').answer(book(1));
	await clock.advance(0);
	const first = now();
	expect(seen).toEqual([first]);
	exchange.last('trades').answer([trade(1, startTime)]);
	await clock.advance(249);
	expect(now()).toBe(first);
	await clock.advance(1);
	expect(now()).not.toBe(first);
	expect(seen).toEqual([first, now()]);
});

test('keeps the identity of every part that did not change', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	store.start();
	await clock.advance(500);
	const before = now();
	exchange.currentBudget = {...exchange.currentBudget};
	exchange.script.depth = () => book(4);
	exchange.script.trades = () => [];
	await clock.advance(1000);
	const {depth, trades: tape, bookHistory, ...rest} = now();
	expect(depth).not.toBe(before.depth);
	expect(tape).not.toBe(before.trades);
	expect(bookHistory).not.toBe(before.bookHistory);
	for (const [name, part] of Object.entries(rest)) expect(part).toBe(Reflect.get(before, name));
});

test('does not move the candles when nothing was traded', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	exchange.script.trades = () => [trade(1, startTime + 1)];
	store.start();
	await clock.advance(500);
	const {candles} = now();
	await clock.advance(5000);
	expect(now().trades).toMatchObject({receivedAt: startTime + 5000});
	expect(now().candles).toBe(candles);
});

test('publishes a user action at once, even right after a data update', async () => {
	const {clock, store, now} = setUpAnswering();
	store.start();
	await clock.advance(0);
	const seen: unknown[] = [];
	store.subscribe(() => seen.push([now().symbol, now().period, now().choice, now().paused]));
	store.select('ETHUSDT');
	store.setPeriod(15);
	store.setChoice('v2');
	store.setPaused(true);
	expect(seen).toEqual([
		['ETHUSDT', 60, 'auto', false],
		['ETHUSDT', 15, 'auto', false],
		['ETHUSDT', 15, 'v2', false],
		['ETHUSDT', 15, 'v2', true],
	]);
});

test('publishes nothing when nothing changed', async () => {
	const {clock, store} = setUpAnswering();
	store.start();
	await clock.advance(500);
	let calls = 0;
	store.subscribe(() => calls++);
	store.select('BTC_USDT');
	store.setPeriod(60);
	store.setChoice('auto');
	store.setPaused(false);
	store.show(new Set(['depth']), 'depth');
	expect(calls).toBe(0);
});

test('shows the request budget of the moment with each update', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	store.start();
	await clock.advance(500);
	const {budget} = now();
	exchange.currentBudget = {used: 3, allowed: 2.5, freeAt: 120};
	expect(now().budget).toBe(budget);
	await clock.advance(1000);
	expect(now().budget).toEqual({used: 3, allowed: 2.5, freeAt: 120});
});

test('does not call a listener that has unsubscribed', async () => {
	const {store} = setUp({symbol: 'BTCUSDT'});
	let calls = 0;
	const unsubscribe = store.subscribe(() => calls++);
	store.select('ETHUSDT');
	unsubscribe();
	store.select('SOLUSDT');
	expect(calls).toBe(1);
});
