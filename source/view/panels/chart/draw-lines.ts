import {startAfter} from '../../../market/candles.ts';
import {type LinePoint, linePriceAt, lineThrough, type TrendLine} from '../../../market/trend-line.ts';
import {noLines} from '../../drawn-lines.ts';
import {levelTone} from '../../marks.ts';
import type {Canvas} from '../../plot/canvas.ts';
import type {CurvePoint, CurveStyle, PlottedCurve} from '../../plot/curves.ts';
import type {PriceScale} from '../../plot/price-scale.ts';
import {type ChartInput, type ChartView, isLogarithmic} from './chart-view.ts';
import type {Glyphs} from './glyphs.ts';

type Plot = Pick<ChartView, 'timeScale' | 'timeOf' | 'period'> & {
	readonly scale: PriceScale;
	readonly glyphs: Glyphs;
	/** Epoch ms by the clock of the trades. */
	readonly now: number;
};

/** Of lines, and of one that is being drawn: no curve over the prices has one of these patterns. */
const styles = {
	drawn: {tone: levelTone, dash: [7, 1]},
	preview: {tone: 'accent', dash: [1, 4]},
} as const satisfies Record<string, Pick<CurveStyle, 'tone' | 'dash'>>;

/**
 * The curves of the lines that the user drew, and of the one that is being drawn: from its first end through `cross`. `drawMarks` writes
 * the numbers of the lines and marks that first end. Undefined: there is none.
 */
export function linesIn(
	input: Pick<ChartInput, 'lines' | 'lineFrom' | 'log' | 'type'>,
	plot: Plot,
	cross: {readonly start: number; readonly price: number} | undefined,
) {
	const {lines = noLines, lineFrom} = input;
	if (lines.length === 0 && !lineFrom) return undefined;
	const drawn = lines.map(line => curveOf(line, plot, 'drawn'));
	const preview =
		lineFrom && cross && lineThrough(lineFrom, {time: cross.start, price: cross.price}, isLogarithmic(input));
	return {
		curves: preview ? [...drawn, curveOf(preview, plot, 'preview')] : drawn,
		/** `canvas`: of the prices, with all that is to stay visible. */
		drawMarks(canvas: Canvas): void {
			for (const [index, line] of lines.entries()) {
				const text = `${slopeOf(line, plot.glyphs)}${line.number}`;
				const place = blankBeside(drawn[index]?.points ?? [], text.length, canvas);
				if (place) canvas.write(place.row, place.column, text, levelTone);
			}

			if (lineFrom) drawStart(canvas, lineFrom, plot);
		},
	};
}

const slopeOf = ({from, to}: TrendLine, {line}: Glyphs): string => (to.price < from.price ? line.falling : line.rising);

/**
 * The line at the start of each visible candle or period without one, where it has its price, and straight on between their
 * columns. It begins in the column that contains its first point, and in that of now it goes on to its price now, which rules use.
 */
function curveOf(
	line: TrendLine,
	{timeScale, timeOf, period, scale, glyphs, now}: Plot,
	of: keyof typeof styles,
): PlottedCurve {
	const points: Array<CurvePoint | undefined> = [];
	let before: CurvePoint | undefined;
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		const start = timeOf(index) ?? Number.NaN;
		const end = startAfter(start, period);
		const pointAt = (time: number): CurvePoint | undefined => {
			const price = linePriceAt(line, time);
			return price === undefined ? undefined : {column: timeScale.columnOf(index), rows: scale.rowsTo(price)};
		};
		const point = line.from.time < end ? pointAt(Math.max(start, line.from.time)) : undefined;
		if (before && point) points.push(...between(before, point));
		points.push(point);
		if (point && now > start && now < end) points.push(pointAt(now) ?? point);
		before = point;
	}

	return {points, style: {...styles[of], letter: slopeOf(line, glyphs)}};
}

/** A point in each column between two: what lies outside the scale does not bend what is inside, and ASCII has a mark in each column. */
function between(from: CurvePoint, to: CurvePoint): readonly CurvePoint[] {
	const columns = to.column - from.column;
	return Array.from({length: columns - 1}, (_, index) => {
		const share = (index + 1) / columns;
		return {column: from.column + index + 1, rows: from.rows + (to.rows - from.rows) * share};
	});
}

/** The last place above or below a line with so many blank cells; undefined: there is none. */
function blankBeside(points: PlottedCurve['points'], width: number, canvas: Canvas) {
	for (const point of points.toReversed()) {
		const at = Math.floor(point?.rows ?? -1);
		if (!point || !(at >= 0 && at < canvas.size.rows)) continue;
		const column = point.column - width + 1;
		const row = [at - 1, at + 1].find(each => column >= 0 && canvas.isBlank(each, column, width));
		if (row !== undefined) return {row, column};
	}

	return undefined;
}

function drawStart(canvas: Canvas, {time, price}: LinePoint, {timeScale, timeOf, period, scale, glyphs}: Plot): void {
	for (let index = timeScale.first; index <= timeScale.last && scale.contains(price); index++) {
		const start = timeOf(index) ?? Number.NaN;
		const isThere = time >= start && time < startAfter(start, period);
		if (isThere) canvas.write(scale.rowOf(price), timeScale.columnOf(index), glyphs.line.start, 'accent', true);
	}
}
