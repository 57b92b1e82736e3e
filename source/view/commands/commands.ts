import {formatPeriod, parsePeriod} from '../../format/time.ts';
import {stepDecimals, stepSize} from '../../market/depth.ts';
import {parseAmount} from '../../market/fill.ts';
import {findMarket, nearestSymbols} from '../../market/symbol.ts';
import {commonPeriods, type Interface, interfaceName, type Market} from '../../market/types.ts';
import type {MarketState} from '../../store/state.ts';
import type {Control} from '../controller.ts';
import {keyGroups} from '../key-labels.ts';
import {type Action, type Binding, keymap} from '../keymap.ts';
import {ladderSteps} from '../panels/book/rungs.ts';
import {bookViews} from '../panels/book/views.ts';
import {chartTypes, indicatorNames} from '../panels/chart/chart-state.ts';
import {changePeriod} from '../panels/chart/keys.ts';
import {mostCompared} from '../panels/compare/model.ts';
import {cursorOf, pickerListOf, quotesOf} from '../panels/markets/list.ts';
import {sortNames} from '../panels/markets/sort.ts';
import {selectedMarket} from '../selected.ts';

export type CommandControl = Control & {perform(action: Action): void};

/** The parts of the market's state that arguments complete to. */
export const commandParts = ['symbol', 'markets', 'tickers', 'depth', 'decimals'] as const;

/** What a line can name. */
export type Known = Pick<MarketState, (typeof commandParts)[number]> & {
	readonly lists: ReadonlyMap<string, ReadonlySet<string>>;
};

type KnownMarkets = Pick<Known, 'markets' | 'tickers'>;

export type Command = {
	readonly name: string;
	/** What stands after the name, as a message says it; absent: nothing does. */
	readonly takes?: string | undefined;
	readonly help: string;
	/** What can stand after the name where `text` stands now, the likeliest first. */
	complete?(text: string, known: Known): readonly string[];
	/** Does it; a text: what is wrong with the argument. Without an argument it does what its key does. */
	run(argument: string, control: CommandControl): string | undefined;
};

const mostMarkets = 12;
const noSymbols: ReadonlySet<string> = new Set();
const noLists: ReadonlyMap<string, ReadonlySet<string>> = new Map();

const beginning =
	(words: readonly string[]) =>
	(text: string): readonly string[] =>
		words.filter(word => word.startsWith(text.toLowerCase()));

/** A command of one of a few words. */
function choice<Word extends string>(
	name: string,
	help: string,
	words: readonly Word[],
	take: (word: Word, control: CommandControl) => void,
): Command {
	const takes = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
	return {
		...{name, takes, help},
		complete: beginning(words),
		run(argument, control) {
			const word = words.find(each => each === argument.toLowerCase());
			if (word === undefined) return `${name} takes ${takes}`;
			take(word, control);
			return undefined;
		},
	};
}

/** Symbols of what the picker would find. */
function marketsFound(filter: string, known: KnownMarkets): readonly string[] {
	const query = {
		filter,
		sort: 'volume',
		reversed: false,
		activeOnly: false,
		favourites: noSymbols,
		lists: noLists,
	} as const;
	return pickerListOf(known, query)
		.slice(0, mostMarkets)
		.map(({market}) => market.symbol);
}

/** The symbol that `text` names in any spelling, or what to say where it names none. */
function symbolNamed(text: string, {markets}: KnownMarkets): {readonly symbol: string} | {readonly fault: string} {
	if (markets.status !== 'ready') return {fault: 'the market list is not there yet'};
	const symbol = findMarket(markets.data, text)?.symbol;
	if (symbol !== undefined) return {symbol};
	return {fault: `there is no market ${text}; nearest are ${nearestSymbols(markets.data, text).join(', ')}`};
}

/** A list's name, then any markets; without one that under the cursor, else the one that is shown. */
function listArgument(argument: string, {store, ui}: CommandControl) {
	const [name = '', ...texts] = argument.split(/\s+/);
	const state = store.getSnapshot();
	const {focus, picker} = ui.getSnapshot();
	if (!name || name === 'all') return {fault: 'give the list a name'};
	if (texts.length === 0) {
		const cursor = focus === 'markets' ? cursorOf(pickerListOf(state, picker), picker, state.symbol) : state.symbol;
		return {name, symbols: cursor === undefined ? [] : [cursor]};
	}

	const named = texts.map(text => symbolNamed(text, state));
	const fault = named.find(each => 'fault' in each);
	return fault ?? {name, symbols: named.flatMap(each => ('symbol' in each ? each.symbol : []))};
}

/** Adds markets to a list, or takes them out of it. */
function listCommand(name: string, help: string, adds: boolean): Command {
	return {
		...{name, help, takes: 'a list, then markets or the one under the cursor'},
		complete: completeList,
		run(argument, control) {
			const given = listArgument(argument, control);
			if ('fault' in given) return given.fault;
			const {dispatch, getSnapshot} = control.ui;
			const has = (symbol: string) => getSnapshot().picker.lists.get(given.name)?.has(symbol) ?? false;
			for (const symbol of given.symbols) {
				if (has(symbol) !== adds) dispatch({type: 'list-toggle', name: given.name, symbol});
			}

			return undefined;
		},
	};
}

/** Markets in place of the last word. */
function completeLast(text: string, known: Known): readonly string[] {
	const [, before = '', last = ''] = /^(.*\s)?(\S*)$/.exec(text) ?? [];
	return marketsFound(last, known).map(symbol => before + symbol);
}

/** The same, but for the first word, which is the list's name. */
const completeList = (text: string, known: Known): readonly string[] =>
	/\s/.test(text) ? completeLast(text, known) : listsBeginning(text, known).map(name => `${name} `);

const listsBeginning = (text: string, {lists}: Known): readonly string[] =>
	[...lists.keys()].filter(name => name.startsWith(text));

/** A number with each of the assets of the market that is shown. */
function completeAmount(text: string, known: Known): readonly string[] {
	const [, amount, unit = ''] = /^([\d.,_]+[km]?)\s*([a-z\d]*)$/i.exec(text) ?? [];
	const {base, quote} = selectedMarket(known) ?? {};
	if (amount === undefined) return [];
	return [base, quote]
		.flatMap(asset => asset?.toLowerCase() ?? [])
		.filter(asset => asset.startsWith(unit.toLowerCase()))
		.map(asset => `${amount} ${asset}`);
}

/** Examples of what can be filled. */
const amountsOf = ({base, quote}: Market): readonly string[] => [
	'2',
	...(base ? [`2 ${base.toLowerCase()}`] : []),
	...(quote ? [`5000 ${quote.toLowerCase()}`] : []),
];

/** What the ladder can be grouped by, finest first. */
function stepTexts({depth, decimals}: Pick<MarketState, 'depth' | 'decimals'>): readonly string[] {
	if (depth.status !== 'ready') return [];
	return ladderSteps(depth.data, decimals).map(step => stepSize(step).toFixed(Math.min(stepDecimals(step), 100)));
}

const interfaces = ['auto', 'v2', 'legacy'] as const;

/** Commands that take more than a key can say. */
const withArguments: readonly Command[] = [
	{
		name: 'market',
		takes: 'a market such as btcusdt',
		help: 'watch a market',
		complete: marketsFound,
		run(argument, {store, ui}) {
			if (!argument) return 'market takes a market such as btcusdt';
			const named = symbolNamed(argument, store.getSnapshot());
			if ('fault' in named) return named.fault;
			store.select(named.symbol);
			ui.dispatch({type: 'market-changed'});
			return undefined;
		},
	},
	{
		name: 'period',
		takes: 'a period such as 45m, 4h, 1d',
		help: 'candle period',
		complete: beginning(commonPeriods.map(formatPeriod)),
		run(argument, control) {
			const period = parsePeriod(argument);
			if (period === undefined) return 'period takes minutes, or a period such as 45m, 4h, 1d';
			changePeriod(period, control);
			return undefined;
		},
	},
	choice('sort', 'sort the markets', sortNames, (sort, {ui}) => ui.dispatch({type: 'sort-by', sort})),
	{
		name: 'quote-asset',
		takes: 'a quote asset, or all',
		help: 'markets of one quote asset, or all',
		complete: (text, {markets}) =>
			['all', ...(markets.status === 'ready' ? quotesOf(markets.data) : [])].filter(quote =>
				quote.toLowerCase().startsWith(text.toLowerCase()),
			),
		run(argument, {store, ui}) {
			const {markets} = store.getSnapshot();
			const quotes = markets.status === 'ready' ? quotesOf(markets.data) : [];
			const quote = quotes.find(each => each.toLowerCase() === argument.toLowerCase());
			if (quote === undefined && argument.toLowerCase() !== 'all') {
				return `there is no quote asset ${argument}; there are ${quotes.join(', ')}`;
			}

			ui.dispatch({type: 'quote', quote});
			return undefined;
		},
	},
	{
		name: 'filter',
		takes: 'what to look for',
		help: 'filter the markets',
		complete: marketsFound,
		run(argument, {ui}) {
			ui.dispatch({type: 'filter'});
			ui.dispatch({type: 'filter-text', text: argument});
			ui.dispatch({type: 'stop-editing'});
			return undefined;
		},
	},
	{
		name: 'fill',
		takes: 'an amount: 2, 2 btc, 5000 usdt',
		help: 'cost to fill an amount',
		complete: completeAmount,
		run(argument, {store, ui}) {
			const market = selectedMarket(store.getSnapshot());
			// Before the market list is there nobody knows the names of its assets.
			if (market && !parseAmount(argument, market))
				return `fill takes an amount such as ${amountsOf(market).join(', ')}`;
			ui.dispatch({type: 'fill'});
			ui.dispatch({type: 'fill-text', text: argument});
			ui.dispatch({type: 'stop-editing'});
			return undefined;
		},
	},
	{
		name: 'list',
		takes: 'a list, or all',
		help: 'only the markets of a list, or all',
		complete: (text, known) => [...listsBeginning(text, known), ...beginning(['all'])(text)],
		run(argument, {ui}) {
			const {lists} = ui.getSnapshot().picker;
			if (argument !== 'all' && !lists.has(argument)) {
				return `there is no list ${argument}; :list-add ${argument} makes one${lists.size > 0 ? `, there are ${[...lists.keys()].join(', ')}` : ''}`;
			}

			ui.dispatch({type: 'list', name: argument === 'all' ? undefined : argument});
			return undefined;
		},
	},
	{
		name: 'compare',
		takes: `2 to ${mostCompared} markets`,
		help: 'compare markets on one chart',
		complete: completeLast,
		run(argument, {store, ui}) {
			const named = argument.split(/\s+/).map(text => symbolNamed(text, store.getSnapshot()));
			const fault = named.find(each => 'fault' in each);
			if (fault) return fault.fault;
			const symbols = [...new Set(named.flatMap(each => ('symbol' in each ? each.symbol : [])))];
			if (symbols.length < 2 || symbols.length > mostCompared) return `compare takes 2 to ${mostCompared} markets`;
			ui.dispatch({type: 'compare', symbols});
			return undefined;
		},
	},
	listCommand('list-add', 'put markets on a list', true),
	listCommand('list-remove', 'take markets off a list', false),
	{
		name: 'list-drop',
		takes: 'a list',
		help: 'forget a list',
		complete: listsBeginning,
		run(argument, {ui}) {
			if (!ui.getSnapshot().picker.lists.has(argument)) return `there is no list ${argument}`;
			ui.dispatch({type: 'list-drop', name: argument});
			return undefined;
		},
	},
	choice('chart-type', 'draw the chart as', chartTypes, (as, {ui}) =>
		ui.dispatch({type: 'chart', action: {type: 'draw-as', as}}),
	),
	choice('indicators', 'show an indicator, or not', indicatorNames, (name, {ui}) =>
		ui.dispatch({type: 'chart', action: {type: 'indicator', name}}),
	),
	choice('book-view', 'show the book as', bookViews, (view, {ui}) => ui.dispatch({type: 'book-view-as', view})),
	{
		name: 'grouping',
		takes: 'a price step of the book',
		help: 'put the prices of the ladder together by',
		complete: (text, known) => stepTexts(known).filter(step => step.startsWith(text)),
		run(argument, {store, ui}) {
			const state = store.getSnapshot();
			if (state.depth.status !== 'ready') return 'the book is not there yet';
			const size = Number(argument || Number.NaN);
			const grouping = ladderSteps(state.depth.data, state.decimals).find(step => stepSize(step) === size);
			if (!grouping) return `grouping takes ${stepTexts(state).join(', ')}`;
			ui.dispatch({type: 'grouping', grouping});
			return undefined;
		},
	},
	{
		name: 'least-size',
		takes: 'a size in base asset, 0 for all',
		help: 'hide smaller trades from the tape',
		run(argument, {ui}) {
			const minimum = Number(argument || Number.NaN);
			if (!Number.isFinite(minimum) || minimum < 0) return 'least-size takes a size such as 0.5, or 0 for all';
			ui.dispatch({type: 'minimum', minimum});
			return undefined;
		},
	},
	choice('interface', 'read the exchange by', interfaces, (word, {store}) => {
		const names: readonly Interface[] = ['v2', 'v1'];
		store.setChoice(names.find(name => interfaceName(name) === word) ?? 'auto');
	}),
];

/** What is done at once, or in a way that a command would only repeat. */
const keysOnly = new Set(['interrupt', 'command']);

function commandOf({name, action}: Binding, help: string): Command {
	const withArgument = withArguments.find(command => command.name === name);
	return {
		...(withArgument ?? {name, help}),
		run(argument, control) {
			if (argument && withArgument) return withArgument.run(argument, control);
			if (argument) return `${name} takes nothing`;
			control.perform(action);
			return undefined;
		},
	};
}

/** Everything that the command line knows, in alphabetical order: all that keys do, and more. */
export const commands: readonly Command[] = [
	...keyGroups(keymap).flatMap(({first, all}) => all.map(binding => commandOf(binding, first.help))),
	...withArguments.filter(({name}) => !keymap.some(binding => binding.name === name)),
]
	.filter(({name}) => !keysOnly.has(name))
	.sort((a, b) => (a.name < b.name ? -1 : 1));
