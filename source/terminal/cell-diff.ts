import {cursorMove} from './cursor-moves.ts';
import {blankRow, type Picture, type Row} from './picture.ts';
import {after, orderStrokes, type Pen, wayTo} from './stroke-order.ts';
import {type Stroke, strokesOf} from './strokes.ts';
import {defaultStyle, styleChange} from './style.ts';

/** What a terminal shows, and with what it would write next; its cursor is where the pen is, not where the picture has it. */
export type Shown = {readonly picture: Picture; readonly pen: Pen};

/** Default style and scroll region, no cells, the cursor in the first one. */
const startAfresh = '\u001B[m\u001B[r\u001B[2J\u001B[H';
const eraseRow = '\u001B[2K';

/**
 * Few bytes that take a terminal from `shown` to `wanted`, as one synchronized update; none when there is nothing to do.
 * From `undefined`, or a picture of another size, everything is drawn on a cleared screen. The cursor is put in its place
 * only where it can be seen.
 */
export function cellDiff(shown: Shown | undefined, wanted: Picture): {readonly text: string; readonly shown: Shown} {
	const known = shown && sameSize(shown.picture, wanted) ? shown : undefined;
	const blank = blankRow(wanted.columns);
	let text = known ? '' : startAfresh;
	let pen = known?.pen ?? {row: 0, column: 0, style: defaultStyle};
	const strokes: Stroke[] = [];
	for (const [index, row] of wanted.rows.entries()) {
		let before: Row = known?.picture.rows[index] ?? blank;
		if (before.source !== undefined && row.source === undefined) {
			// Nobody knows which cells a text of disputed width took.
			text += styleChange(pen.style, defaultStyle) + cursorMove(pen, index, 0) + eraseRow;
			pen = {row: index, column: 0, style: defaultStyle};
			before = blank;
		}

		strokes.push(...strokesOf(index, before, row));
	}

	// A whole screen is written from top to bottom: to look for a shorter way through it takes longer than to write it.
	const steps = known ? orderStrokes(strokes, pen, wanted.rows) : strokes.map(stroke => ({stroke, erased: false}));
	for (const step of steps) {
		const {stroke, erased} = step;
		text += wayTo(pen, stroke, wanted.rows);
		text += erased ? stroke.erasure : styleChange(pen.style, stroke.style) + stroke.text;
		pen = after(pen, step);
	}

	const {row, column, visible} = wanted.cursor;
	if (visible) {
		text += cursorMove(pen, row, column);
		pen = {...pen, row, column};
	}

	if (visible !== known?.picture.cursor.visible) text += visible ? '\u001B[?25h' : '\u001B[?25l';
	return {text: text && `\u001B[?2026h${text}\u001B[?2026l`, shown: {picture: wanted, pen}};
}

const sameSize = (a: Picture, b: Picture) => a.columns === b.columns && a.rows.length === b.rows.length;
