import {nearestWord} from '../../market/symbol.ts';
import {keyFault, keyLabel} from '../keys.ts';
import {type Overlay, type PanelName, panelNames} from '../layout.ts';
import {bookCommands} from './book-commands.ts';
import {chartCommands} from './chart-commands.ts';
import type {Command} from './command.ts';
import {generalCommands} from './general-commands.ts';
import {marketsCommands} from './markets-commands.ts';
import {tapeCommands} from './tape-commands.ts';

/** Whatever a user can do, in the order of the help. Keys, help, README, status line, command line and config file read it. */
export const commands: readonly Command[] = [
	...generalCommands,
	...ofPanel('markets', marketsCommands),
	...ofPanel('chart', chartCommands),
	...ofPanel('book', bookCommands),
	...ofPanel('tape', tapeCommands),
];

function ofPanel(panel: PanelName, own: readonly Command[]): readonly Command[] {
	return own.map(command => ({...command, panel}));
}

/** What a key does while `focus` has the focus. */
export const commandFor = (key: string, focus: PanelName, from = commands): Command | undefined =>
	from.find(command => command.keys.includes(key) && panelsOf(command).includes(focus));

/** The commands whose keys act while the overlay, if any, covers the panels. */
export const commandsOver = (overlay: Overlay | undefined, from = commands): readonly Command[] =>
	overlay === undefined
		? from
		: from.filter(
				({panel, overlays = panel === undefined ? 'all' : []}) => overlays === 'all' || overlays.includes(overlay),
			);

/** The panels in whose focus its keys act. */
const panelsOf = ({panel, focused}: Command): readonly PanelName[] => (panel && focused ? [panel] : panelNames);

/** Keys by the command's name; none: only the command line runs it. */
export type Remapping = Readonly<Record<string, readonly string[]>>;

/** The commands with these keys in place of their own. */
export const remapped = (changes: Remapping): readonly Command[] =>
	commands.map(command =>
		Object.hasOwn(changes, command.name) ? {...command, keys: changes[command.name] ?? []} : command,
	);

/** The first thing that is wrong with these keys: of which command, and what to do. Undefined: nothing is. */
export function remapFault(changes: Remapping): {readonly name: string; readonly message: string} | undefined {
	for (const [name, keys] of Object.entries(changes)) {
		const message = nameFault(name) ?? keys.map(keyFault).find(fault => fault !== undefined);
		if (message !== undefined) return {name, message};
	}

	const all = remapped(changes);
	for (const name of Object.keys(changes)) {
		const message = conflict(name, all);
		if (message !== undefined) return {name, message};
	}

	return undefined;
}

function nameFault(name: string): string | undefined {
	const command = commands.find(each => each.name === name);
	if (!command) return `does not exist; ${suggestion(name) ?? `choose from ${namesWithKeys().join(', ')}`}`;
	// Whatever else goes wrong, one key must always end the program.
	if (name === 'interrupt') return 'cannot be changed: Ctrl-C always quits';
	return command.run ? undefined : 'takes no keys: it needs an argument, which only the command line has';
}

const namesWithKeys = (): readonly string[] => commands.filter(({run}) => run).map(({name}) => name);

/** Which of the command's keys is another's where both act. */
function conflict(name: string, all: readonly Command[]): string | undefined {
	const command = all.find(each => each.name === name);
	const panels = command ? panelsOf(command) : [];
	for (const key of command?.keys ?? []) {
		for (const other of all) {
			const common = panelsOf(other).filter(panel => panels.includes(panel));
			if (other === command || common.length === 0 || !other.keys.includes(key)) continue;
			const panelWord = common.length > 1 ? 'panels' : 'panel';
			const place = common.length === panelNames.length ? '' : ` in the ${common.join(' and ')} ${panelWord}`;
			return `cannot take ${keyLabel(key)}: it is already the key of ${other.name}${place}; choose another key`;
		}
	}

	return undefined;
}

/** Names that commands had before. */
const newNames: Readonly<Record<string, string>> = {'type-period': 'period', 'least-size': 'min-size'};

/** For a name that no command has: the one that was meant, if that was a typo or is its name now. */
export function suggestion(name: string): string | undefined {
	if (Object.hasOwn(newNames, name)) return `it is now called ${newNames[name]}`;
	const names = commands.map(command => command.name);
	const nearest = nearestWord(name, names);
	return nearest === undefined ? undefined : `did you mean ${nearest}?`;
}
