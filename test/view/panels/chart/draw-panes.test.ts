import {expect, test} from 'vitest';
import type {Values} from '../../../../source/market/indicators.ts';
import {type Line, lineText, type Span} from '../../../../source/view/line.ts';
import {chartLayout} from '../../../../source/view/panels/chart/chart-layout.ts';
import {initialChart} from '../../../../source/view/panels/chart/chart-state.ts';
import {drawPane} from '../../../../source/view/panels/chart/draw-panes.ts';
import {glyphsFor} from '../../../../source/view/panels/chart/glyphs.ts';
import {chartBody} from '../../../../source/view/panels/chart/rows.ts';
import {createCanvas} from '../../../../source/view/plot/canvas.ts';
import {createTimeScale} from '../../../../source/view/plot/time-scale.ts';
import {walk} from '../../../helpers/candles.ts';

/** A histogram on five rows, one column a value; blocks that are inverse read as the number of eighths that they fill. */
function draw(histogram: Values, ascii: boolean): readonly string[] {
	const rows = 5;
	const size = {columns: histogram.length + 1, rows: rows + 1};
	const canvas = createCanvas(size);
	const count = histogram.length;
	const timeScale = createTimeScale({count, isGap: () => false, columns: size.columns, zoom: 1, offset: 0});
	const layout = chartLayout(size, {labelWidth: 9});
	const plot = {
		canvas,
		layout,
		glyphs: glyphsFor(ascii),
		ascii,
		timeScale,
		endOf: (index: number) => index,
		readoutIndex: 0,
	};
	drawPane(plot, {label: '', curves: [], histogram, range: 'around zero', levels: [0]}, {top: 1, rows});
	const legible = ({text, inverse}: Span): string =>
		inverse ? text.replaceAll(/[▁-▇]/g, block => String(8 - ' ▁▂▃▄▅▆▇'.indexOf(block))) : text;
	return canvas
		.lines()
		.slice(1)
		.map(line => line.map(legible).join(''));
}

const values = [3, 1.5, 0.25, 0.01, 0, undefined, -0.01, -0.25, -1.5, -2];

test.each([
	['in eighths of a row', false, ['█          ', '█▄         ', '██▂▁▁▁▁▁▁▁▁', '      ▔2██ ', '        ▀█ ']],
	['in thirds of a row in ASCII', true, ['#          ', '#:         ', '##.._______', "      ''## ", '        "# ']],
] as const)('bars stand on the zero line or hang from it, %s, and show a sliver at least', (_, ascii, rows) => {
	expect(draw(values, ascii)).toEqual(rows);
});

const labelsOf = (lines: readonly Line[], title: string): readonly string[] => {
	const rows = lines.map(lineText);
	const top = rows.findIndex(row => row.includes(title)) + 1;
	const end = rows.findIndex((row, index) => index >= top && !/[│├]/.test(row));
	return rows.slice(top, end).flatMap(row => /├ +(\S+)$/.exec(row)?.[1] ?? []);
};

test.each([16, 24, 30, 45])('labels of panes stand at even distances in a chart of %d rows', rows => {
	const now = Date.UTC(2024, 7, 8, 23);
	for (const [seed, name] of (['rsi', 'macd', 'atr', 'macd', 'macd'] as const).entries()) {
		const series = walk({count: 300, price: 60_000, decimals: 2, volatility: 0.006, newest: now, seed});
		const rest = {series, size: {columns: 100, rows}, ascii: false, now, decimals: 2};
		const texts = chartBody({...initialChart, ...rest, indicators: new Set([name])}).map(lineText);
		const pane = texts.slice(texts.findIndex(row => row.includes(name.toUpperCase())) + 1);
		const labelled = pane.flatMap((row, index) => (row.includes('├') ? index : []));
		expect(labelled.length).toBeGreaterThan(0);
		expect(new Set(labelled.slice(1).map((row, index) => row - (labelled[index] ?? 0))).size).toBeLessThan(2);
	}
});

test('the values of a scale are written in one way: in full, or shortened', () => {
	const now = Date.UTC(2024, 7, 8, 23);
	const rest = {size: {columns: 100, rows: 30}, ascii: false, now, decimals: 8, indicators: new Set(['macd'] as const)};
	for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
		const series = walk({count: 300, price: 1.371e-5, decimals: 8, volatility: 0.003, newest: now, seed});
		const labels = labelsOf(chartBody({...initialChart, ...rest, series}), 'MACD').filter(label => label !== '0');
		expect(new Set(labels.map(label => /[₀-₉]/.test(label))).size).toBeLessThanOrEqual(1);
	}
});
