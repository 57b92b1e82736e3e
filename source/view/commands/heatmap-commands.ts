import {formatPlain} from '../../format/number.ts';
import {stepSize} from '../../market/depth.ts';
import {clamp} from '../../market/numbers.ts';
import type {Decimals} from '../../market/precision.ts';
import {ownStep} from '../../market/price-steps.ts';
import type {DepthBook} from '../../market/types.ts';
import {columnTimes, type TimeWindow} from '../panels/book/book-columns.ts';
import type {BookState, MapCursor} from '../panels/book/book-state.ts';
import {
	columnTime,
	type Heatmap,
	type HeatmapInput,
	heatmapOf,
	isBetween,
	type MapCell,
	rowPrice,
} from '../panels/book/heatmap-model.ts';
import {plotSize} from '../panels/book/model.ts';
import {changed, type UiState} from '../ui-state.ts';
import {type Command, type Control, pair} from './command.ts';

const isHeatmap = ({book}: UiState): boolean => book.view === 'heatmap';
const own = {focused: true, actsIn: isHeatmap};

/** Act on the heatmap of the focused book, in place of the chart's commands with the same keys. */
export const heatmapCommands: readonly Command[] = [
	{
		name: 'heatmap-cursor',
		keys: ['x'],
		...own,
		help: "show or hide the heatmap's cursor, which arrows move",
		hint: {word: 'cursor', rank: 20.5},
		atEnd: 'there are no books yet',
		run: toggleCursor,
	},
	...pair(
		{...own, help: 'pan the heatmap to older and newer books', hint: {word: 'pan', rank: 22.3}},
		{name: 'heatmap-older', keys: ['left'], atEnd: 'no older books are kept', run: control => pan(-1, control)},
		{name: 'heatmap-newer', keys: ['right'], atEnd: 'this is the newest book', run: control => pan(1, control)},
	),
	...pair(
		{...own, help: "shorter and longer time of the heatmap's columns", hint: {word: 'time', rank: 22.6}},
		{name: 'shorter-columns', keys: ['['], atEnd: 'shortest time of a column', run: control => rescale(-1, control)},
		{name: 'longer-columns', keys: [']'], atEnd: 'the whole session is shown', run: control => rescale(1, control)},
	),
];

/** The heatmap as it is on the screen; undefined: the book is still loading. */
function mapInput({store, ui, page}: Control): HeatmapInput | undefined {
	const {depth, bookHistory: history, decimals} = store.getSnapshot();
	const {book} = ui.getSnapshot();
	if (depth.status !== 'ready') return undefined;
	return {...book, book: depth.data, history, decimals, size: plotSize(page, book), ascii: false};
}

function toggleCursor(control: Control): void {
	const {ui} = control;
	const input = mapInput(control);
	const map = input && heatmapOf(input);
	const isShown = ui.getSnapshot().book.cursor !== undefined;
	ui.update(changed('book', {cursor: isShown || !map ? undefined : newCursor(map)}));
}

/** Columns that one arrow key pans without a cursor. */
const columnsPanned = 10;

function pan(by: 1 | -1, control: Control): void {
	if (moveMapCursor({column: by, row: 0}, control)) return;
	const input = mapInput(control);
	if (input) control.ui.update(changed('book', {window: panned(input, by * columnsPanned)}));
}

function rescale(by: 1 | -1, control: Control): void {
	const input = mapInput(control);
	if (input) control.ui.update(changed('book', {window: rescaled(input, by)}));
}

/** Why there are no finer price rows. */
export const finestText = (book: DepthBook, decimals: Decimals): string =>
	`all prices are multiples of ${formatPlain(stepSize(ownStep(book, decimals.price)))}: no finer rows`;

/** Coarser or finer price rows: the zoom, if the steps of the book allow one more, else what ends it. */
export function scaledMap(by: 1 | -1, control: Control): {readonly zoom: number} | {readonly end: string} | undefined {
	const input = mapInput(control);
	const map = input && heatmapOf(input);
	const scaled = map && heatmapOf({...input, zoom: map.zoom + by});
	if (!scaled) return undefined;
	if (scaled.zoom !== map.zoom) return {zoom: scaled.zoom};
	return {end: by > 0 ? 'these are the coarsest price rows' : finestText(input.book, input.decimals)};
}

/** Moves the heatmap's cursor, and the heatmap where it leaves it. False: there is no cursor. */
export function moveMapCursor(by: {readonly column: number; readonly row: number}, control: Control): boolean {
	const input = mapInput(control);
	const moved = input && movedCursor(input, by);
	if (moved) control.ui.update(changed('book', moved));
	return moved !== undefined;
}

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
