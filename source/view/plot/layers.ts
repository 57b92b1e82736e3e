import type {Tone} from '../line.ts';
import type {Bar, Canvas} from './canvas.ts';
import {brailleOf, curveDots, type PlottedCurve} from './curves.ts';

/** What curves and bars have in each cell, row by row. */
type Cells = {
	/** The dots of the curves. */
	readonly dots: Uint8Array;
	/** The indexes of the curves in the cell, as bits. */
	readonly curves: Uint32Array;
	/** The dots that come nearest to the bar in the cell; 0: there is none. */
	readonly fill: Uint8Array;
};

/** The most curves with bars below them: one number has as many bits. More are drawn, but share the tone of the last. */
const mostCurves = 31;

/**
 * Draws curves over each other, and over the `bars` that the canvas already shows, so that all stay visible: a cell has the
 * dots of all its curves in the tone of one. A curve takes the cells that it has alone; where a column leaves it only shared cells,
 * they go to the curve that was hidden longest, so that curves on each other alternate.
 * A bar that no other cell of its column shows takes part: its cell becomes dots as well, in which a curve inside it is a gap.
 * In ASCII each curve has a letter at its points, shared out in the same way.
 */
export function drawCurves(
	canvas: Canvas,
	curves: readonly PlottedCurve[],
	ascii: boolean,
	bars: readonly Bar[] = [],
): void {
	const {columns, rows} = canvas.size;
	const count = columns * rows;
	const cells = {dots: new Uint8Array(count), curves: new Uint32Array(count), fill: new Uint8Array(count)};
	for (const [index, curve] of curves.entries()) addCurve(cells, curve, Math.min(index, mostCurves - 1), canvas, ascii);
	const barTone = new Map<number, Tone>();
	for (const bar of bars) addBar(cells, bar, canvas, barTone);
	/** The index of the bar among the curves of its column. */
	const bar = Math.min(curves.length, mostCurves);
	const toneOf = (index: number, column: number): Tone =>
		(index === bar ? barTone.get(column) : curves[index]?.style.tone) ?? 'plain';
	/** `shown`: the index of the curve or bar whose tone the cell gets. `hasBar`: the bar shows in no other cell of the column. */
	const write = (cell: number, shown: number, hasBar = false): void => {
		const [row, column] = [Math.floor(cell / columns), cell % columns];
		const dots = hasBar ? dotsOverBar(cells, cell) : (cells.dots[cell] ?? 0);
		const text = ascii ? curves[shown]?.style.letter : brailleOf(dots);
		// In ASCII, the bar's own character stays.
		if (text !== undefined) canvas.write(row, column, text, toneOf(shown, column));
	};

	/** The last column in which each curve gave a cell its tone. */
	const shownAt = new Array<number>(bar + 1).fill(-1);
	for (let column = 0; column < columns; column++) {
		let drawnMarks = 0;
		const shared: number[] = [];
		for (let cell = column; cell < count; cell += columns) {
			const marks = marksIn(cells, cell, bar);
			if (marks === 0) continue;
			if ((marks & (marks - 1)) !== 0) shared.push(cell);
			else {
				drawnMarks |= marks;
				const [only = 0] = indexesIn(marks);
				shownAt[only] = column;
				if (only !== bar) write(cell, only);
			}
		}

		for (const cell of shared) {
			const marks = marksIn(cells, cell, bar);
			const hidden = marks & ~drawnMarks;
			const drawn = indexesIn(hidden === 0 ? marks : hidden);
			const [shown = bar] = drawn.toSorted((a, b) => (shownAt[a] ?? -1) - (shownAt[b] ?? -1));
			drawnMarks |= 1 << shown;
			shownAt[shown] = column;
			write(cell, shown, drawn.includes(bar));
		}
	}
}

/** The curves of the cell, and the bar at index `bar`, as bits. */
const marksIn = ({curves, fill}: Cells, cell: number, bar: number): number =>
	(curves[cell] ?? 0) | (fill[cell] ? 1 << bar : 0);

/** Dots of a bar that fill its cell by quarters, from below and from above. */
const standingFill = [0, 0xc0, 0xe4, 0xf6, 0xff];
const hangingFill = [0, 0x09, 0x1b, 0x3f, 0xff];

/** The dots of a bar and of the curves that cross it. Dots would not show in most of a full cell, so there they are gaps. */
function dotsOverBar({dots, fill}: Cells, cell: number): number {
	const [curve = 0, bar = 0] = [dots[cell], fill[cell]];
	const isFull = bar === standingFill[3] || bar === hangingFill[3] || bar === standingFill[4];
	return isFull && curve !== bar ? curve ^ bar : curve | bar;
}

function addBar(
	cells: Cells,
	{left, columns, base, height, tone}: Bar,
	{size}: Canvas,
	tones: Map<number, Tone>,
): void {
	const quarters = Math.max(Math.round(Math.abs(height) * 4), 1);
	const fills = height < 0 ? hangingFill : standingFill;
	for (let step = 0; step * 4 < quarters; step++) {
		const row = height < 0 ? base + step : base - 1 - step;
		for (let column = left; column < left + columns; column++) {
			if (row < 0 || row >= size.rows || column < 0 || column >= size.columns) continue;
			cells.fill[row * size.columns + column] = fills[Math.min(quarters - step * 4, 4)] ?? 0;
			tones.set(column, tone);
		}
	}
}

function addCurve(cells: Cells, curve: PlottedCurve, index: number, {size}: Canvas, ascii: boolean): void {
	const mark = 1 << index;
	const take = (row: number, column: number, bits: number): void => {
		const cell = row * size.columns + column;
		cells.dots[cell] = (cells.dots[cell] ?? 0) | bits;
		cells.curves[cell] = (cells.curves[cell] ?? 0) | mark;
	};

	if (!ascii) {
		curveDots(curve, size, take);
		return;
	}

	for (const point of curve.points) {
		const row = Math.floor(point?.rows ?? -1);
		if (point && row >= 0 && row < size.rows && point.column >= 0 && point.column < size.columns)
			take(row, point.column, 0);
	}
}

/** The indexes of the bits, lowest first. */
function indexesIn(marks: number): number[] {
	const indexes: number[] = [];
	for (let left = marks; left !== 0; left &= left - 1) indexes.push(31 - Math.clz32(left & -left));
	return indexes;
}
