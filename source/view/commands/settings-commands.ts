import {nearestWord} from '../../market/symbol.ts';
import {
	type Argument,
	beginning,
	type Command,
	type Control,
	cycle,
	nameAndRest,
	noted,
	openLine,
	unclearPrefix,
	type Vocabulary,
	whyNotInReplay,
	wordMeant,
} from './command.ts';
import {listOverlay} from './list-overlay.ts';
import {type Entry, settingEntries, settingNames, settings, themeArgument} from './view-settings.ts';

const argumentOf = (name: string): Argument | undefined => settings.find(each => each.name === name)?.argument;

function complete(text: string, vocabulary: Vocabulary): readonly string[] {
	const {name, rest: value} = nameAndRest(text);
	if (value === undefined) return beginning(settingNames)(name).map(each => `${each} `);
	const meant = wordMeant(settingNames, name) ?? name;
	return (argumentOf(meant)?.complete?.(value, vocabulary) ?? []).map(word => `${meant} ${word}`);
}

/** Changes a setting, named by itself or by an unambiguous prefix. Returns what is wrong with its name or value; undefined: nothing. */
function setSetting(text: string, value: string, control: Control): string | undefined {
	const {ui, commands} = control;
	const all = [...settingNames, ...(control.settings?.fixed ?? []).map(each => each.name)];
	const name = wordMeant(all, text) ?? text;
	const argument = argumentOf(name);
	if (!argument) return unsettable(name, all, control);
	if (value === '') return `${name} takes ${argument.takes}`;
	const command = commands.find(each => each.name === name);
	const whyNot = command && whyNotInReplay(command, control);
	if (whyNot !== undefined) return whyNot;
	const {overlay} = ui.getSnapshot();
	const wrong = argument.run(value, control);
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
	thing: 'setting',
	rowsOf: ({ui, store, layout, settings: start}) =>
		settingEntries({ui: ui.getSnapshot(), market: store.getSnapshot()}, layout, start),
	keyOf: ({name}) => name,
	textOf: ({name, value}) => `${name} ${value}`,
	empty: 'there are no settings',
});

/** Changes the setting to its next value if there are a few, else opens the command line for it. */
function change({name, value, argument}: Entry, control: Control): void {
	const words = argument?.words;
	if (argument && !words) return openLine(`set ${name} `, control);
	const notice = setSetting(name, words ? cycle(words, value) : '', control);
	if (notice !== undefined) noted(notice, control);
}

export const settingsCommands: readonly Command[] = [
	{
		name: 'theme',
		keys: [],
		help: 'choose the colours of the screen, with a preview while you type',
		argument: themeArgument,
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
];

/** Those that act in the list of settings. */
export const settingListCommands: readonly Command[] = [
	{
		name: 'setting-change',
		keys: ['enter'],
		help: 'change the setting under the cursor',
		hint: {word: 'change', rank: 6},
		run: settingList.onRow(change),
	},
];
