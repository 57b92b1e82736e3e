import type {Size} from '../../../format/cells.ts';
import {clamp} from '../../../market/numbers.ts';
import {type Command, helpKeys, keyGroups} from '../../commands/command.ts';
import {bodySize, frameOverlay} from '../../frame.ts';
import {keyHintOf} from '../../keys.ts';
import type {Line} from '../../line.ts';
import {labelledRows} from '../../wrap.ts';
import type {WatchPage} from './model.ts';
import {
	firstFocused,
	focusMoved,
	focusMovedDown,
	holdToggled,
	released,
	type TilesState,
	turned,
} from './tiles-state.ts';

/** What keys of the monitor's commands do on the tiles. Those that share an action follow each other. */
const actions: ReadonlyArray<{
	readonly names: readonly string[];
	readonly help: string;
	readonly hint?: NonNullable<Command['hint']>;
}> = [
	{names: ['select'], help: 'open the monitor on the market of the focused tile', hint: {word: 'open', rank: 2}},
	{names: ['older', 'newer'], help: 'previous and next page', hint: {word: 'page', rank: 3}},
	{names: ['pause'], help: 'hold the page / resume the rotation', hint: {word: 'hold', rank: 4}},
	{
		names: ['next-panel', 'previous-panel'],
		help: 'next and previous tile; holds the page',
		hint: {word: 'tile', rank: 5},
	},
	{names: ['up', 'down'], help: 'tile above and below; scroll this help'},
	{names: ['help'], help: 'show this help', hint: {word: 'help', rank: 0}},
	{names: ['back'], help: 'close this help or the monitor, or else release the tile and resume the rotation'},
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

const labelColumns = 14;

/** What the keys of these commands do on the tiles. */
const tilesHelp = (commands: readonly Command[], columns: number, ascii: boolean): readonly Line[] =>
	keyGroups(commands).flatMap(group => {
		const [label, text] = [helpKeys(group, ascii), group.first.help ?? ''];
		return label === '' ? [] : labelledRows({label, labelTone: 'accent', text}, labelColumns, {columns});
	});

export type TilesHelpInput = {
	/** As by `tileCommands`. */
	readonly commands: readonly Command[];
	readonly size: Size;
	/** First row shown, counted from 0. */
	readonly scroll: number;
	readonly ascii: boolean;
};

/** The framed help of the tiles, exactly `size`. */
export function tilesHelpPanel({commands, size, scroll, ascii}: TilesHelpInput): readonly Line[] {
	const frame = {command: 'help', titles: ['Keys of the tiles', 'Keys'], scroll, size, ascii};
	const rows = tilesHelp(commands, bodySize(size).columns, ascii);
	return frameOverlay({...frame, keyHint: keyHintOf(commands, ascii)}, rows);
}

/** The market that Enter opens the monitor on: that of the focused tile, or of the only one on the page; undefined: there is none. */
export function marketToOpen({focus, help}: TilesState, {first, end}: WatchPage): number | undefined {
	if (help !== undefined) return undefined;
	return focus ?? (end - first === 1 ? first : undefined);
}

type Place = {readonly page: WatchPage; readonly commands: readonly Command[]; readonly ascii: boolean};

/** The tiles after a key of the command `name`. */
export function pressedInTiles(name: string, state: TilesState, {page, commands, ascii}: Place): TilesState {
	const {help} = state;
	if (name === 'help' || (name === 'back' && help !== undefined))
		return {...state, help: help === undefined ? 0 : undefined};
	if (help !== undefined) {
		const {columns, rows} = bodySize(page.area);
		const last = Math.max(tilesHelp(commands, columns, ascii).length - rows, 0);
		const by = name === 'down' ? 1 : name === 'up' ? -1 : 0;
		return {...state, help: clamp(help + by, 0, last)};
	}

	switch (name) {
		case 'select':
			return firstFocused(state, page);
		case 'older':
			return turned(-1)(state, page);
		case 'newer':
			return turned(1)(state, page);
		case 'pause':
			return holdToggled(state, page);
		case 'next-panel':
			return focusMoved(1)(state, page);
		case 'previous-panel':
			return focusMoved(-1)(state, page);
		case 'down':
			return focusMovedDown(1)(state, page);
		case 'up':
			return focusMovedDown(-1)(state, page);
		case 'back':
			return released(state, page);
		default:
			return state;
	}
}
