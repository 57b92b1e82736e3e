import type {Clock} from '../../market/clock.ts';
import {stepOf, stepSize} from '../../market/depth.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {MarketStore} from '../../store/state.ts';
import {zoomLevels} from '../../view/panels/chart/chart-state.ts';
import type {UiState, UiStore} from '../../view/ui-state.ts';
import {type ExchangeState, isEqual, type State, type ViewState} from './state.ts';
import type {StateFile} from './state-file.ts';

/** What is remembered of one exchange; nothing of one that was never seen. */
export const exchangeStateOf = ({exchanges}: State, name: string): ExchangeState =>
	(Object.hasOwn(exchanges, name) ? exchanges[name] : undefined) ?? {};

/** `initial` as the last run left it. `market`: the one to begin with, in any spelling; default the last one. */
export function restoredUi(initial: UiState, view: ViewState, exchange: ExchangeState, market?: string): UiState {
	const {picker, chart, book, tape} = initial;
	// Another market has other steps.
	const isSame = market === undefined || symbolKey(market) === symbolKey(exchange.market ?? '');
	const bookStep = isSame ? exchange.bookStep : undefined;
	return {
		...initial,
		// The picker would cover what it is for: where it has no column of its own it opens when it is asked for.
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

/** A change is written when it has stood for this long, or at the end. */
const settleMs = 1000;

/** Remembers the monitor's state as it changes; the returned function ends that, with all written when it settles. */
export function rememberSession({file, exchangeName, ui, store, clock}: Session): () => Promise<void> {
	let {market} = exchangeStateOf(file.state, exchangeName);
	const current = (): State => {
		const {symbol, markets, period} = store.getSnapshot();
		// What was mistyped on the command line is no market to come back to.
		if (markets.status === 'ready' && markets.data.some(each => each.symbol === symbol)) market = symbol;
		return stateOf(exchangeName, ui.getSnapshot(), {market, period});
	};
	const begun = current();
	// The period can come from the command line: it is remembered as the last one all the same.
	let saved: State = {...begun, view: {...begun.view, period: file.state.view.period}};
	let writing = Promise.resolve();
	let cancel: (() => void) | undefined;

	function save(): Promise<void> {
		cancel?.();
		cancel = undefined;
		const [base, mine] = [saved, current()];
		saved = mine;
		writing = writing.then(() => file.save(base, mine));
		return writing;
	}

	function changed(): void {
		if (!cancel && !isEqual(saved, current())) cancel = clock.after(settleMs, () => void save());
	}

	const unsubscribes = [ui.subscribe(changed), store.subscribe(changed)];
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
