import {padStart, textWidth} from '../../../format/cells.ts';
import {formatAmount} from '../../../format/number.ts';
import type {Ink} from '../../plot/blocks.ts';
import type {Canvas} from '../../plot/canvas.ts';
import {type CurvePoint, drawCurve} from '../../plot/draw-curve.ts';
import type {TimeScale} from '../../plot/time-scale.ts';
import type {Glyphs} from './glyphs.ts';
import type {Curve, IndicatorPane} from './indicator-curves.ts';
import type {ChartLayout, PaneRows} from './layout.ts';

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
		const value = values.at(endOf(index));
		points.push(value === undefined ? undefined : {column: timeScale.columnOf(index), rows: rowsTo(value)});
	}

	return points;
}

/** One indicator on the rows of its own: levels, bars, curves, and its values by name in the rule above. */
export function drawPane(plot: Plot, pane: IndicatorPane, place: PaneRows): void {
	const {canvas, layout, glyphs, timeScale, endOf} = plot;
	const part = canvas.part(place.top, place.rows);
	const plotPart = canvas.part(place.top, place.rows, layout.plotColumns);
	const rowsTo = pane.range ? rowsWithin(pane.range, place.rows) : rowsAroundZero(plot, pane, place.rows);
	drawTitle(plot, pane, place.top - 1);
	for (let index = timeScale.first; pane.histogram && index <= timeScale.last; index++) {
		const value = pane.histogram.at(endOf(index));
		const columns = {left: timeScale.columnOf(index) - timeScale.bodyReach, width: timeScale.bodyReach * 2 + 1};
		if (value) drawBar(plotPart, columns, rowsTo(0), rowsTo(value), glyphs);
	}

	for (const curve of pane.curves) drawCurve(plotPart, curvePoints(plot, curve, rowsTo), curve.style, glyphs);
	for (const level of pane.levels) {
		// Zero is where two rows meet, and every other level within a row.
		const row = pane.range ? Math.min(Math.floor(rowsTo(level)), place.rows - 1) : Math.ceil(rowsTo(level)) - 1;
		const text = pane.range ? glyphs.lastPrice.trail : glyphs.zero;
		plotPart.writeBehind(row, 0, text.repeat(layout.plotColumns), 'muted');
		writeLabel(plot, part, row, level);
	}
}

/** Rows from the top of a pane down to a value, with fractions. */
type RowsTo = (value: number) => number;

const rowsWithin =
	({low, high}: {low: number; high: number}, rows: number): RowsTo =>
	value =>
		((high - value) / (high - low)) * rows;

/** Zero always stands between the same two rows, so that bars on both sides of it begin with whole cells. */
function rowsAroundZero({timeScale, endOf}: Plot, {curves, histogram}: IndicatorPane, rows: number): RowsTo {
	const above = Math.ceil(rows / 2);
	let perRow = 0;
	for (const values of [...curves.map(curve => curve.values), histogram ?? []]) {
		for (let index = timeScale.first; index <= timeScale.last; index++) {
			const value = values.at(endOf(index)) ?? 0;
			perRow = Math.max(perRow, value / above, -value / Math.max(rows - above, 1));
		}
	}

	return value => above - value / (perRow || 1);
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
	for (const {values, style} of curves) write(`${formatAmount(values.at(named), {ascii})} `, style.tone);
}

function writeLabel({layout: {priceAxis}, glyphs, ascii}: Plot, part: Canvas, row: number, value: number): void {
	const text = formatAmount(value, {ascii});
	if (!priceAxis || textWidth(text) > priceAxis.labelWidth) return;
	part.write(row, priceAxis.column, glyphs.tick, 'muted');
	part.write(row, priceAxis.labelColumn, padStart(text, priceAxis.labelWidth), 'muted');
}

/** From zero, which is between two rows, to the value: up from below, or hanging; a sliver at least. */
function drawBar(
	canvas: Canvas,
	{left, width}: {left: number; width: number},
	zero: number,
	end: number,
	{bars, hangingBars}: Glyphs,
): void {
	const isUp = end < zero;
	const levels = isUp ? bars.slice(1).map((text): Ink => ({text})) : hangingBars;
	const filled = Math.max(Math.round(Math.abs(zero - end) * levels.length), 1);
	for (let cell = 0; cell * levels.length < filled; cell++) {
		const ink = levels[Math.min(filled - cell * levels.length, levels.length) - 1];
		const row = isUp ? zero - 1 - cell : zero + cell;
		if (ink) canvas.write(row, left, ink.text.repeat(width), isUp ? 'upBar' : 'downBar', ink.inverse);
	}
}
