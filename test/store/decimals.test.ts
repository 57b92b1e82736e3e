import {expect, test} from 'vitest';
import {noDecimals} from '../../source/market/precision.ts';
import {market, ticker, trade} from './samples.ts';
import {setUp, setUpAnswering, startTime} from './set-up.ts';

test('infers the decimals of a market from its book, its trades and its ticker', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'BTCUSDT'});
	store.start();
	expect(now().decimals).toEqual(noDecimals);
	exchange.last('depth').answer({asks: [[100.5, 2]], bids: [[99, 0.125]]});
	await clock.advance(250);
	expect(now().decimals).toEqual({price: 1, quantity: 3});
	exchange.last('trades').answer([trade(1, startTime, 100.25, 0.0001)]);
	await clock.advance(250);
	expect(now().decimals).toEqual({price: 2, quantity: 4});
	exchange.last('tickers').answer([ticker('BTCUSDT', 100.125), ticker('SHIBUSDT', 0.00001371)]);
	await clock.advance(250);
	expect(now().decimals).toEqual({price: 3, quantity: 4});
});

test('counts each new trade, also a late one between others', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	const pages = [
		[trade(1, startTime, 100), trade(3, startTime + 2, 100)],
		[trade(1, startTime, 100), trade(3, startTime + 2, 100), trade(4, startTime + 3, 100.5)],
		[1, 2, 3, 4].map(id => trade(id, startTime + id - 1, id === 2 ? 100.125 : 100)),
	];
	let shown: (typeof pages)[number] = [];
	exchange.script.trades = () => shown;
	store.start();
	const seen: number[] = [];
	for (const page of pages) {
		shown = page;
		await clock.advance(2000);
		seen.push(now().decimals.price);
	}

	expect(seen).toEqual([0, 1, 3]);
});

test('keeps the digits of a market that is selected again', async () => {
	const {clock, exchange, store, now} = setUpAnswering();
	exchange.script.depth = ({symbol}) => ({asks: [[symbol === 'BTCUSDT' ? 100.25 : 7, 1]]});
	store.start();
	await clock.advance(250);
	const {decimals} = now();
	expect(decimals).toEqual({price: 2, quantity: 0});
	store.select('ETHUSDT');
	expect(now().decimals).toEqual(noDecimals);
	await clock.advance(250);
	exchange.script.depth = () => ({asks: [[100, 1]]});
	store.select('BTCUSDT');
	expect(now().decimals).toBe(decimals);
	await clock.advance(2000);
	expect(now().decimals).toBe(decimals);
});

test('keeps the decimals when the market takes the spelling of the list', async () => {
	const {clock, exchange, store, now} = setUp({symbol: 'btc-usdt'});
	store.start();
	exchange.last('depth').answer({asks: [[100.25, 1]]});
	await clock.advance(250);
	exchange.last('markets').answer([market('BTCUSDT')]);
	await clock.advance(250);
	expect(now()).toMatchObject({symbol: 'BTCUSDT', decimals: {price: 2, quantity: 0}});
});
