import type {Line, Size, Span, Tone} from '../line.ts';

/** The text of some columns in one row. */
export type Ink = {
	readonly text: string;
	/** What the text leaves blank is filled, and what it draws is left blank. */
	readonly inverse?: true;
};

type Style = {readonly tone: Tone; readonly inverse: boolean};
/** A row of cells: a blank one has no style. */
type Row = {readonly chars: string[]; readonly styles: Array<Style | undefined>};

/** A grid of single-width cells that turns into lines. */
export type Canvas = {
	readonly size: Size;
	/** Puts `text` at the cell and rightward, over what was there. What falls outside the grid is not drawn. */
	write(row: number, column: number, text: string, tone: Tone, inverse?: boolean): void;
	/** Puts `text` only where the grid is still blank: it lies behind what was written before. */
	writeBehind(row: number, column: number, text: string, tone: Tone): void;
	/** The rows from `top` on, as a canvas of their own that draws into this one. `columns`: no further to the right. */
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
		part: (top, rows, width = columns) => canvasOf(grid.slice(top, top + rows), Math.min(width, columns)),
		lines: () => grid.map(row => toLine(row, columns)),
	};
}

/** A blank looks the same in every tone, so it joins the run that it follows. */
function toLine({chars, styles}: Row, columns: number): Line {
	const text = chars.slice(0, columns).join('');
	const spans: Span[] = [];
	let start = 0;
	let style: Style | undefined;
	const endAt = (column: number): void => {
		if (column === start) return;
		const span = {text: text.slice(start, column), tone: style?.tone ?? 'plain'};
		spans.push(style?.inverse ? {...span, inverse: true} : span);
		start = column;
	};

	for (let column = 0; column < columns; column++) {
		const cell = styles[column];
		const isBlank = !cell || (chars[column] === ' ' && !cell.inverse);
		if (isBlank ? style?.inverse : cell.tone !== style?.tone || cell.inverse !== style.inverse) {
			// What is still without a style are blanks: they take that of the first cell after them, unless it would show.
			if (style || cell?.inverse) endAt(column);
			style = isBlank ? undefined : cell;
		}
	}

	endAt(columns);
	return spans;
}
