import {expect, test} from 'vitest';
import {commands} from '../../../../source/view/commands/table.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {helpBody, keyHelp} from '../../../../source/view/panels/help/rows.ts';

const texts = (columns: number, ascii = false) => helpBody(commands, {columns, rows: 40}, ascii).map(lineText);

test('the help lists keys by panel, as the README does', () => {
	const rows = texts(118);
	const sections = Map.groupBy(keyHelp(commands), ({where}) => where);
	const expected = [...sections].flatMap(([where, keys]) => [
		` ${where}`,
		...keys.map(({keys, help}) => ` ${keys.padEnd(16)}${help}`),
		'',
	]);
	expect([...sections.keys()]).toEqual(['Everywhere', 'Markets', 'Chart', 'Book', 'Tape']);
	expect(rows.slice(0, expected.length)).toEqual(expected);
});

test('a long text wraps below itself', () => {
	const rows = texts(38);
	expect(rows.slice(1, 3)).toEqual([' ↑ ↓, k j        move up and down in', '                 the focused panel']);
	expect(Math.max(...helpBody(commands, {columns: 38, rows: 8}, false).map(lineWidth))).toBeLessThanOrEqual(38);
	expect(rows.join('').replaceAll(/\s/g, '')).toBe(texts(118).join('').replaceAll(/\s/g, ''));
});

test('ASCII names the arrows', () => {
	const rows = texts(118, true);
	expect(rows.join('')).toMatch(/^[ -~]*$/);
	expect(rows[1]).toBe(' Up Down, k j    move up and down in the focused panel');
});
