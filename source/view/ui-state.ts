import {utc, type Zone} from '../format/zone.ts';
import {noMinimum} from '../market/minimum.ts';
import {createStore, type Store} from '../store/create-store.ts';
import {type Arrangements, arrangementFor, hasPlace, homePanel, presetArrangement} from './arrangement.ts';
import type {DrawnLevels} from './drawn-levels.ts';
import type {DrawnLines} from './drawn-lines.ts';
import {noStrayKeys, type StrayKeys} from './keys.ts';
import type {CursorOverlay, LayoutName, Overlay, PanelName} from './layout.ts';
import {type BookState, wholeSession} from './panels/book/book-state.ts';
import {atNewest, type ChartState, crossHidden, initialChart, nothingOpen} from './panels/chart/chart-state.ts';
import {type CompareState, initialCompare} from './panels/compare/compare-view.ts';
import {type HelpFind, isFinding, noFind} from './panels/help/find.ts';
import type {Sort} from './panels/markets/entries.ts';
import type {PickerQuery} from './panels/markets/list.ts';
import type {TapeView} from './panels/tape/list.ts';
import type {TypedText} from './text-edit.ts';
import type {PaletteName, ThemeName} from './theme/names.ts';

/** What the user changed in the view. The data of the markets is in the market store. */
export type UiState = {
	readonly focus: PanelName;
	readonly zoomed: boolean;
	/** How the panels share the screen. */
	readonly layouts: Arrangements;
	/** The panel that had the focus when its place was lost on a resize. */
	readonly displaced?: PanelName | undefined;
	readonly overlay?: Overlay | undefined;
	readonly helpFind: HelpFind;
	/** The overlay that the help was opened over, and returns to. */
	readonly helpOver?: Overlay | undefined;
	readonly picker: PickerQuery & {
		/** Keys are text for the filter. */
		readonly editing: boolean;
		/** How the lists that are not shown were sorted last, by their names; `allMarkets`: all markets. */
		readonly sorts: ReadonlyMap<string, Sort>;
		/** Symbol under the cursor; absent: the selected market's. */
		readonly cursor?: string | undefined;
		/** Where it was before a filter moved it. */
		readonly cursorBefore?: string | undefined;
	};
	readonly chart: ChartState;
	readonly book: BookState;
	readonly tape: TapeView;
	/** Levels that the user drew. */
	readonly drawnLevels: DrawnLevels;
	/** And trend lines. */
	readonly drawnLines: DrawnLines;
	/** Keys of the rows under the cursors of the lists; absent: the first. */
	readonly cursors: Readonly<Partial<Record<CursorOverlay, string | undefined>>>;
	/** Key of the row that is deleted if the key for it is pressed again. */
	readonly deleting?: string | undefined;
	/** First row shown of the overlay that is open. */
	readonly overlayScroll: number;
	/** Symbols of the markets that are, or were last, compared. */
	readonly compared: readonly string[];
	readonly compare: CompareState;
	/** Of every time that is shown, and of those that are typed. */
	readonly zone: Zone;
	/** Whether the terminal reports the mouse. */
	readonly mouse: boolean;
	/** Absent: that of the start. */
	readonly theme?: ThemeName | undefined;
	readonly palette?: PaletteName | undefined;
	/** Why the last key changed nothing; absent: it did. */
	readonly notice?: string | undefined;
	readonly stray: StrayKeys;
	/** Whether the user has never used the monitor, and has done nothing yet. */
	readonly isFirst?: boolean | undefined;
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

/** In place of a list's name. */
export const allMarkets = '';

/** The state at the start. If the picker would cover other panels, the chart has the focus. `currency`: of the volumes. */
export const initialUi = (layout: LayoutName, currency?: string): UiState => ({
	focus: hasPlace(layout, presetArrangement(layout, 'default'), 'markets') ? 'markets' : 'chart',
	zoomed: false,
	layouts: {},
	helpFind: noFind,
	picker: {
		...{filter: '', editing: false, currency, sort: 'volume', reversed: false, activeOnly: false},
		...{favourites: new Set(), lists: new Map(), sorts: new Map(), holdings: new Map()},
	},
	chart: initialChart,
	book: {view: 'ladder', zoom: 0, window: {}, total: 'total', fill: noFill},
	tape: {minimum: noMinimum, merged: false},
	drawnLevels: new Map(),
	drawnLines: new Map(),
	cursors: {},
	overlayScroll: 0,
	compared: [],
	compare: initialCompare,
	zone: utc,
	mouse: true,
	stray: noStrayKeys,
	commandsEntered: [],
});

/** What a key or a command changes in the view. */
export type Change = (state: UiState) => UiState;

/** Changes these fields of one part. */
export const changed =
	<Part extends 'picker' | 'chart' | 'compare' | 'book' | 'tape'>(part: Part, fields: Partial<UiState[Part]>): Change =>
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
	state => ({...withoutEditing(state), overlay: undefined, focus: panel, displaced: undefined});

/** Moves every panel back to its newest data, and the book to its middle. */
export const rewound: Change = state => ({
	...state,
	picker: {...state.picker, cursor: undefined},
	chart: {...state.chart, ...atNewest},
	book: {...state.book, ...wholeSession, anchor: undefined},
	tape: {...state.tape, anchor: undefined},
});

/** Whether the panel keeps its place on screens of this class when it loses the focus. */
export const isPlaced = ({layouts}: UiState, layout: LayoutName, panel: PanelName): boolean =>
	hasPlace(layout, arrangementFor(layout, layouts), panel);

/** The panel that takes the focus from one without a place. */
export const homeOf = ({layouts}: UiState, layout: LayoutName): PanelName =>
	homePanel(layout, arrangementFor(layout, layouts));

/** Moves the focus off a panel without a place of its own, as it would cover another one. */
export const focusedOnPlaced =
	(layout: LayoutName): Change =>
	state => {
		const {focus, zoomed, picker} = state;
		if (zoomed || picker.editing || isPlaced(state, layout, focus)) return state;
		return {...state, focus: homeOf(state, layout)};
	};

/** Moves the focus off a panel that loses its place on a resize, and back when the place returns. */
export const resized =
	(from: LayoutName, to: LayoutName): Change =>
	state => {
		const {focus, displaced} = state;
		if (displaced !== undefined && isPlaced(state, to, displaced)) {
			return {...state, displaced: undefined, focus: focus === homeOf(state, from) ? displaced : focus};
		}

		const next = isPlaced(state, from, focus) ? focusedOnPlaced(to)(state) : state;
		return next === state ? state : {...next, displaced: focus};
	};

/** The view's state outside React, so that each of several keys in one piece of input sees the effect of the one before. */
export type UiStore = Store<UiState> & {update(change: Change): void};

export function createUiStore(initial: UiState): UiStore {
	const {getSnapshot, subscribe, set} = createStore(initial);
	return {getSnapshot, subscribe, update: change => set(change(getSnapshot()))};
}

/** Whether the prompt of a panel, or of the help over it, is open, where keys are text. */
export function isTyping({overlay, helpFind, picker, book, chart}: UiState): boolean {
	if (overlay !== undefined) return overlay === 'help' && helpFind.editing;
	return picker.editing || book.fill.editing || chart.typing !== undefined;
}

/** Closes the overlay; the help shows the one again that it was opened over. */
export const overlayClosed: Change = state => ({
	...state,
	overlay: state.overlay === 'help' ? state.helpOver : undefined,
	overlayScroll: 0,
});

/** The state without the innermost thing that is open, typed or pointed at; undefined: there is none. */
export function oneStepBack(state: UiState, layout: LayoutName): UiState | undefined {
	const {overlay, helpFind, compare, focus, chart, book, picker, zoomed} = state;
	if (overlay === 'compare' && compare.cross !== undefined) return changed('compare', {cross: undefined})(state);
	if (overlay === 'compare' && compare.base !== undefined) return changed('compare', {base: undefined})(state);
	if (overlay === 'help' && isFinding(helpFind)) return {...state, helpFind: noFind, overlayScroll: 0};
	if (overlay) return overlayClosed(state);
	if (chart.menu !== undefined || chart.typing !== undefined) return changed('chart', nothingOpen)(state);
	if (focus === 'chart' && chart.cross !== undefined) {
		const innermost = chart.lineFrom ? {lineFrom: undefined} : chart.mark ? {mark: undefined} : crossHidden;
		return changed('chart', innermost)(state);
	}

	if (focus === 'book' && book.view === 'heatmap' && book.cursor) return changed('book', {cursor: undefined})(state);
	if (book.fill.editing || (book.fill.text && focus === 'book')) return changed('book', {fill: noFill})(state);
	if (picker.editing || picker.filter) {
		return changed('picker', {editing: false, filter: '', cursor: picker.cursorBefore})(state);
	}

	if (zoomed) return {...state, zoomed: false};
	return isPlaced(state, layout, focus) ? undefined : {...state, focus: homeOf(state, layout)};
}
