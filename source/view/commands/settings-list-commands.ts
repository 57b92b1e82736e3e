import {clamp} from '../../market/numbers.ts';
import {type Entry, entryAt} from '../panels/settings/model.ts';
import {type Command, type Control, cycle} from './command.ts';
import {presentSettings} from './present-settings.ts';
import {setSetting} from './settings-commands.ts';

/** Those that act in the list of settings. */
export const settingsListCommands: readonly Command[] = [
	{
		name: 'setting-change',
		keys: ['enter'],
		overlay: 'settings',
		help: 'change the setting under the cursor',
		hint: {word: 'change', rank: 6},
		run: change,
	},
];

function listOf(control: Control): {readonly entries: readonly Entry[]; readonly entry: Entry | undefined} {
	const entries = presentSettings(control);
	return {entries, entry: entryAt(entries, control.ui.getSnapshot().settingsCursor)};
}

/** Moves the cursor of the list. Above 0: down. */
export function moveInSettings(by: number, control: Control): void {
	const {entries, entry} = listOf(control);
	const next = entry && entries[clamp(entries.indexOf(entry) + by, 0, entries.length - 1)];
	control.ui.update(state => ({...state, settingsCursor: next?.name}));
}

/** Changes the setting to its next value if there are a few, else opens the command line for it. */
function change(control: Control): void {
	const {entry} = listOf(control);
	if (!entry) return;
	const {name, value, words, how} = entry;
	const {ui} = control;
	if (how === undefined && !words) return ui.update(state => ({...state, command: {text: `set ${name} `}}));
	const notice = setSetting(name, words ? cycle(words, value) : '', control);
	if (notice !== undefined) ui.update(state => ({...state, notice}));
}
