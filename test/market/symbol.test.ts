import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	defaultSymbol,
	findMarket,
	nearestSymbols,
	nearestWord,
	pairName,
	splitSymbol,
	splitSymbols,
	symbolKey,
} from '../../source/market/symbol.ts';
import type {Market} from '../../source/market/types.ts';

const asset = fc.stringMatching(/^[A-Z0-9]{1,8}$/);

function market(base: string, quote: string): Market {
	return {symbol: base + quote, base, quote, state: 'active'};
}

const markets = [
	market('BTC', 'USDT'),
	market('ETH', 'USDT'),
	market('LTC', 'USDT'),
	market('ETH', 'BTC'),
	market('BTC', 'EUR'),
	market('DOGE', 'USDT'),
];

test.each(['BTCUSDT', 'BTC_USDT', 'btc-usdt', 'BTC/USDT', ' btc : usdt\t'])('reads %j as BTCUSDT', text => {
	expect(symbolKey(text)).toBe('BTCUSDT');
	expect(findMarket(markets, text)).toBe(markets[0]);
});

test('splits a symbol by the longest known quote asset that leaves a base', () => {
	expect(
		['BTCUSDT', 'ETHBTC', 'SHIBBUSD', 'USDTIRT', 'EURUSDT', '1000SATSFDUSD', 'BTCUSD'].map(symbol =>
			splitSymbol(symbol),
		),
	).toEqual([
		{base: 'BTC', quote: 'USDT'},
		{base: 'ETH', quote: 'BTC'},
		{base: 'SHIB', quote: 'BUSD'},
		{base: 'USDT', quote: 'IRT'},
		{base: 'EUR', quote: 'USDT'},
		{base: '1000SATS', quote: 'FDUSD'},
		{base: 'BTC', quote: 'USD'},
	]);
});

test('does not split a symbol without a known quote asset or base', () => {
	expect(['ABCXYZ', 'USDT', '', '_USDT', 'BTC_'].map(symbol => splitSymbol(symbol))).toEqual(Array(5).fill(undefined));
});

test('trusts a separator more than the known quote assets', () => {
	fc.assert(
		fc.property(asset, asset, fc.constantFrom('_', '/'), (base, quote, mark) => {
			expect(splitSymbol((base + mark + quote).toLowerCase())).toEqual({base, quote});
		}),
	);
});

test('trusts a hyphen before a known quote asset, and takes it for a part of the base before another one', () => {
	expect(['A-BUSD', 'A:USDT', '0-ACHF', 'A-XYZ'].map(symbol => splitSymbol(symbol))).toEqual([
		{base: 'A', quote: 'BUSD'},
		{base: 'A', quote: 'USDT'},
		{base: '0-A', quote: 'CHF'},
		{base: 'A', quote: 'XYZ'},
	]);
});

test.each([
	[
		['BNBUSD', 'BNBUSDT'],
		['BNB/USD', 'BNB/USDT'],
	],
	[
		['BATUSD', 'DOTUSD', 'DOTBTC', 'BATUSDT'],
		['BAT/USD', 'DOT/USD', 'DOT/BTC', 'BAT/USDT'],
	],
	[
		['BTCBUSD', 'BTCUSDT', 'BTCUSD'],
		['BTC/BUSD', 'BTC/USDT', 'BTC/USD'],
	],
	[
		['BNBUSD', 'BTCUSD'],
		['BNB/USD', 'BTC/USD'],
	],
	[
		['NEWBUSD', 'BTCBUSD', 'BTCUSDT'],
		['NEW/BUSD', 'BTC/BUSD', 'BTC/USDT'],
	],
	[
		['ABUSD', 'BTCUSDT'],
		['ABUSD', 'BTC/USDT'],
	],
	[
		['ABUSD', 'AUSDT', 'ABUSDT'],
		['ABUSD', 'A/USDT', 'AB/USDT'],
	],
	[
		['AB_USD', 'A-BUSD'],
		['AB/USD', 'A/BUSD'],
	],
])('splits the symbols of the list %j as %j', (symbols, names) => {
	const pairs = splitSymbols(symbols);
	expect(symbols.map((symbol, index) => pairName({symbol, ...pairs[index]}))).toEqual(names);
	const backwards = splitSymbols(symbols.toReversed()).toReversed();
	expect(backwards).toEqual(pairs);
});

test('names a pair by its assets, and by its symbol where they are unknown', () => {
	expect(pairName(market('BTC', 'USDT'))).toBe('BTC/USDT');
	expect(pairName({symbol: 'ABCXYZ'})).toBe('ABCXYZ');
});

test('finds a market by its name and id, whether others share the name or not', () => {
	const own = {...market('BTC', 'USDT'), id: '7'};
	const shared = {...market('LUNA', 'USDT'), symbol: 'LUNAUSDT#5', id: '5'};
	const found = ['btc/usdt#7', 'BTCUSDT#7', 'BTCUSDT#8', 'luna_usdt#5', 'LUNAUSDT'];
	expect(found.map(text => findMarket([own, shared], text))).toEqual([own, own, undefined, shared, shared]);
});

test('finds no market for a name that none has', () => {
	expect(findMarket(markets, 'BTC')).toBeUndefined();
	expect(findMarket(markets, '')).toBeUndefined();
});

test('finds no market that separates base and quote elsewhere', () => {
	expect(findMarket(markets, 'BTCU/SDT')).toBeUndefined();
	expect(findMarket([{...market('A-B', 'USDT'), symbol: 'ABUSDT'}], 'A-BUSDT')).toMatchObject({base: 'A-B'});
});

test('prefers the market with the exact spelling', () => {
	const twins = [{symbol: 'BTC_USDT', state: 'active'}, market('BTC', 'USDT')];
	expect(findMarket(twins, 'BTCUSDT')).toBe(twins[1]);
});

test.each([
	['BTCUSD', ['BTCUSDT', 'LTCUSDT', 'ETHUSDT']],
	['BCTUSDT', ['BTCUSDT', 'LTCUSDT', 'ETHUSDT']],
	['EHTBTC', ['ETHBTC', 'BTCUSDT', 'BTCEUR']],
	['doge', ['DOGEUSDT']],
	['btc', ['BTCUSDT', 'BTCEUR', 'LTCUSDT']],
])('takes %s for one of %j', (text, nearest) => {
	expect(nearestSymbols(markets, text)).toEqual(nearest);
});

test.each([
	['mraket', 'market'],
	['MARKT', 'market'],
	['merge-fill', 'merge-fills'],
	['zo', undefined],
	['frobnicate', undefined],
	['', undefined],
])('%j is a typo of %j', (text, word) => {
	expect(nearestWord(text, ['market', 'merge-fills', 'zoom'])).toBe(word);
});

test.each([
	['prefers BTC/USDT in any spelling', ['ETHUSDT active', 'BTC_USDT active'], 'BTC_USDT'],
	['takes the first active market without it', ['OLDUSDT halted', 'BTCUSDT halted', 'ETHUSDT active'], 'ETHUSDT'],
	['takes the first market when none is active', ['AUSDT halted', 'BUSDT halted'], 'AUSDT'],
	['is undefined for an empty list', [], undefined],
])('the default symbol %s', (_name, list, symbol) => {
	const all = list.map(text => ({symbol: text.split(' ')[0] ?? '', state: text.split(' ')[1] ?? ''}));
	expect(defaultSymbol(all)).toBe(symbol);
});
