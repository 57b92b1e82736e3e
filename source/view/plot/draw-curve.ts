import type {Tone} from '../line.ts';
import type {Glyphs} from '../panels/chart/glyphs.ts';
import type {Canvas} from './canvas.ts';

/** How a curve is told from others without colour: which of its dots are drawn, or by which letter it is. */
export type CurveStyle = {
	readonly tone: Tone;
	/** Dots drawn and left out, in turn; all drawn where the second is 0. */
	readonly dash: readonly [drawn: number, left: number];
	readonly letter: string;
};

/** A point of a curve: the middle column of a candle, and rows from the top of the pane with fractions. */
export type CurvePoint = {readonly column: number; readonly rows: number};

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

/** Straight lines from point to point; undefined parts the curve. What lies outside the canvas is not drawn. */
export function drawCurve(
	canvas: Canvas,
	points: ReadonlyArray<CurvePoint | undefined>,
	style: CurveStyle,
	glyphs: Glyphs,
): void {
	if (glyphs.curves === 'letters') drawLetters(canvas, points, style);
	else drawDots(canvas, points, style);
}

function drawLetters(canvas: Canvas, points: ReadonlyArray<CurvePoint | undefined>, {letter, tone}: CurveStyle): void {
	for (const point of points) if (point) canvas.write(Math.floor(point.rows), point.column, letter, tone);
}

function drawDots(canvas: Canvas, points: ReadonlyArray<CurvePoint | undefined>, {dash, tone}: CurveStyle): void {
	const [drawn, left] = dash;
	const {columns, rows} = canvas.size;
	const cells = new Map<number, number>();
	const dot = (x: number, y: number): void => {
		const column = Math.floor(x / dotColumns);
		const row = Math.floor(y / dotRows);
		if (x < 0 || y < 0 || column >= columns || row >= rows || x % (drawn + left) >= drawn) return;
		const cell = row * columns + column;
		cells.set(cell, (cells.get(cell) ?? 0) | (dotBits[y % dotRows]?.[x % dotColumns] ?? 0));
	};

	// What is far outside need not be joined dot by dot.
	const bounded = (y: number): number => Math.min(Math.max(y, -1), rows * dotRows);
	let before: {x: number; y: number} | undefined;
	for (const point of points) {
		const here = point && {x: point.column * dotColumns, y: bounded(Math.floor(point.rows * dotRows))};
		if (here) line(before ?? here, here, dot);
		before = here;
	}

	for (const [cell, bits] of cells) {
		const text = String.fromCodePoint(blankBraille + bits);
		canvas.write(Math.floor(cell / columns), cell % columns, text, tone);
	}
}

/** Every dot column from `from` to `to`, each with the dots that join it to the one before. */
function line(from: {x: number; y: number}, to: {x: number; y: number}, dot: (x: number, y: number) => void): void {
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
export function curveSample({dash: [drawn, left], letter}: CurveStyle, glyphs: Glyphs): string {
	if (glyphs.curves === 'letters') return letter;
	const [leftDot, rightDot] = dotBits[1];
	const isDrawn = (x: number): boolean => x % (drawn + left) < drawn;
	return [0, 1, 2]
		.map(cell => {
			const bits = (isDrawn(cell * 2) ? leftDot : 0) | (isDrawn(cell * 2 + 1) ? rightDot : 0);
			return String.fromCodePoint(blankBraille + bits);
		})
		.join('');
}
