import {plainStyle, type Style} from '../format/style.ts';
import {blankCell, blankRow, type Cell, type Row, sameCell} from './cell-row.ts';
import type {Picture} from './surface.ts';

/** The cursor's position, and the style that the terminal would write in. */
type Pen = Position & {readonly style: Style};

/** What a terminal shows, and where and how it would write next. */
export type Shown = {readonly picture: Picture; readonly pen: Pen};

/** A text to write at one position in one style. */
type Stroke = {
	readonly row: number;
	readonly column: number;
	readonly style: Style;
	readonly text: string;
	/** The first column after what it draws. */
	readonly next: number;
	/** The cursor's column after it; undefined where terminals differ. */
	readonly end: number | undefined;
};

/**
 * Whatever another program left: no cursor, no wrapping, no insertion, pasted text between marks, letters as letters, rows
 * counted from the top, default style and scroll region, a cleared screen, the cursor at home.
 */
const startAfresh =
	'\u001B[?25l\u001B[?7l\u001B[4l\u001B[?2004h\u000F\u001B(B\u001B[?6l\u001B[m\u001B[r\u001B[2J\u001B[H';
const home: Pen = {row: 0, column: 0, style: plainStyle};
/** Differs from every other cell. */
const unknownCell: Cell = {text: '', width: 1, style: plainStyle};
const eraseToEnd = '\u001B[K';

/** Moving the cursor over this many unchanged bytes, or fewer, never takes less than writing them again. */
const worthRewriting = 3;
/** From this many blanks on, erasing takes fewer bytes than writing. */
const worthErasing = 8;

/**
 * The text that turns `shown` into `wanted`, as one synchronized update; empty if nothing differs. If `shown` is undefined or
 * of another size, the screen is cleared and drawn in full. Changes are written style by style, as a colour costs more bytes
 * than a move, and within a style in reading order.
 */
export function cellDiff(shown: Shown | undefined, wanted: Picture): {readonly text: string; readonly shown: Shown} {
	const from = shown && sameSize(shown.picture, wanted) ? shown : undefined;
	const blank = blankRow(wanted.columns);
	const writer = new Writer(from?.pen ?? home);
	const strokes: Stroke[] = [];
	const tails: Array<{readonly row: number; readonly column: number; readonly after: Row}> = [];
	for (const [row, after] of wanted.rows.entries()) {
		const before = from?.picture.rows[row] ?? blank;
		if (before === after) continue;
		const tail = disputedFrom(before, after);
		for (const stroke of strokesOf(row, before, after, {from: 0, to: tail})) strokes.push(stroke);
		if (strokesOf(row, before, after, {from: tail, to: after.length}).length > 0)
			tails.push({row, column: tail, after});
	}

	for (const stroke of byStyle(strokes, writer.pen.style)) writer.write(stroke);
	for (const {row, column, after} of tails) {
		// The cells taken by a character of disputed width are unknown, so everything after it is written again.
		writer.write({row, column, style: plainStyle, text: eraseToEnd, next: after.length, end: column});
		const unknown = after.map(() => unknownCell);
		for (const stroke of strokesOf(row, unknown, after, {from: column, to: after.length})) writer.write(stroke);
	}

	const text = (from ? '' : startAfresh) + writer.text;
	return {text: text && `\u001B[?2026h${text}\u001B[?2026l`, shown: {picture: wanted, pen: writer.pen}};
}

/** Writes strokes, with the moves and style changes between them. */
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

/** A short SGR sequence that changes the pen's style; empty if the styles are equal. */
export function styleChange(from: Style, to: Style): string {
	if (from === to) return '';
	const colors = [
		...(from.foreground === to.foreground ? [] : [to.foreground || '39']),
		...(from.background === to.background ? [] : [to.background || '49']),
	];
	if (from.attributes === to.attributes) return `\u001B[${colors.join(';')}m`;
	if (from.attributes === '') return `\u001B[${[to.attributes, ...colors].join(';')}m`;
	// An empty first parameter resets all attributes.
	return `\u001B[${['', ...[to.attributes, to.foreground, to.background].filter(part => part !== '')].join(';')}m`;
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

/** The first column with a character of disputed width in either row; the number of columns if there is none. */
function disputedFrom(before: Row, after: Row): number {
	let column = 0;
	while (column < after.length && !after[column]?.disputed && !before[column]?.disputed) column++;
	// A wide character is drawn from its first column on.
	while (after[column]?.width === 0) column--;
	return column;
}

type Columns = {readonly from: number; readonly to: number};

/** The strokes that turn `before` into `after` between these columns, left to right. */
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

/** The stroke from a changed cell to the last changed one in the same style that is reached without moving the cursor. */
function strokeFrom(row: number, column: number, before: Row, after: Row, to: number): Stroke {
	const {style} = after[column] ?? blankCell;
	const blanks = blanksFrom(before, after, column, to);
	if (blanks >= worthErasing) {
		return {row, column, style, text: `\u001B[${blanks}X`, next: column + blanks, end: column};
	}

	let text = '';
	let next = column;
	let unchanged = '';
	let disputed = false;
	for (let at = column; at < to && !disputed; ) {
		const cell = after[at] ?? blankCell;
		if (cell.style !== style) break;
		unchanged += cell.text;
		if (differs(before, after, at)) {
			if (blanksFrom(before, after, at, to) >= worthErasing) break;
			text += unchanged;
			next = at + cell.width;
			unchanged = '';
			disputed = cell.disputed === true;
		} else if (Buffer.byteLength(unchanged) > worthRewriting) {
			break;
		}

		at += Math.max(cell.width, 1);
	}

	return {row, column, style, text, next, end: disputed || next === after.length ? undefined : next};
}

/** The number of blank columns from `column` to the last changed one. */
function blanksFrom(before: Row, after: Row, column: number, to: number): number {
	let end = column;
	for (let at = column; at < to && sameCell(after[at] ?? blankCell, blankCell); at++) {
		if (differs(before, after, at)) end = at + 1;
	}

	return end - column;
}

/** Whether a cell has to be written. The rest of a wide character never does, as it is written with its first column. */
function differs(before: Row, after: Row, column: number): boolean {
	const [old, cell] = [before[column], after[column]];
	return old !== undefined && cell !== undefined && cell.width > 0 && !sameCell(old, cell);
}

const sameSize = (a: Picture, b: Picture): boolean => a.columns === b.columns && a.rows.length === b.rows.length;

/** Where the next character goes. Rows and columns count from 0. */
type Position = {
	readonly row: number;
	/** Undefined after the last column and after characters of disputed width, where terminals differ. */
	readonly column: number | undefined;
};

const csi = (count: number, final: string) => `\u001B[${count === 1 ? '' : count}${final}`;

const shorter = (first: string, second: string): string => (second.length < first.length ? second : first);

/** The shortest sequence that moves the cursor; it writes nothing and never scrolls. */
export function cursorMove(from: Position, row: number, column: number): string {
	const steps = horizontal(from.column, column) + vertical(from.row, row);
	if (steps.length <= 3) return steps;
	const target = column === 0 ? csi(row + 1, 'H') : `\u001B[${row === 0 ? '' : row + 1};${column + 1}H`;
	return shorter(steps, target);
}

function horizontal(from: number | undefined, to: number): string {
	if (from === to) return '';
	const absolute = shorter(`\r${to === 0 ? '' : csi(to, 'C')}`, csi(to + 1, 'G'));
	if (from === undefined) return absolute;
	const relative = to < from ? shorter('\b'.repeat(from - to), csi(from - to, 'D')) : csi(to - from, 'C');
	return shorter(relative, absolute);
}

function vertical(from: number, to: number): string {
	if (from === to) return '';
	// A vertical tab moves down like a line feed, but no line discipline adds a carriage return to it.
	const relative =
		to > from
			? shorter('\v'.repeat(to - from), csi(to - from, 'B'))
			: shorter('\u001BM'.repeat(from - to), csi(from - to, 'A'));
	return shorter(relative, csi(to + 1, 'd'));
}
