import type {Size} from '../format/cells.ts';
import {type Layout, type Overlay, type PanelName, sharedArea} from './layout.ts';

/** A cell of the screen, from 0. */
export type Cell = {readonly column: number; readonly row: number};

/** What is at a cell. `inside`: the cell of the body inside the border, from 0; absent on the border. */
export type Hit = {readonly on: PanelName | 'overlay'; readonly size: Size; readonly inside?: Cell | undefined};

/** What a cell of the screen belongs to; undefined: the status line, or nothing. An open overlay covers the panels. */
export function hitTest(cell: Cell, layout: Layout, size: Size, overlay: Overlay | undefined): Hit | undefined {
	if (layout.name === 'none' || cell.column < 0 || cell.column >= size.columns) return undefined;
	const {headerRows} = layout;
	if (cell.row < headerRows) {
		const header = {columns: size.columns, rows: headerRows};
		return cell.row < 0 || overlay ? undefined : {on: 'ticker', size: header};
	}

	const below = {column: cell.column, row: cell.row - headerRows};
	const {columns, rows} = sharedArea(size);
	if (overlay)
		return below.row < rows ? within('overlay', {x: 0, y: 0, width: columns, height: rows}, below) : undefined;
	const panel = layout.panels.find(
		({x, y, width, height}) =>
			below.column >= x && below.column < x + width && below.row >= y && below.row < y + height,
	);
	return panel && within(panel.name, panel, below);
}

function within(
	on: Hit['on'],
	{x, y, width, height}: {readonly x: number; readonly y: number; readonly width: number; readonly height: number},
	{column, row}: Cell,
): Hit {
	const inside = {column: column - x - 1, row: row - y - 1};
	const isInside = inside.column >= 0 && inside.column < width - 2 && inside.row >= 0 && inside.row < height - 2;
	return {on, size: {columns: width, rows: height}, ...(isInside && {inside})};
}
