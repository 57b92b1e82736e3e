import {padStart, textWidth} from '../../format/cells.ts';
import {formatAmount} from '../../format/number.ts';
import type {Canvas} from './canvas.ts';
import {type CurvePoint, drawCurve} from './draw-curve.ts';
import type {Glyphs} from './glyphs.ts';
import type {Curve, IndicatorPane} from './indicator-curves.ts';
import type {ChartLayout, PaneRows} from './layout.ts';
import type {TimeScale} from './time-scale.ts';

export type Plot = {
	readonly canvas: Canvas;
	readonly layout: ChartLayout;
	readonly glyphs: Glyphs;
	readonly ascii: boolean;
	readonly timeScale: TimeScale;
	/** The candle of the series that an index in sight stands for. */
	endOf(index: number): number;
	/** The candle of the series that values are named of. */
	readonly named: number;
};

/** Where a curve passes, candle by candle of those in sight. */
export function curvePoints(
	{timeScale, endOf}: Pick<Plot, 'timeScale' | 'endOf'>,
	{values}: Curve,
	rowsTo: (value: number) => number,
): ReadonlyArray<CurvePoint | undefined> {
	const points: Array<CurvePoint | undefined> = [];
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		const value = values[endOf(index)];
		points.push(value === undefined ? undefined : {column: timeScale.columnOf(index), rows: rowsTo(value)});
	}

	return points;
}

/** One indicator on the rows of its own: levels, bars, curves, and its values by name in the rule above. */
export function drawPane(plot: Plot, pane: IndicatorPane, place: PaneRows): void {
	const {canvas, layout, glyphs, timeScale, endOf} = plot;
	const {low, high} = pane.range ?? symmetricRange(plot, pane);
	const part = canvas.part(place.top, place.rows);
	const plotPart = canvas.part(place.top, place.rows, layout.plotColumns);
	const rowsTo = (value: number): number => ((high - value) / (high - low || 1)) * place.rows;
	drawTitle(plot, pane, place.top - 1);
	for (let index = timeScale.first; pane.histogram && index <= timeScale.last; index++) {
		const value = pane.histogram[endOf(index)];
		const columns = {left: timeScale.columnOf(index) - timeScale.bodyReach, width: timeScale.bodyReach * 2 + 1};
		if (value !== undefined) drawBar(plotPart, columns, rowsTo(0), rowsTo(value), glyphs);
	}

	for (const curve of pane.curves) drawCurve(plotPart, curvePoints(plot, curve, rowsTo), curve.style, glyphs);
	for (const level of pane.levels) {
		const row = Math.min(Math.floor(rowsTo(level)), place.rows - 1);
		plotPart.writeBehind(row, 0, glyphs.lastPrice.trail.repeat(layout.plotColumns), 'muted');
		writeLabel(plot, part, row, level);
	}
}

function symmetricRange({timeScale, endOf}: Plot, {curves, histogram}: IndicatorPane): {low: number; high: number} {
	let largest = 0;
	for (const values of [...curves.map(curve => curve.values), histogram ?? []]) {
		for (let index = timeScale.first; index <= timeScale.last; index++) {
			largest = Math.max(largest, Math.abs(values[endOf(index)] ?? 0));
		}
	}

	return {low: -largest, high: largest};
}

function drawTitle({canvas, layout, glyphs, ascii, named}: Plot, {label, curves}: IndicatorPane, row: number): void {
	const {plotColumns, priceAxis} = layout;
	canvas.write(row, 0, glyphs.rule.repeat(plotColumns), 'muted');
	if (priceAxis) canvas.write(row, priceAxis.column, glyphs.ruleEnd, 'muted');
	let column = 1;
	const write = (text: string, tone: Curve['style']['tone']): void => {
		if (column + textWidth(text) > plotColumns) return;
		canvas.write(row, column, text, tone);
		column += textWidth(text);
	};

	write(` ${label} `, 'muted');
	for (const {values, style} of curves) write(`${formatAmount(values[named], {ascii})} `, style.tone);
}

function writeLabel({layout: {priceAxis}, glyphs, ascii}: Plot, part: Canvas, row: number, value: number): void {
	const text = formatAmount(value, {ascii});
	if (!priceAxis || textWidth(text) > priceAxis.labelWidth) return;
	part.write(row, priceAxis.column, glyphs.tick, 'muted');
	part.write(row, priceAxis.labelColumn, padStart(text, priceAxis.labelWidth), 'muted');
}

/** From zero to the value, by halves of a cell. */
function drawBar(
	canvas: Canvas,
	{left, width}: {left: number; width: number},
	zero: number,
	end: number,
	{histogram}: Glyphs,
): void {
	const from = Math.round(Math.min(zero, end) * 2);
	const to = Math.round(Math.max(zero, end) * 2);
	for (let row = Math.floor(from / 2); row * 2 < to; row++) {
		const upper = row * 2 >= from;
		const lower = row * 2 + 1 < to;
		const text = upper && lower ? histogram.whole : upper ? histogram.upper : histogram.lower;
		canvas.write(row, left, text.repeat(width), end < zero ? 'upBar' : 'downBar');
	}
}
