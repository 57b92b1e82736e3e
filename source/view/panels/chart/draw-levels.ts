import {textWidth, truncate} from '../../../format/cells.ts';
import type {DrawnLevel} from '../../drawn-levels.ts';
import {firstFitting, levelTone} from '../../marks.ts';
import {beyondMark, blanks, drawLabel, drawLevel, type PriceAxis, pricePart} from './draw-axes.ts';

/** The levels of one row, to which those beyond an end of the scale belong too. */
type LevelGroup = {
	readonly row: number;
	/** The one nearest to the last price. */
	readonly nearest: DrawnLevel;
	readonly count: number;
};

function groupsOf({scale}: PriceAxis, levels: readonly DrawnLevel[], last: number): readonly LevelGroup[] {
	const byRow = Map.groupBy(
		levels.toSorted((a, b) => Math.abs(a.price - last) - Math.abs(b.price - last)),
		({price}) => scale.rowOf(price),
	);
	return [...byRow].flatMap(([row, [nearest, ...others]]) => (nearest ? {row, nearest, count: others.length + 1} : []));
}

/** Rows whose place on the axis others take: prices, and alerts, which write their distance into the plot too. */
type TakenRows = {readonly taken: ReadonlySet<number>; readonly alerts: ReadonlySet<number>};

type LevelRows = {
	/** Whose place on the axis levels take. */
	readonly labelled: ReadonlySet<number>;
	/** Where a level inside the scale is neither on the axis nor in the plot. */
	readonly unnamed: ReadonlySet<number>;
};

/**
 * Draws the prices of the user's levels on the axis, and their notes where the row is blank, else over its oldest candles. In
 * the rows that others take on the axis, the price stands before the note.
 */
export function drawLevelNotes(
	axis: PriceAxis,
	levels: readonly DrawnLevel[],
	last: number,
	{taken, alerts}: TakenRows,
	ascii: boolean,
): LevelRows {
	const {glyphs, layout, labels, scale} = axis;
	const labelled = new Set<number>();
	const unnamed = new Set<number>();
	for (const {row, nearest, count} of groupsOf(axis, levels, last)) {
		const {price, note = ''} = nearest;
		const mark = scale.contains(price) ? glyphs.level.mark : glyphs.level.mark + beyondMark(axis, price);
		const label = labels.price(price);
		const isLabelled = !taken.has(row) && !alerts.has(row) && textWidth(label) <= (layout.priceAxis?.labelWidth ?? 0);
		if (isLabelled) {
			drawLabel(axis, layout.priceTop + row, {text: label, mark, tone: levelTone});
			labelled.add(row);
		}

		const place = isLabelled ? '' : `${mark} ${label.trim()}`;
		const text = noteText(place, note, count > 1 ? `+${count - 1}` : '', layout.plotColumns, ascii);
		const isNoted = drawNote(axis, row, text, alerts.has(row));
		if (!isLabelled && !isNoted && scale.contains(price)) unnamed.add(row);
	}

	return {labelled, unnamed};
}

/** Room for ` −99.99 % `. */
const alertColumns = 12;
/** How much of a row a note takes at most, and the fewest cells to which it is cut. */
const noteShare = 2 / 3;
const leastNote = 4;

/** `◆ 61,500.00 note +2`: a note too long is cut, the numbers never. */
function noteText(place: string, note: string, more: string, columns: number, ascii: boolean): string {
	const joined = (...parts: readonly string[]) => parts.filter(Boolean).join(' ');
	const room = Math.floor(columns * noteShare);
	const left = room - textWidth(joined(place, more)) - 1;
	const shown = left < Math.min(leastNote, textWidth(note)) ? '' : truncate(note, left, ascii);
	return firstFitting([joined(place, shown, more), joined(place, more), place], room);
}

/** Whether there is a note. `hasAlert`: room is left for the distance of an alert in the row; where there is not enough, there is none. */
function drawNote(axis: PriceAxis, row: number, text: string, hasAlert: boolean): boolean {
	if (text === '') return false;
	const {plotColumns} = axis.layout;
	const part = pricePart(axis);
	const padded = ` ${text} `;
	const width = textWidth(padded);
	const places = hasAlert ? blanks(part, row, plotColumns, alertColumns) : [];
	const leavesRoom = (column: number): boolean =>
		!hasAlert || places.some(place => place + alertColumns <= column || place >= column + width);
	const column = blanks(part, row, plotColumns, width).findLast(leavesRoom);
	if (column === undefined && hasAlert) return false;
	part.writeText(row, column ?? 0, padded, levelTone);
	return true;
}

/** Draws the lines of the levels inside the scale, behind everything else. */
export function drawLevelLines(axis: PriceAxis, levels: readonly DrawnLevel[]): void {
	for (const {price} of levels) {
		if (axis.scale.contains(price)) drawLevel(axis, axis.scale.rowOf(price), axis.glyphs.level.line, levelTone);
	}
}
