import {expect, test} from 'vitest';
import {commands} from '../../../../source/view/commands/table.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {type HelpPlace, helpBody, keyHelp} from '../../../../source/view/panels/help/rows.ts';
import {droppedNote} from '../../../../source/view/resource-panel.ts';
import {received} from '../../../helpers/market-state.ts';

const bodyOf = (columns: number, place: HelpPlace = 'ticker', ascii = false, text = '') =>
	helpBody({commands, place, ascii, find: {text, editing: false}}, {columns}).map(lineText);
/** The rows without their line breaks. */
const unwrapped = (rows: readonly string[]) =>
	rows
		.map(row => row.trimEnd())
		.join('\n')
		.replaceAll(/\n {17}(?=\S)/g, ' ')
		.split('\n');
const titlesIn = (row: string | undefined) => row?.trim().split(/ {2,}/);

test('the help lists keys and names by panel, as docs/keys.md does', () => {
	const rows = unwrapped(bodyOf(110));
	const sections = Map.groupBy(keyHelp(commands), ({where}) => where);
	const expected = [...sections].flatMap(([where, keys]) => [
		` ${where}`,
		...keys.map(({keys, help}) => ` ${keys.padEnd(15)} ${help}`),
		'',
	]);
	expect([...sections.keys()]).toEqual([
		'Everywhere',
		'Markets',
		'Chart',
		'Book',
		'Tape',
		'Help',
		'Alerts',
		'Levels',
		'Holdings',
		'Settings',
		'Compare',
	]);
	expect(rows.slice(0, expected.length)).toEqual(expected);
});

test.each([
	[78, 'ticker', 'Everywhere', 1],
	[78, 'book', 'Book', 1],
	[118, 'book', 'Book', 2],
	[118, 'ticker', 'Everywhere', 2],
	[198, 'tape', 'Tape', 3],
] as const)('%i cells with the focus on %s begin with %s, in columns: %i', (columns, focus, first, count) => {
	const titles = titlesIn(bodyOf(columns, focus)[0]);
	expect([titles?.[0], titles?.length]).toEqual([first, count]);
});

test('a long text wraps below itself', () => {
	const rows = bodyOf(38).map(row => row.trimEnd());
	expect(rows.slice(1, 3)).toEqual([' ↑ ↓, k j        move up and down in', '                 the focused panel']);
	expect(Math.max(...helpBody({commands, place: 'book', ascii: false}, {columns: 38}).map(lineWidth))).toBe(38);
	expect(rows.join('').replaceAll(/\s/g, '')).toBe(bodyOf(110).join('').replaceAll(/\s/g, ''));
});

test.each([
	['list-d', [' Markets', ' :list-drop      delete a list']],
	['LIST drop', [' Markets', ' :list-drop      delete a list']],
	// The name of the command and its hint, which the row does not show.
	['rewind', [' Everywhere', ' < >             go 10 s back and forward in the recorded data']],
	['no such word', []],
])('a search for %s shows the rows with all of its words, below their titles', (text, first) => {
	const rows = bodyOf(96, 'ticker', false, text);
	expect(rows.map(row => row.trimEnd()).slice(0, 2)).toEqual(first);
	expect(rows.length).toBeLessThan(10);
});

test('the help names every command that takes an argument or has no key', () => {
	const named = new Set(keyHelp(commands).flatMap(({keys}) => keys.split(/,? /)));
	const typed = commands.filter(({keys, argument}) => argument !== undefined || keys.length === 0);
	expect(typed.length).toBeGreaterThan(30);
	expect(typed.filter(({name}) => !named.has(`:${name}`))).toEqual([]);
});

test('ASCII names the arrows', () => {
	const rows = bodyOf(110, 'ticker', true);
	expect(rows.join('')).toMatch(/^[ -~]*$/);
	expect(rows[1]?.trimEnd()).toBe(' Up Down, k j    move up and down in the focused panel');
});

test('the help explains every count that a panel shows', () => {
	const counts = {dropped: 1, rounded: 1, cut: 1, misdated: 1, offPeriod: 1};
	const shown = lineText(droppedNote([{...received(undefined, 0), ...counts}])).split(', ');
	const rows = bodyOf(110);
	const explained = (word: string) => rows.some(row => row.startsWith(` ${word.padEnd(16)}`));
	expect(shown.map(text => text.slice(2)).filter(word => !explained(word))).toEqual([]);
	expect(shown).toHaveLength(5);
});
