import type {Line, Size} from '../../line.ts';
import {createCanvas} from '../../plot/canvas.ts';
import {type Axes, drawFrame, drawGrid, drawTimes} from './draw-axes.ts';
import {glyphsFor} from './glyphs.ts';
import {chartLayout} from './layout.ts';

/** Cells of a label such as 61,824.01: the usual place of the axis before a price is known. */
const usualLabelWidth = 9;
const gridRows = 4;
const gridColumns = 12;
/** The longest that fits is shown. */
const emptyTexts = [' no candles yet ', 'no candles yet', 'none yet'];

/** The shape of a chart whose candles are on their way: axes and a faint grid. Exactly `size`. */
export const chartSkeleton = (size: Size, ascii: boolean): readonly Line[] => drawSkeleton(size, ascii).canvas.lines();

/** The same with a word in its middle, for a market that has none. */
export function emptyChart(size: Size, ascii: boolean): readonly Line[] {
	const {canvas, layout} = drawSkeleton(size, ascii);
	const text = emptyTexts.find(candidate => candidate.length <= layout.plotColumns) ?? '';
	const column = Math.floor((layout.plotColumns - text.length) / 2);
	canvas.write(Math.floor((layout.priceRows - 1) / 2), column, text, 'plain');
	return canvas.lines();
}

function drawSkeleton(size: Size, ascii: boolean): Axes {
	const layout = chartLayout(size, {labelWidth: usualLabelWidth});
	const axes: Axes = {canvas: createCanvas(size), layout, glyphs: glyphsFor(ascii)};
	drawFrame(axes);
	drawTimes(axes, {labels: [], newer: 0});
	drawGrid(axes, every(gridRows, layout.priceRows), every(gridColumns, layout.plotColumns));
	return axes;
}

/** The middle of every stretch of `step` cells. */
const every = (step: number, cells: number): readonly number[] =>
	Array.from({length: Math.floor(cells / step)}, (_, index) => index * step + Math.floor(step / 2));
