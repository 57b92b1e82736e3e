import type {InterfaceChoice} from '../client/exchange.ts';
import {nextMinimum} from '../market/minimum-size.ts';
import {commonPeriods} from '../market/types.ts';
import {liveSkew} from '../store/clock-skew.ts';
import type {Comparison} from '../store/comparison.ts';
import type {DiagnosisStore} from '../store/diagnosis.ts';
import type {MarketState, MarketStore} from '../store/state.ts';
import {pressInCommand} from './commands/line.ts';
import {emptyCommand} from './commands/state.ts';
import {type Action, actionFor, type Binding, bindingsOver} from './keymap.ts';
import type {LayoutName} from './layout.ts';
import type {Size} from './line.ts';
import {scrolledAnchor} from './panels/book/rows.ts';
import {nextStep} from './panels/book/rungs.ts';
import {changePeriod, moveChart, panChart, pressInChart, toggleCross} from './panels/chart/keys.ts';
import {mostCompared} from './panels/compare/model.ts';
import {diagnosisBody} from './panels/diagnosis/rows.ts';
import {helpBody} from './panels/help/rows.ts';
import {infoBody} from './panels/info/rows.ts';
import {cursorOf, pickerListOf, quotesOf, symbolBy} from './panels/markets/list.ts';
import {scrolledAnchor as scrolledTape} from './panels/tape/rows.ts';
import {edited} from './text-edit.ts';
import {turned} from './turned.ts';
import type {UiState, UiStore} from './ui-state.ts';

export type Control = {
	readonly store: MarketStore;
	readonly ui: UiStore;
	readonly diagnosis: DiagnosisStore;
	readonly comparison: Pick<Comparison, 'refresh'>;
	readonly bindings: readonly Binding[];
	readonly layout: LayoutName;
	/** The inside of the overlay or the focused panel: what a page is. */
	readonly page: Size;
	/** Of the chart's panel; nothing where it is not on the screen. */
	readonly chartSize: Size;
	/** Epoch ms. */
	readonly now: number;
	/** Ends the program with this exit status. */
	quit(status: number): void;
	suspend(): void;
};

const choices: readonly InterfaceChoice[] = ['auto', 'v2', 'v1'];

/** Ctrl-C is only a key in raw mode; a script sees the status that the signal would give. */
export const interruptStatus = 130;

const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** The next longer or shorter of the common periods; the ends are the ends. */
function periodBy(period: number, by: 1 | -1): number {
	const longer = commonPeriods.filter(item => item > period);
	const shorter = commonPeriods.filter(item => item < period);
	return (by > 0 ? longer[0] : shorter.at(-1)) ?? period;
}

/** Rows of the overlay that is open, of which a screen may show a part. */
function overlayRows({store, ui, diagnosis, bindings, page, now}: Control): number {
	const {overlay} = ui.getSnapshot();
	const state = store.getSnapshot();
	const {info, budget} = state;
	if (overlay === 'help') return helpBody(bindings, page, false).length;
	if (overlay === 'compare') return 0;
	if (overlay === 'diagnosis')
		return diagnosisBody({diagnosis: diagnosis.getSnapshot(), budget, skewMs: liveSkew(state), now}, page, false)
			.length;
	return info.status === 'ready' ? infoBody(info.data, page, false).length : 0;
}

/** Moves what the overlay or the focused panel moves: the picker's cursor, rows, candles. */
function move(by: number, control: Control): void {
	const {store, page} = control;
	const {dispatch} = control.ui;
	const ui = control.ui.getSnapshot();
	const state = store.getSnapshot();
	if (ui.overlay) {
		const last = Math.max(overlayRows(control) - page.rows, 0);
		return dispatch({type: 'overlay-scroll', row: within(ui.overlayScroll + by, 0, last)});
	}

	switch (ui.focus) {
		case 'markets': {
			const list = pickerListOf(state, ui.picker);
			return dispatch({type: 'cursor', symbol: symbolBy(list, cursorOf(list, ui.picker, state.symbol), by)});
		}

		case 'book': {
			if (state.depth.status !== 'ready' || ui.book.view !== 'ladder') return;
			const ladder = {...ui.book, book: state.depth.data, decimals: state.decimals};
			return dispatch({type: 'book-anchor', anchor: scrolledAnchor(ladder, page.rows, by)});
		}

		case 'tape': {
			if (state.tape.status !== 'ready') return;
			const tape = {...ui.tape, tape: state.tape.data, now: control.now};
			return dispatch({type: 'tape-anchor', anchor: scrolledTape(tape, page.rows, by)});
		}

		case 'chart':
			return moveChart(-by, control);
		case 'ticker':
	}
}

/** Coarser or finer price rows, within what the market's prices allow. */
function group(by: 1 | -1, {store, ui}: Control): void {
	const {book} = ui.getSnapshot();
	if (book.view !== 'ladder') return ui.dispatch({type: 'book-zoom', by});
	const {depth, decimals} = store.getSnapshot();
	if (depth.status !== 'ready') return;
	const grouping = nextStep(depth.data, decimals, book.grouping, by);
	if (grouping) ui.dispatch({type: 'grouping', grouping});
}

/** Hides more or fewer of the small trades. */
function hide(by: 1 | -1, {store, ui}: Control): void {
	const {tape, decimals} = store.getSnapshot();
	if (tape.status !== 'ready') return;
	const {minimum} = ui.getSnapshot().tape;
	ui.dispatch({type: 'minimum', minimum: nextMinimum(minimum, by, tape.data.trades, decimals.quantity)});
}

/** Selects the market `by` places further in the picker's order, whatever has the focus. */
function selectBy(by: 1 | -1, {store, ui}: Control): void {
	const state = store.getSnapshot();
	// The filter is for looking around; the neighbours of a market are those of the whole list.
	const symbol = symbolBy(pickerListOf(state, {...ui.getSnapshot().picker, filter: ''}), state.symbol, by);
	if (symbol === undefined || symbol === state.symbol) return;
	store.select(symbol);
	ui.dispatch({type: 'market-changed'});
}

function selectCursor({store, ui, layout}: Control): void {
	const {dispatch} = ui;
	const {picker} = ui.getSnapshot();
	const state = store.getSnapshot();
	const under = cursorOf(pickerListOf(state, picker), picker, state.symbol);
	if (under === undefined) return;
	if (under !== state.symbol) store.select(under);
	dispatch({type: 'market-changed'});
	dispatch({type: 'filter-text', text: ''});
	dispatch({type: 'stop-editing'});
	if (layout === 'small' || layout === 'tiny') dispatch({type: 'focus', panel: 'chart'});
}

/** The selected market with those that it was compared with last, else with favourites, else with its neighbours. */
function comparedBy({compared, picker}: UiState, state: MarketState): readonly string[] {
	const {symbol} = state;
	if (symbol === undefined || compared.includes(symbol)) return compared;
	const list = pickerListOf(state, {...picker, filter: ''}).map(({market}) => market.symbol);
	const others = list.filter(each => each !== symbol);
	const favourites = others.filter(each => picker.favourites.has(each));
	return [symbol, ...(favourites.length > 0 ? favourites : others.slice(0, 2))].slice(0, mostCompared);
}

function perform(action: Action, control: Control): void {
	const {store} = control;
	const {dispatch} = control.ui;
	const ui = control.ui.getSnapshot();
	const state = store.getSnapshot();
	switch (action.type) {
		case 'quit':
			return control.quit(0);
		case 'interrupt':
			return control.quit(interruptStatus);
		case 'suspend':
			return control.suspend();
		case 'back':
			return dispatch({type: 'back', layout: control.layout});
		case 'help':
		case 'info':
		case 'diagnosis':
		case 'zoom':
		case 'filter':
		case 'sort':
		case 'reverse':
		case 'active-only':
		case 'total':
		case 'fill':
		case 'merge-fills':
		case 'book-view':
			return dispatch({type: action.type});
		case 'command':
			return dispatch({type: 'command', command: emptyCommand});
		case 'centre':
			return dispatch({type: 'book-anchor', anchor: undefined});
		case 'focus-by':
			return dispatch({type: 'focus-by', by: action.by});
		case 'panel':
			return dispatch({type: 'focus', panel: action.panel});
		case 'select':
			return selectCursor(control);
		case 'market-by':
			return selectBy(action.by, control);
		case 'favourite': {
			const inPicker = ui.focus === 'markets';
			const symbol = inPicker ? cursorOf(pickerListOf(state, ui.picker), ui.picker, state.symbol) : state.symbol;
			return symbol === undefined ? undefined : dispatch({type: 'favourite', symbol});
		}

		case 'quote': {
			const quotes = state.markets.status === 'ready' ? quotesOf(state.markets.data) : [];
			return dispatch({type: 'quote', quote: turned(['', ...quotes], ui.picker.quote ?? '', 1) || undefined});
		}

		case 'compare':
			if (ui.overlay === 'compare') return dispatch({type: 'back', layout: control.layout});
			return dispatch({type: 'compare', symbols: comparedBy(ui, state)});
		case 'list': {
			const {lists, list} = ui.picker;
			return dispatch({type: 'list', name: turned(['', ...lists.keys()], list ?? '', 1) || undefined});
		}

		case 'chart-type':
			return dispatch({type: 'chart', action: {type: 'type'}});
		case 'chart-log':
			return dispatch({type: 'chart', action: {type: 'log'}});
		case 'crosshair':
			return toggleCross(control);
		case 'indicators':
			dispatch({type: 'focus', panel: 'chart'});
			return dispatch({type: 'chart', action: {type: 'menu'}});
		case 'type-period':
			return dispatch({type: 'chart', action: {type: 'typing', text: ''}});
		case 'pause':
			return store.setPaused(!state.paused);
		case 'refresh':
			control.comparison.refresh();
			return store.refresh();
		case 'interface':
			return store.setChoice(turned(choices, state.choice, 1));
		case 'period-by': {
			return changePeriod(periodBy(state.period, action.by), control);
		}

		case 'pan':
			return panChart(action.by, control);
		case 'scale':
			if (ui.focus === 'tape') return hide(action.by, control);
			return ui.focus === 'book'
				? group(action.by, control)
				: dispatch({type: 'chart', action: {type: 'zoom', by: action.by}});
		case 'move':
			return move(action.by, control);
		case 'page':
			return move(action.by * Math.max(control.page.rows, 1), control);
		case 'edge':
			return move(action.to === 'first' ? -100_000 : 100_000, control);
	}
}

/** What this key makes of a text that has no cursor; undefined: nothing. */
function typed(text: string, key: string): string | undefined {
	const next = edited({text}, key)?.text;
	return next === text ? undefined : next;
}

/** One key, by its name in the keymap: text while a text is edited, else what the keymap says. */
export function press(name: string, control: Control): void {
	const {dispatch} = control.ui;
	const ui = control.ui.getSnapshot();
	const {fill} = ui.book;
	if (ui.command) {
		const commandControl = {...control, perform: (action: Action) => perform(action, control)};
		if (pressInCommand(name, ui.command, commandControl)) return;
	}

	if (ui.picker.editing && !ui.overlay) {
		if (name === 'space') return;
		const text = typed(ui.picker.filter, name);
		if (text !== undefined) return dispatch({type: 'filter-text', text});
	}

	if (fill.editing && !ui.overlay) {
		if (name === 'enter') return dispatch({type: 'stop-editing'});
		const text = typed(fill.text, name);
		if (text !== undefined) return dispatch({type: 'fill-text', text});
	}

	if (!ui.overlay && pressInChart(name, control)) return;
	const bindings = ui.overlay ? bindingsOver(ui.overlay, control.bindings) : control.bindings;
	const action = actionFor(name, ui.focus, bindings);
	if (action) perform(action, control);
}
