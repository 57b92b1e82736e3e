import {cursorMove, moveLength, type Position} from './cursor-moves.ts';
import {shortenTour} from './or-opt.ts';
import type {Row} from './picture.ts';
import {type Stroke, worthRewriting} from './strokes.ts';
import {type Style, styleChange} from './style.ts';

/** Where the cursor is, and the style that it would write in. */
export type Pen = Position & {readonly style: Style};

export type Step = {readonly stroke: Stroke; readonly erased: boolean};

/** How many strokes, in reading order, are looked at for the next one: enough for any change, few enough for a first frame. */
const lookahead = 256;

/** So many strokes that to look for a shorter way through them would take longer than a frame should. */
const tooMany = 400;

/** All strokes in an order that takes few bytes between them: a colour costs more than a move. */
export function orderStrokes(strokes: readonly Stroke[], start: Pen, rows: readonly Row[]): readonly Step[] {
	const steps = nearestFirst(strokes, start, rows);
	if (steps.length > tooMany) return steps;

	// What is erased stays with what was written before it, in whose style it is erased.
	const stops: Step[][] = [[]];
	for (const step of steps) {
		if (step.erased) stops.at(-1)?.push(step);
		else stops.push([step]);
	}

	const pens = stops.map(stop => stop.reduce(after, start));
	const tour = shortenTour(stops.length, (from, to) => {
		const [pen, stroke] = [pens[from], stops[to]?.[0]?.stroke];
		return pen && stroke ? wayLength(pen, stroke, rows) + styleChange(pen.style, stroke.style).length : 0;
	});
	return tour.flatMap(stop => stops[stop] ?? []);
}

/** Each time the stroke that is the cheapest to go to. */
function nearestFirst(strokes: readonly Stroke[], start: Pen, rows: readonly Row[]): readonly Step[] {
	const open = [...strokes];
	const steps: Step[] = [];
	let pen = start;
	while (open.length > 0) {
		let [best, bytes, erased] = [0, Infinity, false];
		for (let index = 0; index < Math.min(open.length, lookahead); index++) {
			const stroke = open[index];
			if (!stroke) break;
			const way = wayLength(pen, stroke, rows);
			if (way >= bytes) continue;
			const written = way + styleChange(pen.style, stroke.style).length + (stroke.erasure ? stroke.bytes : 0);
			if (written < bytes) [best, bytes, erased] = [index, written, false];
			const cleared = stroke.erasure && !pen.style.background ? way + stroke.erasure.length : Infinity;
			if (cleared < bytes) [best, bytes, erased] = [index, cleared, true];
			if (bytes === 0) break;
		}

		const [stroke] = open.splice(best, 1);
		if (!stroke) break;
		steps.push({stroke, erased});
		pen = after(pen, {stroke, erased});
	}

	return steps;
}

/** The pen when that is done. */
export const after = (pen: Pen, {stroke, erased}: Step): Pen =>
	erased
		? {row: stroke.row, column: stroke.column, style: pen.style}
		: {row: stroke.row, column: stroke.end, style: stroke.style};

/** The cheapest way to where the stroke begins: to move, or to write again up to a few unchanged cells before it. */
export function wayTo(pen: Pen, {row, column}: Stroke, rows: readonly Row[]): string {
	const moved = cursorMove(pen, row, column);
	const between = textBetween(pen, row, column, rows);
	if (between === undefined || pen.column === undefined) return moved;
	const rewritten = cursorMove(pen, row, pen.column) + between;
	return Buffer.byteLength(rewritten) < moved.length ? rewritten : moved;
}

function wayLength(pen: Pen, {row, column}: Stroke, rows: readonly Row[]): number {
	const moved = moveLength(pen, row, column);
	const between = textBetween(pen, row, column, rows);
	if (between === undefined || pen.column === undefined) return moved;
	return Math.min(moved, moveLength(pen, row, pen.column) + Buffer.byteLength(between));
}

/** What stands in the row before the column, from the pen's column on, where the pen could write it as it is. */
function textBetween(pen: Pen, row: number, column: number, rows: readonly Row[]): string | undefined {
	if (pen.column === undefined || pen.column >= column || pen.column + worthRewriting < column) return undefined;
	const {cells, source} = rows[row] ?? {};
	let text = '';
	for (let at = pen.column; at < column; at++) {
		const cell = cells?.[at];
		// To write over the right half of a wide character would lose its left one.
		const writable = cell?.style === pen.style && (at > pen.column || cell.width > 0);
		if (!cell || !writable || source !== undefined) return undefined;
		text += cell.text;
	}

	return text;
}
