import {textWidth} from '../../../format/cells.ts';
import {fixedDigits, formatAmount, formatPrice} from '../../../format/number.ts';
import type {Line} from '../../line.ts';
import {type Bar, drawBar} from '../../plot/canvas.ts';
import {type CurvePoint, curveSample, type PlottedCurve} from '../../plot/curves.ts';
import {drawCurves} from '../../plot/layers.ts';
import {
	createTickedScale,
	evenStep,
	multiplesWithin,
	type RoundTicks,
	roundTicks,
	type TickedScale,
} from '../../plot/price-axis.ts';
import {createPriceScale, type PriceRange, type PriceScale} from '../../plot/price-scale.ts';
import {priceRange} from '../../plot/sparkline.ts';
import type {TimeScale} from '../../plot/time-scale.ts';
import type {PaneRows} from './chart-layout.ts';
import {type Axes, drawLabel, drawRule, volumeTitle} from './draw-axes.ts';
import {largestVolume, type Series, volumeBars} from './draw-series.ts';
import type {Curve, IndicatorPane, VolumeCurve} from './indicator-curves.ts';

export type Plot = Axes & {
	readonly ascii: boolean;
	readonly timeScale: TimeScale;
	/** The index in the series of a visible candle. */
	endOf(index: number): number;
	/** The index in the series of the candle whose values are in the title. */
	readonly readoutIndex: number;
};

/** Curves of an indicator at the visible candles. */
export function plottedCurves(
	{timeScale, endOf}: Pick<Plot, 'timeScale' | 'endOf'>,
	curves: readonly Curve[],
	scale: PriceScale,
): readonly PlottedCurve[] {
	return curves.map(({values, style}) => {
		const points: Array<CurvePoint | undefined> = [];
		for (let index = timeScale.first; index <= timeScale.last; index++) {
			const value = values.at(endOf(index));
			points.push(value === undefined ? undefined : {column: timeScale.columnOf(index), rows: scale.rowsTo(value)});
		}

		return {points, style};
	});
}

/** Draws one indicator in its pane: bars, curves, levels, scale, and its name and values in the rule above. Returns its scale. */
export function drawPane(plot: Plot, pane: IndicatorPane, {top, rows}: PaneRows): PriceScale {
	const {canvas, layout, glyphs, ascii, timeScale, endOf} = plot;
	const part = canvas.part(top, rows, layout.plotColumns);
	const hasZero = pane.range === 'around zero';
	const scale = scaleOf(plot, pane, rows);
	const perRow = (scale.top - scale.bottom) / rows;
	drawTitle(plot, pane, top - 1);
	// Zero lies between two rows: bars stand on it or hang from it.
	const zero = Math.round(scale.rowsTo(0));
	const bars: Bar[] = [];
	for (let index = timeScale.first; pane.histogram && index <= timeScale.last; index++) {
		const value = pane.histogram.at(endOf(index));
		if (!value) continue;
		const {bodyReach} = timeScale;
		const place = {left: timeScale.columnOf(index) - bodyReach, columns: bodyReach * 2 + 1};
		bars.push({...place, base: zero, height: value / perRow, tone: value > 0 ? 'upBar' : 'downBar'});
	}

	for (const bar of bars) drawBar(part, bar, ascii);
	drawCurves(part, plottedCurves(plot, pane.curves, scale), ascii, bars);
	// Around zero, round values lie between two rows as well.
	const rowOf = (value: number): number =>
		hasZero ? Math.max(Math.round(scale.rowsTo(value)) - 1, 0) : scale.rowOf(value);
	for (const level of pane.levels) {
		const text = hasZero ? glyphs.zero : glyphs.lastPrice.trail;
		part.writeBehind(rowOf(level), 0, text.repeat(layout.plotColumns).slice(0, layout.plotColumns), 'muted');
	}

	const textOf = tickTexts(scale.ticks, layout.priceAxis?.labelWidth, ascii);
	for (const value of scale.ticks.values) drawLabel(plot, top + rowOf(value), {text: textOf(value)});
	return scale;
}

/** Least rows between labels, unless that leaves too few of them. */
const rowsPerLabel = 2;
const enoughTicks = 3;
/** No indicator has a finer scale. */
const finestDecimals = 18;

/** The scale of a pane, with the values that are labelled: at even distances. */
function scaleOf(plot: Plot, pane: IndicatorPane, rows: number): TickedScale {
	const {range, ticks} = pane;
	const form = {rows, decimals: finestDecimals, inset: 0};
	if (typeof range === 'object') {
		// The middle of its range is that of a row, so that values on both sides are equally far away.
		const low = range.high - ((range.high - range.low) * rows) / (rows % 2 === 0 ? rows - 1 : rows);
		return {...createPriceScale({...range, low, ...form}), ticks: {values: ticks?.(rows) ?? [], decimals: 0}};
	}

	const values = valueRange(plot, pane);
	if (range === 'around zero') return aroundZero(values, rows);
	const scaleWith = (apart: number) => createTickedScale({...aired(values), ...form}, apart);
	const usual = scaleWith(rowsPerLabel);
	return usual.ticks.values.length >= enoughTicks ? usual : scaleWith(1);
}

/** The texts of a scale's values, which are all written in one way: in full, or shortened where one has no room. */
function tickTexts({values, decimals}: RoundTicks, width = Infinity, ascii: boolean): (value: number) => string {
	const full = (value: number): string => (value === 0 ? '0' : formatPrice(value, {decimals, ascii}));
	const short = (value: number): string => (value === 0 ? '0' : formatAmount(value, {ascii}));
	const fits = (text: (value: number) => string) => values.every(value => textWidth(text(value)) <= width);
	return [full, short].find(fits) ?? (value => formatPrice(value, {decimals, width, ascii}));
}

/** The range of the visible values. Without values it is empty: its ends are infinite. */
function valueRange({timeScale: {first, last}, endOf}: Plot, {curves, histogram}: IndicatorPane): PriceRange {
	const visible = Array.from({length: Math.max(last - first + 1, 0)}, (_, place) => endOf(first + place));
	const drawn = [...curves.map(curve => curve.values), histogram ?? []];
	return priceRange(drawn.flatMap(values => visible.flatMap(index => values.at(index) ?? [])));
}

/** A tenth wider on both sides; a range around a single value reaches from zero to its double. */
function aired({low, high}: PriceRange): PriceRange {
	if (low > high) return {low: 0, high: 1};
	const margin = high > low ? (high - low) / 10 : Math.abs(high) || 1;
	return {low: low - margin, high: high + margin};
}

/**
 * The scale with zero between two rows: those where the values have most room. Round values are whole rows away from it; where few of
 * these are visible, zero and the farthest round value are labelled.
 */
function aroundZero(needed: PriceRange, rows: number): TickedScale {
	const low = Math.min(needed.low, 0);
	const high = Math.max(needed.high, 0);
	const choices = Array.from({length: Math.max(rows - 1, 1)}, (_, index) => {
		const above = index + 1;
		return {above, perRow: Math.max(high / above, -low / Math.max(rows - above, 1)) || 1};
	});
	const {above, perRow} = choices.reduce((best, choice) => (choice.perRow < best.perRow ? choice : best));
	const scaleWith = (size: number, ticksIn: (scale: PriceScale) => RoundTicks): TickedScale => {
		const scale = createPriceScale({low: (above - rows) * size, high: above * size, rows, decimals: 0, inset: 0});
		const {values, decimals} = ticksIn(scale);
		// One at the upper end has no row.
		return {...scale, ticks: {values: values.filter(value => scale.rowsTo(value) >= 0.5), decimals}};
	};
	const step = evenStep(perRow * rows, rows, rowsPerLabel, finestDecimals);
	const even = scaleWith(step.size / step.rows, ({bottom, top}) => multiplesWithin(step, bottom, top));
	if (even.ticks.values.length >= enoughTicks) return even;
	const plain = scaleWith(perRow, ({bottom, top}) => roundTicks(bottom, top, rows * 2, finestDecimals));
	const {values, decimals} = plain.ticks;
	const [farthest = 0] = values.toSorted((a, b) => Math.abs(b) - Math.abs(a));
	return {...plain, ticks: {values: [...new Set([farthest, 0])], decimals}};
}

function drawTitle(plot: Plot, {label, curves, decimals}: IndicatorPane, row: number): void {
	const {ascii} = plot;
	const textOf = (value: number | undefined): string =>
		decimals === undefined || value === undefined ? formatAmount(value, {ascii}) : fixedDigits(value, decimals);
	drawRule(plot, row);
	const texts = curves.flatMap(({values, style}, index): Line => {
		const sample = curves.length > 1 ? `${curveSample(style, ascii)} ` : '';
		const value = textOf(values.at(plot.readoutIndex));
		return [
			...(index > 0 ? [{text: '/ ', tone: 'muted' as const}] : []),
			{text: `${sample}${value} `, tone: style.tone},
		];
	});
	writeTitle(plot, row, 1, [{text: ` ${label} `, tone: 'muted'}, ...texts]);
}

/** Writes the parts of a title from a column on. The first that does not fit ends it. */
function writeTitle({canvas, layout}: Plot, row: number, column: number, parts: Line): void {
	let at = column;
	for (const {text, tone = 'plain'} of parts) {
		if (at + textWidth(text) > layout.plotColumns) return;
		canvas.write(row, at, text, tone);
		at += textWidth(text);
	}
}

/** A curve over the volume bars, and the index of the candle whose value is in the title. */
type ShownAverage = VolumeCurve & {readonly readout: number};

/**
 * Draws the volumes of the candles as they are shown, merged or not. The largest fills the pane; even the smallest shows a
 * sliver. `average`, its name and its value are drawn over them, if it is chosen.
 */
export function drawVolume(plot: Plot, series: Series, {top, rows}: PaneRows, average: ShownAverage | undefined): void {
	const {canvas, layout, ascii} = plot;
	const part = canvas.part(top, rows, layout.plotColumns);
	const bars = volumeBars(series, rows);
	for (const bar of bars) drawBar(part, bar, ascii);
	if (!average) return;
	const {label, values, style, readout} = average;
	const scale = createPriceScale({low: 0, high: largestVolume(series), rows, decimals: 0, inset: 0});
	const ofShown = {timeScale: plot.timeScale, endOf: (index: number) => index};
	drawCurves(part, plottedCurves(ofShown, [average], scale), ascii, bars);
	const text = ` ${curveSample(style, ascii)} ${label} ${formatAmount(values.at(readout), {ascii})} `;
	writeTitle(plot, top - 1, 1 + volumeTitle.length, [{text, tone: style.tone}]);
}
