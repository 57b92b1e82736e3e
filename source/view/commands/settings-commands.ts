import {zoneNamed, zoneWords} from '../../format/zone.ts';
import {nearestWord} from '../../market/symbol.ts';
import {interfaceChoices} from '../../market/types.ts';
import {selectedMarket} from '../../store/state.ts';
import {
	automatic,
	automaticValues,
	currencyText,
	deliveredStart,
	type Entry,
	groups,
	onOff,
	settingEntries,
	zoneText,
} from '../panels/settings/model.ts';
import {paletteNames, themeNames} from '../theme/names.ts';
import {changed} from '../ui-state.ts';
import {bookCommands} from './book-commands.ts';
import {chartCommands} from './chart-commands.ts';
import {
	type Argument,
	beginning,
	type Command,
	type Control,
	cycle,
	nameAndRest,
	noted,
	oneOf,
	openLine,
	unclearPrefix,
	type Vocabulary,
	whyNotInReplay,
	wordMeant,
} from './command.ts';
import {indicatorCommands} from './indicator-commands.ts';
import {layoutCommands} from './layout-commands.ts';
import {listOverlay} from './list-overlay.ts';
import {marketsCommands, quotesIn} from './markets-commands.ts';
import {tapeCommands} from './tape-commands.ts';

/** Every setting with its present value, as the list shows it. */
function presentSettings({ui, store, layout, settings = deliveredStart}: Control): readonly Entry[] {
	const [state, market] = [ui.getSnapshot(), store.getSnapshot()];
	const place = {layout, assets: selectedMarket(market) ?? {}, automatic: automaticValues(market)};
	return settingEntries({ui: state, market}, settings, place);
}

const timezone: Argument = {
	takes: zoneText,
	complete: zoneWords,
	run(text, {ui}) {
		const zone = zoneNamed(text);
		if ('fault' in zone) return zone.fault;
		ui.update(state => ({...state, zone: zone.value}));
		return undefined;
	},
};

const quoteCurrency: Argument = {
	takes: currencyText,
	complete: (text, vocabulary) => beginning([...quotesIn(vocabulary), automatic])(text),
	run(text, {ui}) {
		const isAutomatic = text.toLowerCase() === automatic;
		if (!isAutomatic && /[^\p{L}\d]/u.test(text)) return `${text} is not an asset such as USDT`;
		ui.update(changed('picker', {currency: isAutomatic ? undefined : text.toUpperCase()}));
		return undefined;
	},
};

/** Commands that settings are named after. */
const delegates: readonly Command[] = [
	...[...layoutCommands, ...marketsCommands, ...chartCommands],
	...[...indicatorCommands, ...bookCommands, ...tapeCommands],
];

/** Takes what the command of this name takes; of a command without an argument, which toggles, `on` or `off`. */
function ofCommand(name: string): Argument {
	const command = delegates.find(each => each.name === name);
	if (!command) throw new TypeError(`there is no command ${name}`);
	return command.argument ?? oneOf(name, onOff, (word, control) => toggleTo(word, command, control));
}

/** Runs a command that toggles, unless the value is as wanted. */
function toggleTo(wanted: string, {name, run}: Command, control: Control): void {
	const value = presentSettings(control).find(entry => entry.name === name)?.value;
	if (value !== wanted) run?.(control);
}

const priceStep = ofCommand('grouping');

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

const ofThemselves: Readonly<Partial<Record<string, Argument>>> = {
	timezone,
	palette: oneOf('palette', paletteNames, (palette, {ui}) => ui.update(state => ({...state, palette}))),
	theme: oneOf('theme', themeNames, (theme, {ui}) => ui.update(state => ({...state, theme}))),
	mouse: oneOf('mouse', onOff, (word, {ui}) => ui.update(state => ({...state, mouse: word === 'on'}))),
	interface: oneOf('interface', interfaceChoices, (word, {store}) => store.setChoice(word)),
	'quote-currency': quoteCurrency,
	total: oneOf('total', ['total', 'value'], (total, {ui}) => ui.update(changed('book', {total}))),
	grouping,
};

const setters: ReadonlyMap<string, Argument> = new Map(
	groups.flatMap(({settings}) => settings.map(({name}) => [name, ofThemselves[name] ?? ofCommand(name)] as const)),
);

const names = [...setters.keys()];

function complete(text: string, vocabulary: Vocabulary): readonly string[] {
	const {name, rest: value} = nameAndRest(text);
	if (value === undefined) return beginning(names)(name).map(each => `${each} `);
	const meant = wordMeant(names, name) ?? name;
	return (setters.get(meant)?.complete?.(value, vocabulary) ?? []).map(word => `${meant} ${word}`);
}

/** Changes a setting, named by itself or by an unambiguous prefix. Returns what is wrong with its name or value; undefined: nothing. */
function setSetting(text: string, value: string, control: Control): string | undefined {
	const {ui, commands, settings} = control;
	const all = [...names, ...(settings?.fixed ?? []).map(each => each.name)];
	const name = wordMeant(all, text) ?? text;
	const setter = setters.get(name);
	if (!setter) return unsettable(name, all, control);
	if (value === '') return `${name} takes ${setter.takes}`;
	const command = commands.find(each => each.name === name);
	const whyNot = command && whyNotInReplay(command, control);
	if (whyNot !== undefined) return whyNot;
	const {overlay} = ui.getSnapshot();
	const wrong = setter.run(value, control);
	// Some commands show what they change, but the list stays.
	if (overlay === 'settings') ui.update(state => ({...state, overlay}));
	return typeof wrong === 'object' ? wrong.fault : wrong;
}

function unsettable(name: string, all: readonly string[], {settings}: Control): string {
	const how = settings?.fixed.find(each => each.name === name)?.how;
	if (how !== undefined) return `${name} is set by ${how}; it changes at the next start`;
	const nearest = nearestWord(name, all);
	const unclear = unclearPrefix(name, all);
	if (unclear !== undefined) return unclear;
	return `there is no setting ${name}; ${nearest === undefined ? 'settings lists all' : `did you mean ${nearest}?`}`;
}

export const settingList = listOverlay<Entry>({
	overlay: 'settings',
	rowsOf: presentSettings,
	keyOf: ({name}) => name,
	textOf: ({name, value}) => `${name} ${value}`,
	empty: 'there are no settings',
});

/** Changes the setting to its next value if there are a few, else opens the command line for it. */
function change({name, value, words, how}: Entry, control: Control): void {
	if (how === undefined && !words) return openLine(`set ${name} `, control);
	const notice = setSetting(name, words ? cycle(words, value) : '', control);
	if (notice !== undefined) noted(notice, control);
}

export const settingsCommands: readonly Command[] = [
	{
		name: 'theme',
		keys: [],
		help: 'choose the colours of the screen, with a preview while you type',
		...(ofThemselves.theme && {argument: ofThemselves.theme}),
	},
	{
		name: 'settings',
		keys: [],
		help: 'list all settings with their current values and where those come from',
		run: settingList.open,
	},
	{
		name: 'set',
		keys: [],
		help: 'change a setting',
		run: settingList.open,
		argument: {
			takes: 'a setting and its value, such as timezone Europe/Berlin',
			complete,
			run(text, control) {
				// As vim has it.
				const {name, rest = ''} = nameAndRest(text.replace('=', ' '));
				return setSetting(name, rest.trimEnd(), control);
			},
		},
	},
	{
		name: 'setting-change',
		keys: ['enter'],
		overlay: 'settings',
		help: 'change the setting under the cursor',
		hint: {word: 'change', rank: 6},
		run: settingList.onRow(change),
	},
];
