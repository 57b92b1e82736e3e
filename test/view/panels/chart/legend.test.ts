import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Size} from '../../../../source/format/cells.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {type ChartState, initialChart} from '../../../../source/view/panels/chart/chart-state.ts';
import {type LegendInput, legendLines, legendRowsFor} from '../../../../source/view/panels/chart/legend.ts';
import {createPriceLabels} from '../../../../source/view/plot/price-axis.ts';

const time = Date.UTC(2024, 7, 9, 14);
const bitcoin = {time, open: 61_824.01, high: 62_000.5, low: 61_700, close: 61_900.02, volume: 1234.5};

function inputOf(size: Size, candle = bitcoin, decimals = 2): LegendInput {
	return {
		chart: {...initialChart, cross: candle.time},
		...{size, candle, decimals, partial: false, overlays: [], at: 0, ascii: false},
		labels: createPriceLabels({candles: [candle], decimals, ascii: false}),
	};
}

const legend = (columns: number, rows = 20) =>
	legendLines(inputOf({columns, rows})).map(line => lineText(line).trimEnd());

test('the crosshair shows time, change, volume and prices in as many rows as they take', () => {
	expect([legend(92), legend(52), legend(30)]).toEqual([
		['2024-08-09 14:00     +0.12 %  V 1,234.5   O 61,824.01  H 62,000.50  L 61,700.00  C 61,900.02'],
		['2024-08-09 14:00     +0.12 %  V 1,234.5', 'O 61,824.01  H 62,000.50  L 61,700.00  C 61,900.02'],
		['2024-08-09 14:00     +0.12 %', 'V 1,234.5   O 61,824.01', 'H 62,000.50  L 61,700.00', 'C 61,900.02'],
	]);
});

test('a volume that may lack trades is marked as a minimum at the same width', () => {
	const rows = (change: Partial<LegendInput>) =>
		legendLines({...inputOf({columns: 92, rows: 20}), ...change}).map(line => lineText(line).trimEnd());
	expect([rows({partial: true}), rows({partial: true, ascii: true})]).toEqual([
		['2024-08-09 14:00     +0.12 %  V≥1,234.5   O 61,824.01  H 62,000.50  L 61,700.00  C 61,900.02'],
		['2024-08-09 14:00     +0.12 %  V>=1,234.5  O 61,824.01  H 62,000.50  L 61,700.00  C 61,900.02'],
	]);
});

test('the time and the closing price stay longest where rows are few', () => {
	expect([legend(30, 4), legend(30, 2), legend(20, 6), legend(12, 8), legend(5, 8), legend(4, 8)]).toEqual([
		['2024-08-09 14:00  H 62,000.50', 'L 61,700.00  C 61,900.02'],
		['2024-08-09 14:00  C 61,900.02'],
		['2024-08-09 14:00', 'C 61,900.02'],
		['08-09 14:00', 'H 62,000.50', 'L 61,700.00', 'C 61,900.02'],
		['14:00'],
		[],
	]);
});

test('the newest candle and that of the crosshair have the same parts in the same order, of which a narrow chart drops the same', () => {
	const ofNewest = (columns: number, change: Partial<ChartState> = {}) => {
		const input = inputOf({columns, rows: 20});
		return legendLines({...input, chart: {...input.chart, cross: undefined, ...change}}).map(line =>
			lineText(line).trimEnd(),
		);
	};
	expect([100, 74, 73, 61, 49, 36, 23, 10].map(columns => ofNewest(columns))).toEqual([
		['   +0.12 %  V 1,234.5   O 61,824.01  H 62,000.50  L 61,700.00  C 61,900.02'],
		['   +0.12 %  V 1,234.5   O 61,824.01  H 62,000.50  L 61,700.00  C 61,900.02'],
		['   +0.12 %  O 61,824.01  H 62,000.50  L 61,700.00  C 61,900.02'],
		['O 61,824.01  H 62,000.50  L 61,700.00  C 61,900.02'],
		['H 62,000.50  L 61,700.00  C 61,900.02'],
		['C 61,900.02'],
		['C 61,900.02'],
		[''],
	]);
	expect([82, 81].map(columns => ofNewest(columns, {type: 'heikin-ashi'}))).toEqual([
		['traded     +0.12 %  V 1,234.5   O 61,824.01  H 62,000.50  L 61,700.00  C 61,900.02'],
		['   +0.12 %  V 1,234.5   O 61,824.01  H 62,000.50  L 61,700.00  C 61,900.02'],
	]);
});

test('overlays have names only where their values are wider than a row', () => {
	const values = [61_018.22];
	const style = {tone: 'series4', dash: [1, 2], letter: 'b'} as const;
	const middle = {...style, letter: 'm'};
	const bands = {
		label: 'Bollinger 20 2',
		brief: 'Bollinger',
		curves: [middle, style].map(of => ({values, style: of})),
		listed: [values, values],
		letters: 'bmb',
	};
	const lines = (columns: number) => {
		const input = {...inputOf({columns, rows: 30}), overlays: [bands], ascii: true};
		return legendLines({...input, chart: {...initialChart, indicators: new Set(['bollinger'])}})
			.map(lineText)
			.at(-1);
	};
	expect([40, 39, 18, 17, 12].map(lines)).toEqual([
		'bmb Bollinger 20 2 61,018.22 / 61,018.22',
		'bmb Bollinger 20 2',
		'bmb Bollinger 20 2',
		'bmb Bollinger',
		'~',
	]);
});

test('no number is cut, whatever the size', () => {
	const anyCandle = fc
		.record({
			price: fc.integer({min: 1, max: 99_999_999}),
			decimals: fc.integer({min: 0, max: 12}),
			volume: fc.double({min: 0, max: 1e12, noNaN: true}),
		})
		.map(({price, decimals, volume}) => {
			const at = (steps: number) => Number(`${price + steps}e-${decimals}`);
			return {candle: {time, open: at(0), high: at(3), low: at(0), close: at(2), volume}, decimals};
		});
	const anySize = fc.record({columns: fc.integer({min: 1, max: 100}), rows: fc.integer({min: 1, max: 30})});
	fc.assert(
		fc.property(anyCandle, anySize, ({candle, decimals}, size) => {
			const words = (of: Size) =>
				legendLines(inputOf(of, candle, decimals)).flatMap(line => lineText(line).trim().split(/ +/));
			const wholeWords = new Set([...words({columns: 200, rows: 40}), '08-09', '…', '']);
			const input = inputOf(size, candle, decimals);
			const lines = legendLines(input);
			expect(words(size).filter(word => !wholeWords.has(word))).toEqual([]);
			expect(lines.length).toBe(legendRowsFor({...input.chart, ascii: false}, size, input.labels.width));
			expect(Math.max(0, ...lines.map(lineWidth))).toBeLessThanOrEqual(size.columns);
		}),
		{numRuns: 60},
	);
});
