import {describe, expect, test} from 'vitest';
import {pathsTo} from '../../source/market/conversion.ts';
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
	return Object.fromEntries([...pathsTo(markets, tickers, currency)].map(([asset, {worth}]) => [asset, worth]));
}

describe('an asset is converted', () => {
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
