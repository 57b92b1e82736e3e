import type {Run} from '../format/style.ts';
import {blankCell, blankRow, type Cell, cellsOf, type Row, sameCell} from './cells.ts';

export type Size = {readonly columns: number; readonly rows: number};

/** What a terminal is to show. The same object is the same picture, and the same row object the same row. */
export type Picture = {readonly columns: number; readonly rows: readonly Row[]};

/** A rectangle on the screen, in cells from its upper left corner. */
type Place = {readonly x: number; readonly y: number; readonly width: number; readonly height: number};

type Pane = {
	readonly place: () => Place;
	readonly lines: ReadonlyArray<readonly Run[]>;
	/** The lines cut to this width. */
	cut?: {readonly width: number; readonly rows: readonly Row[]};
};

/** The cells of the screen, of which each pane of the view has a rectangle. */
export class Surface {
	#size: Size;
	#picture: Picture;
	readonly #panes = new Map<object, Pane>();
	readonly #onChange: () => void;
	/** The picture is not what the panes show now. */
	#outdated = true;
	#notifies = false;

	/** `onChange` is called once after all the panes that change in one go. */
	constructor(size: Size, onChange: () => void) {
		this.#size = size;
		this.#picture = blankPicture(size);
		this.#onChange = onChange;
	}

	/** Shows `lines` where `place` says, instead of what `pane` showed. The place is asked for each picture anew. */
	put(pane: object, place: () => Place, lines: Pane['lines']): void {
		this.#panes.set(pane, {place, lines});
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
		const grid = Array.from({length: rows}, () => blankRow(columns));
		for (const pane of this.#panes.values()) draw(pane, grid, columns);
		const before = this.#picture;
		if (before.columns !== columns || before.rows.length !== rows) {
			this.#picture = {columns, rows: grid};
			return this.#picture;
		}

		const drawn = grid.map((row, index) => {
			const previous = before.rows[index];
			return previous && sameRow(previous, row) ? previous : row;
		});
		if (drawn.some((row, index) => row !== before.rows[index])) this.#picture = {columns, rows: drawn};
		return this.#picture;
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

function draw(pane: Pane, grid: readonly Cell[][], columns: number): void {
	const {x, y, width, height} = pane.place();
	if (pane.cut?.width !== width) pane.cut = {width, rows: pane.lines.map(line => cellsOf(line, width))};
	for (const [index, cells] of pane.cut.rows.slice(0, height).entries()) {
		const row = grid[y + index];
		if (!row) return;
		for (let at = 0; at < cells.length && x + at < columns; at++) {
			const cell = cells[at] ?? blankCell;
			// The last column has no room for a wide character.
			if (x + at + cell.width <= columns) row[x + at] = cell;
		}
	}
}

function sameRow(a: Row, b: Row): boolean {
	for (let column = 0; column < a.length; column++) {
		if (!sameCell(a[column] ?? blankCell, b[column] ?? blankCell)) return false;
	}

	return true;
}
