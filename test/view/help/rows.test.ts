import {expect, test} from 'vitest';
import {helpBody, keyHelp} from '../../../source/view/help/rows.ts';
import {lineText, lineWidth} from '../../../source/view/line.ts';

const texts = (columns: number, ascii = false) => helpBody({columns, rows: 40}, ascii).map(lineText);

test('a key and what it does a row, as the README lists them', () => {
	const rows = texts(118).slice(0, keyHelp.length);
	expect(rows.map(row => [row.slice(1, 17).trim(), row.slice(17)])).toEqual(
		keyHelp.map(({keys, help}) => [keys, help]),
	);
});

test('a text that is too long goes on below itself', () => {
	const rows = texts(38);
	expect(rows.slice(0, 2)).toEqual([' ↑ ↓ j k         move up and down in', '                 the focused panel']);
	expect(Math.max(...helpBody({columns: 38, rows: 8}, false).map(lineWidth))).toBeLessThanOrEqual(38);
	expect(rows.join('').replaceAll(/\s/g, '')).toBe(texts(118).join('').replaceAll(/\s/g, ''));
});

test('in ASCII arrows have names', () => {
	const rows = texts(118, true);
	expect(rows.join('')).toMatch(/^[ -~]*$/);
	expect(rows[0]).toBe(' Up Down j k     move up and down in the focused panel');
});
