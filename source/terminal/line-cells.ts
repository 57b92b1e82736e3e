import {glyphs, isNarrow} from './glyphs.ts';
import {blankCell, type Cell, type Row} from './picture.ts';
import {applySgr, defaultStyle, type Style} from './style.ts';

/** A row as its text leaves it, and the column after the text. */
export type DrawnRow = {readonly row: Row; readonly end: number};

/** An SGR sequence, a link, text, or one control character. */
const pieces = /\u001B\[([\d;:]*)m|\u001B\]8;[^\u0007\u001B]*(?:\u0007|\u001B\\)|[^\p{Cc}]+|./suy;

/**
 * The row that `line` makes of a blank one: text with SGR sequences and links. `undefined` when it does not fit on the
 * row, does not end in the default style, or has other control characters.
 */
export function drawLine(line: string, columns: number): DrawnRow | undefined {
	const cells: Cell[] = [];
	let style = defaultStyle;
	// The most that any terminal gives to the characters that terminals disagree about.
	let disputed = 0;
	let onlyWhole = false;
	for (let at = 0; at < line.length; at = pieces.lastIndex) {
		pieces.lastIndex = at;
		const [piece = '', parameters] = pieces.exec(line) ?? [];
		if (parameters !== undefined) {
			const next = applySgr(style, parameters);
			style = next ?? style;
			onlyWhole ||= next === undefined;
		} else if (piece.startsWith('\u001B]')) {
			onlyWhole = true;
		} else if (/^\p{Cc}/u.test(piece)) {
			return undefined;
		} else if (isNarrow(piece)) {
			const known = narrowCellsOf(style);
			for (let index = 0; index < piece.length; index++) {
				const code = piece.charCodeAt(index);
				cells.push(known.get(code) ?? rememberCell(known, code, style));
			}
		} else {
			for (const {text, width} of glyphs(piece)) {
				if (width === undefined) disputed += 2 * [...text].length;
				else cells.push({text, width, style});
				if (width === 2) cells.push({text: '', width: 0, style});
			}
		}
	}

	const end = cells.length + disputed;
	if (end > columns || style !== defaultStyle) return undefined;
	while (cells.length < columns) cells.push(blankCell);
	return {row: onlyWhole || disputed > 0 ? {cells, source: line} : {cells}, end};
}

/** By style and character code: a program draws the same few again and again. */
const narrowCells = new WeakMap<Style, Map<number, Cell>>();

function narrowCellsOf(style: Style): Map<number, Cell> {
	let known = narrowCells.get(style);
	if (!known) {
		known = new Map();
		narrowCells.set(style, known);
	}

	return known;
}

function rememberCell(known: Map<number, Cell>, code: number, style: Style): Cell {
	const text = String.fromCharCode(code);
	const cell: Cell = {text, width: 1, style};
	known.set(code, cell);
	return cell;
}
