import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {worthsIn} from '../../source/market/conversion.ts';
import {activeState, type Market, type Ticker} from '../../source/market/types.ts';

type Row = readonly [pair: string, last: number | undefined, volume?: number | undefined, state?: string];

function worths(currency: string, rows: readonly Row[]): Record<string, number> {
	const markets = rows.map(([pair, , , state = activeState]): Market => {
		const [base, quote] = pair.split('/');
		return {symbol: pair, base, quote, state};
	});
	const tickers = new Map(
		rows.map(([symbol, last, volume, state]): [string, Ticker] => [
			symbol,
			{symbol, last, volume, state: state ?? activeState},
		]),
	);
	return Object.fromEntries(worthsIn(markets, tickers, currency));
}

describe('an asset is converted', () => {
	test('over its market with the currency, either way round', () => {
		expect(
			worths('USDT', [
				['BTC/USDT', 60_000, 1],
				['USDT/TRY', 40, 1],
			]),
		).toEqual({USDT: 1, BTC: 60_000, TRY: 1 / 40});
	});

	test('over one or two other assets, but not over three', () => {
		const chain: readonly Row[] = [
			['A/T', 2, 1],
			['B/A', 3, 1],
			['C/B', 5, 1],
			['D/C', 7, 1],
		];
		expect(worths('T', chain)).toEqual({T: 1, A: 2, B: 6, C: 30});
	});

	test('over the markets with the most turnover, not over a direct one that hardly trades', () => {
		const markets: readonly Row[] = [
			['ETH/EUR', 1, 0.001],
			['ETH/USDT', 3000, 50],
			['EUR/USDT', 1.25, 100_000],
		];
		expect(worths('EUR', markets)).toEqual({EUR: 1, USDT: 0.8, ETH: 2400});
	});

	test('over a market that is not active or says no volume only where there is no other', () => {
		expect(
			worths('T', [
				['A/T', 1, 1e9, 'halted'],
				['B/T', 2],
			]),
		).toEqual({T: 1, A: 1, B: 2});
		expect(
			worths('T', [
				['A/T', 1, 1e9, 'halted'],
				['A/B', 3, 1],
				['B/T', 2, 1],
			]).A,
		).toBe(6);
	});

	test('never over a market without a price, and to nothing where no path leads', () => {
		expect(
			worths('T', [
				['A/T', undefined, 1],
				['B/T', 0, 1],
				['C/D', 5, 1],
			]),
		).toEqual({T: 1});
	});
});

const assets = ['T', 'A', 'B', 'C', 'D'];
const anyValue = fc.double({min: 1e-9, max: 1e9, noNaN: true});
/** What each asset is worth, and markets whose prices agree with that. */
const anyExchange = fc.record({
	values: fc.tuple(...assets.map(() => anyValue)),
	markets: fc.uniqueArray(
		fc.record({
			pair: fc.shuffledSubarray(assets, {minLength: 2, maxLength: 2}),
			volume: fc.integer({min: 1, max: 1e6}),
		}),
		{selector: ({pair}) => pair.join('/')},
	),
});

test('prices that agree with each other convert each asset to its value, whichever way is taken, and back', () => {
	fc.assert(
		fc.property(anyExchange, ({values, markets}) => {
			const worthOf = (asset: string | undefined) => values[assets.indexOf(asset ?? '')] ?? 0;
			const rows = markets.map(({pair, volume}): Row => [pair.join('/'), worthOf(pair[0]) / worthOf(pair[1]), volume]);
			for (const [asset, worth] of Object.entries(worths('T', rows))) {
				expect(worth / (worthOf(asset) / worthOf('T'))).toBeCloseTo(1, 9);
				expect(worth * (worths(asset, rows).T ?? 0)).toBeCloseTo(1, 9);
			}
		}),
	);
});

test('the order of the list does not matter where turnovers differ', () => {
	const rows: readonly Row[] = [
		['A/T', 2, 10],
		['A/B', 3, 20],
		['B/T', 1, 90],
		['C/A', 4, 7],
		['T/C', 0.1, 50],
	];
	fc.assert(
		fc.property(fc.shuffledSubarray([...rows], {minLength: rows.length}), shuffled => {
			expect(worths('T', shuffled)).toEqual(worths('T', rows));
		}),
	);
});
