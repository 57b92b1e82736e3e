import {expect, test} from 'vitest';
import type {CandleSeries} from '../../../../source/market/candles.ts';
import type {IndicatorName} from '../../../../source/market/indicators.ts';
import {standardLengths} from '../../../../source/view/panels/chart/indicator-table.ts';
import {missingValues} from '../../../../source/view/panels/chart/model.ts';

const chosenOf = (...names: readonly IndicatorName[]) => ({indicators: new Set(names), lengths: standardLengths});
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
	const chosen = chosenOf('sma', 'ema', 'bollinger', 'rsi', 'macd');
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

test('of several averages only those without a value say what they need', () => {
	const chosen = {...chosenOf('sma'), lengths: {...standardLengths, sma: [20, 50, 200]}};
	const series = ofExchange(midnight, 60);
	expect(missingValues(series, chosen, true, 59)).toEqual([['SMA 200 needs 200 candles', 'SMA 200 needs 200 candles']]);
	expect(missingValues(series, chosen, true, 30)).toEqual([
		['SMA 50 needs 50 candles, SMA 200 needs 200 candles', 'SMA 50, SMA 200: few candles'],
	]);
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
	expect(missingValues(series, chosenOf('vwap'), complete, 2)).toEqual([[why, brief]]);
});

test('a mean with a value gives no reason', () => {
	expect(missingValues(ofExchange(noon, 3), chosenOf('vwap'), true, 2)).toEqual([]);
});
