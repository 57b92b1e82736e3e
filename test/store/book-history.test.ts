import {expect, test} from 'vitest';
import {createBookHistories} from '../../source/market/liquidity.ts';
import {book} from './samples.ts';
import {setUpAnswering} from './set-up.ts';

test('continues the history of a market in any spelling', () => {
	const histories = createBookHistories();
	histories.add('BTC/USDT', book(10), 1000);
	histories.add('ETHUSDT', book(20), 2000);

	const {snapshots, previous} = histories.add('BTCUSDT', book(11), 3000);

	expect([snapshots.map(({asks}) => asks[0]), previous]).toEqual([[11, 12], book(10)]);
	expect(histories.resume('ETH_USDT')).toMatchObject({snapshots: [{time: 2000}]});
});

test('keeps the histories of the four markets selected last', () => {
	const histories = createBookHistories();
	for (const symbol of ['A', 'B', 'C', 'D']) histories.add(symbol, book(1), 1000);
	histories.resume('A');
	histories.add('E', book(1), 1000);

	expect(['A', 'B', 'C', 'D', 'E'].filter(symbol => histories.resume(symbol).snapshots.length > 0)).toEqual([
		'A',
		'C',
		'D',
		'E',
	]);
});

test('keeps the previous book, never another market’s', async () => {
	const {store, clock, now} = setUpAnswering();
	store.start();
	await clock.advance(1500);
	expect(now().bookHistory).toMatchObject({previous: book(2000), current: book(2000)});

	store.select('ETHUSDT');
	expect(now().bookHistory).toEqual({snapshots: []});
	await clock.advance(1500);
	expect(now().bookHistory.snapshots.map(({asks}) => asks[0])).toEqual([1001, 1001]);

	store.select('BTCUSDT');
	expect(now().bookHistory.previous).toBeUndefined();
	expect(now().bookHistory.snapshots.length).toBe(2);
});
