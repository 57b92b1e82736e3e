import {glyphs} from './glyphs.ts';
import {blankCell, type Cell, type Row} from './picture.ts';
import {applySgr, defaultStyle} from './style.ts';

/** A row as its text leaves it, and the column after the text. */
export type DrawnRow = {readonly row: Row; readonly end: number};

/** An SGR sequence, a link, text, or one control character. */
const pieces = /\u001B\[([\d;:]*)m|\u001B\]8;[^\u0007\u001B]*(?:\u0007|\u001B\\)|[^\p{Cc}]+|./gsu;

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
	for (const [piece, parameters] of line.matchAll(pieces)) {
		if (parameters !== undefined) {
			const next = applySgr(style, parameters);
			style = next ?? style;
			onlyWhole ||= next === undefined;
		} else if (piece.startsWith('\u001B]')) {
			onlyWhole = true;
		} else if (/^\p{Cc}/u.test(piece)) {
			return undefined;
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
