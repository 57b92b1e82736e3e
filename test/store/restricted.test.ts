import {expect, test} from 'vitest';
import {UnavailableError} from '../../source/client/errors.ts';
import {readBy, withMiddleware} from '../../source/client/middleware.ts';
import {restrictedTo} from '../../source/store/restricted.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {book, info, market, ticker} from './samples.ts';

const markets = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'].map((symbol, index) => ({...market(symbol), id: String(index)}));

function open(allowed: readonly string[] = ['btc-usdt']) {
	const clock = createFakeClock();
	const exchange = createFakeExchange(clock, {
		info: () => info,
		markets: () => markets,
		tickers: () => markets.map(({symbol}) => ticker(symbol)),
		depth: () => book(7),
		trades: () => [],
		candles: () => [],
	});
	return {exchange, restricted: withMiddleware(exchange, restrictedTo(allowed))};
}

test('lists only the markets of the key, in whatever spelling it names them', async () => {
	const {restricted} = open(['btc-usdt', 'SOL/USDT', 'XMRUSDT']);
	const listed = [await restricted.markets(), await restricted.tickers()].map(({data}) => data);
	expect(listed).toEqual([
		[markets[0], markets[2]],
		[ticker('BTCUSDT'), ticker('SOLUSDT')],
	]);
});

test('reads the markets of the key in any spelling, and by their ids', async () => {
	const {exchange, restricted} = open();
	expect((await restricted.depth('BTC_USDT', {use: 'legacy'})).data).toEqual(book(7));
	await restricted.trades('BTCUSDT', {limit: 3});
	await restricted.trades({id: '0'});
	await restricted.candles('BTCUSDT', {period: 60});
	expect((await restricted.info()).data).toBe(info);
	const {depth, trades, candles} = exchange.calls;
	expect([...depth, ...trades, ...candles].map(({symbol, options}) => [symbol, options])).toEqual([
		['BTC_USDT', {use: 'legacy'}],
		['BTCUSDT', {limit: 3}],
		['0', {}],
		['BTCUSDT', {period: 60}],
	]);
});

test('tells markets that share a name apart', async () => {
	const shared = (id: string, base: string, quote: string) => ({
		...{symbol: `${base}${quote}#${id}`, id, base, quote, state: 'active'},
	});
	const clock = createFakeClock();
	const exchange = createFakeExchange(clock, {
		markets: () => [shared('2', 'A', 'BUSD'), shared('3', 'AB', 'USD')],
		depth: () => book(7),
	});
	const restricted = withMiddleware(exchange, restrictedTo(['AB_USD']));
	expect((await restricted.markets()).data.map(({symbol}) => symbol)).toEqual(['ABUSD#3']);
	for (const name of ['ABUSD#3', 'AB/USD']) expect((await restricted.depth(name)).data).toEqual(book(7));
	for (const name of ['ABUSD#2', 'A/BUSD']) await expect(restricted.depth(name)).rejects.toThrow('shows only AB/USD');
});

test('refuses other markets with words that say which the key shows, and without a request', async () => {
	const {exchange, restricted} = open();
	const reads = [
		restricted.depth('ETHUSDT'),
		restricted.trades('ETHUSDT'),
		restricted.trades({id: '1'}),
		restricted.trades({id: '9'}),
		restricted.candles('BTCUSDTX', {period: 60}),
	];
	const errors = await Promise.all(reads.map(read => read.catch((error: unknown) => error)));
	for (const error of errors) expect(error).toBeInstanceOf(UnavailableError);
	expect(errors.map(String)).toEqual(
		['depth', 'trades', 'trades', 'trades', 'candles'].map(
			operation =>
				`UnavailableError: this key shows only BTC/USDT; the owner of the server can allow more (v2 ${operation})`,
		),
	);
	const {depth, trades, candles} = exchange.calls;
	expect([depth, trades, candles]).toEqual([[], [], []]);
});

test.each([
	[['BTCUSDT', 'eth_usdt'], 'this key shows only BTC/USDT and ETH/USDT'],
	[
		['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XMRUSDT', 'BTC/USDT'],
		'this key shows only BTC/USDT, ETH/USDT, SOL/USDT and 1 more',
	],
])('names the markets of the key: %j', async (allowed, words) => {
	const {restricted} = open(allowed);
	await expect(restricted.depth('DOGEUSDT')).rejects.toMatchObject({brief: words});
});

test('the list of one answer is one object, so that what is computed from it is computed once', async () => {
	const {exchange} = open();
	const answer = await exchange.tickers();
	const same = withMiddleware(exchange, next => readBy({tickers: async () => answer}, next));
	const restricted = withMiddleware(same, restrictedTo(['ETHUSDT']));
	expect(await restricted.tickers()).toBe(await restricted.tickers());
});
