import type {Clock} from '../../market/clock.ts';
import {stepOf, stepSize} from '../../market/depth.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {MarketStore} from '../../store/state.ts';
import {zoomLevels} from '../../view/panels/chart/chart-state.ts';
import type {UiState, UiStore} from '../../view/ui-state.ts';
import {type ExchangeState, isEqual, type State, type ViewState} from './saved-state.ts';
import type {StateFile} from './state-file.ts';

/** The saved state of one exchange; empty if there is none. */
export const exchangeStateOf = ({exchanges}: State, name: string): ExchangeState =>
	(Object.hasOwn(exchanges, name) ? exchanges[name] : undefined) ?? {};

/** `initial` with the saved settings. `market`: the market to start with, in any spelling; default the saved one. */
export function restoredUi(initial: UiState, view: ViewState, exchange: ExchangeState, market?: string): UiState {
	const {picker, chart, book, tape} = initial;
	// A price step suits only its own market.
	const isSame = market === undefined || symbolKey(market) === symbolKey(exchange.market ?? '');
	const bookStep = isSame ? exchange.bookStep : undefined;
	return {
		...initial,
		// On a small screen a focused picker would cover the other panels from the start.
		focus: view.focus === 'markets' && !view.zoomed ? initial.focus : (view.focus ?? initial.focus),
		zoomed: view.zoomed ?? initial.zoomed,
		compared: exchange.compared ?? initial.compared,
		picker: {
			...picker,
			sort: view.sort ?? picker.sort,
			reversed: view.reversed ?? picker.reversed,
			activeOnly: view.activeOnly ?? picker.activeOnly,
			quote: exchange.quote,
			favourites: new Set(exchange.favourites),
			lists: new Map(Object.entries(exchange.lists ?? {}).map(([name, symbols]) => [name, new Set(symbols)])),
			list: exchange.list,
		},
		chart: {
			...chart,
			type: view.chart ?? chart.type,
			log: view.log ?? chart.log,
			zoom: zoomLevels.find(level => isEqual(level, view.candleZoom)) ?? chart.zoom,
			indicators: new Set(view.indicators),
		},
		book: {
			...book,
			view: view.book ?? book.view,
			total: view.total ?? book.total,
			grouping: bookStep === undefined ? book.grouping : stepOf(bookStep),
		},
		tape: {...tape, merged: view.mergedFills ?? tape.merged},
	};
}

type Session = {
	readonly file: StateFile;
	readonly exchangeName: string;
	readonly ui: UiStore;
	readonly store: MarketStore;
	readonly clock: Clock;
};

/** A change is written after this time, or at the end. */
const settleMs = 1000;

/** Saves the monitor's state as it changes. The returned function stops that and settles when everything is written. */
export function rememberSession({file, exchangeName, ui, store, clock}: Session): () => Promise<void> {
	let {market} = exchangeStateOf(file.state, exchangeName);
	const current = (): State => {
		const {symbol, markets, period} = store.getSnapshot();
		// A mistyped market from the command line must not be restored by the next run.
		if (markets.status === 'ready' && markets.data.some(each => each.symbol === symbol)) market = symbol;
		return stateOf(exchangeName, ui.getSnapshot(), {market, period});
	};
	const atStart = current();
	// The file's own period, so that one from the command line counts as a change and is saved.
	let saved: State = {...atStart, view: {...atStart.view, period: file.state.view.period}};
	let writing = Promise.resolve();
	let cancel: (() => void) | undefined;

	function save(): Promise<void> {
		cancel?.();
		cancel = undefined;
		const [base, mine] = [saved, current()];
		saved = mine;
		// Each within its own two seconds.
		const before = writing;
		writing = file.save(base, mine).then(() => before);
		return writing;
	}

	function changed(): void {
		if (!cancel && !isEqual(saved, current())) cancel = clock.after(settleMs, () => void save());
	}

	let last = store.getSnapshot();
	// Most changes are data, of which nothing is saved.
	function storeChanged(): void {
		const before = last;
		last = store.getSnapshot();
		const {symbol, period, markets} = last;
		if (symbol !== before.symbol || period !== before.period || markets !== before.markets) changed();
	}

	const unsubscribes = [ui.subscribe(changed), store.subscribe(storeChanged)];
	return () => {
		for (const unsubscribe of unsubscribes) unsubscribe();
		return save();
	};
}

type Shown = {readonly market: string | undefined; readonly period: number};

function stateOf(exchangeName: string, ui: UiState, {market, period}: Shown): State {
	const {picker, chart, book, tape, focus, zoomed} = ui;
	const compared = [...ui.compared];
	const {sort, reversed, activeOnly, quote, favourites, list} = picker;
	const lists = Object.fromEntries([...picker.lists].map(([name, symbols]) => [name, [...symbols]]));
	const bookStep = book.grouping && stepSize(book.grouping);
	const remembered = {market, bookStep, quote, favourites: [...favourites], lists, list, compared};
	return {
		version: 1,
		exchanges: {[exchangeName]: remembered},
		view: {
			...{period, sort, reversed, activeOnly, focus, zoomed},
			...{chart: chart.type, log: chart.log, candleZoom: {...chart.zoom}, indicators: [...chart.indicators]},
			...{book: book.view, total: book.total, mergedFills: tape.merged},
		},
	};
}
