import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {linePriceAt} from '../../../../source/market/trend-line.ts';
import type {DrawnLine} from '../../../../source/view/drawn-lines.ts';
import {lineText} from '../../../../source/view/line.ts';
import {initialChart} from '../../../../source/view/panels/chart/chart-state.ts';
import {type ChartInput, chartScale, createView} from '../../../../source/view/panels/chart/chart-view.ts';
import {linesIn} from '../../../../source/view/panels/chart/draw-lines.ts';
import {glyphsFor} from '../../../../source/view/panels/chart/glyphs.ts';
import {chartBody} from '../../../../source/view/panels/chart/rows.ts';
import {createRangeFitter} from '../../../../source/view/plot/price-scale.ts';
import {walk} from '../../../helpers/candles.ts';

const hour = 3_600_000;
const newest = Date.UTC(2024, 7, 8, 23);
const whole = walk({count: 300, price: 60_000, decimals: 2, volatility: 0.006, newest, seed: 7});
/** Without four hours. */
const gapped = {...whole, candles: whole.candles.filter((_, index) => index < 270 || index >= 274)};

const inputOf = (changes: Partial<ChartInput>): ChartInput => ({
	...{...initialChart, series: gapped, lastTrade: whole.candles.at(-1)?.close, size: {columns: 76, rows: 20}},
	...{ascii: false, now: newest, decimals: 2, ...changes},
});
const textsOf = (changes: Partial<ChartInput>): readonly string[] => chartBody(inputOf(changes)).map(lineText);

const line = (
	number: number,
	from: readonly [number, number],
	to: readonly [number, number],
	log = false,
): DrawnLine => ({
	...{number, log, from: {time: newest - from[0] * hour, price: from[1]}},
	to: {time: newest - to[0] * hour, price: to[1]},
});
const rising = line(1, [50, 56_500], [10, 58_500]);
const falling = line(12, [60, 59_500], [20, 58_000]);

/** The curve of a line, with what it is drawn in. */
function curveIn(changes: Partial<ChartInput>) {
	const input = inputOf(changes);
	const view = createView(input);
	const scale = chartScale(input, view, createRangeFitter());
	const drawn = linesIn(input, {...view, scale, glyphs: glyphsFor(false), now: input.now}, undefined);
	return {view, scale, points: drawn?.curves[0]?.points ?? []};
}

describe('a line that the user drew', () => {
	test('has its price at every candle and every period without one, on either scale, across gaps, in any zoom', () => {
		const anyChart = fc.record({
			log: fc.boolean(),
			zoom: fc.constantFrom({columns: 1, merged: 1}, {columns: 4, merged: 1}, {columns: 1, merged: 5}),
			quietTo: fc.constantFrom(undefined, newest + 9 * hour),
			lines: fc
				.tuple(fc.integer({min: 1, max: 90}), fc.boolean(), fc.integer({min: 50_000, max: 65_000}))
				.map(([hours, log, price]) => [line(1, [hours, price], [hours - 1, price + 40], log)]),
		});
		fc.assert(
			fc.property(anyChart, chart => {
				const {view, scale, points} = curveIn(chart);
				const [drawn] = chart.lines;
				if (!drawn) return;
				for (let index = view.timeScale.first; index <= view.timeScale.last; index++) {
					const start = view.timeOf(index) ?? 0;
					const column = view.timeScale.columnOf(index);
					const point = points.find(each => each?.column === column);
					const begins = drawn.from.time >= start && drawn.from.time < start + view.period * 60_000;
					const price = linePriceAt(drawn, begins ? drawn.from.time : start);
					expect(point && scale.priceAt(point.rows)).toEqual(price && expect.closeTo(price, 5));
				}
			}),
		);
	});

	test.each([
		['the forming candle', {}, 0],
		['a period without a trade so far', {quietTo: newest + 3 * hour}, 3],
	])('ends at its price now, in the column of %s', (_, change, hours) => {
		const now = newest + (hours + 0.75) * hour;
		const {view, scale, points} = curveIn({...change, now, lines: [rising]});
		const column = view.timeScale.columnOf(view.timeScale.last);
		const prices = points.flatMap(point => (point?.column === column ? scale.priceAt(point.rows) : []));
		const expected = [newest + hours * hour, now].map(time => expect.closeTo(linePriceAt(rising, time) ?? 0, 5));
		expect(prices).toEqual(expected);
	});

	test('does not move the scale of the prices', () => {
		const far = line(1, [30, 90_000], [20, 200_000]);
		const scales = [[], [rising], [far]].map(lines => curveIn({lines}).scale);
		expect(scales.map(({top, bottom}) => [top, bottom])).toEqual(scales.map(() => [scales[0]?.top, scales[0]?.bottom]));
	});

	test.each([
		['lines', {}],
		['lines-ascii', {ascii: true}],
		['lines-log', {log: true, lines: [line(1, [60, 50_000], [10, 58_500]), line(2, [60, 50_000], [10, 58_500], true)]}],
		['lines-wide', {zoom: {columns: 5, merged: 1}}],
		['lines-bars', {type: 'bars'}],
		['lines-line', {type: 'line', ascii: true}],
		[
			'lines-begun',
			{lineFrom: {time: newest - 40 * hour, price: 58_800}, cross: newest - 15 * hour, crossPrice: 57_500},
		],
	] satisfies ReadonlyArray<readonly [string, Partial<ChartInput>]>)('%s', async (name, changes) => {
		const texts = textsOf({lines: [rising, falling], ...changes});
		await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot(`../../../frames/chart/${name}.txt`);
	});

	test('that lies outside the prices changes nothing', () => {
		expect(textsOf({lines: [line(3, [30, 200_000], [20, 300_000])]})).toEqual(textsOf({}));
	});
});
