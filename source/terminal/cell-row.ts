import {isNarrow, segmenter, textWidth} from '../format/cells.ts';
import {plainStyle, type Run, type Style} from '../format/style.ts';

/** The content of one column of a row. */
export type Cell = {
	/** A character with its combining marks; empty in the columns of a wide one after its first. */
	readonly text: string;
	/** Columns that the character takes; 0 in those after its first. */
	readonly width: number;
	readonly style: Style;
	/** Terminals disagree about the character's width. */
	readonly disputed?: boolean;
};

export type Row = readonly Cell[];

export const sameCell = (a: Cell, b: Cell): boolean =>
	a === b || (a.text === b.text && a.width === b.width && a.style === b.style);

/** Cached cells of one style by UTF-16 unit, as a program draws the same few characters again and again. */
type CellTable = Map<number, Cell>;

const tables = new Map<Style, CellTable>();

function tableOf(style: Style): CellTable {
	let table = tables.get(style);
	if (!table) {
		table = new Map();
		tables.set(style, table);
	}

	return table;
}

function narrowCell(table: CellTable, code: number, style: Style): Cell {
	let cell = table.get(code);
	if (!cell) {
		cell = {text: String.fromCharCode(code), width: 1, style};
		table.set(code, cell);
	}

	return cell;
}

export const blankCell: Cell = narrowCell(tableOf(plainStyle), 32, plainStyle);

export const blankRow = (columns: number): Cell[] => Array<Cell>(columns).fill(blankCell);

/** Turns runs into at most `columns` cells. Control characters, and characters that only partly fit, are left out. */
export function cellsOf(runs: readonly Run[], columns: number): Row {
	const cells: Cell[] = [];
	for (const {text, style} of runs) {
		if (!isNarrow(text)) {
			addClusters(cells, text, style, columns);
			continue;
		}

		const table = tableOf(style);
		for (let at = 0; at < text.length && cells.length < columns; at++) {
			cells.push(narrowCell(table, text.charCodeAt(at), style));
		}
	}

	return cells;
}

/** tmux puts whatever is written after it, wherever that belongs, into the joiner's cell. */
const lastJoiner = /\u200D$/;

function addClusters(cells: Cell[], text: string, style: Style, columns: number): void {
	for (const {segment} of segmenter.segment(text)) {
		const width = textWidth(segment);
		if (width === 0 || cells.length + width > columns) continue;
		cells.push({text: segment.replace(lastJoiner, ''), width, style, disputed: !isAgreed(segment, width)});
		for (let column = 1; column < width; column++) cells.push({text: '', width: 0, style});
	}
}

// Accents, which all terminals combine with the character before them.
const marks = /^[\u0300-\u034E\u0350-\u036F]*$/;
// Kana, ideographs of the basic plane, Hangul syllables and full-width forms, which all terminals draw in two columns.
const wide = /^[\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FA5\uAC00-\uD7A3\uFF01-\uFF60]$/;

/** Whether every terminal draws this cluster in `width` columns. */
function isAgreed(cluster: string, width: number): boolean {
	const character = cluster.charAt(0);
	if (!marks.test(cluster.slice(1))) return false;
	return width === 1 ? isNarrow(character) : wide.test(character);
}
