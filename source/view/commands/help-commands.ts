import {clamp} from '../../market/numbers.ts';
import {findTyped, isFinding, noFind} from '../panels/help/find.ts';
import {helpBody} from '../panels/help/rows.ts';
import {type Change, overlayClosed, type UiState} from '../ui-state.ts';
import type {Command, Control} from './command.ts';

const opened =
	(find: UiState['helpFind']): Change =>
	state => ({
		...state,
		...{overlay: 'help', helpFind: find, overlayScroll: 0},
		helpOver: state.overlay === 'help' ? state.helpOver : state.overlay,
	});

export const helpCommand: Command = {
	name: 'help',
	keys: ['?', 'f1'],
	help: 'show this help',
	hint: {word: 'help', rank: 0},
	run: ({ui}) => ui.update(state => (state.overlay === 'help' ? overlayClosed : opened(noFind))(state)),
	argument: {
		help: 'search this help',
		takes: 'text to find',
		run(text, {ui}) {
			ui.update(opened({text, editing: false}));
			return undefined;
		},
	},
};

const isSearched = ({overlay, helpFind}: UiState): boolean => overlay === 'help' && isFinding(helpFind);
const ofMatches = {overlay: 'help', keysOnly: true, actsIn: isSearched} as const;

/** Those that act in the help. */
export const helpListCommands: readonly Command[] = [
	{
		name: 'help-find',
		keys: ['/'],
		overlay: 'help',
		keysOnly: true,
		actsIn: ({overlay}) => overlay === 'help',
		help: 'search this help',
		hint: {word: 'search', rank: 6},
		run: ({ui}) => ui.update(state => opened({...state.helpFind, editing: true})(state)),
	},
	{
		name: 'help-next',
		keys: ['n'],
		...ofMatches,
		help: 'next and previous matches',
		hint: {word: 'matches', rank: 7},
		atEnd: 'these are the last matches',
		run: control => scrollHelp(control.page.rows, control),
	},
	{
		name: 'help-previous',
		keys: ['N'],
		...ofMatches,
		atEnd: 'these are the first matches',
		run: control => scrollHelp(-control.page.rows, control),
	},
];

/** How many rows the help has, shown or not. */
function rowsOf({commands, ui, page}: Control): number {
	const {focus, helpOver, helpFind: find} = ui.getSnapshot();
	return helpBody({commands, place: helpOver ?? focus, ascii: false, find}, page).length;
}

/** Scrolls the help; above 0: down. */
export function scrollHelp(by: number, control: Control): void {
	const last = Math.max(rowsOf(control) - control.page.rows, 0);
	control.ui.update(state => ({...state, overlayScroll: clamp(state.overlayScroll + by, 0, last)}));
}

/** Handles a key while the text to find is typed. False: it acts as a command. */
export function pressInHelp(key: string, {ui}: Control): boolean {
	const helpFind = findTyped(ui.getSnapshot().helpFind, key);
	if (helpFind) ui.update(state => ({...state, helpFind, overlayScroll: 0}));
	return helpFind !== undefined;
}

/** The help with all its rows; undefined: it shows them, or is closed. */
export const findCleared = (state: UiState): UiState | undefined =>
	isSearched(state) ? {...state, helpFind: noFind, overlayScroll: 0} : undefined;
