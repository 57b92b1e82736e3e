import {textWidth} from '../format/cells.ts';

/**
 * What Ink computes of every text for every frame, in less: of the texts that the panels draw, which are rows in SGR styles
 * that each end in the default style. For any other text the answer is left to Ink. The build puts these into Ink's place,
 * see build.ts.
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
const styledRows = /^(?:[^\p{Cc}\p{M}]|\n|\u001B\[[\d;]*m)*$/u;
const openStyle = /\u001B\[(?!0?m)[\d;]*m[^\u001B]*$/;

/** Whether a text is rows of characters and SGR sequences and nothing else: there is nothing in it to be made harmless. */
export const isStyledRows = (text: string): boolean => styledRows.test(text);

const rowWidth = (row: string): number => textWidth(row.replaceAll(sgr, ''));

/** Cells of the longest row. */
export function widestRow(text: string): number {
	return text.split('\n').reduce((widest, row) => Math.max(widest, rowWidth(row)), 0);
}

/** What Ink would draw, without looking at each cell: pieces side by side. `undefined` where they are not that simple. */
export function joinPieces({width, height, operations}: InkDrawing): {output: string; height: number} | undefined {
	const rows = Array.from({length: height}, () => ({text: '', width: 0}));
	for (const operation of operations) {
		if (operation.type !== 'write') return undefined;
		const {x, y, text, transformers} = operation;
		for (const [index, drawn] of text.split('\n').entries()) {
			const piece = transformers.reduce((changed, transform) => transform(changed, index), drawn);
			const row = rows[y + index];
			const end = x + rowWidth(piece);
			if (!row || x < row.width || end > width || !isStyledRows(piece) || openStyle.test(piece)) return undefined;
			row.text += ' '.repeat(x - row.width) + piece;
			row.width = end;
		}
	}

	return {output: rows.map(({text}) => text.trimEnd()).join('\n'), height};
}
