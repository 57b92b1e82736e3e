import {nearestWord} from '../../market/symbol.ts';
import {keyFault, keyLabel, promptKeys} from '../keys.ts';
import {type Overlay, type PanelName, panelNames} from '../layout.ts';
import {editedAtEnd} from '../text-edit.ts';
import {isTyping, type UiState} from '../ui-state.ts';
import {alertListCommands} from './alerts-commands.ts';
import {bookCommands} from './book-commands.ts';
import {chartCommands} from './chart-commands.ts';
import {type Command, type Situation, whyNot} from './command.ts';
import {compareCommands} from './compare-commands.ts';
import {generalCommands} from './general-commands.ts';
import {heatmapCommands} from './heatmap-commands.ts';
import {helpListCommands} from './help-commands.ts';
import {holdingCommands, holdingListCommands} from './holding-commands.ts';
import {indicatorCommands} from './indicator-commands.ts';
import {levelCommands, levelListCommands} from './level-commands.ts';
import {lineCommands} from './line-commands.ts';
import {marketsCommands} from './markets-commands.ts';
import {settingListCommands, settingsCommands} from './settings-commands.ts';
import {tapeCommands} from './tape-commands.ts';

/** Everything a user can do, in the order of the help. Keys, help, documents, status line, command line and config file use it. */
export const commands: readonly Command[] = [
	...generalCommands,
	...ofPanel('markets', [...marketsCommands, ...holdingCommands]),
	...ofPanel('chart', [...chartCommands, ...levelCommands, ...lineCommands, ...indicatorCommands]),
	...ofPanel('book', [...bookCommands, ...heatmapCommands]),
	...ofPanel('tape', tapeCommands),
	...ofOverlay('help', helpListCommands),
	...ofOverlay('alerts', alertListCommands),
	...ofOverlay('levels', levelListCommands),
	...ofOverlay('holdings', holdingListCommands),
	...ofOverlay('compare', compareCommands),
	...settingsCommands,
	...ofOverlay('settings', settingListCommands),
];

function ofPanel(panel: PanelName, own: readonly Command[]): readonly Command[] {
	return own.map(command => ({...command, panel}));
}

function ofOverlay(overlay: Overlay, own: readonly Command[]): readonly Command[] {
	return own.map(command => ({...command, overlay}));
}

/** The command that a key runs while the panel `focus` has the focus. */
export const commandFor = (key: string, focus: PanelName, from = commandsOver(undefined)): Command | undefined =>
	from.find(command => command.keys.includes(key) && panelsOf(command).includes(focus));

/** The commands whose keys act while the overlay, if any, covers the panels. */
export const commandsOver = (overlay: Overlay | undefined, from = commands): readonly Command[] =>
	from.filter(command => actsOver(overlay, command));

/** The commands whose keys act in this view, with the keys that act: those of a view come before the same keys of others. */
export function commandsIn(state: UiState, from = commands): readonly Command[] {
	const over = commandsOver(state.overlay, from);
	const own = new Set(over.filter(({panel = state.focus, actsIn}) => panel === state.focus && actsIn?.(state)));
	const taken = new Set([...own].flatMap(({keys}) => keys));
	return over
		.filter(command => !command.actsIn || own.has(command))
		.map(command => {
			const isFree = own.has(command) || !command.keys.some(key => taken.has(key));
			return isFree ? command : {...command, keys: command.keys.filter(key => !taken.has(key))};
		});
}

function actsOver(overlay: Overlay | undefined, command: Command): boolean {
	if (command.overlay !== undefined) return command.overlay === overlay;
	const {panel, overlays = panel === undefined ? 'all' : []} = command;
	return overlay === undefined || overlays === 'all' || overlays.includes(overlay);
}

/**
 * The commands as they act now: without those that have nothing to act on, and without the keys that an open prompt takes,
 * whose Enter comes first.
 */
export const commandsNow = (state: UiState, situation: Situation, from = commands): readonly Command[] => [
	...(isTyping(state) && !isFilter(state) ? [{...accept, ...(state.overlay ? {} : {panel: state.focus})}] : []),
	...commandsIn(state, from)
		.filter(command => whyNot(command, state, situation) === undefined)
		.map(command => ({
			...command,
			hint: command.hintNow?.(state, situation) ?? command.hint,
			keys: command.keys.filter(key => !isTaken(key, state)),
		})),
];

/** Whether the open prompt is the filter of the markets. */
const isFilter = ({overlay, picker}: UiState): boolean => overlay === undefined && picker.editing;

/** Enter in a prompt other than the filter, where it selects a market. */
const accept: Command = {
	name: 'accept',
	keys: [promptKeys.accept],
	help: 'accept what is typed',
	hint: {word: 'accept', rank: 0},
};

/** Whether a prompt or a menu takes the key first. */
function isTaken(key: string, state: UiState): boolean {
	const {overlay, chart} = state;
	if (isTyping(state)) return editedAtEnd('', key) !== undefined || (key === 'enter' && !isFilter(state));
	if (overlay) return false;
	return chart.menu !== undefined && (key === 'space' || key === 'enter');
}

/** The panels that must have the focus for its keys to act. */
const panelsOf = ({panel, focused}: Command): readonly PanelName[] => (panel && focused ? [panel] : panelNames);

/** The panels in whose place the keys of both act and neither comes first. */
function commonPanels(one: Command, other: Command): readonly PanelName[] {
	const overlay = one.overlay ?? other.overlay;
	// The keys of a view come first there, and are the other's elsewhere.
	if ((other.actsIn === undefined) !== (one.actsIn === undefined)) return [];
	if (!actsOver(overlay, one) || !actsOver(overlay, other)) return [];
	return panelsOf(one).filter(panel => panelsOf(other).includes(panel));
}

/** Keys by command name; an empty list: only the command line runs it. */
export type Remapping = Readonly<Record<string, readonly string[]>>;

/** The commands with these keys in place of their default keys. Of several default keys, one that is given to another command is that one's. */
export function remapped(changes: Remapping): readonly Command[] {
	const changed = commands.flatMap(command => {
		const keys = Object.hasOwn(changes, command.name) ? changes[command.name] : undefined;
		return keys ? {...command, keys} : [];
	});
	return commands.map(command => {
		const given = changed.find(({name}) => name === command.name);
		if (given) return given;
		const left = command.keys.filter(
			key => !changed.some(other => other.keys.includes(key) && commonPanels(command, other).length > 0),
		);
		return left.length > 0 && left.length < command.keys.length ? {...command, keys: left} : command;
	});
}

/** The first mistake in these keys: the command's name, and what is wrong. Undefined: none. */
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
	// One key must always end the program.
	if (name === 'interrupt')
		return `cannot be changed: ${command.keys.map(key => keyLabel(key)).join(', ')} always quits`;
	return command.run ? undefined : 'takes no keys: it needs an argument, which only the command line has';
}

const namesWithKeys = (): readonly string[] => commands.filter(({run}) => run).map(({name}) => name);

/** A key that the command shares with another one where both act. */
function conflict(name: string, all: readonly Command[]): string | undefined {
	const command = all.find(each => each.name === name);
	if (!command) return undefined;
	for (const key of command.keys) {
		for (const other of all) {
			const common = commonPanels(command, other);
			if (other === command || common.length === 0 || !other.keys.includes(key)) continue;
			const panelWord = common.length > 1 ? 'panels' : 'panel';
			const place = common.length === panelNames.length ? '' : ` in the ${common.join(' and ')} ${panelWord}`;
			return `cannot take ${keyLabel(key)}: it is already the key of ${other.name}${place}; choose another key`;
		}
	}

	return undefined;
}

/** New names by former name. */
const newNames: Readonly<Record<string, string>> = {'type-period': 'period', 'least-size': 'min'};

/** A hint for a name that no command has: its new name, or the command that it may be a typo of. */
export function suggestion(name: string, from = commands): string | undefined {
	if (Object.hasOwn(newNames, name)) return `it is now called ${newNames[name]}`;
	const names = from.flatMap(command => (command.withheld === undefined ? command.name : []));
	const nearest = nearestWord(name, names);
	return nearest === undefined ? undefined : `did you mean ${nearest}?`;
}
