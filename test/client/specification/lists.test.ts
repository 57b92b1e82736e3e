/** Lists and their order, and states. */
import {expect} from 'vitest';
import {legacy, paths, v2} from '../../helpers/exchange-server.ts';
import {candle, legacyTicker, legacyTrade, market, ticker, trade} from '../../helpers/wire-entries.ts';
import {failureOf} from '../fixture.ts';
import {heart, statement} from './statement.ts';

const only = {use: 'legacy'} as const;

const of = (pairs: readonly (readonly [string, string])[]) =>
	pairs.map(([base, quote], index) => market(base, {id: index + 1, quote, marketName: base + quote}));

statement('the market list is a list of markets', async ({server, open}) => {
	server.answer(
		paths.markets,
		v2(
			of([
				['BTC', 'USDT'],
				['ETH', 'USDT'],
				['ETH', 'BTC'],
			]),
		),
	);
	expect(heart(await open().markets())).toEqual({
		data: [
			{symbol: 'BTCUSDT', id: '1', base: 'BTC', quote: 'USDT', state: 'active', type: 'Spot'},
			{symbol: 'ETHUSDT', id: '2', base: 'ETH', quote: 'USDT', state: 'active', type: 'Spot'},
			{symbol: 'ETHBTC', id: '3', base: 'ETH', quote: 'BTC', state: 'active', type: 'Spot'},
		],
		source: 'v2',
		dropped: 0,
	});
});

statement('the summary has its list in `markets`', async ({server, open}) => {
	const exchange = open();
	server.answer(paths.summary, v2({markets: [ticker(), ticker({symbol: 'ETHUSDT'})]}));
	expect((await exchange.tickers({use: 'v2'})).data.map(({symbol}) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
	server.answer(paths.summary, v2([ticker()]));
	expect((await failureOf(open().tickers({use: 'v2'}))).kind).toBe('http');
});

statement('the ticker is the bare list', async ({server, open}) => {
	const exchange = open();
	server.answer(paths.ticker, v2([ticker(), ticker({symbol: 'ETHUSDT'})]));
	expect((await exchange.tickers({use: 'v2'})).data.map(({symbol}) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
	server.answer(paths.ticker, v2({markets: [ticker()]}));
	expect(await failureOf(exchange.tickers({use: 'v2'}))).toMatchObject({kind: 'schema', path: 'data'});
});

statement('summary and ticker have entries of one shape', async ({server, open}) => {
	const entries = [ticker(), ticker({symbol: 'ETHUSDT', lastPrice: 5e-9, state: 'halted'})];
	server.answer(paths.summary, v2({markets: entries}));
	const summary = await open().tickers({use: 'v2'});
	server.answer(paths.ticker, v2(entries));
	expect(heart(await open().tickers({use: 'v2'}))).toEqual(heart(summary));
});

const threeAsks = [
	[10.5, 1],
	[11, 0.25],
	[13, 4e-8],
];
const threeBids = [
	[10, 2],
	[9.5, 0.75],
	[7, 3e8],
];

statement('v2 asks: pairs of two numbers, price and quantity in this order', async ({server, open}) => {
	const exchange = open();
	server.answer(paths.depth, v2({asks: [...threeAsks, [14, 0.5]]}));
	expect(heart(await exchange.depth('BTCUSDT', {use: 'v2'}))).toEqual({
		data: {asks: [...threeAsks, [14, 0.5]]},
		source: 'v2',
		dropped: 0,
	});
	for (const level of [['14', 1], [14, '1'], {price: 14, quantity: 1}, [14], 14, [-14, 1], [14, -1], null]) {
		server.answer(paths.depth, v2({asks: [...threeAsks, level]}));
		expect(heart(await exchange.depth('BTCUSDT', {use: 'v2'})), JSON.stringify(level)).toEqual({
			data: {asks: threeAsks},
			source: 'v2',
			dropped: 1,
		});
	}
});

statement('v2 asks rise in price, and are shown so where an exchange does not keep to it', async ({server, open}) => {
	const exchange = open();
	for (const sent of [threeAsks, threeAsks.toReversed()]) {
		server.answer(paths.depth, v2({asks: sent}));
		expect((await exchange.depth('BTCUSDT', {use: 'v2'})).data).toEqual({asks: threeAsks});
	}
});

statement(
	'v2 bids are not written down: none are invented, and legacy’s whole book is taken',
	async ({server, open}) => {
		const exchange = open();
		server.answer(paths.depth, v2({asks: threeAsks}));
		server.answer(paths.legacyDepth, legacy({asks: [[12, 1]], bids: threeBids}));
		expect((await exchange.depth('BTCUSDT', {use: 'v2'})).data).toEqual({asks: threeAsks});
		expect(heart(await exchange.depth('BTCUSDT'))).toEqual({
			...{data: {asks: [[12, 1]], bids: threeBids}, source: 'legacy', dropped: 0},
		});
	},
);

for (const [side, sent, order] of [
	['asks', threeAsks, 'rise'],
	['bids', threeBids, 'fall'],
] as const) {
	statement(`legacy ${side}: pairs of two numbers, price and quantity in this order`, async ({server, open}) => {
		const exchange = open();
		const others = {asks: threeAsks, bids: threeBids};
		for (const level of [['14', 1], [14, '1'], {price: 14, quantity: 1}, [14], 14, [-14, 1], [14, -1]]) {
			server.answer(paths.legacyDepth, legacy({...others, [side]: [level, ...sent]}));
			expect(heart(await exchange.depth('BTCUSDT', only)), JSON.stringify(level)).toEqual({
				data: {asks: threeAsks, bids: threeBids},
				source: 'legacy',
				dropped: 1,
			});
		}
	});

	statement(`legacy ${side} ${order} in price, and are shown so where an exchange does not keep to it`, async given => {
		const exchange = given.open();
		for (const levels of [sent, sent.toReversed()]) {
			given.server.answer(paths.legacyDepth, legacy({asks: threeAsks, bids: threeBids, [side]: levels}));
			expect((await exchange.depth('BTCUSDT', only)).data).toEqual({asks: threeAsks, bids: threeBids});
		}
	});
}

statement('v2 trades are a list, in no order that is written down: newest first here', async ({server, open}) => {
	const exchange = open();
	const sent = [1, 2, 3, 4].map(id => trade(id, {time: 1000 * id}));
	for (const entries of [sent, sent.toReversed(), [2, 0, 3, 1].map(index => sent[index])]) {
		server.answer(paths.trades, v2(entries));
		expect((await exchange.trades('BTCUSDT')).data.map(({id}) => id)).toEqual(['4', '3', '2', '1']);
	}
});

statement('legacy trades are a list that does not follow tradeId: by time here', async ({server, open}) => {
	const sent: readonly (readonly [number, number])[] = [
		...([
			[90, 3],
			[12, 5],
			[55, 1],
			[13, 4],
			[54, 2],
		] as const),
	];
	server.answer(paths.legacyTrades, legacy(sent.map(([id, at]) => legacyTrade(id, `2024-08-08T23:54:0${at}+0000`))));
	expect((await open().trades('BTCUSDT', only)).data.map(({id}) => id)).toEqual(['12', '13', '90', '54', '55']);
});

statement('legacy tradeId is that of the order: its fills are all kept', async ({server, open}) => {
	const fills = [1, 2, 2].map(quantity => ({...legacyTrade(7, '2024-08-08T23:54:58+0000'), quantity}));
	server.answer(paths.legacyTrades, legacy(fills));
	const {data, dropped} = await open().trades('BTCUSDT', only);
	expect({fills: data.map(({id, quantity}) => [id, quantity]).toSorted(), dropped}).toEqual({
		fills: [
			['7', 1],
			['7', 2],
			['7', 2],
		],
		dropped: 0,
	});
	expect(new Set(data.map(({key}) => key)).size).toBe(3);
});

const hours = [0, 1, 2, 3].map(hour => 1_723_150_800 + hour * 3600);

statement(
	'candles are a list, newest first: oldest first here, in whatever order they come',
	async ({server, open}) => {
		const exchange = open();
		for (const sent of [hours.toReversed(), hours]) {
			server.answer(paths.candles, v2(sent.map(id => candle(id))));
			expect((await exchange.candles('BTCUSDT', {period: 60})).data.map(({time}) => time / 1000)).toEqual(hours);
		}
	},
);

statement('candles of an hour are 3600 s apart, and others are counted', async ({server, open}) => {
	const exchange = open();
	const offPeriodOf = async (ids: readonly number[]) => {
		server.answer(paths.candles, v2(ids.map(id => candle(id)).toReversed()));
		return (await exchange.candles('BTCUSDT', {period: 60})).offPeriod;
	};
	const [first = 0, second = 0, third = 0] = hours;
	expect(await offPeriodOf(hours)).toBeUndefined();
	expect(await offPeriodOf([first, third])).toBeUndefined();
	expect(await offPeriodOf([first, second, second + 900, third])).toBe(2);
});

statement('a market with the state active is active, and so is its summary', async ({server, open}) => {
	server.answer(paths.markets, v2([market('BTC', {state: 'active'})]));
	server.answer(paths.ticker, v2([ticker({state: 'active'})]));
	const [markets, tickers] = [await open().markets(), await open().tickers()];
	expect([markets.data[0]?.state, tickers.data[0]?.state]).toEqual(['active', 'active']);
});

statement('other states are not written down: the exchange’s own word is kept', async ({server, open}) => {
	const states = ['halted', 'Active', 'ACTIVE ', ''];
	server.answer(paths.markets, v2(states.map((state, id) => market(`A${id}`, {id, state}))));
	server.answer(paths.ticker, v2(states.map((state, id) => ticker({symbol: `A${id}USDT`, state}))));
	const [markets, tickers] = [await open().markets(), await open().tickers()];
	expect(markets.data.map(({state}) => state)).toEqual(states);
	expect(tickers.data.map(({state}) => state)).toEqual(states);
});

statement('isFrozen 0 is an active market', async ({server, open}) => {
	server.answer(paths.legacyTicker, legacy({BTCUSDT: legacyTicker({isFrozen: 0})}));
	const [markets, tickers] = [await open().markets(only), await open().tickers(only)];
	expect([markets.data[0]?.state, tickers.data[0]?.state]).toEqual(['active', 'active']);
});

statement(
	'other values of isFrozen are not written down: the number is kept, as no active market',
	async ({server, open}) => {
		server.answer(
			paths.legacyTicker,
			legacy({BTCUSDT: legacyTicker({isFrozen: 1}), ETHUSDT: legacyTicker({isFrozen: -2})}),
		);
		const states = ['frozen 1', 'frozen -2'];
		expect((await open().markets(only)).data.map(({state}) => state)).toEqual(states);
		expect((await open().tickers(only)).data.map(({state}) => state)).toEqual(states);
	},
);

statement('which state follows which is not written down: any follows any', async ({server, open}) => {
	const exchange = open();
	for (const state of ['active', 'halted', 'active', 'delisted', 'halted']) {
		server.answer(paths.markets, v2([market('BTC', {state})]));
		expect((await exchange.markets()).data[0]?.state).toBe(state);
	}
});

statement('numbers are JSON numbers, and very small ones can have an exponent', async ({server, open}) => {
	const exchange = open();
	server.answer(paths.depth, v2('{"asks":[[1.5e-8,2E3],[0.000000016,1e+2]]}'));
	server.answer(paths.trades, v2('[{"id":1,"quantity":2.50e-7,"price":1E-10,"time":1723161298000,"side":"buy"}]'));
	expect((await exchange.depth('BTCUSDT', {use: 'v2'})).data.asks).toEqual([
		[0.000_000_015, 2000],
		[0.000_000_016, 100],
	]);
	expect((await exchange.trades('BTCUSDT')).data).toEqual([
		...[
			{id: '1', quantity: 0.000_000_25, price: 0.000_000_000_1, time: 1_723_161_298_000, side: 'buy', sideText: 'buy'},
		],
	]);
});
