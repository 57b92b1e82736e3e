import fc from 'fast-check';
import {expect, test} from 'vitest';
import {textWidth} from '../../source/format/cells.ts';
import {lineText} from '../../source/view/line.ts';
import {labelledRows, wrapped} from '../../source/view/wrap.ts';

test.each([
	['fits in one row', 'the last price', 20, ['the last price']],
	['breaks between words', 'the last good answer', 9, ['the last', 'good', 'answer']],
	[
		'breaks a word that is wider than a row',
		'see https://a.example/logo.png',
		10,
		['see', 'https://a.', 'example/lo', 'go.png'],
	],
	['counts cells, not characters', '漢字 漢字', 4, ['漢字', '漢字']],
	['is one empty row where there is no text', '', 5, ['']],
])('%s', (_, text, columns, rows) => {
	expect(wrapped(text, columns)).toEqual(rows);
});

test('loses nothing but blanks, and no row is wider than the limit', () => {
	fc.assert(
		fc.property(
			fc.string({unit: fc.constantFrom('a', 'b', ' ', '漢')}),
			fc.integer({min: 2, max: 20}),
			(text, columns) => {
				const rows = wrapped(text, columns);
				expect(rows.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
				expect(Math.max(...rows.map(textWidth))).toBeLessThanOrEqual(columns);
			},
		),
	);
});

test.each([
	['beside its text', 'z', [' z    zoom the', '      panel']],
	['above its text where no blank would stand between', 'z, Z,', [' z, Z,', '      zoom the', '      panel']],
	[
		'in rows of its own if it is wider than all',
		'z, Z, Ctrl-E, F',
		[' z, Z, Ctrl-E,', ' F', '      zoom the', '      panel'],
	],
])('a label stands %s', (_, label, rows) => {
	const lines = labelledRows({label, labelTone: 'accent', text: 'zoom the panel'}, 5, {columns: 15});
	expect(lines.map(line => lineText(line).trimEnd())).toEqual(rows);
});
