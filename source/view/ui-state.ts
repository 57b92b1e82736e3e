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
	/** The picker had the focus until the terminal became too narrow for its column. */
	readonly pickerGone?: boolean | undefined;
	readonly overlay?: Overlay | undefined;
	readonly picker: Sort & {
		readonly filter: string;
		/** Keys are text for the filter. */
		readonly editing: boolean;
		/** Only markets of this quote asset; absent: of all. */
		readonly quote?: string | undefined;
		readonly activeOnly: boolean;
		readonly favourites: ReadonlySet<string>;
		/** Named lists of symbols. */
		readonly lists: ReadonlyMap<string, ReadonlySet<string>>;
		/** Only the markets of this list; absent: of all. */
		readonly list?: string | undefined;
		/** Symbol under the cursor; absent: the selected market. */
		readonly cursor?: string | undefined;
	};
	readonly chart: ChartState;
	readonly book: BookState;
	readonly tape: TapeView;
	/** First row shown of the overlay that is open. */
	readonly overlayScroll: number;
	/** Symbols of the markets that are compared, or were last. */
	readonly compared: readonly string[];
	/** Absent: the command line is closed. */
	readonly command?: CommandLine | undefined;
	/** The lines that were entered there, oldest first. */
	readonly commandsEntered: readonly string[];
};

/** The command line while it is open; its text is without the colon. */
export type CommandLine = TypedText & {
	/** What Tab completes, and which of its candidates `text` is; absent: nothing was completed since the last character. */
	readonly completing?: {readonly from: string; readonly index: number} | undefined;
	/** What was typed before an earlier line was recalled, and which of those that begin with it `text` is, 0 the newest. */
	readonly recalled?: {readonly from: string; readonly index: number} | undefined;
	/** What was wrong with the command when Enter was pressed. */
	readonly fault?: string | undefined;
};

export const noFill: BookState['fill'] = {text: '', editing: false};

/** Where the picker would cover the other panels the chart has the focus first. */
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
	compared: [],
	commandsEntered: [],
});

/** What a key or a command changes in the view. */
export type Change = (state: UiState) => UiState;

/** Replaces these fields of one part. */
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

/** Puts every panel back at its newest or its middle. */
export const rewound: Change = state => ({
	...state,
	picker: {...state.picker, cursor: undefined},
	chart: {...state.chart, ...atNewest},
	book: {...state.book, anchor: undefined},
	tape: {...state.tape, anchor: undefined},
});

/** Keeps a picker that stood beside the other panels from covering them when its column goes; it is back with its column. */
export const resized =
	(from: LayoutName, to: LayoutName): Change =>
	state => {
		if (hasPickerColumn(from) === hasPickerColumn(to)) return state;
		const {focus, zoomed, picker, pickerGone} = state;
		if (hasPickerColumn(to)) return pickerGone && focus === 'chart' ? {...state, focus: 'markets'} : state;
		return focus === 'markets' && !zoomed && !picker.editing ? {...state, focus: 'chart', pickerGone: true} : state;
	};

/** The view's state outside React, so that several keys in one piece of input each see what the one before did. */
export type UiStore = Store<UiState> & {update(change: Change): void};

export function createUiStore(initial: UiState): UiStore {
	const {getSnapshot, subscribe, set} = createStore(initial);
	return {getSnapshot, subscribe, update: change => set(change(getSnapshot()))};
}
