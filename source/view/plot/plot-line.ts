import asciichart from 'asciichart';
import type {Tone} from '../line.ts';
import type {Glyphs} from '../panels/chart/glyphs.ts';
import type {Canvas} from './canvas.ts';

/** asciichart counts rows upward, and would mark a level of 0 as its zero line. */
const lowestLevel = 1;

export type PlottedLine = {
	/** Row of each column from `column` on, counted from the top; none beyond `height`. */
	readonly rows: readonly number[];
	readonly column: number;
	/** Rows below the first that there are. */
	readonly height: number;
	readonly tone: Tone;
};

/** A line through these rows, over what was there. */
export function plotLine(canvas: Canvas, {rows, column, height, tone}: PlottedLine, glyphs: Glyphs): void {
	const plot = asciichart.plot(
		rows.map(row => lowestLevel + height - row),
		{min: lowestLevel, max: lowestLevel + height, height, offset: 1, format: () => ' ', symbols: glyphs.line},
	);
	for (const [row, text] of plot.split('\n').entries()) {
		for (const [index, char] of [...text].entries()) {
			if (char !== ' ') canvas.write(row, column + index, char, tone);
		}
	}
}
