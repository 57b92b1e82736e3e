import type {Line, Size, Span, Tone} from '../line.ts';

type Cell = {readonly char: string; readonly tone: Tone; readonly inverse: boolean};

/** A grid of single-width cells that turns into lines. */
export type Canvas = {
	readonly size: Size;
	/** Puts `text` at the cell and rightward, over what was there. What falls outside the grid is not drawn. */
	write(row: number, column: number, text: string, tone: Tone, inverse?: boolean): void;
	/** The same where the grid is still blank: what lies behind the candles. */
	writeBehind(row: number, column: number, text: string, tone: Tone): void;
	/** The rows from `top` on, as a canvas of their own that draws into this one. `columns`: no further to the right. */
	part(top: number, rows: number, columns?: number): Canvas;
	/** Exactly `size`, in as few spans as the tones allow. */
	lines(): readonly Line[];
};

export function createCanvas(size: Size): Canvas {
	const grid = Array.from({length: size.rows}, () =>
		Array.from<Cell | undefined>({length: size.columns}).fill(undefined),
	);
	return canvasOf(grid, size.columns);
}

function canvasOf(grid: ReadonlyArray<Array<Cell | undefined>>, columns: number): Canvas {
	const put = (row: number, column: number, text: string, cell: Omit<Cell, 'char'>, behind: boolean): void => {
		const cells = grid[row];
		if (!cells) return;
		let at = column;
		for (const char of text) {
			if (at >= 0 && at < columns && !(behind && cells[at])) cells[at] = {char, ...cell};
			at++;
		}
	};

	return {
		size: {columns, rows: grid.length},
		write: (row, column, text, tone, inverse = false) => put(row, column, text, {tone, inverse}, false),
		writeBehind: (row, column, text, tone) => put(row, column, text, {tone, inverse: false}, true),
		part: (top, rows, width = columns) => canvasOf(grid.slice(top, top + rows), Math.min(width, columns)),
		lines: () => grid.map(cells => toLine(cells.slice(0, columns))),
	};
}

/** A blank looks the same in every tone, so it joins the run that it follows. */
function toLine(cells: ReadonlyArray<Cell | undefined>): Line {
	const spans: Span[] = [];
	let text = '';
	let style: Omit<Cell, 'char'> | undefined;
	const end = (): void => {
		const tone = style?.tone ?? 'plain';
		if (text) spans.push(style?.inverse ? {text, tone, inverse: true} : {text, tone});
		text = '';
	};

	for (const cell of cells) {
		const isBlank = !cell || (cell.char === ' ' && !cell.inverse);
		if (isBlank ? style?.inverse : cell.tone !== style?.tone || cell.inverse !== style.inverse) {
			// What is still without a style are blanks: they take that of the first cell after them, unless it would show.
			if (style || cell?.inverse) end();
			style = isBlank ? undefined : cell;
		}

		text += cell?.char ?? ' ';
	}

	end();
	return spans;
}
