import {lateText} from '../../alerts/alert-texts.ts';
import type {AlertEntry} from '../../alerts/alerts.ts';
import {linesNamedIn} from '../../alerts/condition.ts';
import {missingLineText} from '../../alerts/judged-rule.ts';
import {ConditionError, type MarketNames} from '../../alerts/parse-condition.ts';
import type {LinesOf} from '../../alerts/quantity-values.ts';
import {delayedNote, parseRule, printRule, type Rule} from '../../alerts/rule.ts';
import {unavailableQuantityText} from '../../alerts/unavailable-quantity.ts';
import {formatExact, formatPlain} from '../../format/number.ts';
import {findMarket, marketsNamed, symbolKey, noMarketText as unlistedText} from '../../market/symbol.ts';
import type {MarketState} from '../../store/state.ts';
import {linesNumbered} from '../drawn-lines.ts';
import {keyHintOf} from '../keys.ts';
import {type AlertRow, alertRows, noMarketText, unavailableIn} from '../panels/alerts/list.ts';
import {overlayClosed} from '../ui-state.ts';
import {type Command, type Control, type Mistake, noted, openLine} from './command.ts';
import {listOverlay} from './list-overlay.ts';
import {noListText} from './markets-commands.ts';
import {completeTypedRule, pointedPrice} from './vocabulary.ts';

export const alertList = listOverlay<AlertRow>({
	overlay: 'alerts',
	thing: 'alert',
	rowsOf: ({alerts}) => alertRows(alerts.getSnapshot()),
	keyOf: ({key}) => key,
	textOf: ({entry}) => printRule(entry.rule),
	empty: 'there are no alerts yet',
});

const noPresent = 'no alerts here: they need live data; try rules with replay FILE --alert';

/** Those that act in every panel. */
export const alertCommands: readonly Command[] = [
	{
		name: 'alert',
		keys: ['!'],
		help: 'list your alerts; with the crosshair or a scrolled ladder, add one at that price',
		hint: {word: 'alerts', rank: 30},
		withoutPresent: noPresent,
		run: proposeOrList,
		argument: {
			help: 'add an alert',
			takes: 'a rule such as last crosses 70000, or ETHUSDT changePercent(5m) < -2 every 10m',
			complete: completeTypedRule,
			run: state,
		},
	},
	{name: 'alerts', keys: [], help: 'list your alerts', withoutPresent: noPresent, run: alertList.open},
];

/** Those that act in the list of alerts. */
export const alertListCommands: readonly Command[] = [
	alertList.adding('add an alert', 6),
	{
		name: 'alert-edit',
		keys: ['e', 'enter'],
		help: 'edit the alert under the cursor',
		hint: {word: 'edit', rank: 7},
		run: alertList.onRow(edit),
	},
	{
		name: 'alert-off',
		keys: ['o'],
		help: 'switch the alert under the cursor off, or on and armed again',
		hint: {word: 'off/on', rank: 8},
		run: alertList.onRow(switchOff),
	},
	alertList.deletion({
		whyNot: ({entry}, control) => unchangeable(entry, control),
		remove({entry}, {alerts}) {
			alerts.remove(entry.id);
			return 'alert deleted';
		},
	}),
	{
		name: 'alert-test',
		keys: ['t'],
		help: 'send a test of the alert under the cursor',
		hint: {word: 'test call', rank: 13},
		run: alertList.onRow(test),
	},
];

/** Why a rule that the user did not state in the monitor cannot be changed. */
function unchangeable({origin}: AlertEntry, {commands}: Control): string | undefined {
	if (origin === 'user') return undefined;
	const place = origin === 'config' ? 'the config file' : 'the command line';
	return [`from ${place}`, keyHintOf(commands, false)('switches it off', 'alert-off')].filter(Boolean).join('; ');
}

function edit({entry}: AlertRow, control: Control): void {
	const why = unchangeable(entry, control);
	if (why !== undefined) return noted(why, control);
	control.ui.update(state => ({...state, command: {text: `alert ${entry.id}`, replaces: entry.id}}));
}

function switchOff({entry}: AlertRow, control: Control): void {
	control.alerts.setOff(entry.id, !entry.isOff);
	noted(entry.isOff ? 'alert armed' : 'alert off', control);
}

function test({entry, market}: AlertRow, control: Control): void {
	if (!market) return noted(noMarketText(entry.rule.scope), control);
	control.alerts.test(entry.id, market.symbol);
	noted('test alert sent', control);
}

/** Opens the command line with a rule at the price that the user points at, else the list. */
function proposeOrList(control: Control): void {
	const {store, ui} = control;
	const price = pointedPrice(store.getSnapshot(), ui.getSnapshot());
	if (ui.getSnapshot().overlay === 'alerts') ui.update(overlayClosed);
	else if (price === undefined) alertList.open(control);
	else openLine(`alert last crosses ${formatPlain(price)}`, control);
}

/** Whether it calls no more. */
const isOver = ({markets}: AlertEntry): boolean => markets.length > 0 && markets.every(({isDone}) => isDone);

/** Adds the rule, or puts it in the place of the one that is edited. */
function state(text: string, control: Control): Mistake | string | undefined {
	const {alerts, ui, replaces} = control;
	const rule = readRule(text, control);
	if ('fault' in rule) return rule;
	const id = printRule(rule);
	const {entries} = alerts.getSnapshot();
	const same = entries.find(entry => entry.id === id);
	if (id !== replaces && same && !same.isOff && !isOver(same)) return 'you have this alert already';
	// It may have been deleted since its line was opened.
	const place = entries.find(entry => entry.id === replaces)?.id ?? same?.id;
	const {mostRules, runsPrograms} = alerts;
	if (rule.call?.command && !runsPrograms)
		return {fault: 'no program can be run here; call bell, terminal or title', at: placeOf('call', text)};
	if (place === undefined && entries.filter(({origin}) => origin === 'user').length >= mostRules)
		return `you have ${formatExact(mostRules)} alerts, the maximum`;
	if (place === undefined) alerts.add(rule, 'user');
	else alerts.replace(place, rule);
	const done = place === undefined ? 'added' : place === id ? 'armed again' : 'changed';
	const {scope} = rule;
	const {markets = []} = alerts.getSnapshot().entries.find(entry => entry.id === id) ?? {};
	const without = scope.type === 'market' || markets.length > 0 ? undefined : noMarketText(scope);
	const late = lateText(Math.max(0, ...markets.map(({pollMs}) => pollMs)));
	const notice = [`alert ${done}`, without ?? delayedNote(rule) ?? late].filter(Boolean).join(': ');
	const row = alertRows(alerts.getSnapshot()).find(({entry}) => entry.id === id);
	ui.update(shown => ({...alertList.at(row)(shown), notice}));
	return undefined;
}

/** The rule that a text states, for the market on screen if it names none, or what is wrong with it. */
function readRule(text: string, {store, ui, exchange, now}: Control): Rule | Mistake {
	const state = store.getSnapshot();
	const {symbol} = state;
	if (symbol === undefined) return {fault: 'the market list is still loading', at: text.length};
	const ofUnlisted = new Set<string>();
	const rule = parsed(text, namesOf(state, ofUnlisted), now);
	if ('fault' in rule) return ofUnlisted.has(rule.fault) ? {...rule, isUnlisted: true} : rule;
	if (rule.scope.type === 'list') {
		const {name} = rule.scope;
		const {lists} = ui.getSnapshot().picker;
		if (!lists.has(name)) return {fault: noListText(name, lists), at: placeOf(name, text)};
	}

	const {interfaces} = exchange;
	const never = unavailableIn(rule, interfaces, state);
	if (never) {
		const {quantity, needs} = never;
		const advice = interfaces.includes(needs) ? '; type interface auto' : '';
		return {fault: `${unavailableQuantityText(never)}${advice}`, at: placeOf(quantity.name, text)};
	}

	const stated: Rule =
		rule.scope.type === 'watched' ? {...rule, scope: {type: 'market', key: symbolKey(symbol)}} : rule;
	const fault = lineFault(stated, linesNumbered(ui.getSnapshot().drawnLines));
	return fault === undefined ? stated : {fault, at: placeOf('line', text)};
}

/** Why a line that the rule names is none of its market's; undefined: each is, or it has several markets. */
function lineFault({scope, condition}: Rule, linesOf: LinesOf): string | undefined {
	const own = scope.type === 'market' ? scope.key : undefined;
	return linesNamedIn(condition)
		.map(({line = 0, market = own}) =>
			market === undefined ? undefined : missingLineText(line, linesOf(market, line), market),
		)
		.find(fault => fault !== undefined);
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
		const fault = unlistedText(markets.data, name);
		if (marketsNamed(markets.data, name).length === 0) ofUnlisted.add(fault);
		return {fault};
	};

const placeOf = (word: string, text: string): number => Math.max(text.toLowerCase().indexOf(word.toLowerCase()), 0);
