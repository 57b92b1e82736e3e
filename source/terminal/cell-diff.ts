import {plainStyle, type Style} from '../format/style.ts';
import {blankCell, blankRow, type Cell, type Row, sameCell} from './cell-row.ts';
import {cursorMove, type Position} from './cursor-moves.ts';
import type {Picture} from './surface.ts';

/** Where a terminal's cursor is, and the style that it would write in. */
type Pen = Position & {readonly style: Style};

/** What a terminal shows, and with what it would write next. */
export type Shown = {readonly picture: Picture; readonly pen: Pen};

/** Something to write at one place in one style. */
type Stroke = {
	readonly row: number;
	readonly column: number;
	readonly style: Style;
	readonly text: string;
	/** The first column after what it draws. */
	readonly next: number;
	/** Where the cursor is after it; absent where terminals differ. */
	readonly end: number | undefined;
};

/** No cursor, no wrapping, default style and scroll region, no cells, the cursor in the first one. */
const startAfresh = '\u001B[?25l\u001B[?7l\u001B[m\u001B[r\u001B[2J\u001B[H';
const home: Pen = {row: 0, column: 0, style: plainStyle};
/** Differs from every other. */
const unknownCell: Cell = {text: '', width: 1, style: plainStyle};
const eraseToEnd = '\u001B[K';

/** Moving over up to as many unchanged bytes is never shorter than writing them again. */
const worthRewriting = 3;
/** So many blanks are erased in fewer bytes than they are written. */
const worthErasing = 8;

/**
 * Few bytes that take a terminal from `shown` to `wanted`, as one synchronized update; none when there is nothing to do.
 * From `undefined`, or a picture of another size, everything is drawn on a cleared screen. What differs is written style by
 * style, as a colour costs more than a move, and in each style in reading order.
 */
export function cellDiff(shown: Shown | undefined, wanted: Picture): {readonly text: string; readonly shown: Shown} {
	const from = shown && sameSize(shown.picture, wanted) ? shown : undefined;
	const blank = blankRow(wanted.columns);
	const unknown = blank.map(() => unknownCell);
	const writer = new Writer(from?.pen ?? home);
	const strokes: Stroke[] = [];
	const tails: Array<{readonly row: number; readonly column: number; readonly after: Row}> = [];
	for (const [row, after] of wanted.rows.entries()) {
		const before = from?.picture.rows[row] ?? blank;
		if (before === after) continue;
		const tail = disputedFrom(before, after);
		strokes.push(...strokesOf(row, before, after, {from: 0, to: tail}));
		if (strokesOf(row, before, after, {from: tail, to: after.length}).length > 0)
			tails.push({row, column: tail, after});
	}

	for (const stroke of byStyle(strokes, writer.pen.style)) writer.write(stroke);
	for (const {row, column, after} of tails) {
		// Nobody knows which cells a character of disputed width took, or takes: all that follows it is written after it.
		writer.write({row, column, style: plainStyle, text: eraseToEnd, next: after.length, end: column});
		for (const stroke of strokesOf(row, unknown, after, {from: column, to: after.length})) writer.write(stroke);
	}

	const text = (from ? '' : startAfresh) + writer.text;
	return {text: text && `\u001B[?2026h${text}\u001B[?2026l`, shown: {picture: wanted, pen: writer.pen}};
}

/** Writes strokes with what it takes to get from one to the next. */
class Writer {
	text = '';
	pen: Pen;

	constructor(pen: Pen) {
		this.pen = pen;
	}

	write({row, column, style, text, end}: Stroke): void {
		this.text += cursorMove(this.pen, row, column) + styleChange(this.pen.style, style) + text;
		this.pen = {row, column: end, style};
	}
}

/** A short SGR sequence that changes the pen from one style to another; empty when they are the same. */
export function styleChange(from: Style, to: Style): string {
	if (from === to) return '';
	const color = from.foreground === to.foreground ? [] : [to.foreground || '39'];
	if (from.attributes === to.attributes) return `\u001B[${color.join(';')}m`;
	if (from.attributes === '') return `\u001B[${[to.attributes, ...color].join(';')}m`;
	// An empty first parameter switches everything off.
	return `\u001B[${['', to.attributes, to.foreground].filter((part, index) => index === 0 || part !== '').join(';')}m`;
}

function byStyle(strokes: readonly Stroke[], first: Style): Iterable<Stroke> {
	const groups = new Map<Style, Stroke[]>([[first, []]]);
	for (const stroke of strokes) {
		const group = groups.get(stroke.style);
		if (group) group.push(stroke);
		else groups.set(stroke.style, [stroke]);
	}

	return [...groups.values()].flat();
}

/** The first column with a character of disputed width, before or after; the number of columns: there is none. */
function disputedFrom(before: Row, after: Row): number {
	const column = after.findIndex((cell, index) => cell.disputed || before[index]?.disputed);
	if (column < 0) return after.length;
	// A wide character there is drawn from its left half on.
	return after[column]?.width === 0 ? column - 1 : column;
}

type Columns = {readonly from: number; readonly to: number};

/** All that has to be written between these columns to turn `before` into `after`, left to right. */
function strokesOf(row: number, before: Row, after: Row, {from, to}: Columns): readonly Stroke[] {
	const strokes: Stroke[] = [];
	for (let column = from; column < to; ) {
		if (!differs(before, after, column)) {
			column++;
			continue;
		}

		const stroke = strokeFrom(row, column, before, after, to);
		strokes.push(stroke);
		column = stroke.next;
	}

	return strokes;
}

/** From a cell that differs to the last one in its style that can be reached by writing alone. */
function strokeFrom(row: number, column: number, before: Row, after: Row, to: number): Stroke {
	const {style} = after[column] ?? blankCell;
	const blanks = blanksFrom(before, after, column, to);
	if (blanks >= worthErasing) {
		return {row, column, style, text: `\u001B[${blanks}X`, next: column + blanks, end: column};
	}

	let [text, next, unchanged] = ['', column, ''];
	let disputed = false;
	for (let at = column; at < to && !disputed; ) {
		const cell = after[at] ?? blankCell;
		if (cell.style !== style) break;
		unchanged += cell.text;
		if (differs(before, after, at)) {
			if (blanksFrom(before, after, at, to) >= worthErasing) break;
			[text, next, unchanged] = [text + unchanged, at + cell.width, ''];
			disputed = cell.disputed === true;
		} else if (Buffer.byteLength(unchanged) > worthRewriting) {
			break;
		}

		at += Math.max(cell.width, 1);
	}

	return {row, column, style, text, next, end: disputed || next === after.length ? undefined : next};
}

/** How many columns of blanks there are up to the last that differs. */
function blanksFrom(before: Row, after: Row, column: number, to: number): number {
	let end = column;
	for (let at = column; at < to && sameCell(after[at] ?? blankCell, blankCell); at++) {
		if (differs(before, after, at)) end = at + 1;
	}

	return end - column;
}

/** The right half of a wide character is written with the left one, so it never differs by itself. */
function differs(before: Row, after: Row, column: number): boolean {
	const [old, cell] = [before[column], after[column]];
	return old !== undefined && cell !== undefined && cell.width > 0 && !sameCell(old, cell);
}

const sameSize = (a: Picture, b: Picture): boolean => a.columns === b.columns && a.rows.length === b.rows.length;
