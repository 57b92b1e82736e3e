import {clamp} from '../../../market/numbers.ts';
import {columnTimes, type TimeWindow} from './book-columns.ts';
import type {BookState, MapCursor} from './book-state.ts';
import {isBetween} from './heat-columns.ts';
import {columnTime, type Heatmap, type HeatmapInput, heatmapOf, type MapCell, rowPrice} from './heatmap-model.ts';

type Place = Pick<BookState, 'window' | 'cursor'>;

/** A cursor at the newest book, in the row of its spread or, without one, in the middle. */
export function newCursor(map: Heatmap): MapCursor {
	const column = map.columns.length - 1;
	const spread = map.columns[column]?.findIndex(isBetween) ?? -1;
	const row = spread < 0 ? Math.floor(map.priceRows.count / 2) : spread;
	return {time: columnTime(map, column), price: rowPrice(map, row)};
}

/** The cursor after so many columns to the right and rows down, with the window that shows it. Undefined: there is no cursor. */
export function movedCursor(input: HeatmapInput, by: MapCell): Place | undefined {
	const map = heatmapOf(input);
	if (!map?.cursor) return undefined;
	const column = map.cursor.column + by.column;
	const beyond = column - clamp(column, 0, map.columns.length - 1);
	const window = beyond === 0 ? (input.window ?? {}) : panned(input, beyond);
	const shown = beyond === 0 ? map : heatmapOf({...input, window});
	if (!shown) return undefined;
	const shownColumn = Math.round((columnTime(map, column) - shown.from) / shown.columnMs);
	const time = columnTime(shown, clamp(shownColumn, 0, shown.columns.length - 1));
	return {window, cursor: {time, price: rowPrice(map, clamp(map.cursor.row + by.row, 0, map.priceRows.count - 1))}};
}

/** The window after so many columns to the right (negative: to older books), within what is kept; the same if it cannot move. */
export function panned(input: HeatmapInput, by: number): TimeWindow {
	const {history, window = {}} = input;
	const map = heatmapOf(input);
	const [oldest, newest] = [history.snapshots[0]?.time, history.snapshots.at(-1)?.time];
	if (!map || oldest === undefined || newest === undefined) return window;
	const {columnMs, room, from} = map;
	const last = from / columnMs + map.columns.length - 1;
	const [leftmost, rightmost] = [Math.floor(oldest / columnMs) + room - 1, Math.floor(newest / columnMs)];
	const next = clamp(last + by, leftmost, rightmost);
	if (next === last) return window;
	return {columnMs, until: next < rightmost ? next * columnMs : undefined};
}

/**
 * The window with the next longer or shorter time of a column, around the cursor if there is one; the whole session instead of
 * a time that shows no less. The same if there is none.
 */
export function rescaled(input: HeatmapInput, by: 1 | -1): TimeWindow {
	const {window = {}, history} = input;
	const [map, whole] = [heatmapOf(input), heatmapOf({...input, window: {}})];
	const newest = history.snapshots.at(-1)?.time ?? 0;
	if (!map || !whole) return window;
	const columnMs =
		by > 0 ? columnTimes.find(time => time > map.columnMs) : columnTimes.findLast(time => time < map.columnMs);
	if (columnMs === undefined) return window;
	if (columnMs >= whole.columnMs) return window.columnMs === undefined && window.until === undefined ? window : {};
	const middle = input.cursor && input.cursor.time + Math.floor(map.room / 2) * columnMs;
	const until = middle ?? window.until;
	const next = {columnMs, until: until !== undefined && until < newest ? until : undefined};
	// Polls may be rarer.
	return heatmapOf({...input, window: next})?.columnMs === map.columnMs ? window : next;
}
