import type {Size} from '../../../format/cells.ts';
import {formatExact} from '../../../format/number.ts';
import {clamp} from '../../../market/numbers.ts';
import {largestPage, mostLevels} from '../../../market/types.ts';
import {type Command, helpKeys, keyGroups} from '../../commands/command.ts';
import {bodySize, frameOverlay} from '../../frame.ts';
import {capitalised, keyHintOf} from '../../keys.ts';
import {type PanelName, panelNames} from '../../layout.ts';
import {fitLine, type Line} from '../../line.ts';
import {labelledRows} from '../../wrap.ts';

type HelpInput = {
	/** All commands, with the keys of the config file. */
	readonly commands: readonly Command[];
	/** The focused panel. */
	readonly focus: PanelName;
	readonly ascii: boolean;
};

export type HelpPanelInput = HelpInput & {
	readonly size: Size;
	/** First row shown, counted from 0. */
	readonly scroll: number;
};

/** The framed help. Its bottom border says which rows are shown. */
export function helpPanel(input: HelpPanelInput): readonly Line[] {
	const {commands, size, scroll, ascii} = input;
	const keyHint = keyHintOf(commands, ascii);
	return frameOverlay(
		{command: 'help', titles: ['Keys'], scroll, keyHint, size, ascii},
		helpBody(input, bodySize(size)),
	);
}

export type KeyHelp = {
	/** Where the keys act: a panel's name, the list of alerts, or `Everywhere`. */
	readonly where: string;
	readonly keys: string;
	readonly help: string;
};

/** Keys and help of every command that has keys, by panel, as the help overlay and docs/keys.md list them. */
export function keyHelp(commands: readonly Command[], ascii = false): readonly KeyHelp[] {
	const rows = keyGroups(commands).map(group => ({
		place: group.first.overlay ?? group.first.panel,
		keys: helpKeys(group, ascii),
		help: (group.first.help ?? '') + focusNote(group.first),
	}));
	const overlays = ['alerts', 'levels', 'settings', 'compare'] as const;
	return [undefined, ...panelNames, ...overlays].flatMap(place => {
		const where = place ? capitalised(place) : 'Everywhere';
		return rows.filter(row => row.place === place && row.keys !== '').map(({keys, help}) => ({where, keys, help}));
	});
}

/** Said of keys that act only while their panel is focused. */
const focusNote = ({panel, focused}: Command): string => (panel && focused ? ' (when focused)' : '');

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

/**
 * Every key by panel, those of the focused one first, then how to read the screen: in two or three columns where there is
 * room for them, and in as many rows as that needs.
 */
export function helpBody({commands, focus, ascii}: HelpInput, {columns}: Pick<Size, 'columns'>): readonly Line[] {
	const count = clamp(Math.floor(columns / leastColumn), 1, mostColumns);
	const width = Math.floor(columns / count);
	// A blank stands between two columns.
	const placed = placedIn(count, sectionsOf({commands, focus, ascii}, count > 1 ? width - 1 : width));
	const height = Math.max(...placed.map(lines => lines.length));
	return Array.from({length: height}, (_, row) => placed.flatMap(lines => fitLine(lines[row] ?? [], width)));
}

/** Each with its title, in the order of the help. */
function sectionsOf({commands, focus, ascii}: HelpInput, columns: number): ReadonlyArray<readonly Line[]> {
	const section = (name: string, rows: ReadonlyArray<readonly [label: string, text: string]>): readonly Line[] => [
		[{text: ` ${name}`, tone: 'title'}],
		...rows.flatMap(([label, text]) => labelledRows({label, labelTone: 'accent', text}, labelColumns, {columns})),
	];
	const byPlace = Map.groupBy(keyHelp(commands, ascii), ({where}) => where);
	const isFocused = (where: string) => where === capitalised(focus);
	const places = [...byPlace.keys()];
	const ordered = [...places.filter(isFocused), ...places.filter(where => !isFocused(where))];
	return [
		...ordered.map(where =>
			section(
				where,
				(byPlace.get(where) ?? []).map(({keys, help}) => [keys, help]),
			),
		),
		section('On the screen', legend(ascii)),
	];
}

/** The sections in `count` columns, whole and in order, with a blank row between two, in as few rows as that needs. */
function placedIn(count: number, sections: ReadonlyArray<readonly Line[]>): ReadonlyArray<readonly Line[]> {
	for (let height = Math.max(...sections.map(({length}) => length)); ; height++) {
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
