import type {Size} from '../../../format/cells.ts';
import {formatExact} from '../../../format/number.ts';
import {largestPage, mostLevels} from '../../../market/types.ts';
import {type Command, helpKeys, keyGroups} from '../../commands/command.ts';
import {bodySize, frameOverlay} from '../../frame.ts';
import {capitalised, keyHintOf} from '../../keys.ts';
import {panelNames} from '../../layout.ts';
import type {Line} from '../../line.ts';
import {labelledRows} from '../../wrap.ts';

export type HelpPanelInput = {
	/** All commands, with the keys of the config file. */
	readonly commands: readonly Command[];
	readonly size: Size;
	/** First row shown, counted from 0. */
	readonly scroll: number;
	readonly ascii: boolean;
};

/** The framed help. Its bottom border says which rows are shown. */
export function helpPanel({commands, size, scroll, ascii}: HelpPanelInput): readonly Line[] {
	const keyHint = keyHintOf(commands, ascii);
	return frameOverlay(
		{command: 'help', titles: ['Keys'], scroll, keyHint, size, ascii},
		helpBody(commands, bodySize(size), ascii),
	);
}

export type KeyHelp = {
	/** Where the keys act: a panel's name, or `Everywhere`. */
	readonly where: string;
	readonly keys: string;
	readonly help: string;
};

/** Keys and help of every command that has keys, by panel, as the help overlay and the README list them. */
export function keyHelp(commands: readonly Command[], ascii = false): readonly KeyHelp[] {
	const rows = keyGroups(commands).map(group => ({
		panel: group.first.panel,
		keys: helpKeys(group, ascii),
		help: (group.first.help ?? '') + placeOf(group.first),
	}));
	return [undefined, ...panelNames].flatMap(panel => {
		const where = panel ? capitalised(panel) : 'Everywhere';
		return rows.filter(row => row.panel === panel && row.keys !== '').map(({keys, help}) => ({where, keys, help}));
	});
}

/** The only panel where its keys act, in parentheses; empty: they act anywhere. */
const placeOf = ({panel, focused}: Command): string => (panel && focused ? ` (in the ${panel})` : '');

const labelColumns = 16;

/** The meanings of signs and words on the screen. */
const legend = (ascii: boolean): ReadonlyArray<readonly [sign: string, meaning: string]> => [
	[ascii ? '^ v' : '▲ ▼', 'taker bought, taker sold; dot: side unknown'],
	[ascii ? '^' : '▴', 'the candle that is still forming, in broken strokes'],
	[ascii ? ':' : '┊', 'candles are missing here'],
	['a, b', 'best ask and bid in the chart, where they differ from the last price'],
	[ascii ? '-' : '–', 'no value from the exchange'],
	[
		ascii ? '+ ^ v x' : '+ ▲ ▼ ×',
		'beside a book price, since the last answer: new, larger, smaller, better level pulled',
	],
	[ascii ? 'o O' : '○ ●', 'a trade at least 5 times, 20 times the median size'],
	[ascii ? '>=' : '≥', 'at least: trades may be missing, or their sides are unknown'],
	['v2, legacy', 'the interface that the data came from, and its age'],
	['stale since', 'time of the last good answer, which is still shown'],
	['dropped', 'entries with a missing or wrong field, or dated ahead of the exchange clock'],
	['rounded', 'entries with a number of more digits than the program can hold'],
	[
		'cut',
		`entries beyond the first ${formatExact(largestPage)} trades or candles, or ${formatExact(mostLevels)} levels a side, of one answer`,
	],
];

/** Every key by panel, then how to read the screen, in as many rows as that needs at this width. */
export function helpBody(commands: readonly Command[], size: Size, ascii: boolean): readonly Line[] {
	const title = (text: string): Line => [{text: ` ${text}`, tone: 'title'}];
	const rows = (label: string, text: string) => labelledRows({label, labelTone: 'accent', text}, labelColumns, size);
	const sections = Map.groupBy(keyHelp(commands, ascii), ({where}) => where);
	return [
		...[...sections].flatMap(([where, entries]) => [
			title(where),
			...entries.flatMap(({keys, help}) => rows(keys, help)),
			[],
		]),
		title('On the screen'),
		...legend(ascii).flatMap(([sign, meaning]) => rows(sign, meaning)),
	];
}
