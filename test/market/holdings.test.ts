import {describe, expect, test} from 'vitest';
import {pathsTo} from '../../source/market/conversion.ts';
import {type Holding, type Prices, valuationOf} from '../../source/market/holdings.ts';
import {activeState, type Market, type Ticker} from '../../source/market/types.ts';

/** Markets by pair, each with its last price. */
function prices(lasts: Readonly<Record<string, number>>, rest: Partial<Prices> = {}): Prices {
	const markets = Object.keys(lasts).map((symbol): Market => {
		const [base, quote] = symbol.split('/');
		return {symbol, base, quote, state: activeState};
	});
	const tickers = new Map(
		Object.entries(lasts).map(([symbol, last]): [string, Ticker] => [
			symbol,
			{symbol, last, volume: 1, state: activeState},
		]),
	);
	const currency = rest.currency ?? 'USDT';
	return {currency, paths: pathsTo(markets, tickers, currency), tickers, tickersAt: 1000, ...rest};
}

describe('holdings', () => {
	test('have value, share and profit in the currency, the most valuable first', () => {
		const held: readonly Holding[] = [
			{asset: 'ETH', amount: 2, cost: {price: 2500, quote: 'USDT'}},
			{asset: 'BTC', amount: 0.3, cost: {price: 61_000, quote: 'USDT'}},
			{asset: 'USDT', amount: 1000.5},
		];
		const ticker = (symbol: string) => ({type: 'ticker', markets: [symbol], receivedAt: 1000});
		expect(valuationOf(held, prices({'BTC/USDT': 60_000.1, 'ETH/USDT': 2600}))).toEqual({
			currency: 'USDT',
			assets: [
				{
					...held[1],
					price: 60_000.1,
					value: 18_000.03,
					share: 18_000.03 / 24_200.53,
					source: ticker('BTC/USDT'),
					profit: -299.97,
					profitPercent: (-299.97 / 18_300) * 100,
				},
				{
					...held[0],
					price: 2600,
					value: 5200,
					share: 5200 / 24_200.53,
					source: ticker('ETH/USDT'),
					profit: 200,
					profitPercent: 4,
				},
				{
					...held[2],
					price: 1,
					value: 1000.5,
					share: 1000.5 / 24_200.53,
					source: {type: 'ticker', markets: [], receivedAt: undefined},
				},
			],
			total: 24_200.53,
			profit: -99.97,
		});
	});

	test('are valued at the last trade of the market on screen, in either direction', () => {
		const market = {symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT', state: activeState};
		const lastTrade = {market, price: 50_000, receivedAt: 3000};
		const all = prices({'BTC/USDT': 60_000, 'ETH/BTC': 0.05}, {lastTrade});
		const [eth, btc] = valuationOf(
			[
				{asset: 'BTC', amount: 1},
				{asset: 'ETH', amount: 100},
			],
			all,
		).assets;
		expect(btc).toMatchObject({price: 50_000, source: {type: 'trade', markets: ['BTC/USDT'], receivedAt: 3000}});
		// The other price on the way is a ticker's, and older.
		expect(eth).toMatchObject({
			price: 2500,
			source: {type: 'ticker', markets: ['ETH/BTC', 'BTC/USDT'], receivedAt: 1000},
		});
		const inBtc = prices({'BTC/USDT': 60_000}, {lastTrade, currency: 'BTC'});
		expect(valuationOf([{asset: 'USDT', amount: 1}], inBtc).assets[0]).toMatchObject({price: 1 / 50_000});
	});

	test('that no market converts have no value and are not counted', () => {
		const held = [
			{asset: 'OLD', amount: 5},
			{asset: 'BTC', amount: 1},
		];
		const {assets, total} = valuationOf(held, prices({'BTC/USDT': 60_000}));
		expect(assets.map(({asset, value, share}) => [asset, value, share])).toEqual([
			['BTC', 60_000, 1],
			['OLD', undefined, undefined],
		]);
		expect(total).toBe(60_000);
		expect(valuationOf([{asset: 'OLD', amount: 5}], prices({'BTC/USDT': 60_000})).total).toBeUndefined();
	});

	test('convert a cost in another asset at its price now, and have no profit where nothing converts it', () => {
		const cost = (quote: string) => ({asset: 'ETH', amount: 2, cost: {price: 0.04, quote}});
		const all = prices({'BTC/USDT': 60_000, 'ETH/USDT': 2600});
		expect(valuationOf([cost('BTC')], all).assets[0]).toMatchObject({value: 5200, profit: 400});
		expect(valuationOf([cost('OLD')], all).assets[0]).not.toHaveProperty('profit');
	});

	test('are found in any case of the exchange’s names', () => {
		expect(valuationOf([{asset: 'BTC', amount: 2}], prices({'btc/USDT': 100})).total).toBe(200);
	});

	test('have no value or profit that is too large to be a number', () => {
		const held: readonly Holding[] = [
			{asset: 'BTC', amount: 1e306},
			{asset: 'ETH', amount: 1e200, cost: {price: 1e200, quote: 'USDT'}},
		];
		const {assets, total, profit} = valuationOf(held, prices({'BTC/USDT': 60_000, 'ETH/USDT': 2}));
		const eth = assets.find(({asset}) => asset === 'ETH');
		expect([assets.at(-1), eth?.profit, total, profit]).toEqual([held[0], undefined, 2e200, undefined]);
	});
});
