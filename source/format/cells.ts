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
	/^[ -~\u00A1-\u00AC\u00AE-\u02FF\u0370-\u0373\u0386-\u0482\u048A-\u052F\u1E00-\u1EFF\u2010-\u2027\u2030-\u205E\u2070-\u209C\u20A0-\u20BF\u2100-\u2319\u2400-\u25FC\u2605-\u2613\u2800-\u28FF\uFF61-\uFF9F]*$/;

/** Splits text into characters as the user sees them, such as an emoji of several code points. */
export const segmenter = new Intl.Segmenter();

/** Whether every terminal draws each UTF-16 unit of `text` in one cell. */
export const isNarrow = (text: string): boolean => narrow.test(text);

/** Thai and Lao am: a mark above the letter before it, and a vowel in a cell of its own, which `string-width` leaves out. */
const am = /[\u0E33\u0EB3]/g;
const thaiAa = '\u0E32';

/** Width of `text` on the terminal, in cells. */
export function textWidth(text: string): number {
	// Other texts have to be split into graphemes.
	return isNarrow(text) ? text.length : stringWidth(text.replace(am, thaiAa));
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

/** One line per row, with columns two blanks apart and as wide as their widest cell, left-aligned by default. Nothing is cut or wrapped. */
export function alignTable(rows: readonly (readonly string[])[], alignments: readonly Alignment[]): readonly string[] {
	const columnCount = Math.max(0, ...rows.map(row => row.length));
	const columns = Array.from({length: columnCount}, (_, index) =>
		alignColumn(
			rows.map(row => row[index] ?? ''),
			alignments[index] ?? 'left',
		),
	);
	return rows.map((_, row) =>
		columns
			.map(column => column[row])
			.join('  ')
			.trimEnd(),
	);
}

function alignColumn(cells: readonly string[], alignment: Alignment): readonly string[] {
	const placed = alignment === 'point' ? alignPoints(cells) : cells;
	const width = Math.max(...placed.map(textWidth));
	return placed.map(cell => (alignment === 'left' ? padEnd(cell, width) : padStart(cell, width)));
}

/** Pads numbers with blanks on the right, so that their decimal points align when the column is right-aligned. */
export function alignPoints(cells: readonly string[]): readonly string[] {
	const widest = cells.reduce((most, cell) => Math.max(most, fractionWidth(cell)), 0);
	return cells.map(cell => padFraction(cell, widest));
}

/** Pads a number with blanks on the right to `width` cells from its decimal point on; other texts are left as they are. */
export const padFraction = (text: string, width: number): string =>
	/\d/.test(text) ? text + ' '.repeat(Math.max(width - fractionWidth(text), 0)) : text;

const fractionWidth = (text: string): number =>
	/\d/.test(text) && text.includes('.') ? textWidth(text) - text.lastIndexOf('.') : 0;
