import stringWidth from 'string-width';
import {firstUnits} from './control.ts';

/** The size of the screen or of a part of it, in cells. */
export type Size = {readonly columns: number; readonly rows: number};

/** A rectangle on the screen, in cells from its upper left corner. */
export type Place = {readonly x: number; readonly y: number; readonly width: number; readonly height: number};

export type Alignment =
	| 'left'
	| 'right'
	/** Numbers on their decimal point, other texts on the right. */
	| 'point';

// Letters, digits, signs, lines and blocks. No emoji, and nothing that combines with its neighbours.
const narrow =
	/^[ -~\u00A1-\u00AC\u00AE-\u02FF\u0370-\u0373\u0386-\u038A\u038C\u038E-\u03A1\u03A3-\u0482\u048A-\u052F\u1E00-\u1EFF\u2010-\u2027\u2030-\u205E\u2070\u2071\u2074-\u208E\u2090-\u209C\u20A0-\u20BF\u2100-\u218B\u2190-\u2319\u2400-\u2426\u2440-\u244A\u2460-\u25FC\u2605-\u2613\u2800-\u28FF\uFF61-\uFF9F]*$/;

/** Splits text into characters as the user sees them, such as an emoji of several code points. */
export const segmenter = new Intl.Segmenter();

/** Whether every terminal draws each UTF-16 unit of `text` in one cell. */
export const isNarrow = (text: string): boolean => narrow.test(text);

// A pictograph or half a flag with what follows it in one character.
const emojiSequence = /^[\p{Extended_Pictographic}\p{Regional_Indicator}]./su;
const mark = /^[\p{Mn}\p{Me}]$/u;
// Where the marks are that terminals combine with the letter before them, but for those after Unicode 5.0 there:
const combining = /^[\u20D0-\u20EF\u0300-\u1039\u1712-\u180D\u302A-\u309A]$/;
// xterm.js draws these in a cell of their own.
const later =
	/^[\u0487\u0616-\u061A\u065F\u07FD-\u0900\u093A\u0955-\u0957\u09FE\u0A51\u0A75\u0AFA-\u0AFF\u0B44\u0B55\u0B62\u0B63\u0C00\u0C04\u0C3C\u0C62\u0C63\u0C81\u0D00\u0D01\u0D3B\u0D3C\u0D44\u0D62\u0D63\u0D81\u0EBA\u0ECE\u0F8D-\u0F8F\u1033-\u1035]$/;
// Numbers on black squares.
const wideNumber = /^[\u3248-\u324F]$/;

/** Width of `text` in cells on the terminal that draws it widest. */
export function textWidth(text: string): number {
	if (isNarrow(text)) return text.length;
	let width = 0;
	for (const {segment} of segmenter.segment(text)) width += characterWidth(segment);
	return width;
}

/**
 * Every letter and spacing mark of a character counts, as many terminals draw each in a cell of its own. An emoji sequence is
 * taken for one emoji: elsewhere, what is drawn after it covers its rest.
 */
function characterWidth(character: string): number {
	if (emojiSequence.test(character)) return 2;
	let width = 0;
	for (const part of character) {
		let partWidth = partWidths.get(part);
		if (partWidth === undefined) {
			partWidth = widthOf(part);
			partWidths.set(part, partWidth);
		}

		width += partWidth;
	}

	return width;
}

/** Of each code point drawn so far. */
const partWidths = new Map<string, number>();

function widthOf(part: string): number {
	if (mark.test(part)) return combining.test(part) && !later.test(part) ? 0 : 1;
	return wideNumber.test(part) ? 2 : stringWidth(part);
}

/** Pads `text` with blanks on the left to `width` cells; a wider text is left as it is. */
export function padStart(text: string, width: number): string {
	return ' '.repeat(Math.max(0, width - textWidth(text))) + text;
}

/** Pads `text` with blanks on the right to `width` cells; a wider text is left as it is. */
export function padEnd(text: string, width: number): string {
	return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** Cuts `text` to `width` cells, never inside a character; the cut ends in `…` (ASCII `~`). */
export function truncate(text: string, width: number, ascii = false): string {
	if (textWidth(text) <= width) return text;
	if (width < 1) return '';
	let kept = '';
	let left = width - 1;
	for (const {segment} of segmenter.segment(text)) {
		left -= textWidth(segment);
		if (left < 0) break;
		kept += segment;
	}

	return kept + (ascii ? '~' : '…');
}

/** The longest free text of an exchange that is shown, in UTF-16 units. */
export const mostFreeText = 2000;

/** Free text of an exchange for people to read: of a longer one the beginning, and `…` (ASCII `~`). */
export const freeText = (text: string, ascii: boolean): string =>
	text.length <= mostFreeText ? text : firstUnits(text, mostFreeText) + (ascii ? '~' : '…');

/** Pads numbers with blanks on the right, so that their decimal points align when the column is right-aligned. */
export function alignPoints(cells: readonly string[]): readonly string[] {
	const widest = cells.reduce((most, cell) => Math.max(most, fractionWidth(cell)), 0);
	return cells.map(cell => padFraction(cell, widest));
}

/** Pads a number with blanks on the right to `width` cells from its decimal point on; other texts are left as they are. */
export const padFraction = (text: string, width: number): string =>
	/\d/.test(text) ? text + ' '.repeat(Math.max(width - fractionWidth(text), 0)) : text;

/** `text` at the right of `width` cells, a number with its decimal point `fraction` cells before their end or as near as it fits. */
export function padPoint(text: string, width: number, fraction: number): string {
	const spare = Math.max(width - textWidth(text), 0);
	return padStart(padFraction(text, Math.min(fraction, fractionWidth(text) + spare)), width);
}

/** Cells of a number from its decimal point on; 0: it has none. */
export const fractionWidth = (text: string): number =>
	/\d/.test(text) && text.includes('.') ? textWidth(text) - text.lastIndexOf('.') : 0;
