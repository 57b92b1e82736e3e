import asciichart from 'asciichart';
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

const isDrawn = (x: number, [drawn, left]: CurveStyle['dash']): boolean => x % (drawn + left) < drawn;

/** Draws straight lines of dots from point to point, or in ASCII a letter at each. An undefined point interrupts the curve. */
export function drawCurve(
	canvas: Canvas,
	points: ReadonlyArray<CurvePoint | undefined>,
	style: CurveStyle,
	ascii: boolean,
): void {
	const {letter, tone} = style;
	if (!ascii) drawDots(canvas, points, style);
	else for (const point of points) if (point) canvas.write(Math.floor(point.rows), point.column, letter, tone);
}

function drawDots(canvas: Canvas, points: ReadonlyArray<CurvePoint | undefined>, {dash, tone}: CurveStyle): void {
	const {columns, rows} = canvas.size;
	const cells = new Map<number, number>();
	const dot = ({x, y}: Dot): void => {
		const column = Math.floor(x / dotColumns);
		const row = Math.floor(y / dotRows);
		if (x < 0 || y < 0 || column >= columns || row >= rows || !isDrawn(x, dash)) return;
		const cell = row * columns + column;
		cells.set(cell, (cells.get(cell) ?? 0) | (dotBits[y % dotRows]?.[x % dotColumns] ?? 0));
	};

	// Points far outside the canvas are not joined dot by dot.
	const bounded = (y: number): number => clamp(y, -1, rows * dotRows);
	let before: Dot | undefined;
	for (const point of points) {
		const here = point && {x: point.column * dotColumns, y: bounded(Math.floor(point.rows * dotRows))};
		if (here) joinDots(before ?? here, here, dot);
		before = here;
	}

	for (const [cell, bits] of cells) {
		const text = String.fromCodePoint(blankBraille + bits);
		canvas.write(Math.floor(cell / columns), cell % columns, text, tone);
	}
}

/** Calls `dot` for every dot column from `from` to `to`, with the dots that join it to the previous one. */
function joinDots(from: Dot, to: Dot, dot: (dot: Dot) => void): void {
	let last = from.y;
	for (let x = from.x; x <= to.x; x++) {
		const share = to.x === from.x ? 1 : (x - from.x) / (to.x - from.x);
		const y = Math.round(from.y + (to.y - from.y) * share);
		const step = Math.sign(y - last);
		for (let between = last; step !== 0 && between !== y; between += step) dot({x, y: between});
		dot({x, y});
		last = y;
	}
}

/** A short piece of the curve, for a legend. */
export function curveSample({dash, letter}: CurveStyle, ascii: boolean): string {
	if (ascii) return letter;
	const [leftDot, rightDot] = dotBits[1];
	return [0, 2, 4]
		.map(x => blankBraille + (isDrawn(x, dash) ? leftDot : 0) + (isDrawn(x + 1, dash) ? rightDot : 0))
		.map(code => String.fromCodePoint(code))
		.join('');
}

/** In asciichart's order. */
const lineSymbols = {
	unicode: ['─', ' ', '─', '─', '─', '╰', '╭', '╮', '╯', '│'],
	ascii: ['-', ' ', '-', '-', '-', '`', '.', '.', "'", '|'],
};
/** asciichart counts rows upwards, and would mark a level of 0 as its zero line. */
const lowestLevel = 1;

export type SolidLine = {
	/** The row of each column from `column` on, counted from the top of the canvas. */
	readonly rows: readonly number[];
	readonly column: number;
	readonly tone: Tone;
};

/** Draws one solid line through these rows, over what was there. */
export function drawSolidLine(canvas: Canvas, {rows, column, tone}: SolidLine, ascii: boolean): void {
	const height = Math.max(canvas.size.rows - 1, 0);
	const symbols = ascii ? lineSymbols.ascii : lineSymbols.unicode;
	const plot = asciichart.plot(
		rows.map(row => lowestLevel + height - row),
		{min: lowestLevel, max: lowestLevel + height, height, offset: 1, format: () => ' ', symbols},
	);
	for (const [row, text] of plot.split('\n').entries()) {
		for (const [index, char] of [...text].entries()) {
			if (char !== ' ') canvas.write(row, column + index, char, tone);
		}
	}
}
