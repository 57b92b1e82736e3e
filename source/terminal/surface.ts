import type {Place, Size} from '../format/cells.ts';
import type {Run} from '../format/style.ts';
import {blankCell, blankRow, cellsOf, type Row, sameCell} from './cell-row.ts';

/** What a terminal should show. Identical objects are identical pictures and rows. */
export type Picture = {readonly columns: number; readonly rows: readonly Row[]};

type StyledLine = readonly Run[];

/** Lines as cells, cut to a width. */
type Cut = {readonly width: number; readonly lines: readonly StyledLine[]; readonly rows: readonly Row[]};

type PaneContent = {
	readonly place: () => Place;
	readonly lines: readonly StyledLine[];
	/** The last cut, possibly of earlier lines. */
	cut: Cut | undefined;
};

/** Cells of one pane in a row of the screen, from column `x` on. */
type Piece = {readonly x: number; readonly cells: Row};

/** The cells of the screen. Each pane of the view has a rectangle of them. */
export class Surface {
	#size: Size;
	#picture: Picture;
	/** The pieces that each row of the picture was made of. */
	#pieces: ReadonlyArray<readonly Piece[]> = [];
	readonly #panes = new Map<object, PaneContent>();
	readonly #onChange: () => void;
	/** The panes have changed since the picture was made. */
	#outdated = true;
	#notifies = false;

	/** `onChange` is called once when several panes change in one go. */
	constructor(size: Size, onChange: () => void) {
		this.#size = size;
		this.#picture = blankPicture(size);
		this.#onChange = onChange;
	}

	/** Shows `lines` at `place` instead of what `pane` showed. `place` is called for each new picture. */
	put(pane: object, place: () => Place, lines: readonly StyledLine[]): void {
		this.#panes.set(pane, {place, lines, cut: this.#panes.get(pane)?.cut});
		this.#change();
	}

	remove(pane: object): void {
		this.#panes.delete(pane);
		this.#change();
	}

	resize({columns, rows}: Size): void {
		this.#size = {columns, rows};
		this.#change();
	}

	/** What the panes show now. */
	picture(): Picture {
		if (!this.#outdated) return this.#picture;
		this.#outdated = false;
		const {columns, rows} = this.#size;
		const pieces = Array.from({length: rows}, (): Piece[] => []);
		for (const pane of this.#panes.values()) {
			const {x, y, width, height} = pane.place();
			cutTo(pane, width).forEach((cells, index) => {
				if (index < height) pieces[y + index]?.push({x, cells});
			});
		}

		const before = this.#picture;
		const sameSize = before.columns === columns && before.rows.length === rows;
		const drawn = pieces.map((row, index) => {
			const previous = sameSize ? before.rows[index] : undefined;
			if (previous && samePieces(this.#pieces[index] ?? [], row)) return previous;
			const cells = drawRow(row, columns);
			return previous && sameRow(previous, cells) ? previous : cells;
		});
		this.#pieces = pieces;
		if (!sameSize || drawn.some((row, index) => row !== before.rows[index])) this.#picture = {columns, rows: drawn};
		return this.#picture;
	}

	/** What the panes show at a place, row by row. */
	textAt({x, y, width, height}: Place): readonly string[] {
		const rows = this.picture().rows.slice(y, y + height);
		return rows.map(row => {
			const cells = row.slice(x, x + width);
			return cells.map(({text}) => text).join('');
		});
	}

	#change(): void {
		this.#outdated = true;
		if (this.#notifies) return;
		this.#notifies = true;
		queueMicrotask(() => {
			this.#notifies = false;
			this.#onChange();
		});
	}
}

const blankPicture = ({columns, rows}: Size): Picture => ({
	columns,
	rows: Array.from({length: rows}, () => blankRow(columns)),
});

/** The pane's lines as cells. An unchanged line keeps its row object. */
function cutTo(pane: PaneContent, width: number): readonly Row[] {
	const {lines} = pane;
	const before = pane.cut?.width === width ? pane.cut : undefined;
	if (before?.lines === lines) return before.rows;
	const rows = lines.map((line, index) => {
		const row = before?.rows[index];
		return row && sameLine(before.lines[index] ?? [], line) ? row : cellsOf(line, width);
	});
	pane.cut = {width, lines, rows};
	return rows;
}

function drawRow(pieces: readonly Piece[], columns: number): Row {
	const last = pieces.at(-1);
	// It covers everything below it.
	if (last?.x === 0 && last.cells.length === columns) return last.cells;
	const row = blankRow(columns);
	for (const {x, cells} of pieces) {
		for (let at = 0; at < cells.length && x + at < columns; at++) {
			const cell = cells[at] ?? blankCell;
			// A wide character does not fit into the last columns.
			if (x + at + cell.width > columns) break;
			row[x + at] = cell;
		}
	}

	return row;
}

function sameLine(a: StyledLine, b: StyledLine): boolean {
	if (a === b) return true;
	return (
		a.length === b.length && a.every(({text, style}, index) => style === b[index]?.style && text === b[index].text)
	);
}

function samePieces(a: readonly Piece[], b: readonly Piece[]): boolean {
	return a.length === b.length && a.every(({x, cells}, index) => x === b[index]?.x && cells === b[index].cells);
}

function sameRow(a: Row, b: Row): boolean {
	for (let column = 0; column < a.length; column++) {
		if (!sameCell(a[column] ?? blankCell, b[column] ?? blankCell)) return false;
	}

	return true;
}
