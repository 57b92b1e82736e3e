import type {Line, Size, Span, Tone} from '../line.ts';

type Cell = {readonly char: string; readonly tone: Tone};

/** A grid of single-width cells that turns into lines. */
export type Canvas = {
	readonly size: Size;
	/** Puts `text` at the cell and rightward, over what was there. What falls outside the grid is not drawn. */
	write(row: number, column: number, text: string, tone: Tone): void;
	/** The same where the grid is still blank: what lies behind the candles. */
	writeBehind(row: number, column: number, text: string, tone: Tone): void;
	/** Exactly `size`, in as few spans as the tones allow. */
	lines(): readonly Line[];
};

export function createCanvas(size: Size): Canvas {
	const grid: Array<Array<Cell | undefined>> = Array.from({length: size.rows}, () =>
		Array.from({length: size.columns}, () => undefined),
	);

	const put = (row: number, column: number, text: string, tone: Tone, behind: boolean): void => {
		const cells = grid[row];
		if (!cells) return;
		let at = column;
		for (const char of text) {
			if (at >= 0 && at < size.columns && !(behind && cells[at])) cells[at] = {char, tone};
			at++;
		}
	};

	return {
		size,
		write: (row, column, text, tone) => put(row, column, text, tone, false),
		writeBehind: (row, column, text, tone) => put(row, column, text, tone, true),
		lines: () => grid.map(toLine),
	};
}

/** A blank looks the same in every tone, so it joins the run that it follows. */
function toLine(cells: ReadonlyArray<Cell | undefined>): Line {
	const spans: Span[] = [];
	let text = '';
	let tone: Tone | undefined;
	for (const cell of cells) {
		if (cell && cell.char !== ' ' && cell.tone !== tone) {
			if (tone) {
				spans.push({text, tone});
				text = '';
			}

			tone = cell.tone;
		}

		text += cell?.char ?? ' ';
	}

	if (text) spans.push({text, tone: tone ?? 'plain'});
	return spans;
}
