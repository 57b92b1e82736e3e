import {zoneNamed, zoneWords} from '../../format/zone.ts';
import {nearestWord} from '../../market/symbol.ts';
import {automatic, currencyText, groups, onOff, zoneText} from '../panels/settings/model.ts';
import {paletteNames} from '../theme.ts';
import {changed} from '../ui-state.ts';
import {bookCommands} from './book-commands.ts';
import {chartCommands} from './chart-commands.ts';
import {columnsCommands} from './columns-commands.ts';
import {anyOf, beginning, type Command, type Control, type Vocabulary, whyNotInReplay} from './command.ts';
import {indicatorCommands} from './indicator-commands.ts';
import {layoutCommands} from './layout-commands.ts';
import {marketsCommands} from './markets-commands.ts';
import {presentSettings} from './present-settings.ts';
import {tapeCommands} from './tape-commands.ts';

/** How a setting is changed while the program runs. */
type Setter = {
	readonly takes: string;
	/** Values that begin with `text`, or are like it, the likeliest first. */
	complete(text: string, vocabulary: Vocabulary): readonly string[];
	/** Returns what is wrong with `text`; undefined: nothing. */
	set(text: string, control: Control): string | undefined;
};

const timezone: Setter = {
	takes: zoneText,
	complete: zoneWords,
	set(text, {ui}) {
		const zone = zoneNamed(text);
		if ('fault' in zone) return zone.fault;
		ui.update(state => ({...state, zone: zone.value}));
		return undefined;
	},
};

/** One of a few words. */
function ofWords<Word extends string>(
	name: string,
	words: readonly Word[],
	take: (word: Word, control: Control) => void,
): Setter {
	const takes = anyOf(words);
	return {
		takes,
		complete: beginning(words),
		set(text, control) {
			const word = words.find(each => each === text.toLowerCase());
			if (word === undefined) return `${name} takes ${takes}`;
			take(word, control);
			return undefined;
		},
	};
}

const quoteCurrency: Setter = {
	takes: currencyText,
	complete(text, {markets}) {
		const listed = markets.status === 'ready' ? markets.data : [];
		return beginning([...new Set(listed.flatMap(({quote}) => quote ?? [])), automatic])(text);
	},
	set(text, {ui}) {
		const isAutomatic = text.toLowerCase() === automatic;
		if (!isAutomatic && /[^\p{L}\d]/u.test(text)) return `${text} is not an asset such as USDT`;
		ui.update(changed('picker', {currency: isAutomatic ? undefined : text.toUpperCase()}));
		return undefined;
	},
};

/** Commands that settings are named after. */
const delegates: readonly Command[] = [
	...[...layoutCommands, ...marketsCommands, ...columnsCommands, ...chartCommands],
	...[...indicatorCommands, ...bookCommands, ...tapeCommands],
];

/** Sets what the command of this name sets, on its name or by its argument. */
function ofCommand(name: string): Setter {
	const command = delegates.find(each => each.name === name);
	if (!command) throw new TypeError(`there is no command ${name}`);
	const {argument, run} = command;
	if (!argument) return ofWords(name, onOff, (word, control) => toggleTo(word, name, command, control));
	return {
		takes: run && argument.takes === 'off' ? anyOf(onOff) : argument.takes,
		complete: (text, vocabulary) => [
			...(run && argument.takes === 'off' ? beginning(['on'])(text) : []),
			...(argument.complete?.(text, vocabulary) ?? []),
		],
		set(text, control) {
			if (text.toLowerCase() === 'on' && run) return toggleTo('on', name, command, control);
			const fault = argument.run(text, control);
			return typeof fault === 'object' ? fault.fault : fault;
		},
	};
}

/** Runs a command that toggles, unless the value is as wanted. */
function toggleTo(wanted: string, name: string, {run}: Command, control: Control): undefined {
	const isWanted = presentSettings(control).find(entry => entry.name === name)?.value;
	if ((isWanted === 'off') !== (wanted === 'off')) run?.(control);
}

/** The price step of the book, which the program chooses unless one is set. */
const grouping: Setter = {
	...ofCommand('grouping'),
	complete: (text, vocabulary) => [
		...ofCommand('grouping').complete(text, vocabulary),
		...beginning([automatic])(text),
	],
	set(text, control) {
		if (text.toLowerCase() !== automatic) return ofCommand('grouping').set(text, control);
		control.ui.update(changed('book', {grouping: undefined, anchor: undefined}));
		return undefined;
	},
};

const ofThemselves: Readonly<Partial<Record<string, Setter>>> = {
	timezone,
	palette: ofWords('palette', paletteNames, (palette, {ui}) => ui.update(state => ({...state, palette}))),
	interface: ofWords('interface', ['auto', 'v2', 'legacy'], (word, {store}) =>
		store.setChoice(word === 'legacy' ? 'v1' : word),
	),
	'quote-currency': quoteCurrency,
	total: ofWords('total', ['total', 'value'], (total, {ui}) => ui.update(changed('book', {total}))),
	grouping,
};

const setters: ReadonlyMap<string, Setter> = new Map(
	groups.flatMap(({settings}) => settings.map(({name}) => [name, ofThemselves[name] ?? ofCommand(name)] as const)),
);

const names = [...setters.keys()];

/** The name and the value of `timezone Europe/Berlin`. */
function parts(text: string): {readonly name: string; readonly value: string | undefined} {
	const [, name = '', value] = /^\s*(\S*)(?:\s+(.*))?$/.exec(text) ?? [];
	return {name: name.toLowerCase(), value: value?.trimEnd()};
}

function complete(text: string, vocabulary: Vocabulary): readonly string[] {
	const {name, value} = parts(text);
	if (value === undefined) return beginning(names)(name).map(each => `${each} `);
	const [meant = name] = meantBy(name, names);
	return (setters.get(meant)?.complete(value, vocabulary) ?? []).map(word => `${meant} ${word}`);
}

/** The names that `text` may stand for: its own, else those that begin with it. */
const meantBy = (text: string, all: readonly string[]): readonly string[] =>
	all.includes(text) ? [text] : beginning(all)(text);

/** Changes a setting, named by itself or by an unambiguous prefix. Returns what is wrong with its name or value; undefined: nothing. */
export function setSetting(text: string, value: string, control: Control): string | undefined {
	const {ui, commands, settings} = control;
	const all = [...names, ...(settings?.fixed ?? []).map(each => each.name)];
	const meant = text === '' ? [] : meantBy(text, all);
	if (meant.length > 1) return `${text} is ambiguous: ${meant.join(', ')}`;
	const [name = text] = meant;
	const setter = setters.get(name);
	if (!setter) return unsettable(name, all, control);
	if (value === '') return `${name} takes ${setter.takes}`;
	const command = commands.find(each => each.name === name);
	const whyNot = command && whyNotInReplay(command, control);
	if (whyNot !== undefined) return whyNot;
	const {overlay} = ui.getSnapshot();
	const fault = setter.set(value, control);
	// Some commands show what they change, but the list stays.
	if (overlay === 'settings') ui.update(state => ({...state, overlay}));
	return fault;
}

function unsettable(name: string, all: readonly string[], {settings}: Control): string {
	const how = settings?.fixed.find(each => each.name === name)?.how;
	if (how !== undefined) return `${name} is set by ${how}; it changes at the next start`;
	const nearest = nearestWord(name, all);
	return `there is no setting ${name}; ${nearest === undefined ? 'settings lists all' : `did you mean ${nearest}?`}`;
}

export const settingsCommands: readonly Command[] = [
	{
		name: 'settings',
		keys: [],
		help: 'list what can be changed, with its present value and where that comes from',
		run: ({ui}) => ui.update(state => ({...state, overlay: 'settings'})),
	},
	{
		name: 'set',
		keys: [],
		help: 'change a setting',
		argument: {
			takes: 'a setting and its value, such as timezone Europe/Berlin',
			complete,
			run(text, control) {
				const {name, value = ''} = parts(text);
				return setSetting(name, value, control);
			},
		},
	},
];
