import {clamp} from '../../../market/numbers.ts';
import {type Command, helpKeys, keyGroups} from '../../commands/command.ts';
import {bodySize} from '../../frame.ts';
import {keyHintOf, withStrayKey} from '../../keys.ts';
import type {Line} from '../../line.ts';
import {isFinding, noFind} from '../help/find.ts';
import {framedHelp, type HelpSection, type HelpView, helpRows} from '../help/rows.ts';
import type {WatchPage} from './model.ts';
import {
	type Change,
	firstFocused,
	focusMoved,
	focusMovedDown,
	holdToggled,
	released,
	type TilesHelp,
	type TilesState,
	turned,
} from './tiles-state.ts';

/** What keys of the monitor's commands do on the tiles. Those that share an action follow each other. */
const actions: ReadonlyArray<{
	readonly names: readonly string[];
	readonly help: string;
	readonly hint?: NonNullable<Command['hint']>;
	/** Of each name, while the help is closed. Absent: they do nothing then, or what the screen does. */
	readonly changes?: readonly Change[];
}> = [
	{
		...{names: ['select'], help: 'open the monitor on the market of the focused tile'},
		...{hint: {word: 'open', rank: 2}, changes: [firstFocused]},
	},
	{
		...{names: ['older', 'newer'], help: 'previous and next page'},
		...{hint: {word: 'page', rank: 3}, changes: [turned(-1), turned(1)]},
	},
	{
		...{names: ['pause'], help: 'hold the page / resume the rotation'},
		...{hint: {word: 'hold', rank: 4}, changes: [holdToggled]},
	},
	{
		...{names: ['page-up', 'page-down'], help: 'previous and next page, too; page this help'},
		changes: [turned(-1), turned(1)],
	},
	{
		...{names: ['next-panel', 'previous-panel'], help: 'next and previous tile; holds the page'},
		...{hint: {word: 'tile', rank: 5}, changes: [focusMoved(1), focusMoved(-1)]},
	},
	{
		...{names: ['up', 'down'], help: 'tile above and below; scroll this help'},
		changes: [focusMovedDown(-1), focusMovedDown(1)],
	},
	{names: ['half-page-up', 'half-page-down'], help: 'half a page of this help up and down'},
	{names: ['first', 'last'], help: 'first and last row of this help'},
	{names: ['help'], help: 'show this help', hint: {word: 'help', rank: 0}},
	{names: ['help-find'], help: 'search this help'},
	{
		...{names: ['back'], help: 'close this help or the monitor, or else release the tile and resume the rotation'},
		changes: [released],
	},
	{names: ['redraw'], help: 'redraw the screen, if another program wrote on it'},
	{names: ['suspend'], help: 'suspend (fg resumes)'},
	{names: ['interrupt'], help: 'force quit'},
	{names: ['quit'], help: 'quit', hint: {word: 'quit', rank: 1}},
];

/** The commands that act on the tiles, with the words for what they do there. `canOpen`: whether there is a monitor to open. */
export const tileCommands = (commands: readonly Command[], canOpen: boolean): readonly Command[] =>
	actions.flatMap(({names, help, hint}) =>
		names.flatMap((name, index) => {
			const command = commands.find(each => each.name === name);
			if (!command || (name === 'select' && !canOpen)) return [];
			return {name, keys: command.keys, withheld: command.withheld, ...(index === 0 && {help, hint})};
		}),
	);

const ofPages: readonly string[] = ['older', 'newer', 'pause'];

/** Those of the commands that do something on this page. */
export const tileHints = (commands: readonly Command[], {pages}: Pick<WatchPage, 'pages'>): readonly Command[] =>
	pages > 1 ? commands : commands.filter(({name}) => !ofPages.includes(name));

/** What the keys of these commands do on the tiles. */
const sectionsOf = (commands: readonly Command[], ascii: boolean): readonly HelpSection[] => {
	const rows = keyGroups(commands).map(group => [helpKeys(group, ascii), group.first.help ?? ''] as const);
	return [{title: '', rows: rows.filter(([keys]) => keys !== '')}];
};

export type TilesHelpInput = Omit<HelpView, 'keyHint'> & {
	/** As by `tileCommands`. */
	readonly commands: readonly Command[];
};

/** The framed help of the tiles, exactly `size`. */
export const tilesHelpPanel = ({commands, ...view}: TilesHelpInput): readonly Line[] =>
	framedHelp(['Keys of the tiles', 'Keys'], sectionsOf(commands, view.ascii), {
		...view,
		keyHint: keyHintOf(commands, view.ascii),
	});

/** The market that Enter opens the monitor on: that of the focused tile, or of the only one on the page; undefined: there is none. */
export function marketToOpen({focus, help}: TilesState, {first, end}: WatchPage): number | undefined {
	if (help !== undefined) return undefined;
	return focus ?? (end - first === 1 ? first : undefined);
}

type Place = {readonly page: WatchPage; readonly commands: readonly Command[]; readonly ascii: boolean};

/** The tiles after a key of the command `name`. */
export function pressedInTiles(name: string, before: TilesState, {page, commands, ascii}: Place): TilesState {
	const {help, stray} = before;
	const state = {...before, stray: {keys: stray.keys}};
	if (name === 'help') return {...state, help: help ? undefined : {scroll: 0, find: noFind}};
	if (help) return {...state, help: inHelp(name, help, {page, commands, ascii})};
	const action = actions.find(({names}) => names.includes(name));
	return action?.changes?.[action.names.indexOf(name)]?.(state, page) ?? state;
}

/** The tiles after a key of no command. */
export function strayPressed(
	key: string,
	state: TilesState,
	{commands, ascii, now}: Omit<Place, 'page'> & {readonly now: number},
): TilesState {
	const advice = keyHintOf(commands, ascii)('lists all keys', 'help');
	return state.help?.find.editing ? state : {...state, stray: withStrayKey(state.stray, key, {advice, ascii, now})};
}

/** The open help after a key of the command `name`; undefined: it closes. */
function inHelp(name: string, {scroll, find}: TilesHelp, {page, commands, ascii}: Place): TilesHelp | undefined {
	if (name === 'back') return isFinding(find) ? {scroll: 0, find: noFind} : undefined;
	if (name === 'help-find') return {scroll: 0, find: {...find, editing: true}};
	const {columns, rows} = bodySize(page.area);
	const last = Math.max(helpRows(sectionsOf(commands, ascii), find, {columns}).length - rows, 0);
	const half = Math.floor(rows / 2);
	const steps: Readonly<Record<string, number>> = {
		...{down: 1, up: -1, 'page-down': rows, 'page-up': -rows, 'half-page-down': half, 'half-page-up': -half},
		...{last, first: -last},
	};
	return {scroll: clamp(scroll + (steps[name] ?? 0), 0, last), find};
}
