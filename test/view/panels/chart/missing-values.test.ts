import {expect, test} from 'vitest';
import type {CandleSeries} from '../../../../source/market/candles.ts';
import {missingValues} from '../../../../source/view/panels/chart/indicator-curves.ts';

const hour = 3_600_000;
const candlesFrom = (start: number, count: number, volume = 1) =>
	Array.from({length: count}, (_, index) => ({
		...{time: start + index * hour, open: 10, high: 11, low: 9, close: 10},
		volume,
	}));
const noon = Date.UTC(2024, 7, 8, 12);
const midnight = Date.UTC(2024, 7, 8);
const ofExchange = (start: number, count: number, volume?: number): CandleSeries => ({
	candles: candlesFrom(start, count, volume),
	period: 60,
	builtFrom: 'exchange',
});

test('every indicator says how many candles it needs, until it has them', () => {
	const chosen = new Set(['sma', 'ema', 'bollinger', 'rsi', 'macd'] as const);
	const series = ofExchange(midnight, 60);
	expect(missingValues(series, chosen, true, 17)).toEqual([
		[
			'SMA 50 needs 50 candles, EMA 20 needs 20 candles, Bollinger 20 2 needs 20 candles, MACD 12 26 9 needs 26 candles',
			'SMA, EMA, Bollinger, MACD: few candles',
		],
	]);
	expect(missingValues(series, chosen, true, 30)).toEqual([['SMA 50 needs 50 candles', 'SMA 50 needs 50 candles']]);
	expect(missingValues(series, chosen, true, 49)).toEqual([]);
});

test.each<readonly [why: string, brief: string, series: CandleSeries, complete: boolean]>([
	['VWAP: start of day not loaded', 'VWAP: not loaded', ofExchange(noon, 3), false],
	['VWAP: no volume in the day yet', 'VWAP: no volume', ofExchange(midnight, 3, 0), true],
	[
		'VWAP: trades of the day may be missing',
		'VWAP: partial',
		{...ofExchange(noon, 3), builtFrom: 'trades', partial: new Set([noon])},
		true,
	],
])('%s', (why, brief, series, complete) => {
	expect(missingValues(series, new Set(['vwap'] as const), complete, 2)).toEqual([[why, brief]]);
});

test('a mean with a value gives no reason', () => {
	expect(missingValues(ofExchange(noon, 3), new Set(['vwap'] as const), true, 2)).toEqual([]);
});
