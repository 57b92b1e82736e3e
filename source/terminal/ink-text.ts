import {textWidth} from '../format/cells.ts';

/**
 * What Ink computes of every text for every frame, in less: of the texts that the panels draw, which are rows in SGR styles
 * that each end in the default style. For any other text the answer is left to Ink. The build puts these into Ink's place,
 * see light-ink.ts.
 */

/** A write of Ink's output, or its beginning and end of a clipped area. */
export type InkOperation =
	| {
			readonly type: 'write';
			/** Of the first row, in cells. */
			readonly x: number;
			readonly y: number;
			/** Rows, joined by line feeds. */
			readonly text: string;
			/** Of the components around the text: each takes a row and its number. */
			readonly transformers: ReadonlyArray<(row: string, index: number) => string>;
	  }
	| {readonly type: 'clip' | 'unclip'};

type InkDrawing = {
	/** Cells. */
	readonly width: number;
	readonly height: number;
	readonly operations: readonly InkOperation[];
};

const sgr = /\u001B\[[\d;]*m/g;
const unstyled = /^[^\p{Cc}\p{M}]*$/u;
const openStyle = /\u001B\[(?!0?m)[\d;]*m[^\u001B]*$/;

type StyledRow = {
	readonly text: string;
	/** Cells. */
	readonly width: number;
	/** Characters and SGR sequences and nothing else. */
	readonly isStyled: boolean;
	/** Does not end in the default style. */
	readonly isOpen: boolean;
};

/** Rows of the texts of the last two frames: each is asked about several times a frame, most of them in the next one too. */
let known = new Map<string, readonly StyledRow[]>();
let older = new Map<string, readonly StyledRow[]>();

function rowsOf(text: string): readonly StyledRow[] {
	let rows = known.get(text);
	if (!rows) {
		rows = older.get(text) ?? text.split('\n').map(styledRow);
		known.set(text, rows);
	}

	return rows;
}

function styledRow(text: string): StyledRow {
	const bare = text.replaceAll(sgr, '');
	return {text, width: textWidth(bare), isStyled: unstyled.test(bare), isOpen: openStyle.test(text)};
}

/** Whether a text is rows of characters and SGR sequences and nothing else: there is nothing in it to be made harmless. */
export const isStyledRows = (text: string): boolean => rowsOf(text).every(({isStyled}) => isStyled);

/** Cells of the longest row. */
export function widestRow(text: string): number {
	return rowsOf(text).reduce((widest, {width}) => Math.max(widest, width), 0);
}

/**
 * Whether a text that takes the place of another is laid out as that was, in as many columns: each of its rows is as wide,
 * and fits.
 */
export function keepsShape(before: string, after: string, columns: number): boolean {
	const [old, rows] = [rowsOf(before), rowsOf(after)];
	return old.length === rows.length && rows.every(({width}, row) => width === old[row]?.width && width <= columns);
}

/** What Ink would draw, without looking at each cell: pieces side by side. `undefined` where they are not that simple. */
export function joinPieces({width, height, operations}: InkDrawing): {output: string; height: number} | undefined {
	[older, known] = [known, new Map()];
	const rows = Array.from({length: height}, () => ({text: '', width: 0}));
	for (const operation of operations) {
		if (operation.type !== 'write') return undefined;
		const {x, y, text, transformers} = operation;
		for (const [index, drawn] of rowsOf(text).entries()) {
			const changed = transformers.reduce((piece, transform) => transform(piece, index), drawn.text);
			const piece = changed === drawn.text ? drawn : styledRow(changed);
			const row = rows[y + index];
			const end = x + piece.width;
			if (!row || x < row.width || end > width || !piece.isStyled || piece.isOpen) return undefined;
			row.text += ' '.repeat(x - row.width) + piece.text;
			row.width = end;
		}
	}

	return {output: rows.map(({text}) => text.trimEnd()).join('\n'), height};
}
