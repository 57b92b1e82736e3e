import * as z from 'zod/mini';
import type {LinesOf} from '../../alerts/quantity-values.ts';
import {type Zone, zoneNamed} from '../../format/zone.ts';
import type {Clock} from '../../market/clock.ts';
import {stepOf, stepSize} from '../../market/depth.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {MarketStore} from '../../store/state.ts';
import {
	type Arrangement,
	type Arrangements,
	layoutNames,
	presetNames,
	sharingPanels,
	withArrangement,
} from '../../view/arrangement.ts';
import {linesNumbered} from '../../view/drawn-lines.ts';
import {zoomLevels} from '../../view/panels/chart/chart-state.ts';
import {lengthTexts, savedLengths} from '../../view/panels/chart/indicator-table.ts';
import {isColumnName} from '../../view/panels/markets/columns.ts';
import {allMarkets, type UiState, type UiStore} from '../../view/ui-state.ts';
import type {Options} from '../options/options.ts';
import {
	readAnchors,
	readHoldings,
	readLevels,
	readLines,
	savedAnchors,
	savedHoldings,
	savedLevels,
	savedLines,
} from './saved-entries.ts';
import {
	type ExchangeState,
	isEqual,
	isRecord,
	type JsonRecord,
	own,
	type State,
	type ViewState,
} from './saved-state.ts';
import type {StateFile} from './state-file.ts';

/** The saved state of one exchange; empty if there is none. */
export const exchangeStateOf = ({exchanges}: State, name: string): ExchangeState =>
	(Object.hasOwn(exchanges, name) ? exchanges[name] : undefined) ?? {};

/** The lines of one exchange, for rules. */
export const linesIn = (state: State, exchangeName: string): LinesOf =>
	linesNumbered(readLines(exchangeStateOf(state, exchangeName).lines).lines);

/** What flags, variables and the config file say, which goes before what is saved. */
type Given = {
	/** The market to start with, in any spelling. */
	readonly market?: string | undefined;
	readonly zone?: Zone | undefined;
	/** Those of the config file. */
	readonly holdings?: Options['holdings'] | undefined;
	/** The settings that they have. */
	readonly origins?: Options['origins'] | undefined;
};

/** `initial` with the saved settings. */
export function restoredUi(
	initial: UiState,
	view: ViewState,
	exchange: ExchangeState,
	{market, zone, holdings, origins = {}}: Given = {},
): UiState {
	const {picker, chart, book, tape} = initial;
	// A price step suits only its own market.
	const isSame = market === undefined || symbolKey(market) === symbolKey(exchange.market ?? '');
	const bookStep = isSame ? exchange.bookStep : undefined;
	const ofAll = {sort: view.sort ?? picker.sort, reversed: view.reversed ?? picker.reversed};
	const sorts = new Map([...Object.entries(exchange.sorts ?? {}), [allMarkets, ofAll]]);
	return {
		...initial,
		// On a small screen a focused picker would cover the other panels from the start.
		focus: view.focus === 'markets' && !view.zoomed ? initial.focus : (view.focus ?? initial.focus),
		zoomed: view.zoomed ?? initial.zoomed,
		layouts: readLayouts(view.layouts),
		compared: exchange.compared ?? initial.compared,
		zone: zone ?? savedZone(view) ?? initial.zone,
		theme: origins.theme === undefined ? view.theme : undefined,
		palette: origins.palette === undefined ? view.palette : undefined,
		drawnLevels: readLevels(exchange.levels).levels,
		drawnLines: readLines(exchange.lines).lines,
		picker: {
			...picker,
			...(sorts.get(exchange.list ?? allMarkets) ?? ofAll),
			sorts,
			activeOnly: view.activeOnly ?? picker.activeOnly,
			columns: columnsIn(view.columns),
			quote: exchange.quote,
			favourites: new Set(exchange.favourites),
			lists: new Map(Object.entries(exchange.lists ?? {}).map(([name, symbols]) => [name, new Set(symbols)])),
			list: exchange.list,
			holdings: readHoldings(exchange.holdings, holdings).holdings,
		},
		chart: {
			...chart,
			type: view.chart ?? chart.type,
			log: view.log ?? chart.log,
			imbalance: view.imbalance ?? chart.imbalance,
			anchors: readAnchors(exchange.avwaps),
			zoom: zoomLevels.find(level => isEqual(level, view.candleZoom)) ?? chart.zoom,
			indicators: new Set(view.indicators),
			lengths: savedLengths(view.lengths),
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

/** The columns in a saved text; undefined: none that this version knows. */
function columnsIn(text = ''): UiState['picker']['columns'] {
	const columns = [...new Set(text.split(' ').filter(isColumnName))];
	return columns.length > 0 ? columns : undefined;
}

/** Undefined: none is saved, or none that this computer knows. */
function savedZone({timezone}: ViewState): Zone | undefined {
	const zone = timezone === undefined ? undefined : zoneNamed(timezone);
	return zone && 'value' in zone ? zone.value : undefined;
}

/** Options of a screen that is no monitor: its times and colours are those that the monitor remembers, unless others are given. */
export const withSavedLook = (options: Options, view: ViewState): Options => ({
	...options,
	zone: options.zone ?? savedZone(view),
	theme: options.origins.theme === undefined ? (view.theme ?? options.theme) : options.theme,
	palette: options.origins.palette === undefined ? (view.palette ?? options.palette) : options.palette,
});

type Session = {
	readonly file: StateFile;
	readonly exchangeName: string;
	readonly ui: UiStore;
	readonly store: MarketStore;
	readonly clock: Clock;
};

/** A change is written after this time, or at the end. */
const settleMs = 1000;
/** One that failed is tried again after this time, or with the next change. */
const retryMs = 30_000;

/** Saves the monitor's state as it changes, and once after the start if there is no file yet. The returned function stops that and settles when everything is written. */
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
	let isStopped = false;

	function save(): Promise<void> {
		cancel?.();
		cancel = undefined;
		const mine = current();
		async function write(before: Promise<void>): Promise<void> {
			// Each within its own two seconds.
			if (await file.save(saved, mine)) saved = mine;
			else changed(retryMs);
			await before;
		}

		writing = write(writing);
		return writing;
	}

	function changed(afterMs = settleMs): void {
		if (!isStopped && !cancel && !isEqual(saved, current())) cancel = clock.after(afterMs, () => void save());
	}

	let last = store.getSnapshot();
	// Most changes are data, of which nothing is saved.
	function storeChanged(): void {
		const before = last;
		last = store.getSnapshot();
		const {symbol, period, markets} = last;
		if (symbol !== before.symbol || period !== before.period || markets !== before.markets) changed();
	}

	const unsubscribes = [ui.subscribe(() => changed()), store.subscribe(storeChanged)];
	// Whoever has a file is no newcomer, however this run ends.
	changed();
	return () => {
		for (const unsubscribe of unsubscribes) unsubscribe();
		isStopped = true;
		return save();
	};
}

type Shown = {readonly market: string | undefined; readonly period: number};

/** What is remembered of a view, its market and period. */
export function stateOf(exchangeName: string, ui: UiState, {market, period}: Shown): State {
	const {picker, chart, book, tape, focus, zoomed} = ui;
	const compared = [...ui.compared];
	const {activeOnly, quote, favourites, list} = picker;
	const lists = Object.fromEntries([...picker.lists].map(([name, symbols]) => [name, [...symbols]]));
	const {[allMarkets]: ofAll, ...sorts} = Object.fromEntries(
		new Map(picker.sorts).set(list ?? allMarkets, {sort: picker.sort, reversed: picker.reversed}),
	);
	const bookStep = book.grouping && stepSize(book.grouping);
	const remembered = {
		market,
		bookStep,
		quote,
		favourites: [...favourites],
		lists,
		list,
		sorts,
		compared,
		levels: savedLevels(ui.drawnLevels),
		lines: savedLines(ui.drawnLines),
		avwaps: savedAnchors(chart.anchors),
		holdings: savedHoldings(picker.holdings),
	};
	return {
		version: 1,
		exchanges: {[exchangeName]: remembered},
		view: {
			...{period, ...ofAll, activeOnly, focus, zoomed, layouts: savedLayouts(ui.layouts)},
			columns: picker.columns?.join(' '),
			...{
				chart: chart.type,
				log: chart.log,
				imbalance: chart.imbalance,
				candleZoom: {...chart.zoom},
				indicators: [...chart.indicators],
			},
			lengths: lengthTexts(chart.lengths),
			...{book: book.view, total: book.total, mergedFills: tape.merged, timezone: ui.zone.word},
			theme: ui.theme,
			palette: ui.palette,
		},
	};
}

const extras = z.partialRecord(z.enum(sharingPanels), z.int());

const arrangementSchema = z.object({
	preset: z.enum(presetNames),
	hidden: z.array(z.enum(sharingPanels)),
	columns: extras,
	rows: extras,
});

/** The arrangements in the state file; those that cannot be read are as delivered. */
function readLayouts(saved: unknown): Arrangements {
	let layouts: Arrangements = {};
	for (const name of layoutNames) {
		const {success, data} = arrangementSchema.safeParse(isRecord(saved) ? own(saved, name) : undefined);
		if (success) layouts = withArrangement(layouts, name, {...data, hidden: new Set(data.hidden)});
	}

	return layouts;
}

/** The arrangements for the state file; undefined: all are as delivered. */
function savedLayouts(layouts: Arrangements): JsonRecord | undefined {
	const saved = Object.entries(layouts).map(([name, {hidden, ...rest}]: [string, Arrangement]) => [
		name,
		{...rest, hidden: sharingPanels.filter(panel => hidden.has(panel))},
	]);
	return saved.length > 0 ? Object.fromEntries(saved) : undefined;
}
