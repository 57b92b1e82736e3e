import type {Size} from '../../format/cells.ts';
import {keptMinimum} from '../../market/minimum.ts';
import {pastNames} from '../../market/past-figures.ts';
import {findMarket, marketsNamed, nearestWord, noMarketText} from '../../market/symbol.ts';
import {type MarketState, selectedMarket} from '../../store/state.ts';
import {mostCompared} from '../panels/compare/draw-compare.ts';
import {type ColumnName, columnNames, isColumnName} from '../panels/markets/columns.ts';
import {quotesOf, type Sort, type SortName, sortNames} from '../panels/markets/entries.ts';
import {cursorOf, pickerListOf, sortedPast, symbolBy} from '../panels/markets/list.ts';
import {listedRows} from '../panels/markets/rows.ts';
import {automatic} from '../panels/settings/model.ts';
import {editedAtEnd} from '../text-edit.ts';
import {
	allMarkets,
	changed,
	focusedOn,
	homeOf,
	initialUi,
	isPlaced,
	noFill,
	overlayClosed,
	rewound,
	type UiState,
} from '../ui-state.ts';
import {
	type Argument,
	anyOf,
	beginning,
	type Command,
	type Control,
	cycle,
	type Mistake,
	onceRelisted,
	type Vocabulary,
} from './command.ts';
import {comparing} from './compare-commands.ts';

const noQuotes = 'there are no quote assets yet';
const columnsText = `${columnNames.join(', ')}, or ${automatic}`;
const comparedText = `2 to ${mostCompared} markets`;

export const marketsCommands: readonly Command[] = [
	{
		name: 'select',
		keys: ['enter'],
		focused: true,
		help: 'watch the market under the cursor',
		hint: {word: 'select', rank: 5.5},
		atEnd: 'this market is already shown',
		run: control => selectUnderCursor(control),
	},
	{
		name: 'sort',
		keys: ['s'],
		help: 'sort the markets by name or the next column shown',
		hint: {word: 'sort', rank: 7},
		run: control => sortBy({sort: cycle(sortsOf(control), pickerOf(control).sort), reversed: false}, control),
		argument: {
			...{takes: anyOf(sortNames), words: sortNames},
			complete: beginning(sortNames),
			run(text, control) {
				const sort = sortNames.find(name => name === text.toLowerCase());
				if (sort === undefined) return `cannot sort by ${text}; ${sortSuggestion(text)}`;
				if (sort === 'manual' && pickerOf(control).list === undefined)
					return `manual is the order of a list; ${noListShown}`;
				sortBy({sort, reversed: false}, control);
				return undefined;
			},
		},
	},
	{
		name: 'reverse-sort',
		keys: ['S'],
		help: 'reverse the sort order',
		hint: {word: 'reverse', rank: 29},
		run(control) {
			const {sort, reversed} = pickerOf(control);
			sortBy({sort, reversed: !reversed}, control);
		},
	},
	{
		name: 'quote-asset',
		keys: ['u'],
		help: 'show markets of one quote asset, or all',
		hint: {word: 'quote', rank: 25},
		atEnd: noQuotes,
		run(control) {
			const quotes = quotesIn(control.store.getSnapshot());
			change({quote: nextOrAll(quotes, pickerOf(control).quote), cursor: undefined}, control);
		},
		argument: {
			takes: 'a quote asset such as usdt, or all',
			complete: (text, vocabulary) => beginning(['all', ...quotesIn(vocabulary)])(text),
			run(text, control) {
				const quotes = quotesIn(control.store.getSnapshot());
				const quote = quotes.find(each => each.toLowerCase() === text.toLowerCase());
				if (quote === undefined && text.toLowerCase() !== 'all') {
					return quotes.length > 0 ? `no quote asset ${text}; choose from ${quotes.join(', ')}` : noQuotes;
				}

				change({quote, cursor: undefined}, control);
				return undefined;
			},
		},
	},
	{
		name: 'active-only',
		keys: ['A'],
		help: 'show active markets only, or all',
		hint: {word: 'active', rank: 28},
		run: control => change({activeOnly: !pickerOf(control).activeOnly, cursor: undefined}, control),
	},
	{
		name: 'compare',
		keys: ['C'],
		// Its key also closes it.
		overlays: 'all',
		help: 'compare with favourites, the next markets, or those named on the command line',
		hint: {word: 'compare', rank: 26},
		inReplay: 'no comparison: it needs live data',
		run({ui, store}) {
			const state = ui.getSnapshot();
			const closes = state.overlay === 'compare';
			ui.update(closes ? overlayClosed : comparing(symbolsToCompare(state, store.getSnapshot())));
		},
		argument: {
			takes: comparedText,
			complete: completeLastMarket,
			run(text, {store, ui}) {
				const parsed = symbolsNamed(text.split(/\s+/), store.getSnapshot());
				if ('fault' in parsed) return {...parsed, at: text.length};
				const symbols = [...new Set(parsed.symbols)];
				if (symbols.length < 2 || symbols.length > mostCompared) return `compare takes ${comparedText}`;
				ui.update(comparing(symbols));
				return undefined;
			},
		},
	},
	{
		name: 'list',
		keys: ['L'],
		help: 'show markets of one of your lists, or all',
		hint: {word: 'lists', rank: 27},
		unavailable: ({picker}) => (picker.lists.size === 0 ? 'no lists yet; list-add makes one' : undefined),
		run(control) {
			const {lists, list} = pickerOf(control);
			showList(nextOrAll([...lists.keys()], list), control);
		},
		argument: {
			takes: 'a list, or all',
			complete: (text, {lists}) => [...listsBeginning(text, lists), ...beginning(['all'])(text)],
			run(text, control) {
				const {lists} = pickerOf(control);
				if (text !== 'all' && !lists.has(text)) return noListText(text, lists);
				showList(text === 'all' ? undefined : text, control);
				return undefined;
			},
		},
	},
	{
		name: 'favourite',
		keys: ['f'],
		help: 'toggle favourite; favourites come first',
		hint: {word: 'favourite', rank: 8},
		run(control) {
			const symbol = symbolInSight(control);
			if (symbol === undefined) return;
			change({favourites: pickerOf(control).favourites.symmetricDifference(new Set([symbol]))}, control);
		},
	},
	{
		name: 'market',
		keys: [],
		help: 'watch a market',
		argument: {
			takes: 'a market such as btcusdt',
			complete: marketsFound,
			run(text, {store, ui}) {
				const parsed = symbolsNamed([text], store.getSnapshot());
				if ('fault' in parsed) return {...parsed, at: text.length};
				for (const symbol of parsed.symbols) selectMarket(symbol, {store, ui});
				return undefined;
			},
		},
	},
	{
		name: 'move-up',
		keys: ['K'],
		focused: true,
		help: 'move the market up and down in its list',
		unavailable: cannotMove,
		run: control => moveInList(-1, control),
	},
	{name: 'move-down', keys: ['J'], focused: true, unavailable: cannotMove, run: control => moveInList(1, control)},
	{name: 'list-add', keys: [], help: 'add markets to a list', argument: listMembers('list-add', 'union')},
	{
		name: 'list-remove',
		keys: [],
		help: 'remove markets from a list',
		argument: listMembers('list-remove', 'difference'),
	},
	{
		name: 'list-drop',
		keys: [],
		help: 'delete a list',
		argument: {
			takes: 'a list',
			complete: (text, {lists}) => listsBeginning(text, lists),
			run(text, control) {
				const {lists, list} = pickerOf(control);
				if (!lists.has(text)) return `no list ${text}`;
				if (list === text) showList(undefined, control);
				const {sorts} = pickerOf(control);
				change({lists: without(lists, text), sorts: without(sorts, text)}, control);
				return undefined;
			},
		},
	},
	{
		name: 'columns',
		keys: [],
		help: 'choose the columns of the list of markets and their order',
		argument: {
			takes: columnsText,
			complete: completeLastColumn,
			run(text, {ui}) {
				const words = text.toLowerCase().split(/[\s,]+/);
				const wrong = words.find(word => !isColumnName(word) && word !== automatic);
				if (wrong !== undefined) return `no column ${wrong}; ${suggestion(wrong)}`;
				if (words.includes(automatic) && words.length > 1) return `${automatic} stands alone`;
				const columns = [...new Set(words.filter(isColumnName))];
				ui.update(changed('picker', {columns: columns.length > 0 ? columns : undefined}));
				return undefined;
			},
		},
	},
];

type Picker = UiState['picker'];

const pickerOf = ({ui}: Control): Picker => ui.getSnapshot().picker;
const change = (fields: Partial<Picker>, {ui}: Control): void => ui.update(changed('picker', fields));

function sortSuggestion(text: string): string {
	const nearest = nearestWord(text, sortNames);
	return nearest === undefined ? `choose from ${anyOf(sortNames)}` : `did you mean ${nearest}?`;
}

/** Enough for the columns of a list that is not zoomed. */
const usualSorts = sortNames.slice(0, 5);

/** What the sort key goes through: the name, and what is in the columns. */
function sortsOf({ui}: Control): readonly SortName[] {
	const {picker, zoomed, focus} = ui.getSnapshot();
	const ofColumns: readonly SortName[] = picker.columns
		? ['name', ...picker.columns]
		: zoomed && focus === 'markets'
			? sortNames.filter(name => name !== 'manual' && !isOfPast(name))
			: usualSorts;
	return picker.list === undefined ? ofColumns : [...ofColumns, 'manual'];
}

/** It is shown only where the user chose it, or sorts by it. */
const isOfPast = (name: SortName): boolean => pastNames.some(each => each === name);

/** Sorts the list and shows it from its top, with the cursor there. The market that is watched stays. */
function sortBy(order: Sort, control: Control): void {
	const [first] = pickerListOf(control.store.getSnapshot(), {...pickerOf(control), ...order});
	change({...order, cursor: first?.market.symbol}, control);
}

const without = <Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> =>
	new Map([...map].filter(([name]) => name !== key));

const noListShown = 'list shows one';

/** Shows a list, or all markets, in the order in which it was shown last, else in the one of now. */
function showList(list: string | undefined, control: Control): void {
	const {list: before, sort, reversed, sorts} = pickerOf(control);
	const now: Sort = {sort, reversed};
	const inherited: Sort = sort === 'manual' ? {sort: 'volume', reversed: false} : now;
	const order = sorts.get(list ?? allMarkets) ?? inherited;
	change({list, ...order, sorts: new Map(sorts).set(before ?? allMarkets, now), cursor: undefined}, control);
}

/** Why no market can be moved in its list; undefined: one can. */
function cannotMove({picker}: UiState): string | undefined {
	if (picker.list === undefined) return `no list is shown; ${noListShown}`;
	return picker.filter === '' ? undefined : 'matches are in their own order; clear the filter first';
}

/** Puts the market under the cursor before or after its neighbour, in the order that is shown, which becomes that of the list. */
function moveInList(by: 1 | -1, control: Control): void {
	const picker = pickerOf(control);
	const {list = '', lists} = picker;
	const state = control.store.getSnapshot();
	const shown = pickerListOf(state, picker).map(({market}) => market.symbol);
	const symbol = symbolUnderCursor(control);
	const neighbour = symbol === undefined ? undefined : shown[shown.indexOf(symbol) + by];
	if (symbol === undefined || !shown.includes(symbol) || neighbour === undefined) return;
	const all = pickerListOf(state, {...picker, quote: undefined, activeOnly: false}).map(({market}) => market.symbol);
	const order = [...new Set([...all, ...(lists.get(list) ?? [])])].filter(each => each !== symbol);
	order.splice(order.indexOf(neighbour) + (by > 0 ? 1 : 0), 0, symbol);
	change({lists: new Map(lists).set(list, new Set(order)), sort: 'manual', reversed: false, cursor: symbol}, control);
}

/** The name after `current`, or undefined (all) after the last. */
const nextOrAll = (names: readonly string[], current: string | undefined): string | undefined =>
	cycle(['', ...names], current ?? '') || undefined;

/** The market under the cursor; undefined: there is none. */
function symbolUnderCursor({store, ui}: Control): string | undefined {
	const {picker} = ui.getSnapshot();
	const state = store.getSnapshot();
	return cursorOf(pickerListOf(state, picker), picker, state.symbol);
}

/** The market under the cursor while the picker has the focus, else the selected one. */
const symbolInSight = (control: Control): string | undefined =>
	control.ui.getSnapshot().focus === 'markets' ? symbolUnderCursor(control) : control.store.getSnapshot().symbol;

export function moveCursor(by: number, control: Control): void {
	const list = pickerListOf(control.store.getSnapshot(), pickerOf(control));
	const before = symbolUnderCursor(control);
	const cursor = symbolBy(list, before, by);
	if (cursor !== before) change({cursor}, control);
}

/** Selects the market in a row of the picker's body, from 0. `columns` and `rows`: of the body. */
export function selectInRow(row: number, size: Size, wasFocused: boolean, control: Control): void {
	const {store, ui} = control;
	const {picker} = ui.getSnapshot();
	const state = store.getSnapshot();
	const list = pickerListOf(state, picker);
	// Without the focus the picker shows its first page.
	const cursor = wasFocused ? cursorOf(list, picker, state.symbol) : undefined;
	const {top, entries} = listedRows({
		...picker,
		...{list, cursor, chosen: picker.columns, sorted: sortedPast(picker), size},
	});
	const symbol = entries[row - top]?.market.symbol;
	if (symbol === undefined) return;
	change({cursor: symbol}, control);
	selectUnderCursor(control);
}

function selectUnderCursor(control: Control, mayRelist = true): void {
	const {ui, layout} = control;
	const symbol = symbolUnderCursor(control);
	if (symbol === undefined) {
		const {filter} = pickerOf(control);
		const notice = unmatched(filter, control);
		ui.update(state => ({...state, notice}));
		// Once: if the new list has none either, that is said.
		if (mayRelist)
			onceRelisted(control, () => pickerOf(control).filter === filter && selectUnderCursor(control, false));
		return;
	}

	selectMarket(symbol, control);
	change({filter: '', editing: false}, control);
	const state = ui.getSnapshot();
	if (!isPlaced(state, layout, 'markets')) ui.update(focusedOn(homeOf(state, layout)));
}

/** Why no market that the list shows matches the filter; undefined: one does. */
export function unmatched(filter: string, {store, ui}: Control): string | undefined {
	const state = store.getSnapshot();
	if (pickerListOf(state, {...ui.getSnapshot().picker, filter}).length > 0) return undefined;
	return state.markets.status === 'ready' ? `no match for ${filter}` : loading;
}

/** Selects the market `by` places further in the picker's order, whichever panel has the focus. */
export function selectNeighbour(by: 1 | -1, {store, ui}: Control): void {
	const state = store.getSnapshot();
	// The filter does not count: neighbours are those in the whole list.
	const symbol = symbolBy(pickerListOf(state, {...ui.getSnapshot().picker, filter: ''}), state.symbol, by);
	if (symbol === undefined || symbol === state.symbol) return;
	selectMarket(symbol, {store, ui});
}

/** Shows a market from its spread, newest trade and newest candle, with default scales. */
function selectMarket(symbol: string, {store, ui}: Pick<Control, 'store' | 'ui'>): void {
	const before = selectedMarket(store.getSnapshot()) ?? {};
	if (symbol !== store.getSnapshot().symbol) store.select(symbol);
	const after = selectedMarket(store.getSnapshot()) ?? {};
	ui.update(state => {
		const newest = rewound(state);
		return {
			...newest,
			book: {...newest.book, grouping: undefined, zoom: 0, fill: noFill},
			tape: {...newest.tape, minimum: keptMinimum(state.tape.minimum, before, after)},
		};
	});
}

/** The selected market with those that it was last compared with, else with favourites, else with the first markets of the list. */
function symbolsToCompare({compared, picker}: UiState, state: MarketState): readonly string[] {
	const {symbol} = state;
	if (symbol === undefined || compared.includes(symbol)) return compared;
	const list = pickerListOf(state, {...picker, filter: ''}).map(({market}) => market.symbol);
	const others = list.filter(each => each !== symbol);
	const favourites = others.filter(each => picker.favourites.has(each));
	return [symbol, ...(favourites.length > 0 ? favourites : others.slice(0, 2))].slice(0, mostCompared);
}

/** All quote assets, those with the most markets first; none before the market list has arrived. */
export const quotesIn = ({markets}: Pick<Vocabulary, 'markets'>): readonly string[] =>
	markets.status === 'ready' ? quotesOf(markets.data) : [];

const listsBeginning = (text: string, lists: Picker['lists']): readonly string[] =>
	[...lists.keys()].filter(name => name.startsWith(text));

/** Why a name is not that of a list: the list that it may be a typo of, else what to choose from. */
export function noListText(name: string, lists: Picker['lists']): string {
	const near = nearestWord(name, [...lists.keys()]);
	if (near !== undefined) return `no list ${name}; did you mean ${near}?`;
	const choose = lists.size > 0 ? `choose from ${[...lists.keys()].join(', ')}, or ` : '';
	return `no list ${name}; ${choose}create it with list-add ${name}`;
}

/** An argument of a list, and markets to add to it or remove from it. */
function listMembers(name: string, operation: 'union' | 'difference'): Argument {
	return {
		takes: 'a list, then markets; default: the market under the cursor',
		complete: (text, vocabulary) =>
			/\s/.test(text)
				? completeLastMarket(text, vocabulary)
				: listsBeginning(text, vocabulary.lists).map(name => `${name} `),
		run(text, control) {
			const [list = '', ...texts] = text.split(/\s+/);
			if (list === 'all') return `${name} needs the name of a list, other than all`;
			const symbol = symbolInSight(control);
			const inSight: Named = {symbols: symbol === undefined ? [] : [symbol]};
			const parsed = texts.length > 0 ? symbolsNamed(texts, control.store.getSnapshot()) : inSight;
			if ('fault' in parsed) return {...parsed, at: text.length};
			const {lists} = pickerOf(control);
			const before = lists.get(list) ?? new Set();
			const members = before[operation](new Set(parsed.symbols));
			if (members.size !== before.size) change({lists: new Map(lists).set(list, members)}, control);
			return undefined;
		},
	};
}

/** Handles a key while the filter is typed. False: it acts as a command. */
export function pressInFilter(key: string, control: Control): boolean {
	const {editing, filter} = pickerOf(control);
	if (!editing) return false;
	// No name has a blank, and as a command it would pause.
	if (key === 'space') return true;
	const text = editedAtEnd(filter, key);
	if (text === undefined) return false;
	if (text !== filter) change({filter: text, cursor: undefined}, control);
	return true;
}

/** Completes the last word to the columns that are not named before it. */
function completeLastColumn(text: string): readonly string[] {
	const [, before = '', last = ''] = /^(.*[\s,])?([^\s,]*)$/.exec(text) ?? [];
	const named = before.split(/[\s,]+/);
	const left: readonly string[] = columnNames.filter(name => !named.includes(name));
	return beginning(before.trim() ? left : [...left, automatic])(last).map(word => before + word);
}

function suggestion(word: string): string {
	const nearest = nearestWord<ColumnName | typeof automatic>(word, [...columnNames, automatic]);
	return nearest === undefined ? `choose from ${columnsText}` : `did you mean ${nearest}?`;
}

const loading = 'the market list is still loading';

const mostFound = 12;

/** Symbols of the markets that the picker would find. */
export function marketsFound(filter: string, vocabulary: Vocabulary): readonly string[] {
	const list = pickerListOf(vocabulary, {...initialUi('wide').picker, filter});
	return list.slice(0, mostFound).map(({market}) => market.symbol);
}

/** Completes the last word to markets. */
function completeLastMarket(text: string, vocabulary: Vocabulary): readonly string[] {
	const [, before = '', last = ''] = /^(.*\s)?(\S*)$/.exec(text) ?? [];
	return marketsFound(last, vocabulary).map(symbol => before + symbol);
}

type Named = {readonly symbols: readonly string[]} | Omit<Mistake, 'at'>;

/** The symbols that `texts` name in any spelling, or what is wrong with the first text that names none. */
function symbolsNamed(texts: readonly string[], {markets}: Pick<Vocabulary, 'markets'>): Named {
	if (markets.status !== 'ready') return {fault: loading};
	const symbols: string[] = [];
	for (const text of texts) {
		const symbol = findMarket(markets.data, text)?.symbol;
		if (symbol === undefined) {
			const isUnlisted = marketsNamed(markets.data, text).length === 0 || undefined;
			return {fault: noMarketText(markets.data, text), isUnlisted};
		}

		symbols.push(symbol);
	}

	return {symbols};
}
