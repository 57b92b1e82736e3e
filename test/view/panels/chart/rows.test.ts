import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {CandleSeries} from '../../../../source/market/candles.ts';
import {type Line, lineText, lineWidth} from '../../../../source/view/line.ts';
import {
	type ChartState,
	chartTypes,
	initialChart,
	zoomLevels,
	zoomOf,
} from '../../../../source/view/panels/chart/chart-state.ts';
import type {ChartInput} from '../../../../source/view/panels/chart/chart-view.ts';
import {indicatorNames, standardLengths} from '../../../../source/view/panels/chart/indicator-table.ts';
import {chartBody, chartSkeleton} from '../../../../source/view/panels/chart/rows.ts';
import {chartTitles} from '../../../../source/view/panels/chart/title.ts';
import {createRangeFitter} from '../../../../source/view/plot/price-scale.ts';
import {anySeries, walk} from '../../../helpers/candles.ts';
import {zoneOf} from '../../../helpers/zones.ts';

const minute = 60_000;
const hour = 60 * minute;
const newest = Date.UTC(2024, 7, 8, 23);
/** Six minutes before the newest candle of an hour ends. */
const now = newest + 54 * minute;

const wide = {columns: 100, rows: 30};
const standard = {columns: 52, rows: 27};
const small = {columns: 44, rows: 12};
const tiny = {columns: 20, rows: 6};

const bitcoin = walk({count: 300, price: 60_000, decimals: 2, volatility: 0.006, newest, seed: 7});
const shiba = walk({count: 300, price: 1.371e-5, decimals: 8, volatility: 0.02, newest, seed: 3});
const billions = walk({count: 300, price: 1.5e9, decimals: 2, volatility: 0.02, newest, seed: 5});
const dust = walk({count: 300, price: 1.23e-10, decimals: 13, volatility: 0.05, newest, seed: 3});

const without = (series: CandleSeries, from: number, to: number): CandleSeries => ({
	...series,
	candles: series.candles.filter((_, index) => index < from || index > to),
});

const flat: CandleSeries = {
	...bitcoin,
	candles: bitcoin.candles.map(candle => ({...candle, open: 100, high: 100, low: 100, close: 100})),
};

/** A quiet market of 2 quote units whose newest candle rises by 19,675 %. */
const quiet = walk({count: 60, price: 2, decimals: 4, volatility: 0.03, newest, seed: 3});
const spike: CandleSeries = {
	...quiet,
	candles: quiet.candles.map((candle, index) =>
		index < quiet.candles.length - 1 ? candle : {...candle, close: candle.open * 197.75, high: candle.open * 230},
	),
};

const berlin = zoneOf('Europe/Berlin');
/** When the clocks of Berlin are set back. */
const summerEnd = Date.UTC(2023, 9, 29, 1);
const autumn = walk({
	count: 100,
	price: 60_000,
	decimals: 2,
	volatility: 0.006,
	newest: summerEnd + 20 * hour,
	seed: 7,
});
const days = walk({
	count: 100,
	price: 60_000,
	decimals: 2,
	volatility: 0.006,
	newest: Date.UTC(2024, 7, 8),
	period: 1440,
});

const columns = (count: number) => ({columns: count, merged: 1});
const merged = (count: number) => ({columns: 1, merged: count});
const measuring = {cross: newest - 8 * hour, crossPrice: 58_300, mark: {time: newest - 21 * hour, price: 57_800}};
const none: ReadonlySet<never> = new Set();
const manyLengths = {...standardLengths, sma: [20, 50, 100], ema: [5, 12, 26, 40], rsi: [21]};

const input = ({series = bitcoin, ...changes}: Partial<ChartInput>): ChartInput => ({
	...initialChart,
	series,
	lastTrade: series.candles.at(-1)?.close,
	size: standard,
	ascii: false,
	now,
	decimals: 2,
	...changes,
});

const titleOf = (series: CandleSeries, chart: ChartState, ascii = false): string =>
	chartTitles(series, chart, undefined, ascii)[1] ?? '';
const frameOf = (title: string, lines: readonly Line[]): string => [title, ...lines.map(lineText), ''].join('\n');

describe('chartBody', () => {
	test.each<[name: string, changes: Partial<ChartInput>]>([
		['candles-wide', {size: wide}],
		['candles-standard', {}],
		['candles-small', {size: small}],
		['candles-tiny', {size: tiny}],
		['candles-apart', {zoom: columns(2)}],
		['candles-three', {zoom: columns(3)}],
		['candles-hollow', {zoom: columns(4)}],
		['candles-five', {zoom: columns(5)}],
		['merged', {zoom: merged(5)}],
		['merged-gap', {zoom: merged(2), series: without(bitcoin, 271, 271)}],
		['panned', {rightEdge: newest - 40 * hour}],
		['bars', {type: 'bars', size: wide}],
		['bars-three-columns', {type: 'bars', zoom: columns(4)}],
		['heikin-ashi', {type: 'heikin-ashi', size: wide}],
		['log', {series: spike, decimals: 4, log: true}],
		['touch', {touch: {bid: 57_150.5, ask: 57_420.5}}],
		['touch-with-last', {touch: {bid: 57_228.99, ask: 57_229.01}}],
		['crosshair', {cross: newest - 20 * hour}],
		['crosshair-tiny', {cross: newest - 10 * hour, size: tiny}],
		['crosshair-narrow', {cross: newest - 10 * hour, size: small}],
		['crosshair-price', {cross: newest - 20 * hour, crossPrice: 57_500}],
		['crosshair-outside', {cross: newest - 20 * hour, crossPrice: 99_000, log: true}],
		['ascii-crosshair', {cross: newest - 20 * hour, crossPrice: 57_500, ascii: true, size: small}],
		['measure-wide', {...measuring, size: wide}],
		['measure-standard', measuring],
		['measure-small', {...measuring, size: {columns: 44, rows: 12}}],
		['measure-tiny', {...measuring, size: {columns: 38, rows: 8}}],
		['ascii-measure', {...measuring, ascii: true, size: small}],
		['overlays', {indicators: new Set(['sma', 'ema', 'vwap', 'bollinger']), size: wide}],
		['overlays-narrow', {indicators: new Set(['sma', 'ema', 'vwap', 'bollinger']), size: small}],
		['overlays-apart', {indicators: new Set(['sma', 'ema']), zoom: columns(3)}],
		['panes', {indicators: new Set(['rsi', 'macd']), size: wide}],
		['panes-small', {indicators: new Set(['rsi', 'macd']), size: small}],
		['everything', {indicators: new Set(indicatorNames), size: {columns: 100, rows: 45}, cross: newest - 30 * hour}],
		['averages', {indicators: new Set(['sma', 'ema', 'volume-average', 'atr']), lengths: manyLengths, size: wide}],
		[
			'averages-small',
			{indicators: new Set(['sma', 'ema', 'volume-average', 'atr']), lengths: manyLengths, size: small},
		],
		['profile', {indicators: new Set(['profile']), size: wide}],
		['profile-log', {indicators: new Set(['profile']), size: wide, log: true, zoom: columns(4)}],
		['profile-ascii', {indicators: new Set(['profile', 'rsi']), ascii: true}],
		['profile-narrow', {indicators: new Set(['profile']), size: small}],
		['menu', {menu: 3, indicators: new Set(['sma', 'rsi'])}],
		['menu-over-prices', {menu: 0, size: {columns: 32, rows: 9}}],
		['menu-tiny', {menu: 5, indicators: new Set(['sma', 'rsi']), size: tiny}],
		['forming-ended', {now: newest + 61 * minute}],
		['line', {type: 'line', size: wide}],
		['line-apart', {type: 'line', zoom: columns(4)}],
		['line-gap', {type: 'line', series: without(bitcoin, 270, 283)}],
		['ascii', {ascii: true}],
		['ascii-hollow', {ascii: true, zoom: columns(4)}],
		['ascii-line', {ascii: true, type: 'line'}],
		['ascii-bars', {ascii: true, type: 'bars'}],
		['ascii-heikin-ashi', {ascii: true, type: 'heikin-ashi'}],
		['ascii-everything', {ascii: true, indicators: new Set(indicatorNames), size: wide, cross: newest - 30 * hour}],
		['ascii-menu', {ascii: true, menu: 0, size: wide}],
		['ascii-touch', {ascii: true, touch: {bid: 57_150.5, ask: 57_420.5}}],
		['gap', {series: without(bitcoin, 270, 283)}],
		['flat', {series: flat, size: small}],
		['shiba', {series: shiba, decimals: 8}],
		['billions', {series: billions, size: wide}],
		['dust', {series: dust, decimals: 13}],
		['dust-ascii', {series: dust, decimals: 13, ascii: true, size: small}],
		['spike', {series: spike, decimals: 4}],
		['one-candle', {series: {...bitcoin, candles: bitcoin.candles.slice(-1)}, size: small}],
		['zone', {zone: berlin, cross: newest - 20 * hour, size: wide}],
		['zone-change', {zone: berlin, series: autumn, now: summerEnd + 20 * hour}],
		['zone-days', {zone: berlin, series: days, cross: days.candles.at(-20)?.time, size: wide}],
		['empty', {series: {...bitcoin, candles: []}, size: small}],
		[
			'built-from-trades',
			{series: {...bitcoin, candles: bitcoin.candles.slice(-12), builtFrom: 'trades'}, size: small},
		],
	])('%s', async (name, changes) => {
		const chart = input(changes);
		const frame = frameOf(titleOf(chart.series, chart, chart.ascii), chartBody(chart));
		await expect(frame).toMatchFileSnapshot(`../../../frames/chart/${name}.txt`);
	});

	test.each([
		['the last price', 57_229, '◂'],
		['a close that is not the price of the last trade', 57_228.99, 'c'],
		['a close while no trade is known', undefined, 'c'],
	])('marks %s', (_, lastTrade, mark) => {
		const texts = chartBody({...input({}), lastTrade}).map(lineText);
		expect(texts.flatMap(text => text.match(/(.) 57,229.00$/)?.[1] ?? [])).toEqual([mark]);
	});

	test('tones rising and falling candles, mutes axes, accents the last price and warns of a gap', async () => {
		const letters = {up: 'u', down: 'd', upBar: 'U', downBar: 'D', muted: '.', accent: '*', warn: '!'} as const;
		const tones: Record<string, string> = letters;
		const lines = chartBody(input({series: without(bitcoin, 285, 290), size: small}));
		const masks = lines.map(line =>
			line.map(({text, tone}) => text.replaceAll(/\S/g, tones[tone ?? ''] ?? '?')).join(''),
		);
		await expect(['tones', ...masks, ''].join('\n')).toMatchFileSnapshot('../../../frames/chart/tones.txt');
	});

	test('keeps its scale and round prices while the price moves within them', () => {
		const fitRange = createRangeFitter();
		const last = bitcoin.candles.at(-1);
		const axis = (close: number) => {
			const candles = last ? [...bitcoin.candles.slice(0, -1), {...last, low: Math.min(last.low, close), close}] : [];
			const lines = chartBody(input({ascii: true, series: {...bitcoin, candles}}), fitRange);
			return pricesOf(lines).filter(price => price !== close);
		};
		const first = axis(57_229);
		expect(axis(57_180)).toEqual(first);
		expect(axis(57_160)).toEqual(first);
		expect(axis(40_000)).not.toEqual(first);
	});

	const anyPrice = fc.option(fc.double({min: 1e-9, max: 1e9, noNaN: true}), {nil: undefined});
	const anyInput: fc.Arbitrary<ChartInput> = fc
		.record({
			series: anySeries,
			type: fc.constantFrom(...chartTypes),
			size: fc.record({columns: fc.integer({min: 0, max: 150}), rows: fc.integer({min: 0, max: 50})}),
			ascii: fc.boolean(),
			now: fc.integer({min: 0, max: 2 ** 41}),
			quietTo: fc.option(fc.integer({min: 0, max: 2 ** 41}), {nil: undefined}),
			decimals: fc.integer({min: 0, max: 16}),
			zoom: fc.constantFrom(...zoomLevels),
			rightEdge: fc.option(fc.integer({min: 0, max: 2 ** 41}), {nil: undefined}),
			cross: fc.option(fc.integer({min: 0, max: 2 ** 41}), {nil: undefined}),
			crossPrice: fc.option(fc.double({min: 1e-12, max: 1e12, noNaN: true}), {nil: undefined}),
			mark: fc.option(
				fc.record({time: fc.integer({min: 0, max: 2 ** 41}), price: fc.double({min: 1e-12, max: 1e12, noNaN: true})}),
				{nil: undefined},
			),
			drawnLevels: fc.array(
				fc.record({
					price: fc.double({min: 1e-12, max: 1e12, noNaN: true}),
					note: fc.constantFrom(undefined, 'x', '支持'.repeat(20), 'note '.repeat(10)),
				}),
				{maxLength: 5},
			),
			log: fc.boolean(),
			indicators: fc.subarray([...indicatorNames]).map(names => new Set(names)),
			lengths: fc.constantFrom(standardLengths, manyLengths),
			anchors: fc.constant(new Map()),
			anchored: fc.array(fc.integer({min: 0, max: 2 ** 41}), {maxLength: 4}),
			menu: fc.option(fc.integer({min: 0, max: 5}), {nil: undefined}),
			touch: fc.record({bid: anyPrice, ask: anyPrice}),
			imbalance: fc.constant(3),
		})
		.map(chart => ({...chart, zoom: zoomOf(chart)}));

	test('has exactly its size, whatever it shows', () => {
		fc.assert(
			fc.property(anyInput, chart => {
				const widths = chartBody(chart).map(lineWidth);
				expect(widths).toEqual(Array.from({length: chart.size.rows}, () => chart.size.columns));
			}),
			{numRuns: 50},
		);
	});

	test('labels prices that fall strictly from the top down', () => {
		fc.assert(
			fc.property(anyInput, chart => {
				const plain = {
					...chart,
					ascii: true,
					cross: undefined,
					crossPrice: undefined,
					mark: undefined,
					drawnLevels: [],
					menu: undefined,
					indicators: none,
					touch: {},
				};
				const prices = pricesOf(chartBody(plain));
				expect(prices).toEqual(prices.toSorted((a, b) => b - a));
				expect(new Set(prices).size).toBe(prices.length);
			}),
			{numRuns: 50},
		);
	});

	test('leaves out a round price with more digits than the axis has cells for', () => {
		const [candle] = flat.candles;
		const series = {
			...flat,
			candles: candle ? [{...candle, open: 99_999.98, high: 99_999.98, low: 99_999.98, close: 99_999.98}] : [],
		};
		expect(pricesOf(chartBody(input({series, ascii: true})))).toEqual([99_999.98, 99_999.95]);
	});

	test('draws only ASCII characters where that is wanted', () => {
		fc.assert(
			fc.property(anyInput, chart => {
				const drawnLevels = chart.drawnLevels?.map(({price}) => ({price}));
				const text = [
					titleOf(chart.series, chart, true),
					...chartBody({...chart, drawnLevels, ascii: true}).map(lineText),
				];
				expect(text.join('')).toMatch(/^[ -~]*$/);
			}),
		);
	});
});

/** The labels that follow the ticks of the price axis, read back. */
function pricesOf(lines: readonly Line[]): readonly number[] {
	const rows = lines.map(lineText);
	const volumeTop = rows.findIndex(row => row.startsWith('- volume'));
	const priceRows = volumeTop < 0 ? rows : rows.slice(0, volumeTop);
	return priceRows.flatMap(row => {
		const [, label] = /[+<^v] +([\d,.()]+) *$/.exec(row) ?? [];
		if (label === undefined) return [];
		const written = label.replace(/0\((\d+)\)/, (_, zeros: string) => '0'.repeat(Number(zeros)));
		return [Number(written.replaceAll(',', ''))];
	});
}

describe('chartSkeleton', () => {
	test('shows the axes and a faint grid of the chart to come', async () => {
		await expect(frameOf('skeleton', chartSkeleton(standard, false))).toMatchFileSnapshot(
			'../../../frames/chart/skeleton.txt',
		);
		await expect(frameOf('skeleton', chartSkeleton(small, true))).toMatchFileSnapshot(
			'../../../frames/chart/skeleton-ascii.txt',
		);
	});

	test('has exactly its size', () => {
		fc.assert(
			fc.property(fc.nat(150), fc.nat(50), fc.boolean(), (columns, rows, ascii) => {
				const widths = chartSkeleton({columns, rows}, ascii).map(lineWidth);
				expect(widths).toEqual(Array.from({length: rows}, () => columns));
			}),
		);
	});
});
