import asciichart from 'asciichart';
import type {Size} from '../../format/cells.ts';
import {clamp} from '../../market/numbers.ts';
import type {Tone} from '../line.ts';
import type {Canvas} from './canvas.ts';

/** How a curve differs from others without colour: by which dots are drawn, or in ASCII by its letter. */
export type CurveStyle = {
	readonly tone: Tone;
	/** Dots drawn and skipped, in turn; 0 skipped: a solid line. */
	readonly dash: readonly [drawn: number, left: number];
	readonly letter: string;
};

/** A point of a curve: the middle column of a candle, and rows from the top of the canvas with fractions. */
export type CurvePoint = {readonly column: number; readonly rows: number};

/** A curve from left to right. An undefined point, or one in no row (NaN), interrupts it. */
export type PlottedCurve = {
	readonly points: ReadonlyArray<CurvePoint | undefined>;
	readonly style: CurveStyle;
};

/** Takes the bits of the dots that a curve has in a cell. A cell can be met several times. */
type TakeDots = (row: number, column: number, bits: number) => void;

type Dot = {readonly x: number; readonly y: number};

const dotColumns = 2;
const dotRows = 4;
/** The bit of each Braille dot, by row, left and right. */
const dotBits = [
	[0x01, 0x08],
	[0x02, 0x10],
	[0x04, 0x20],
	[0x40, 0x80],
] as const;
const blankBraille = 0x2800;

/** The Braille character with these dots. */
export const brailleOf = (bits: number): string => String.fromCodePoint(blankBraille + bits);

const isDrawn = (x: number, [drawn, left]: CurveStyle['dash']): boolean => x % (drawn + left) < drawn;

/** Passes the dots of straight lines from point to point, as far as they lie in a canvas of this size. */
export function curveDots({points, style: {dash}}: PlottedCurve, {columns, rows}: Size, take: TakeDots): void {
	const dot = (x: number, y: number): void => {
		const column = Math.floor(x / dotColumns);
		const row = Math.floor(y / dotRows);
		if (x < 0 || y < 0 || column >= columns || row >= rows || !isDrawn(x, dash)) return;
		take(row, column, dotBits[y % dotRows]?.[x % dotColumns] ?? 0);
	};

	// Points far outside the canvas are not joined dot by dot.
	const bounded = (y: number): number => clamp(y, -1, rows * dotRows);
	let before: Dot | false | undefined;
	for (const point of points) {
		const isPlace = point && !Number.isNaN(point.rows);
		const here = isPlace && {x: point.column * dotColumns, y: bounded(Math.floor(point.rows * dotRows))};
		if (here) joinDots(before || here, here, dot);
		before = here;
	}
}

/** Calls `dot` for every dot column from `from` to `to`, with the dots that join it to the previous one. */
function joinDots(from: Dot, to: Dot, dot: (x: number, y: number) => void): void {
	let last = from.y;
	for (let x = from.x; x <= to.x; x++) {
		const share = to.x === from.x ? 1 : (x - from.x) / (to.x - from.x);
		const y = Math.round(from.y + (to.y - from.y) * share);
		const step = Math.sign(y - last);
		for (let between = last; step !== 0 && between !== y; between += step) dot(x, between);
		dot(x, y);
		last = y;
	}
}

/** A short piece of the curve, for a legend. */
export function curveSample({dash, letter}: CurveStyle, ascii: boolean): string {
	if (ascii) return letter;
	const [leftDot, rightDot] = dotBits[1];
	return [0, 2, 4]
		.map(x => brailleOf((isDrawn(x, dash) ? leftDot : 0) + (isDrawn(x + 1, dash) ? rightDot : 0)))
		.join('');
}

/** In asciichart's order: first point, axis, two unused ends, flat, then the corners of a fall, a rise, a fall, a rise, and the upright. */
const asciiLineSymbols = ['-', ' ', '-', '-', '-', '`', '.', '.', "'", '|'];
/** asciichart counts rows upwards, and would mark a level of 0 as its zero line. */
const lowestLevel = 1;

/** Draws a curve as a solid line of ASCII characters, over what was there. It stays in the row of a point up to the next one. */
export function drawAsciiLine(canvas: Canvas, {points, style: {tone}}: PlottedCurve): void {
	const height = Math.max(canvas.size.rows - 1, 0);
	let from = 0;
	let levels: number[] = [];
	for (const point of [...points, undefined]) {
		if (point) {
			if (levels.length === 0) from = point.column;
			const kept = levels.at(-1);
			while (kept !== undefined && from + levels.length < point.column) levels.push(kept);
			levels.push(lowestLevel + height - clamp(Math.floor(point.rows), 0, height));
		} else if (levels.length > 0) {
			drawLevels(canvas, levels, from, tone);
			levels = [];
		}
	}
}

/** `levels`: rows from the bottom of the canvas, from a column on. */
function drawLevels(canvas: Canvas, levels: readonly number[], column: number, tone: Tone): void {
	const height = Math.max(canvas.size.rows - 1, 0);
	const plot = asciichart.plot(levels, {
		...{min: lowestLevel, max: lowestLevel + height, height, offset: 1},
		...{format: () => ' ', symbols: asciiLineSymbols},
	});
	for (const [row, text] of plot.split('\n').entries()) {
		for (const [index, char] of [...text].entries()) {
			if (char !== ' ') canvas.write(row, column + index, char, tone);
		}
	}
}
