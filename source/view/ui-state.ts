import type {PriceStep} from '../market/depth.ts';
import {type CommandLine, withLine} from './commands/state.ts';
import {hasPickerColumn, type LayoutName, type Overlay, type PanelName, panelNames} from './layout.ts';
import type {TotalName} from './panels/book/columns.ts';
import type {FillQuestion} from './panels/book/fill-rows.ts';
import type {Anchor} from './panels/book/rungs.ts';
import {type BookView, bookViews} from './panels/book/views.ts';
import {
	type ChartAction,
	type ChartState,
	closed,
	initialChart,
	reduceChart,
	rewoundChart,
} from './panels/chart/chart-state.ts';
import {type Sort, type SortName, sortNames} from './panels/markets/sort.ts';
import type {TapeAnchor, TapeView} from './panels/tape/list.ts';
import {turned} from './turned.ts';

/** What the user did to the view; what is known about the markets is in the store. */
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
	readonly book: {
		readonly view: BookView;
		/** Of the curve and the heatmap: steps coarser than they choose, negative: finer. */
		readonly zoom: number;
		/** What the ladder's prices are put together by; absent: levels are shown as they are. */
		readonly grouping?: PriceStep | undefined;
		/** What the ladder was scrolled to; absent: it stays centred on the spread. */
		readonly anchor?: Anchor | undefined;
		readonly total: TotalName;
		readonly fill: FillQuestion;
	};
	readonly tape: TapeView;
	/** First row shown of the overlay that is open. */
	readonly overlayScroll: number;
	/** Symbols of the markets that are compared, or were last. */
	readonly compared: readonly string[];
	/** Absent: the command line is closed. */
	readonly command?: CommandLine | undefined;
	/** What was entered there, oldest first. */
	readonly commandsEntered: readonly string[];
};

const noFill: FillQuestion = {text: '', editing: false};

/** Steps that the curve and the heatmap go from their own choice, either way. */
const mostZoom = 8;

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
	tape: {minimum: 0, merged: false},
	overlayScroll: 0,
	compared: [],
	commandsEntered: [],
});

type UiAction =
	| {readonly type: 'focus'; readonly panel: PanelName}
	| {readonly type: 'focus-by'; readonly by: 1 | -1}
	| {readonly type: 'zoom' | 'help' | 'info' | 'diagnosis' | 'sort' | 'filter' | 'stop-editing' | 'market-changed'}
	/** The terminal has another size. */
	| {readonly type: 'laid-out'; readonly from: LayoutName; readonly to: LayoutName}
	/** `layout` tells whether the picker stands beside the other panels or over them. */
	| {readonly type: 'back'; readonly layout: LayoutName}
	| {readonly type: 'filter-text'; readonly text: string}
	| {readonly type: 'sort-by'; readonly sort: SortName}
	| {readonly type: 'reverse' | 'active-only'}
	| {readonly type: 'quote'; readonly quote: string | undefined}
	/** Undefined: the markets of no list but all. */
	| {readonly type: 'list'; readonly name: string | undefined}
	| {readonly type: 'list-toggle'; readonly name: string; readonly symbol: string}
	| {readonly type: 'list-drop'; readonly name: string}
	| {readonly type: 'cursor'; readonly symbol: string | undefined}
	| {readonly type: 'favourite'; readonly symbol: string}
	| {readonly type: 'chart'; readonly action: ChartAction}
	| {readonly type: 'grouping'; readonly grouping: PriceStep}
	| {readonly type: 'book-anchor'; readonly anchor: Anchor | undefined}
	| {readonly type: 'book-zoom'; readonly by: 1 | -1}
	| {readonly type: 'book-view' | 'total' | 'fill'}
	| {readonly type: 'book-view-as'; readonly view: BookView}
	| {readonly type: 'command'; readonly command: CommandLine | undefined}
	| {readonly type: 'command-entered'; readonly text: string}
	| {readonly type: 'compare'; readonly symbols: readonly string[]}
	| {readonly type: 'fill-text'; readonly text: string}
	| {readonly type: 'tape-anchor'; readonly anchor: TapeAnchor | undefined}
	| {readonly type: 'minimum'; readonly minimum: number}
	| {readonly type: 'merge-fills'}
	| {readonly type: 'overlay-scroll'; readonly row: number};

const toggled = (set: ReadonlySet<string>, item: string): ReadonlySet<string> => {
	const next = new Set(set);
	if (!next.delete(item)) next.add(item);
	return next;
};

/** One step back: the innermost thing that is open closes first. */
function back(state: UiState, layout: LayoutName): UiState {
	if (state.command) return {...state, command: undefined};
	if (state.overlay) return {...state, overlay: undefined};
	const {menu, typing, cross} = state.chart;
	if (menu !== undefined || typing !== undefined) return {...state, chart: closed(state.chart)};
	if (cross !== undefined && state.focus === 'chart') return {...state, chart: {...state.chart, cross: undefined}};
	const {fill} = state.book;
	if (fill.editing || (fill.text && state.focus === 'book')) return {...state, book: {...state.book, fill: noFill}};
	if (state.picker.editing || state.picker.filter) {
		return {...state, picker: {...state.picker, editing: false, filter: '', cursor: undefined}};
	}

	if (state.zoomed) return {...state, zoomed: false};
	if (state.focus === 'markets' && !hasPickerColumn(layout)) return {...state, focus: 'chart'};
	return rewound(state);
}

/** Every panel back at its newest or its middle. */
const rewound = (state: UiState): UiState => ({
	...state,
	picker: {...state.picker, cursor: undefined},
	chart: rewoundChart(state.chart),
	book: {...state.book, anchor: undefined},
	tape: {...state.tape, anchor: undefined},
});

/** Keys act again. */
const withoutEditing = (state: UiState): UiState => ({
	...state,
	picker: {...state.picker, editing: false},
	book: {...state.book, fill: {...state.book.fill, editing: false}},
	chart: closed(state.chart),
});

/** A picker that stood beside the other panels does not cover them when its column goes, and is back with its column. */
function laidOut(state: UiState, from: LayoutName, to: LayoutName): UiState {
	if (hasPickerColumn(from) === hasPickerColumn(to)) return state;
	const {focus, zoomed, picker, pickerGone} = state;
	if (hasPickerColumn(to)) return pickerGone && focus === 'chart' ? {...state, focus: 'markets'} : state;
	return focus === 'markets' && !zoomed && !picker.editing ? {...state, focus: 'chart', pickerGone: true} : state;
}

function reduceUi(state: UiState, action: UiAction): UiState {
	switch (action.type) {
		case 'laid-out':
			return laidOut(state, action.from, action.to);
		case 'focus':
			return {...withoutEditing(state), overlay: undefined, focus: action.panel, pickerGone: undefined};
		case 'focus-by': {
			const panel = turned(panelNames, state.focus, action.by);
			return {...withoutEditing(state), overlay: undefined, focus: panel, pickerGone: undefined};
		}

		case 'zoom':
			return {...state, overlay: undefined, zoomed: !state.zoomed};
		case 'help':
		case 'info':
		case 'diagnosis':
			return {...state, overlayScroll: 0, overlay: state.overlay === action.type ? undefined : action.type};
		case 'back':
			return back(state, action.layout);
		case 'filter':
			return {
				...withoutEditing(state),
				overlay: undefined,
				focus: 'markets',
				picker: {...state.picker, editing: true},
			};
		case 'stop-editing':
			return withoutEditing(state);
		case 'filter-text':
			return {...state, picker: {...state.picker, filter: action.text, cursor: undefined}};
		case 'cursor':
			return {...state, picker: {...state.picker, cursor: action.symbol}};
		case 'sort':
			return {
				...state,
				picker: {...state.picker, sort: turned(sortNames, state.picker.sort, 1), reversed: false},
			};
		case 'sort-by':
			return {...state, picker: {...state.picker, sort: action.sort, reversed: false}};
		case 'reverse':
			return {...state, picker: {...state.picker, reversed: !state.picker.reversed}};
		case 'active-only':
			return {
				...state,
				picker: {...state.picker, activeOnly: !state.picker.activeOnly, cursor: undefined},
			};
		case 'quote':
			return {...state, picker: {...state.picker, quote: action.quote, cursor: undefined}};
		case 'list':
			return {...state, picker: {...state.picker, list: action.name, cursor: undefined}};
		case 'list-toggle': {
			const {name, symbol} = action;
			const lists = new Map(state.picker.lists).set(name, toggled(state.picker.lists.get(name) ?? new Set(), symbol));
			return {...state, picker: {...state.picker, lists}};
		}

		case 'list-drop': {
			const lists = new Map(state.picker.lists);
			lists.delete(action.name);
			const list = state.picker.list === action.name ? undefined : state.picker.list;
			return {...state, picker: {...state.picker, lists, list}};
		}

		case 'favourite':
			return {...state, picker: {...state.picker, favourites: toggled(state.picker.favourites, action.symbol)}};
		case 'chart':
			return {...state, chart: reduceChart(state.chart, action.action)};
		case 'grouping':
			return {...state, book: {...state.book, grouping: action.grouping, anchor: undefined}};
		case 'book-anchor':
			return {...state, book: {...state.book, anchor: action.anchor}};
		case 'book-zoom':
			return {
				...state,
				book: {...state.book, zoom: Math.min(Math.max(state.book.zoom + action.by, -mostZoom), mostZoom)},
			};
		case 'book-view':
			return {...state, book: {...state.book, view: turned(bookViews, state.book.view, 1), zoom: 0}};
		case 'book-view-as':
			return {...state, book: {...state.book, view: action.view, zoom: 0}};
		case 'command':
			return {...state, command: action.command};
		case 'command-entered':
			return {...state, commandsEntered: withLine(state.commandsEntered, action.text)};
		case 'compare':
			return {...state, overlay: 'compare', compared: action.symbols};
		case 'total':
			return {...state, book: {...state.book, total: turned(['total', 'value'], state.book.total, 1)}};
		case 'fill': {
			const fill = {...state.book.fill, editing: true};
			return {...withoutEditing(state), overlay: undefined, focus: 'book', book: {...state.book, fill}};
		}

		case 'fill-text':
			return {...state, book: {...state.book, fill: {...state.book.fill, text: action.text}}};
		case 'tape-anchor':
			return {...state, tape: {...state.tape, anchor: action.anchor}};
		case 'minimum':
			return {...state, tape: {...state.tape, minimum: action.minimum}};
		case 'merge-fills':
			return {...state, tape: {...state.tape, merged: !state.tape.merged}};
		case 'overlay-scroll':
			return {...state, overlayScroll: action.row};
		case 'market-changed':
			return {
				...rewound(state),
				book: {...state.book, grouping: undefined, zoom: 0, anchor: undefined, fill: noFill},
				tape: {...state.tape, anchor: undefined, minimum: 0},
			};
	}
}

/** The view's state outside React, so that several keys in one piece of input each see what the one before did. */
export type UiStore = {
	getSnapshot(): UiState;
	subscribe(listener: () => void): () => void;
	dispatch(action: UiAction): void;
};

export function createUiStore(initial: UiState): UiStore {
	const listeners = new Set<() => void>();
	let state = initial;
	return {
		getSnapshot: () => state,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		dispatch(action) {
			state = reduceUi(state, action);
			for (const listener of listeners) listener();
		},
	};
}
