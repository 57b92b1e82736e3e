import {defaultStyle, type Style} from './style.ts';

export type Cell = {
	/** A character with the marks on it; empty in the right half of a wide one. */
	readonly text: string;
	/** Cells from here to the end of the character: 0 in its right half. */
	readonly width: 0 | 1 | 2;
	readonly style: Style;
};

/** Immutable: the same object is the same row. */
export type Row = {
	/** One for each column. */
	readonly cells: readonly Cell[];
	/**
	 * What it was drawn from, where that has a link, a style that is not one of ours, or characters that terminals give
	 * different widths: such a row can only be drawn whole, and its cells are not known.
	 */
	readonly source?: string;
};

export type Size = {readonly columns: number; readonly rows: number};

/** What a terminal shows. Rows and columns count from 0. */
export type Picture = {
	readonly columns: number;
	readonly rows: readonly Row[];
	readonly cursor: {readonly row: number; readonly column: number; readonly visible: boolean};
};

export const blankCell: Cell = {text: ' ', width: 1, style: defaultStyle};

const blankRows = new Map<number, Row>();

/** The same object for the same width. */
export function blankRow(columns: number): Row {
	let row = blankRows.get(columns);
	if (!row) {
		row = {cells: Array.from({length: columns}, () => blankCell)};
		blankRows.set(columns, row);
	}

	return row;
}

export const sameCell = (a: Cell, b: Cell): boolean =>
	a === b || (a.text === b.text && a.style === b.style && a.width === b.width);

export const isBlank = (cell: Cell): boolean => cell.text === ' ' && cell.style === defaultStyle;

/** As a terminal does it: rows at the top are lost only where the one with the cursor would be lost otherwise. */
export function resizePicture({rows, cursor}: Picture, size: Size): Picture {
	const lost = Math.max(0, cursor.row - size.rows + 1);
	const kept = rows.slice(lost, lost + size.rows);
	return {
		columns: size.columns,
		rows: Array.from({length: size.rows}, (_, index) => resizeRow(kept[index], size.columns)),
		cursor: {...cursor, row: cursor.row - lost, column: Math.min(cursor.column, size.columns - 1)},
	};
}

function resizeRow(row: Row | undefined, columns: number): Row {
	if (!row) return blankRow(columns);
	if (row.cells.length === columns) return row;
	const kept = row.cells.slice(0, columns);
	if (kept.at(-1)?.width === 2) kept[kept.length - 1] = blankCell;
	return {...row, cells: [...kept, ...blankRow(columns).cells.slice(kept.length)]};
}
