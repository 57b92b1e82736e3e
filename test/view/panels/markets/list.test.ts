import {describe, expect, test} from 'vitest';
import {withPrices} from '../../../../source/market/price-trail.ts';
import type {Market, Ticker} from '../../../../source/market/types.ts';
import {currencyOf, quotesOf, sortNames, volumeOf} from '../../../../source/view/panels/markets/entries.ts';
import {cursorOf, type PickerQuery, pickerList, symbolBy} from '../../../../source/view/panels/markets/list.ts';

const marketOf = (pair: string): Market => {
	const [base, quote] = pair.split('/');
	return {symbol: pair.replace('/', ''), base, quote, state: 'active'};
};

type Row = readonly [
	pair: string,
	last: number | undefined,
	volume: number | undefined,
	changePercent: number | undefined,
	/** Ask above bid, in parts of the last price. */
	spread?: number,
];

const rows: readonly Row[] = [
	['ETH/BTC', 0.05, 1000, 3, 0.002],
	['USDT/TRY', 40, 10_000_000, 0.1],
	['BTC/USDT', 60_000, 10, -2, 0],
	['BTC/TRY', 2_400_000, 3, -1],
	['ETH/USDT', 3000, 100, 5, 0.001],
	['DOGE/USDT', 0.1, 900_000, 0, -0.1],
	['ETC/USDT', 20, 1, undefined],
	['ODD/XYZ', 7, 9_000_000, 9],
	['NEW/USDT', undefined, undefined, undefined],
];
const markets = rows.map(([pair]) => marketOf(pair));
const tickers = new Map(
	rows.map(([pair, last, volume, changePercent, spread]): [string, Ticker] => {
		const {symbol, state} = marketOf(pair);
		const quoted = last !== undefined && spread !== undefined && {bid: last, ask: last * (1 + spread)};
		return [symbol, {symbol, last, volume, changePercent, state, ...quoted}];
	}),
);

const noTrails = new Map();

const query = (change: Partial<PickerQuery> = {}): PickerQuery => ({
	filter: '',
	sort: 'volume',
	reversed: false,
	activeOnly: false,
	favourites: new Set(),
	holdings: new Map(),
	lists: new Map([['majors', new Set(['BTCUSDT', 'ETHUSDT', 'GONEUSDT'])]]),
	...change,
});
const listed = (change: Partial<PickerQuery> = {}) =>
	pickerList(markets, tickers, noTrails, query(change)).map(({pair}) => pair);

describe('order', () => {
	test('by the bare number where the unit is unknown, as in legacy', () => {
		const legacy = new Map(
			[...tickers].map(([symbol, {volume, ...ticker}]): [string, Ticker] => [symbol, {...ticker, quoteVolume: volume}]),
		);
		expect(pickerList(markets, legacy, noTrails, query()).map(({pair}) => pair)).toEqual([
			'USDT/TRY', // 10,000,000
			'ODD/XYZ', // 9,000,000
			'DOGE/USDT', // 900,000
			'ETH/BTC', // 1000
			'ETH/USDT', // 100
			'BTC/USDT', // 10
			'BTC/TRY', // 3
			'ETC/USDT', // 1
			'NEW/USDT',
		]);
	});

	test('as before where the unit is unknown but known before, with those volumes', () => {
		const legacy = new Map(
			[...tickers].map(([symbol, {volume, ...ticker}]): [string, Ticker] => [
				symbol,
				{...ticker, quoteVolume: 1, lastVolume: volume},
			]),
		);
		const list = pickerList(markets, legacy, noTrails, query());
		expect(list.map(({pair}) => pair)).toEqual(listed());
		expect(list.map(volumeOf)).toEqual(pickerList(markets, tickers, noTrails, query()).map(volumeOf));
	});

	test('by change, those of which the state is shown instead last', () => {
		const halted = markets.map(market => (market.symbol === 'ETHUSDT' ? {...market, state: 'halted'} : market));
		const order = pickerList(halted, tickers, noTrails, query({sort: 'change'}), true).map(({pair}) => pair);
		expect(order.slice(-3)).toEqual(['ETC/USDT', 'ETH/USDT', 'NEW/USDT']);
	});

	test.each([
		['age', ['ETH/USDT', 'BTC/USDT', 'ETC/USDT']], // 1 s, 2 s, at least 3 s
		['trend', ['BTC/USDT', 'ETC/USDT', 'ETH/USDT']], // +25 %, 0, −20 %
	] as const)('by %s, the unknown last either way', (sort, expected) => {
		const tickerOf = (symbol: string, last: number, rest: Partial<Ticker>) =>
			[symbol, {symbol, state: 'active', last, ...rest}] as const;
		const at = (bitcoin: number, ether: number) =>
			new Map([
				tickerOf('BTCUSDT', bitcoin, {low: 25, high: 75, bid: 49, ask: 51}),
				tickerOf('ETHUSDT', ether, {low: 0, high: 10, bid: 7, ask: 40}),
				tickerOf('ETCUSDT', 30, {low: 30, high: 32, bid: 29, ask: 31}),
			]);
		const [first, second, last] = [at(40, 10), at(50, 10), at(50, 8)];
		const trails = withPrices(withPrices(withPrices(noTrails, first, 0), second, 1000), last, 2000);
		const some = [...last.keys(), 'NEWUSDT'].map(symbol => marketOf(symbol.replace('USDT', '/USDT')));
		const order = (reversed: boolean) => pickerList(some, last, trails, query({sort, reversed})).map(({pair}) => pair);
		expect(order(false)).toEqual([...expected, 'NEW/USDT']);
		expect(order(true)).toEqual([...expected.toReversed(), 'NEW/USDT']);
	});

	test.each(sortNames)('favourites come first, in the same order (%s)', sort => {
		const plain = listed({sort});
		for (const favourites of [new Set(['ETCUSDT']), new Set(['ETCUSDT', 'BTCTRY'])]) {
			const isFavourite = (pair: string) => favourites.has(pair.replace('/', ''));
			expect(listed({sort, favourites})).toEqual([
				...plain.filter(isFavourite),
				...plain.filter(pair => !isFavourite(pair)),
			]);
		}
	});
});

describe('filter', () => {
	test.each(['BTCUSDT', 'btcusdt', 'BTC_USDT', 'btc-usdt', 'BTC/USDT', 'btc usdt'])('%s finds BTC/USDT', filter => {
		expect(listed({filter})[0]).toBe('BTC/USDT');
	});

	test('a base asset finds its markets first, in the chosen order, then those of other names', () => {
		expect(listed({filter: 'btc'})).toEqual(['BTC/USDT', 'BTC/TRY', 'ETH/BTC']);
		expect(listed({filter: 'eth', sort: 'change'}).slice(0, 2)).toEqual(['ETH/USDT', 'ETH/BTC']);
	});

	test('the beginning of a name comes before its middle', () => {
		expect(listed({filter: 'et'}).slice(0, 3)).toEqual(['ETH/BTC', 'ETH/USDT', 'ETC/USDT']);
	});

	test('letters with others between them still match', () => {
		expect(listed({filter: 'dgusdt'})).toEqual(['DOGE/USDT']);
	});

	test('nothing is found where nothing matches, and separators alone are no filter', () => {
		expect(listed({filter: 'zzz'})).toEqual([]);
		expect(listed({filter: ' /'})).toEqual(listed());
	});

	test('markets whose assets are not known are found by their symbol', () => {
		const odd: Market = {symbol: 'WHATEVER', state: 'active'};
		expect(
			pickerList([...markets, odd], tickers, noTrails, query({filter: 'whatev'})).map(({market}) => market),
		).toEqual([odd]);
	});
});

describe('narrowed', () => {
	test('to the markets of a quote asset, filtered or not', () => {
		expect(listed({quote: 'TRY'})).toEqual(['USDT/TRY', 'BTC/TRY']);
		expect(listed({quote: 'TRY', filter: 'btc'})).toEqual(['BTC/TRY']);
	});

	test('to those that are active by the newer of list and ticker', () => {
		const halted = {...marketOf('BTC/USDT'), state: 'halted'};
		const delisted = {symbol: 'ETHBTC', last: 1, state: 'delisted'};
		const some = [halted, marketOf('ETH/USDT'), marketOf('ETH/BTC')];
		const withDelisted = new Map<string, Ticker>([...tickers, ['ETHBTC', delisted]]);
		const active = (listIsNewer: boolean) =>
			pickerList(some, withDelisted, noTrails, query({activeOnly: true}), listIsNewer).map(({pair}) => pair);
		expect([false, true].map(active)).toEqual([
			['BTC/USDT', 'ETH/USDT'],
			['ETH/USDT', 'ETH/BTC'],
		]);
	});

	test('to the markets of a list, in the chosen order; none for an unknown list', () => {
		expect(listed({list: 'majors', sort: 'change'})).toEqual(['ETH/USDT', 'BTC/USDT']);
		expect(listed({list: 'majors', filter: 'bt'})).toEqual(['BTC/USDT']);
		expect(listed({list: 'minors'})).toEqual([]);
	});

	test('the quote assets to choose from are those of the list, of the most markets first, once each', () => {
		expect(quotesOf([...markets, {symbol: 'WHAT', state: 'active'}])).toEqual(['USDT', 'TRY', 'BTC', 'XYZ']);
	});
});

describe('the currency of the volumes', () => {
	test.each([
		['BTC/USDT', undefined, 'USDT'],
		['USDT/TRY', undefined, 'USDT'],
		['BTC/EUR', undefined, 'EUR'],
		['BTC/USDT', 'EUR', 'EUR'],
	])('of %s is by choice (%s) %s', (pair, chosen, currency) => {
		expect(currencyOf([marketOf(pair)], chosen)).toBe(currency);
	});
});

describe('cursor', () => {
	const list = pickerList(markets, tickers, noTrails, query({sort: 'name'}));

	test.each([
		['BTCTRY', 1, 'BTCUSDT'],
		['BTCUSDT', -1, 'BTCTRY'],
		['BTCTRY', 100_000, 'USDTTRY'],
		[undefined, 1, 'BTCTRY'],
	])('from %s by %s rows is %s', (from, by, to) => {
		expect(symbolBy(list, from, by)).toBe(to);
	});

	test('is on the shown market, on the best match while filtering, or where it was moved', () => {
		expect(cursorOf(list, {filter: ''}, 'ETHUSDT')).toBe('ETHUSDT');
		expect(cursorOf(list, {filter: 'b'}, 'ETHUSDT')).toBe('BTCTRY');
		expect(cursorOf(list, {filter: 'b', cursor: 'ETHBTC'}, 'ETHUSDT')).toBe('ETHBTC');
		expect(cursorOf([], {filter: 'b'}, 'ETHUSDT')).toBeUndefined();
	});
});
