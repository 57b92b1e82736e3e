import {textWidth} from '../../../format/cells.ts';
import {formatAmount} from '../../../format/number.ts';
import type {Tone} from '../../line.ts';
import {drawBar} from '../../plot/canvas.ts';
import {type CurvePoint, curveSample, drawCurve} from '../../plot/curves.ts';
import {createPriceScale, type PriceScale} from '../../plot/price-scale.ts';
import type {TimeScale} from '../../plot/time-scale.ts';
import type {PaneRows} from './chart-layout.ts';
import {type Axes, drawLabel, drawRule} from './draw-axes.ts';
import type {Curve, IndicatorPane} from './indicator-curves.ts';

export type Plot = Axes & {
	readonly ascii: boolean;
	readonly timeScale: TimeScale;
	/** The index in the series of a visible candle. */
	endOf(index: number): number;
	/** The index in the series of the candle whose values are in the title. */
	readonly readoutIndex: number;
};

/** The points of a curve at the visible candles. */
export function curvePoints(
	{timeScale, endOf}: Pick<Plot, 'timeScale' | 'endOf'>,
	{values}: Curve,
	scale: PriceScale,
): ReadonlyArray<CurvePoint | undefined> {
	const points: Array<CurvePoint | undefined> = [];
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		const value = values.at(endOf(index));
		points.push(value === undefined ? undefined : {column: timeScale.columnOf(index), rows: scale.rowsTo(value)});
	}

	return points;
}

/** Draws one indicator in its pane: levels, bars, curves, and its name and values in the rule above. */
export function drawPane(plot: Plot, pane: IndicatorPane, {top, rows}: PaneRows): void {
	const {canvas, layout, glyphs, ascii, timeScale, endOf} = plot;
	const part = canvas.part(top, rows, layout.plotColumns);
	const range = pane.range ?? rangeAroundZero(plot, pane, rows);
	const scale = createPriceScale({...range, rows, decimals: 0, inset: 0});
	const perRow = (range.high - range.low) / rows;
	drawTitle(plot, pane, top - 1);
	// Zero lies between two rows: bars stand on it or hang from it.
	const zero = Math.round(scale.rowsTo(0));
	for (let index = timeScale.first; pane.histogram && index <= timeScale.last; index++) {
		const value = pane.histogram.at(endOf(index));
		if (!value) continue;
		const {bodyReach} = timeScale;
		const place = {left: timeScale.columnOf(index) - bodyReach, columns: bodyReach * 2 + 1};
		const bar = {...place, base: zero, height: value / perRow};
		drawBar(part, bar, value > 0 ? 'upBar' : 'downBar', ascii);
	}

	for (const curve of pane.curves) drawCurve(part, curvePoints(plot, curve, scale), curve.style, ascii);
	for (const level of pane.levels) {
		const row = pane.range ? scale.rowOf(level) : zero - 1;
		const text = pane.range ? glyphs.lastPrice.trail : glyphs.zero;
		part.writeBehind(row, 0, text.repeat(layout.plotColumns), 'muted');
		drawLabel(plot, top + row, {text: formatAmount(level, {ascii})});
	}
}

/** The range that the values need, with zero between the middle rows. */
function rangeAroundZero({timeScale, endOf}: Plot, {curves, histogram}: IndicatorPane, rows: number) {
	const above = Math.ceil(rows / 2);
	const below = rows - above;
	let perRow = 0;
	for (const values of [...curves.map(curve => curve.values), histogram ?? []]) {
		for (let index = timeScale.first; index <= timeScale.last; index++) {
			const value = values.at(endOf(index)) ?? 0;
			perRow = Math.max(perRow, value / above, -value / Math.max(below, 1));
		}
	}

	return {low: -below * (perRow || 1), high: above * (perRow || 1)};
}

function drawTitle(plot: Plot, {label, curves}: IndicatorPane, row: number): void {
	const {canvas, layout, ascii, readoutIndex} = plot;
	drawRule(plot, row);
	let column = 1;
	const write = (text: string, tone: Tone): void => {
		if (column + textWidth(text) > layout.plotColumns) return;
		canvas.write(row, column, text, tone);
		column += textWidth(text);
	};

	write(` ${label} `, 'muted');
	for (const [index, {values, style}] of curves.entries()) {
		if (index > 0) write('/ ', 'muted');
		const sample = curves.length > 1 ? `${curveSample(style, ascii)} ` : '';
		write(`${sample}${formatAmount(values.at(readoutIndex), {ascii})} `, style.tone);
	}
}
