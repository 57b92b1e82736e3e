import {plainStyle, type Style} from '../../../source/format/style.ts';
import {cursorMove, styleChange} from '../../../source/terminal/cell-diff.ts';
import {sameCell} from '../../../source/terminal/cell-row.ts';
import type {Picture} from '../../../source/terminal/surface.ts';

/** Of the sequences around a synchronized update. */
const synchronizedBytes = 16;

/**
 * Bytes of the plain way to turn one picture into another of its size: each changed cell once, by style and in reading
 * order within a style, with the cheapest moves and changes of style between them.
 */
export function plainBytes(before: Picture, after: Picture): number {
	const groups = new Map<Style, Array<{row: number; column: number; text: string; width: number}>>();
	for (const [row, cells] of after.rows.entries()) {
		for (const [column, cell] of cells.entries()) {
			const old = before.rows[row]?.[column];
			if (cell.width === 0 || (old && sameCell(old, cell))) continue;
			const group = groups.get(cell.style) ?? [];
			group.push({row, column, text: cell.text, width: cell.width});
			groups.set(cell.style, group);
		}
	}

	let bytes = groups.size > 0 ? synchronizedBytes : 0;
	let pen = {row: 0, column: 0, style: plainStyle};
	for (const [style, cells] of groups) {
		for (const {row, column, text, width} of cells) {
			bytes += cursorMove(pen, row, column).length + styleChange(pen.style, style).length + Buffer.byteLength(text);
			pen = {row, column: column + width, style};
		}
	}

	return bytes;
}
