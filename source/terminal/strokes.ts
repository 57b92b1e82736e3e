import {blankCell, type Cell, isBlank, type Row, sameCell} from './picture.ts';
import {defaultStyle, type Style} from './style.ts';

/** Something to write at one place in one style. */
export type Stroke = {
	readonly row: number;
	readonly column: number;
	/** Where the cursor is after it; absent where terminals differ. */
	readonly end: number | undefined;
	readonly style: Style;
	readonly text: string;
	readonly bytes: number;
	/** Does the same in any style without a background colour, and leaves the cursor where it is; for blanks only. */
	readonly erasure?: string | undefined;
};

const eraseRow = '\u001B[2K';

/** Moving over up to as many unchanged bytes is never shorter than writing them again. */
export const worthRewriting = 3;

/** Blanks that are erased in fewer bytes than they are written, wherever the cursor has to go next. */
const worthErasing = 8;

/** All that has to be written, in any order, to turn `before` into `after`. */
export function strokesOf(row: number, before: Row, after: Row): readonly Stroke[] {
	if (before === after) return [];
	const {source} = after;
	if (source === undefined) return cellStrokes(row, before.cells, after.cells);
	if (source === before.source) return [];
	const text = eraseRow + source;
	return [{row, column: 0, end: undefined, style: defaultStyle, text, bytes: Buffer.byteLength(text)}];
}

function cellStrokes(row: number, before: readonly Cell[], after: readonly Cell[]): readonly Stroke[] {
	const strokes: Stroke[] = [];
	let column = 0;
	while (column < after.length) {
		if (!differs(before, after, column)) {
			column++;
			continue;
		}

		const stroke = strokeFrom(row, column, before, after);
		strokes.push(stroke);
		column = stroke.end ?? after.length;
	}

	return strokes;
}

/** From a cell that differs to the last one in its style that can be reached by writing alone. */
function strokeFrom(row: number, column: number, before: readonly Cell[], after: readonly Cell[]): Stroke {
	const style = after[column]?.style ?? defaultStyle;
	const blanks = blanksFrom(before, after, column);
	if (blanks >= worthErasing) return strokeOf(row, column, column + blanks, ' '.repeat(blanks), after);
	let [text, end, unchanged] = ['', column, ''];
	for (let at = column; after[at]?.style === style; at++) {
		const {text: character, width} = after[at] ?? blankCell;
		if (width === 0) continue;
		unchanged += character;
		if (differs(before, after, at)) {
			if (blanksFrom(before, after, at) >= worthErasing) break;
			[text, end, unchanged] = [text + unchanged, at + width, ''];
		} else if (Buffer.byteLength(unchanged) > worthRewriting) {
			break;
		}
	}

	return strokeOf(row, column, end, text, after);
}

function strokeOf(row: number, column: number, end: number, text: string, cells: readonly Cell[]): Stroke {
	const style = cells[column]?.style ?? defaultStyle;
	const blank = style === defaultStyle && /^ *$/.test(text);
	return {
		row,
		column,
		end: end < cells.length ? end : undefined,
		style,
		text,
		bytes: Buffer.byteLength(text),
		erasure: blank ? erasureOf(cells, column, end) : undefined,
	};
}

/** How many columns of blanks there are up to the last that differs. */
function blanksFrom(before: readonly Cell[], after: readonly Cell[], column: number): number {
	let end = column;
	for (let at = column; at < after.length && isBlank(after[at] ?? blankCell); at++) {
		if (differs(before, after, at)) end = at + 1;
	}

	return end - column;
}

function erasureOf(cells: readonly Cell[], column: number, end: number): string {
	if (cells.slice(end).every(isBlank)) return '\u001B[K';
	return end - column === 1 ? '\u001B[X' : `\u001B[${end - column}X`;
}

/** A wide character is as its first column is. */
function differs(before: readonly Cell[], after: readonly Cell[], column: number): boolean {
	const [old, cell] = [before[column], after[column]];
	return old !== undefined && cell !== undefined && cell.width > 0 && !sameCell(old, cell);
}
