import {padEnd, truncate} from '../../../format/cells.ts';
import {clamp} from '../../../market/numbers.ts';
import type {Entry} from '../../commands/view-settings.ts';
import {bodySize, frameRows} from '../../frame.ts';
import {type Column, table} from '../../kit/table.ts';
import {rowAt} from '../../layout.ts';
import {type Line, lineText} from '../../line.ts';
import {dotted, marksFor} from '../../marks.ts';
import type {OverlayView} from '../../resource-panel.ts';
import {wrapped} from '../../wrap.ts';

export type SettingsPanelInput = OverlayView & {
	readonly entries: readonly Entry[];
	/** Name of the entry under the cursor; absent: the first. */
	readonly cursor?: string | undefined;
};

/** Minimum cells of the values beside where they come from. */
const leastValue = 14;
/** Share of the rows for what is known of the entry under the cursor. */
const mostDetails = 0.25;

type Row = {readonly title: string} | {readonly entry: Entry};

/** The framed list of settings by group: the part of it around the cursor, and below what is known of the entry there. Exactly `size`. */
export function settingsPanel({entries, cursor, keyHint, size, ascii}: SettingsPanelInput): readonly Line[] {
	const inner = bodySize(size);
	const chosen = rowAt(entries, cursor, ({name}) => name);
	const textsOf = (entry: Entry) => {
		return wrapped(detailText(entry, ascii), Math.max(inner.columns - 2, 1));
	};
	const longest = Math.max(...entries.map(entry => textsOf(entry).length), 0);
	const room = Math.min(longest, Math.floor(inner.rows * mostDetails));
	const details = chosen ? detailLines(textsOf(chosen), inner.columns, room, ascii) : [];
	const rows = rowsOf(entries);
	const shown = Math.max(inner.rows - details.length, 1);
	const at = rows.findIndex(row => 'entry' in row && row.entry === chosen);
	const first = clamp(at - Math.floor(shown / 2), 0, Math.max(rows.length - shown, 0));
	// A blank stands at both sides.
	const style = {width: inner.columns - 2, ascii};
	const {cells} = table(
		columns,
		entries.map(entry => [entry.name, entry.value, sourceText(entry)]),
		style,
	);
	const lines = rows.slice(first, first + shown).map((row): Line => {
		if ('title' in row) return [{text: ` ${row.title}`, tone: 'title'}];
		const line = entryLine(row.entry, cells[entries.indexOf(row.entry)] ?? []);
		if (row.entry !== chosen) return line;
		return [{text: padEnd(lineText(line), inner.columns), tone: 'strong', inverse: true}];
	});
	const blank = Array.from({length: shown - lines.length}, (): Line => []);
	const body = [...lines, ...blank, ...details];
	const frame = {command: 'settings', titles: ['Settings'], keyHint, ascii, size};
	return frameRows(frame, {total: rows.length, shown, scroll: first}, body);
}

const rowsOf = (entries: readonly Entry[]): readonly Row[] =>
	[...Map.groupBy(entries, ({group}) => group)].flatMap(([title, ofGroup]): readonly Row[] => [
		{title},
		...ofGroup.map(entry => ({entry})),
	]);

const columns: readonly Column[] = [{titles: []}, {titles: [], least: leastValue, cuts: true}, {titles: [], rank: 1}];

const sourceText = ({source, later}: Entry): string => [source, later].filter(text => text !== undefined).join(', ');

function entryLine({source}: Entry, [name = '', value = '', from = '']: readonly string[]): Line {
	return [
		{text: ` ${name}`, tone: 'muted'},
		{text: value, tone: source === 'default' ? 'plain' : 'strong'},
		{text: from, tone: source === 'set now' ? 'accent' : 'muted'},
	];
}

/** Where the value comes from, all of it, and what it can be or what changes it at the next start. */
function detailText(entry: Entry, ascii: boolean): string {
	const {name, value, argument, how} = entry;
	const others = how ?? argument?.words?.join(', ') ?? argument?.takes;
	return dotted([sourceText(entry), `${name} ${value}`, others], ascii);
}

/** So many `rows` below a line, so that the list does not move with the cursor. */
const detailLines = (texts: readonly string[], columns: number, rows: number, ascii: boolean): readonly Line[] => [
	[{text: marksFor(ascii).rule.repeat(columns), tone: 'border'}],
	...Array.from({length: rows}, (_, row): Line => {
		const rest = row === rows - 1 ? texts.slice(row).join(' ') : (texts[row] ?? '');
		return [{text: ` ${truncate(rest, columns - 2, ascii)}`}];
	}),
];
