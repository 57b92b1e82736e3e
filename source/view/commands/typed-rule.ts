import {completeRule} from '../../alerts/complete-rule.ts';
import {ConditionError} from '../../alerts/condition-text.ts';
import type {MarketNames} from '../../alerts/parse-condition.ts';
import {parseRule, type Rule} from '../../alerts/rule.ts';
import {findMarket, marketsNamed, nearestWord, noMarketText, symbolKey} from '../../market/symbol.ts';
import {lastTradePrice, type MarketState, selectedTicker} from '../../store/state.ts';
import {arrangementFor, type LayoutName, placedPanels} from '../arrangement.ts';
import {neverKnownIn, neverKnownText} from '../panels/alerts/list.ts';
import {scrolledPrice} from '../panels/book/rungs.ts';
import {cursorPrice} from '../panels/chart/chart-view.ts';
import type {UiState} from '../ui-state.ts';
import type {Control, Mistake, Vocabulary} from './command.ts';
import {marketsFound} from './markets-commands.ts';

/** The rule that a text states, for the market on screen if it names none, or what is wrong with it. */
export function readRule(text: string, {store, ui, exchange, now}: Control): Rule | Mistake {
	const state = store.getSnapshot();
	const {symbol} = state;
	if (symbol === undefined) return {fault: 'the market list is still loading', at: text.length};
	const ofUnlisted = new Set<string>();
	const rule = parsed(text, namesOf(state, ofUnlisted), now);
	if ('fault' in rule) return ofUnlisted.has(rule.fault) ? {...rule, isUnlisted: true} : rule;
	if (rule.scope.type === 'list') {
		const {name} = rule.scope;
		const {lists} = ui.getSnapshot().picker;
		if (!lists.has(name)) return {fault: noList(name, [...lists.keys()]), at: placeOf(name, text)};
	}

	const {interfaces} = exchange;
	const never = neverKnownIn(rule, interfaces, state);
	if (never) {
		const {quantity, needs} = never;
		const advice = interfaces.includes(needs) ? '; type interface auto' : '';
		return {fault: `${neverKnownText(never)}${advice}`, at: placeOf(quantity.name, text)};
	}

	return rule.scope.type === 'watched' ? {...rule, scope: {type: 'market', key: symbolKey(symbol)}} : rule;
}

function parsed(text: string, marketNamed: MarketNames, now: number): Rule | Mistake {
	try {
		return parseRule(text, {marketNamed, now});
	} catch (error) {
		if (error instanceof ConditionError) return {fault: error.message, at: error.at};
		throw error;
	}
}

/** `ofUnlisted`: gets the faults of names that the list has not. */
const namesOf =
	({markets}: Pick<MarketState, 'markets'>, ofUnlisted: Set<string>): MarketNames =>
	name => {
		if (markets.status !== 'ready') return {fault: 'the market list is still loading'};
		const market = findMarket(markets.data, name);
		if (market) return {key: symbolKey(market.symbol)};
		const fault = noMarketText(markets.data, name);
		if (marketsNamed(markets.data, name).length === 0) ofUnlisted.add(fault);
		return {fault};
	};

function noList(name: string, names: readonly string[]): string {
	const near = nearestWord(name, names);
	if (near !== undefined) return `no list ${name}; did you mean ${near}?`;
	return `no list ${name}; ${names.length > 0 ? `choose from ${names.join(', ')}` : `create it with list-add ${name}`}`;
}

const placeOf = (word: string, text: string): number => Math.max(text.toLowerCase().indexOf(word.toLowerCase()), 0);

/** The price that the user points at, with the crosshair or by scrolling the ladder; undefined: none. */
export function pointedPrice(
	{candles, depth, decimals}: Pick<MarketState, 'candles' | 'depth' | 'decimals'>,
	{overlay, focus, chart, book}: UiState,
): number | undefined {
	if (overlay) return undefined;
	if (focus === 'chart' && candles.status === 'ready') return cursorPrice(candles.data, chart);
	if (focus !== 'book' || book.view !== 'ladder' || depth.status !== 'ready') return undefined;
	return scrolledPrice(depth.data, decimals, book);
}

/** What the command line can complete to. */
export function vocabularyOf(
	state: Omit<Vocabulary, 'lists' | 'price' | 'panels'>,
	ui: UiState,
	layout: LayoutName,
): Vocabulary {
	const arrangement = arrangementFor(layout, ui.layouts);
	return {
		...state,
		lists: ui.picker.lists,
		price: pointedPrice(state, ui) ?? lastTradePrice(state) ?? selectedTicker(state)?.last,
		panels: {placed: placedPanels(layout, arrangement), hidden: arrangement.hidden},
	};
}

/** The rules that a text can go on to. */
export const completeTypedRule = (text: string, vocabulary: Vocabulary): readonly string[] =>
	completeRule(text, {
		marketsFor: word => marketsFound(word, vocabulary),
		lists: [...vocabulary.lists.keys()],
		price: vocabulary.price,
	});
