import {type Size, segmenter, textWidth} from '../../format/cells.ts';
import type {BarTone, Line, Span, Tone} from '../line.ts';

/** The text of some columns in one row. */
export type Ink = {
	readonly text: string;
	/** Drawn in inverse video. */
	readonly inverse?: true;
};

type Style = {readonly tone: Tone; readonly inverse: boolean};
/** A row of cells. Blank cells have no style. The cells that a wide character takes after its first are empty texts. */
type Row = {readonly chars: string[]; readonly styles: Array<Style | undefined>};

/** A grid of single-width cells that turns into lines. */
export type Canvas = {
	readonly size: Size;
	/** Writes `text` from the cell to the right, over what was there. What falls outside the grid is not drawn. */
	write(row: number, column: number, text: string, tone: Tone, inverse?: boolean): void;
	/** Writes `text` only where the grid is still blank, behind what was written before. */
	writeBehind(row: number, column: number, text: string, tone: Tone): void;
	/** Writes a text whose characters may be wider than a cell, such as what a user typed. */
	writeText(row: number, column: number, text: string, tone: Tone): void;
	/** Whether nothing was written to so many cells from this one to the right, all inside the grid. */
	isBlank(row: number, column: number, columns: number): boolean;
	/** A canvas that draws into `rows` rows of this one from `top` on, at most `columns` wide. */
	part(top: number, rows: number, columns?: number): Canvas;
	/** Exactly `size`, in as few spans as the tones allow. */
	lines(): readonly Line[];
};

export function createCanvas({columns, rows}: Size): Canvas {
	const grid = Array.from({length: rows}, (): Row => {
		return {chars: new Array(columns).fill(' '), styles: new Array(columns).fill(undefined)};
	});
	return canvasOf(grid, columns);
}

function canvasOf(grid: readonly Row[], columns: number): Canvas {
	const put = (row: number, column: number, text: string, style: Style, behind: boolean): void => {
		const cells = grid[row];
		if (!cells) return;
		const {chars, styles} = cells;
		let at = column;
		for (const char of text) {
			if (at >= 0 && at < columns && !(behind && styles[at])) {
				clearWide(chars, at);
				chars[at] = char;
				styles[at] = style;
			}

			at++;
		}
	};

	return {
		size: {columns, rows: grid.length},
		write: (row, column, text, tone, inverse = false) => put(row, column, text, {tone, inverse}, false),
		writeBehind: (row, column, text, tone) => put(row, column, text, {tone, inverse: false}, true),
		writeText(row, column, text, tone) {
			let at = column;
			for (const {segment} of segmenter.segment(text)) {
				const width = textWidth(segment);
				if (width < 1 || at + width > columns) continue;
				put(row, at, ' '.repeat(width), {tone, inverse: false}, false);
				grid[row]?.chars.splice(at, width, segment, ...new Array(width - 1).fill(''));
				at += width;
			}
		},
		isBlank(row, column, count) {
			const styles = grid[row]?.styles.slice(column, column + count) ?? [];
			return column + count <= columns && styles.length === count && styles.every(style => style === undefined);
		},
		part: (top, rows, width = columns) => canvasOf(grid.slice(top, top + rows), Math.min(width, columns)),
		lines: () => grid.map(row => toLine(row, columns)),
	};
}

/** Blanks the rest of a wide character that loses the cell at `at`. */
function clearWide(chars: string[], at: number): void {
	if (chars[at] !== '' && chars[at + 1] !== '') return;
	const head = chars.findLastIndex((char, column) => column <= at && char !== '');
	for (let column = head; column <= at || chars[column] === ''; column++) chars[column] = ' ';
}

/** A blank looks the same in every tone, so it joins the run that it follows. */
function toLine({chars, styles}: Row, columns: number): Line {
	const spans: Span[] = [];
	let start = 0;
	let style: Style | undefined;
	const endAt = (column: number): void => {
		if (column === start) return;
		const span = {text: chars.slice(start, column).join(''), tone: style?.tone ?? 'plain'};
		spans.push(style?.inverse ? {...span, inverse: true} : span);
		start = column;
	};

	for (let column = 0; column < columns; column++) {
		const cell = styles[column];
		const isBlank = !cell || (chars[column] === ' ' && !cell.inverse);
		if (isBlank ? style?.inverse : cell.tone !== style?.tone || cell.inverse !== style.inverse) {
			// Cells without a style are blank: they take the style of the first cell after them, unless it would show.
			if (style || cell?.inverse) endAt(column);
			style = isBlank ? undefined : cell;
		}
	}

	endAt(columns);
	return spans;
}

const eighths = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];

/** Cells filled by one to seven eighths, from the lower end up. */
export const fromBelow: readonly Ink[] = eighths.map(text => ({text}));

/** Cells filled by one to seven eighths, from the upper end down. Most have no glyph and are the inverse of those from below. */
export const fromAbove: readonly Ink[] = eighths
	.toReversed()
	.map((text): Ink => ({text, inverse: true}))
	.with(0, {text: '▔'})
	.with(3, {text: '▀'});

export const wholeBlock: Ink = {text: '█'};

const standing = {unicode: [...fromBelow, wholeBlock], ascii: [{text: '.'}, {text: ':'}, {text: '#'}]};
const hanging = {unicode: [...fromAbove, wholeBlock], ascii: [{text: "'"}, {text: '"'}, {text: '#'}]};

const levelsOf = (levels: typeof standing, ascii: boolean): readonly Ink[] => (ascii ? levels.ascii : levels.unicode);

/** The characters of a bar's end, from the smallest to a whole cell. */
export const barLevels = (ascii: boolean): readonly string[] => levelsOf(standing, ascii).map(({text}) => text);

export type Bar = {
	readonly left: number;
	readonly columns: number;
	/** The row below a standing bar; the first row of a hanging bar. */
	readonly base: number;
	/** Height in rows, with fractions; below 0: the bar hangs. At least a sliver is drawn. */
	readonly height: number;
	readonly tone: BarTone;
};

/** Draws the bar to an eighth of a row (in ASCII to a third). */
export function drawBar(canvas: Canvas, {left, columns, base, height, tone}: Bar, ascii: boolean): void {
	const levels = levelsOf(height < 0 ? hanging : standing, ascii);
	const filled = Math.max(Math.round(Math.abs(height) * levels.length), 1);
	for (let cell = 0; cell * levels.length < filled; cell++) {
		const ink = levels[Math.min(filled - cell * levels.length, levels.length) - 1];
		const row = height < 0 ? base + cell : base - 1 - cell;
		if (ink) canvas.write(row, left, ink.text.repeat(columns), tone, ink.inverse);
	}
}
