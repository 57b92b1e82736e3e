import {formatPlain} from '../../format/number.ts';
import {stepSize} from '../../market/depth.ts';
import type {Decimals} from '../../market/precision.ts';
import {ownStep} from '../../market/price-steps.ts';
import type {DepthBook} from '../../market/types.ts';
import {type HeatmapInput, heatmapOf} from '../panels/book/heatmap-model.ts';
import {movedCursor, newCursor, panned, rescaled} from '../panels/book/map-moves.ts';
import {plotSize} from '../panels/book/model.ts';
import {changed, type UiState} from '../ui-state.ts';
import type {Command, Control} from './command.ts';

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
	{
		name: 'heatmap-older',
		keys: ['left'],
		...own,
		help: 'pan the heatmap to older and newer books',
		hint: {word: 'pan', rank: 22.3},
		atEnd: 'no older books are kept',
		run: control => pan(-1, control),
	},
	{name: 'heatmap-newer', keys: ['right'], ...own, atEnd: 'this is the newest book', run: control => pan(1, control)},
	{
		name: 'shorter-columns',
		keys: ['['],
		...own,
		help: "shorter and longer time of the heatmap's columns",
		hint: {word: 'time', rank: 22.6},
		atEnd: 'shortest time of a column',
		run: control => rescale(-1, control),
	},
	{
		name: 'longer-columns',
		keys: [']'],
		...own,
		atEnd: 'the whole session is shown',
		run: control => rescale(1, control),
	},
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

/** The state without the cursor of the focused heatmap; undefined: there is none. */
export const mapCursorHidden = (state: UiState): UiState | undefined =>
	state.focus === 'book' && isHeatmap(state) && state.book.cursor
		? changed('book', {cursor: undefined})(state)
		: undefined;
