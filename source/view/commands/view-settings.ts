import {formatPlain} from '../../format/number.ts';
import {formatPeriod} from '../../format/time.ts';
import {zoneNamed, zoneWords} from '../../format/zone.ts';
import {stepSize} from '../../market/depth.ts';
import type {Assets} from '../../market/fill.ts';
import {interfaceChoices} from '../../market/types.ts';
import {type MarketState, selectedMarket} from '../../store/state.ts';
import {arrangementFor, type LayoutName} from '../arrangement.ts';
import {indicatorNames, isSettable, lengthsText} from '../panels/chart/indicator-table.ts';
import {
	automatic,
	automaticValues,
	type Chosen,
	deliveredStart,
	type Origin,
	originWords,
	type SettingsStart,
} from '../panels/settings/model.ts';
import {paletteNames, themeNames} from '../theme/names.ts';
import {changed, type UiState} from '../ui-state.ts';
import {bookCommands} from './book-commands.ts';
import {chartCommands} from './chart-commands.ts';
import {type Argument, beginning, type Command, oneOf, onOff} from './command.ts';
import {indicatorCommands} from './indicator-commands.ts';
import {layoutCommands} from './layout-commands.ts';
import {marketsCommands, quotesIn} from './markets-commands.ts';
import {tapeCommands} from './tape-commands.ts';

/** `assets`: of the selected market. */
type View = Chosen & Pick<SettingsStart, 'theme' | 'palette'> & {readonly layout: LayoutName; readonly assets: Assets};

/** What can be changed in the view. */
type Setting = {
	readonly name: string;
	/** What changes it. */
	readonly argument: Argument;
	/** Its value, as `argument` takes it. */
	value(view: View): string;
	/** It is of a market or of a session, and not remembered. */
	readonly isForgotten?: boolean | undefined;
};

/** Commands that settings are named after. */
const delegates: readonly Command[] = [
	...[...layoutCommands, ...marketsCommands, ...chartCommands],
	...[...indicatorCommands, ...bookCommands, ...tapeCommands],
];

function commandNamed(name: string): Command {
	const command = delegates.find(each => each.name === name);
	if (!command) throw new TypeError(`there is no command ${name}`);
	return command;
}

/** Takes what the command of its name takes. */
function ofCommand(name: string, value: Setting['value']): Setting {
	const {argument} = commandNamed(name);
	if (!argument) throw new TypeError(`${name} takes no argument`);
	return {name, argument, value};
}

/** Takes `on` and `off` for the command of its name, which toggles. */
function switched(name: string, isOn: (ui: UiState) => boolean): Setting {
	const {run} = commandNamed(name);
	return {
		name,
		argument: oneOf(name, onOff, (word, control) => {
			if ((word === 'on') !== isOn(control.ui.getSnapshot())) run?.(control);
		}),
		value: ({ui}) => (isOn(ui) ? 'on' : 'off'),
	};
}

const timezone: Argument = {
	takes: 'local, UTC or a zone such as Europe/Berlin',
	complete: zoneWords,
	run(text, {ui}) {
		const zone = zoneNamed(text);
		if ('fault' in zone) return zone.fault;
		ui.update(state => ({...state, zone: zone.value}));
		return undefined;
	},
};

const quoteCurrency: Argument = {
	takes: `an asset such as USDT, or ${automatic}`,
	complete: (text, vocabulary) => beginning([...quotesIn(vocabulary), automatic])(text),
	run(text, {ui}) {
		const isAutomatic = text.toLowerCase() === automatic;
		if (!isAutomatic && /[^\p{L}\d]/u.test(text)) return `${text} is not an asset such as USDT`;
		ui.update(changed('picker', {currency: isAutomatic ? undefined : text.toUpperCase()}));
		return undefined;
	},
};

const {argument: priceStep} = ofCommand('grouping', () => '');

/** The price step of the book, which the program chooses unless one is set. */
const grouping: Argument = {
	...priceStep,
	complete: (text, vocabulary) => [...(priceStep.complete?.(text, vocabulary) ?? []), ...beginning([automatic])(text)],
	run(text, control) {
		if (text.toLowerCase() !== automatic) return priceStep.run(text, control);
		control.ui.update(changed('book', {grouping: undefined, anchor: undefined}));
		return undefined;
	},
};

export const themeArgument = oneOf('theme', themeNames, (theme, {ui}) => ui.update(state => ({...state, theme})));

/** What can be changed in the view, in the order of the list. */
const groups: ReadonlyArray<{readonly title: string; readonly settings: readonly Setting[]}> = [
	{
		title: 'Everywhere',
		settings: [
			{name: 'timezone', argument: timezone, value: ({ui}) => ui.zone.word},
			{
				name: 'palette',
				argument: oneOf('palette', paletteNames, (palette, {ui}) => ui.update(state => ({...state, palette}))),
				value: ({ui, palette}) => ui.palette ?? palette,
			},
			{name: 'theme', argument: themeArgument, value: ({ui, theme}) => ui.theme ?? theme},
			ofCommand('layout', ({ui, layout}) => arrangementFor(layout, ui.layouts).preset),
			{
				name: 'interface',
				argument: oneOf('interface', interfaceChoices, (word, {store}) => store.setChoice(word)),
				value: ({market}) => market.choice,
				isForgotten: true,
			},
			{
				name: 'mouse',
				argument: oneOf('mouse', onOff, (word, {ui}) => ui.update(state => ({...state, mouse: word === 'on'}))),
				value: ({ui}) => (ui.mouse ? 'on' : 'off'),
				isForgotten: true,
			},
		],
	},
	{
		title: 'Markets',
		settings: [
			ofCommand('sort', ({ui}) => ui.picker.sort),
			ofCommand('columns', ({ui}) => ui.picker.columns?.join(' ') ?? automatic),
			{
				name: 'quote-currency',
				argument: quoteCurrency,
				value: ({ui}) => ui.picker.currency ?? automatic,
				isForgotten: true,
			},
			switched('reverse-sort', ({picker}) => picker.reversed),
			switched('active-only', ({picker}) => picker.activeOnly),
		],
	},
	{
		title: 'Chart',
		settings: [
			ofCommand('period', ({market}) => formatPeriod(market.period)),
			ofCommand('chart-type', ({ui}) => ui.chart.type),
			switched('logarithmic', ({chart}) => chart.log),
			ofCommand('footprint', ({ui: {chart}}) => formatPlain(chart.imbalance)),
			// `20 50`, `on` or `off`.
			...indicatorNames.map(name =>
				ofCommand(name, ({ui: {chart}}) => {
					if (!chart.indicators.has(name)) return 'off';
					return isSettable(name) ? lengthsText(chart.lengths[name]) : 'on';
				}),
			),
		],
	},
	{
		title: 'Book',
		settings: [
			ofCommand('book-view', ({ui}) => ui.book.view),
			{
				name: 'total',
				argument: oneOf('total', ['total', 'value'], (total, {ui}) => ui.update(changed('book', {total}))),
				value: ({ui}) => ui.book.total,
			},
			{
				name: 'grouping',
				argument: grouping,
				value: ({ui: {book}}) => (book.grouping ? formatPlain(stepSize(book.grouping)) : automatic),
			},
		],
	},
	{
		title: 'Tape',
		settings: [
			{
				...ofCommand('min', ({ui: {tape}, assets}) =>
					tape.minimum.size === 0
						? 'off'
						: [formatPlain(tape.minimum.size), assets[tape.minimum.unit]?.toLowerCase()].filter(Boolean).join(' '),
				),
				isForgotten: true,
			},
			switched('merge-fills', ({tape}) => tape.merged),
		],
	},
];

export const settings: readonly Setting[] = groups.flatMap(group => group.settings);
export const settingNames: readonly string[] = settings.map(({name}) => name);

/** A row of the list. */
export type Entry = {
	readonly name: string;
	readonly group: string;
	readonly value: string;
	/** Where the value comes from. */
	readonly source: string;
	/** What happens at the next start, if the value was changed; undefined: nothing was. */
	readonly later?: string | undefined;
	/** What changes it; absent: nothing does now. */
	readonly argument?: Argument | undefined;
	/** What changes it at the next start, if nothing does now. */
	readonly how?: string | undefined;
};

const fixedTitle = 'At the start';

type ListedState = Chosen['market'] & Pick<MarketState, 'symbol' | 'markets' | 'depth' | 'decimals'>;

/** Every setting with its present value and where that comes from. */
export function settingEntries(
	now: Chosen & {readonly market: ListedState},
	layout: LayoutName,
	start = deliveredStart,
): readonly Entry[] {
	const place = {layout, assets: selectedMarket(now.market) ?? {}};
	const chosen = automaticValues(now.market);
	const valueIn = (chosen: Chosen, {value}: Setting, {theme, palette}: SettingsStart = start) =>
		value({...chosen, ...place, theme, palette});
	const shown = groups.flatMap(({title, settings}) =>
		settings.map((setting): Entry => {
			const {name, argument} = setting;
			const value = valueIn(now, setting);
			const present = value === automatic ? (chosen[name] ?? value) : value;
			const of = {name, group: title, value: present, argument};
			const origin = start.origins[name];
			if (value !== valueIn(start.begun, setting)) {
				return {...of, source: 'set now', later: laterText(setting, origin, start)};
			}

			if (origin !== undefined) return {...of, source: originWords[origin]};
			const standard = valueIn(start.standard, setting, deliveredStart);
			return {...of, source: value === standard ? 'default' : 'remembered'};
		}),
	);
	const fixed = start.fixed.map(
		({name, value, origin, how}): Entry => ({
			...{name, group: fixedTitle, value, how},
			source: origin === undefined ? 'default' : originWords[origin],
		}),
	);
	return [...shown, ...fixed];
}

function laterText({isForgotten}: Setting, origin: Origin | undefined, {isRemembered}: SettingsStart): string {
	// A flag is given for one start.
	if (origin !== undefined && origin !== 'flag') return `next time as the ${originWords[origin]} says`;
	return isForgotten || !isRemembered ? 'not remembered' : 'remembered';
}
