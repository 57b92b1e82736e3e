import {createStore, type Store} from '../store/create-store.ts';
import {hasPickerColumn, type LayoutName, type Overlay, type PanelName} from './layout.ts';
import type {BookState} from './panels/book/book-state.ts';
import {atNewest, type ChartState, initialChart, nothingOpen} from './panels/chart/chart-state.ts';
import type {Sort} from './panels/markets/entries.ts';
import type {TapeView} from './panels/tape/list.ts';
import type {TypedText} from './text-edit.ts';

/** What the user changed in the view. The data of the markets is in the market store. */
export type UiState = {
	readonly focus: PanelName;
	readonly zoomed: boolean;
	/** The picker had the focus when the terminal became too narrow for its column. */
	readonly pickerGone?: boolean | undefined;
	readonly overlay?: Overlay | undefined;
	readonly picker: Sort & {
		readonly filter: string;
		/** Keys are text for the filter. */
		readonly editing: boolean;
		/** Shows only markets of this quote asset; absent: all. */
		readonly quote?: string | undefined;
		readonly activeOnly: boolean;
		readonly favourites: ReadonlySet<string>;
		/** Named lists of symbols. */
		readonly lists: ReadonlyMap<string, ReadonlySet<string>>;
		/** Shows only the markets of this list; absent: all. */
		readonly list?: string | undefined;
		/** Symbol under the cursor; absent: the selected market's. */
		readonly cursor?: string | undefined;
	};
	readonly chart: ChartState;
	readonly book: BookState;
	readonly tape: TapeView;
	/** First row shown of the overlay that is open. */
	readonly overlayScroll: number;
	readonly alertList: {
		/** Key of the row under the cursor; absent: the first. */
		readonly cursor?: string | undefined;
		/** The alert that is deleted if its key is pressed again, by its id. */
		readonly deleting?: string | undefined;
	};
	/** Symbols of the markets that are, or were last, compared. */
	readonly compared: readonly string[];
	/** Why the last key changed nothing; absent: it did. */
	readonly notice?: string | undefined;
	/** Absent: the command line is closed. */
	readonly command?: CommandLine | undefined;
	/** The command lines that were entered, oldest first. */
	readonly commandsEntered: readonly string[];
};

/** The open command line. Its text does not include the colon. */
export type CommandLine = TypedText & {
	/** The text that Tab completes, and which of its candidates `text` is; absent: Tab has not been pressed since the last character. */
	readonly completing?: {readonly from: string; readonly index: number} | undefined;
	/** The typed text for which earlier lines are recalled, and which of those that begin with it `text` is; 0 is the newest. */
	readonly recalled?: {readonly from: string; readonly index: number} | undefined;
	/** What was wrong with the command when Enter was pressed; the cursor is at its place. */
	readonly fault?: string | undefined;
	/** The alert that the line replaces, by its id; absent: none. */
	readonly replaces?: string | undefined;
};

export const noFill: BookState['fill'] = {text: '', editing: false};

/** The state at the start. If the picker would cover other panels, the chart has the focus. */
export const initialUi = (layout: LayoutName): UiState => ({
	focus: hasPickerColumn(layout) ? 'markets' : 'chart',
	zoomed: false,
	picker: {
		...{filter: '', editing: false, sort: 'volume', reversed: false, activeOnly: false},
		...{favourites: new Set(), lists: new Map()},
	},
	chart: initialChart,
	book: {view: 'ladder', zoom: 0, total: 'total', fill: noFill},
	tape: {minSize: 0, merged: false},
	overlayScroll: 0,
	alertList: {},
	compared: [],
	commandsEntered: [],
});

/** What a key or a command changes in the view. */
export type Change = (state: UiState) => UiState;

/** Changes these fields of one part. */
export const changed =
	<Part extends 'picker' | 'chart' | 'book' | 'tape'>(part: Part, fields: Partial<UiState[Part]>): Change =>
	state => ({...state, [part]: {...state[part], ...fields}});

/** Closes every prompt and menu, so that keys act again. */
export const withoutEditing: Change = state => ({
	...state,
	picker: {...state.picker, editing: false},
	book: {...state.book, fill: {...state.book.fill, editing: false}},
	chart: {...state.chart, ...nothingOpen},
});

/** Gives a panel the focus, and closes what covers it. */
export const focusedOn =
	(panel: PanelName): Change =>
	state => ({...withoutEditing(state), overlay: undefined, focus: panel, pickerGone: undefined});

/** Moves every panel back to its newest data, and the book to its middle. */
export const rewound: Change = state => ({
	...state,
	picker: {...state.picker, cursor: undefined},
	chart: {...state.chart, ...atNewest},
	book: {...state.book, anchor: undefined},
	tape: {...state.tape, anchor: undefined},
});

/** Moves the focus off a picker that loses its column on a resize, as it would cover the chart, and back when the column returns. */
export const resized =
	(from: LayoutName, to: LayoutName): Change =>
	state => {
		if (hasPickerColumn(from) === hasPickerColumn(to)) return state;
		const {focus, zoomed, picker, pickerGone} = state;
		if (hasPickerColumn(to)) return pickerGone && focus === 'chart' ? {...state, focus: 'markets'} : state;
		return focus === 'markets' && !zoomed && !picker.editing ? {...state, focus: 'chart', pickerGone: true} : state;
	};

/** The view's state outside React, so that each of several keys in one piece of input sees the effect of the one before. */
export type UiStore = Store<UiState> & {update(change: Change): void};

export function createUiStore(initial: UiState): UiStore {
	const {getSnapshot, subscribe, set} = createStore(initial);
	return {getSnapshot, subscribe, update: change => set(change(getSnapshot()))};
}

/** Whether a panel's prompt is open, where keys are text. */
export const isTyping = ({picker, book, chart}: UiState): boolean =>
	picker.editing || book.fill.editing || chart.typing !== undefined;
