import {isNarrow} from '../format/cells.ts';
import {glyphs} from './glyphs.ts';
import {blankCell, type Cell, type Row} from './picture.ts';
import {applySgr, defaultStyle, type Style} from './style.ts';

/** A row as its text leaves it, and the column after the text. */
export type DrawnRow = {readonly row: Row; readonly end: number};

const plainText = /[^\p{Cc}]+/uy;
const sgr = /\u001B\[[\d;:]*m/y;
const link = /\u001B\]8;[^\u0007\u001B]*(?:\u0007|\u001B\\)/y;

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
	for (let at = 0; at < line.length; ) {
		const start = at;
		at = endOf(plainText, line, start);
		if (at > start) {
			disputed += addText(cells, line.slice(start, at), style);
			continue;
		}

		at = endOf(sgr, line, start);
		if (at > start) {
			const next = applySgr(style, line.slice(start + 2, at - 1));
			style = next ?? style;
			onlyWhole ||= next === undefined;
			continue;
		}

		at = endOf(link, line, start);
		if (at === start) return undefined;
		onlyWhole = true;
	}

	const end = cells.length + disputed;
	if (end > columns || style !== defaultStyle) return undefined;
	while (cells.length < columns) cells.push(blankCell);
	return {row: onlyWhole || disputed > 0 ? {cells, source: line} : {cells}, end};
}

/** Where that which `pattern` (sticky) finds at `start` ends; `start`: it finds nothing. Makes no match: a frame has thousands. */
function endOf(pattern: RegExp, line: string, start: number): number {
	pattern.lastIndex = start;
	return pattern.test(line) ? pattern.lastIndex : start;
}

/** Adds the text's cells; the most that any terminal takes for those of its characters that have none. */
function addText(cells: Cell[], text: string, style: Style): number {
	if (isNarrow(text)) {
		const known = narrowCellsOf(style);
		for (let index = 0; index < text.length; index++) {
			const code = text.charCodeAt(index);
			cells.push(known.get(code) ?? rememberCell(known, code, style));
		}

		return 0;
	}

	let disputed = 0;
	for (const {text: character, width} of glyphs(text)) {
		if (width === undefined) disputed += 2 * [...character].length;
		else cells.push({text: character, width, style});
		if (width === 2) cells.push({text: '', width: 0, style});
	}

	return disputed;
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
