import type {Size} from '../../../format/cells.ts';
import {formatExact} from '../../../format/number.ts';
import {clamp} from '../../../market/numbers.ts';
import {largestPage, mostLevels} from '../../../market/types.ts';
import {type Command, helpKeys, type KeyGroup, keyGroups, typedHelp} from '../../commands/command.ts';
import {bodySize, frameOverlay} from '../../frame.ts';
import {capitalised, type KeyHint, keyHintOf} from '../../keys.ts';
import {type Overlay, type PanelName, panelNames} from '../../layout.ts';
import {type Line, sideBySide} from '../../line.ts';
import {endOf} from '../../text-edit.ts';
import {labelledRows} from '../../wrap.ts';
import {type HelpFind, isFinding, isFound, noFind} from './find.ts';

type HelpInput = {
	/** All commands, with the keys of the config file. */
	readonly commands: readonly Command[];
	/** What was on top when the help was opened: an overlay, else the focused panel. */
	readonly place: HelpPlace;
	readonly ascii: boolean;
};

export type HelpPlace = PanelName | Overlay;

/** How a help is shown. */
export type HelpView = {
	/** Default: all of it is shown. */
	readonly find?: HelpFind | undefined;
	/** First row shown, counted from 0. */
	readonly scroll: number;
	readonly keyHint: KeyHint;
	readonly size: Size;
	readonly ascii: boolean;
};

export type HelpPanelInput = HelpInput & Omit<HelpView, 'keyHint'>;

/** The framed help of the monitor. */
export const helpPanel = (input: HelpPanelInput): readonly Line[] =>
	framedHelp(['Keys and commands', 'Keys'], helpSections(input), {
		...input,
		keyHint: keyHintOf(input.commands, input.ascii),
	});

/** A part of a help, and the words of its rows. */
export type HelpSection = {
	/** Empty: it has none. */
	readonly title: string;
	readonly rows: ReadonlyArray<readonly [label: string, text: string, terms?: string]>;
};

/** A framed help: its border says what is searched for and which rows are shown. Exactly `size`. */
export function framedHelp(
	titles: readonly string[],
	sections: readonly HelpSection[],
	{find = noFind, scroll, keyHint, size, ascii}: HelpView,
): readonly Line[] {
	const rows = helpRows(sections, find, bodySize(size));
	const clears = keyHint('clears', 'back');
	const nothing = ['no match', clears].filter(Boolean).join(', ');
	const caret = find.editing ? (ascii ? '_' : '▏') : '';
	return frameOverlay(
		{
			...{command: 'help', scroll, keyHint, size, ascii},
			titles: isFinding(find) ? [`Help /${endOf(find.text, size.columns - 16, ascii)}${caret}`] : titles,
			ends: isFinding(find) ? [clears] : [keyHint('search', 'help-find'), keyHint('closes', 'back')],
		},
		rows.length > 0 ? rows : [[{text: ` ${nothing}`, tone: 'muted'}]],
	);
}

/** Keys and help of every command, and its name if only that does something, by place, as the help and docs/keys.md list them. */
export function keyHelp(commands: readonly Command[], ascii = false) {
	const rows = keyGroups(commands).flatMap(group => {
		const {first} = group;
		const place = first.overlay ?? first.panel;
		/** By what else a search finds it. */
		const terms = [...group.all.map(({name}) => name), first.hint?.word].join(' ');
		return helpOf(group, ascii).map(row => ({place, terms, ...row}));
	});
	const overlays = ['help', 'alerts', 'levels', 'holdings', 'settings', 'compare'] as const;
	return [undefined, ...panelNames, ...overlays].flatMap(place => {
		/** Where the keys act: a panel's name, an overlay's, or `Everywhere`. */
		const where = place ? capitalised(place) : 'Everywhere';
		return rows.filter(row => row.place === place).map(({keys, help, terms}) => ({where, keys, help, terms}));
	});
}

/** One row, or two for a command whose name takes an argument and then does something else than its keys. */
function helpOf(group: KeyGroup, ascii: boolean): readonly {readonly keys: string; readonly help: string}[] {
	const {help = '', argument} = group.first;
	const keys = helpKeys(group, ascii);
	const names = group.all.map(({name}) => `:${name}`).join(' ');
	const byName = {keys: names, help: typedHelp({help: argument?.help ?? help, argument})};
	if (keys === '') return [byName];
	const note = group.first.panel && group.first.focused ? 'when focused' : '';
	if (!argument || argument.help !== undefined) {
		return [{keys, help: note ? `${help} (${note})` : help}, ...(argument ? [byName] : [])];
	}

	return [{keys: `${keys}, ${names}`, help: note ? `${help} (${keys} ${note})` : help}];
}

const labelColumns = 16;

/** The meanings of signs and words on the screen. */
const legend = (ascii: boolean): ReadonlyArray<readonly [sign: string, meaning: string]> => [
	[ascii ? '^ v' : '▲ ▼', 'taker bought, taker sold; dot or letter: another side'],
	[ascii ? '^' : '▴', 'the candle that is still forming, in broken strokes'],
	[ascii ? ':' : '┊', 'candles are missing here'],
	[ascii ? '- = #' : '░ ▒ █', 'volume by price, an estimate: outside the value area, in it (70 %), point of control'],
	['a, b, c', 'ask, bid and close in the chart, where they differ from the last price'],
	[ascii ? '*' : '◆', 'a level that you drew, in the chart and in the ladder'],
	['!', 'your alert: at this price, or on this market; ? if it is blind'],
	[ascii ? '&' : '◈', 'an alert and a level in one row of the ladder'],
	[ascii ? '~' : '≈', 'approximate: a volume converted at last prices, or sums of a tape with gaps'],
	[ascii ? '-' : '–', 'no value from the exchange'],
	[
		ascii ? '+ ^ v x' : '+ ▲ ▼ ×',
		'beside a book price, since the last answer: new, larger, smaller, better level pulled',
	],
	[ascii ? '/' : '╱', 'in the depth curve: beyond the last level received'],
	[
		ascii ? 'b B s S x X' : '• ● ◦ ○ ◇ ◆',
		'trades on the heatmap: bought, sold, side unknown; large ones are at least a quarter of the largest',
	],
	[ascii ? 'o O' : '○ ●', 'a trade at least 5 times, 20 times the median size'],
	[ascii ? '>=' : '≥', 'at least: trades may be missing, or their sides are unknown'],
	['v2, legacy', 'the interface that the data came from, and its age'],
	['stale since', 'time of the last good answer, which is still shown'],
	['dropped', 'entries left out: a field or date is wrong, or they contradict another'],
	['rounded', 'entries with a number that has too many digits and was rounded'],
	[
		'cut',
		`entries beyond the first ${formatExact(largestPage)} trades or candles, or ${formatExact(mostLevels)} levels a side, of one answer`,
	],
	['misdated', 'trades or candles with an implausible time'],
	['off period', 'candles not a multiple of the period apart'],
];

/** Cells that a column of the help needs, so that few of its texts wrap. */
const leastColumn = 56;
const mostColumns = 3;

/** As many rows as there are in this width, in two or three columns where there is room for them. */
export const helpBody = (
	{find = noFind, ...input}: HelpInput & Pick<HelpView, 'find'>,
	width: Pick<Size, 'columns'>,
): readonly Line[] => helpRows(helpSections(input), find, width);

/** Every key and name by place, those of the present one first, then how to read the screen. */
function helpSections({commands, place, ascii}: HelpInput): readonly HelpSection[] {
	const byPlace = Map.groupBy(keyHelp(commands, ascii), ({where}) => where);
	const sections = [...byPlace].map(
		([title, rows]): HelpSection => ({title, rows: rows.map(row => [row.keys, row.help, row.terms])}),
	);
	const isFirst = ({title}: HelpSection) => title === capitalised(place);
	const ordered = [...sections.filter(isFirst), ...sections.filter(section => !isFirst(section))];
	return [...ordered, {title: 'On the screen', rows: legend(ascii)}];
}

/** The rows that match, below the titles of their sections, in as many columns as there is room for. Empty: none matches. */
export function helpRows(
	sections: readonly HelpSection[],
	find: HelpFind,
	{columns}: Pick<Size, 'columns'>,
): readonly Line[] {
	const found = sections.flatMap(({title, rows}) => {
		const matching = rows.filter(([label, text, terms = '']) => isFound(find, `${title} ${label} ${text} ${terms}`));
		return matching.length > 0 ? {title, rows: matching} : [];
	});
	const count = clamp(Math.floor(columns / leastColumn), 1, Math.min(mostColumns, Math.max(found.length, 1)));
	const width = Math.floor(columns / count);
	// A blank stands between two columns.
	const placed = placedIn(
		count,
		found.map(section => sectionLines(section, count > 1 ? width - 1 : width)),
	);
	return sideBySide(
		placed.map(lines => ({width, lines})),
		0,
	);
}

const sectionLines = ({title, rows}: HelpSection, columns: number): readonly Line[] => [
	...(title === '' ? [] : [[{text: ` ${title}`, tone: 'title'} as const]]),
	...rows.flatMap(([label, text]) => labelledRows({label, labelTone: 'accent', text}, labelColumns, {columns})),
];

/** The sections in `count` columns, whole and in order, with a blank row between two, in as few rows as that needs. */
function placedIn(count: number, sections: ReadonlyArray<readonly Line[]>): ReadonlyArray<readonly Line[]> {
	for (let height = Math.max(0, ...sections.map(({length}) => length)); ; height++) {
		const placed: Line[][] = [[]];
		for (const section of sections) {
			const last = placed.at(-1) ?? [];
			if (last.length === 0) last.push(...section);
			else if (last.length + 1 + section.length <= height) last.push([], ...section);
			else placed.push([...section]);
		}

		if (placed.length <= count) return placed;
	}
}
