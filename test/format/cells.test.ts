import fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {alignTable, isNarrow, padEnd, padStart, textWidth, truncate} from '../../source/format/cells.ts';

const text = fc.oneof(
	fc.string({unit: 'grapheme'}),
	fc.string({unit: fc.constantFrom(...'aZ9 −–…·×₀₄₉─█▟▲▼▶●★◂┈½Žﾊﾞ中é👍'), maxLength: 12}),
);
const width = fc.nat({max: 20});

test('counts the cells of a text', () => {
	// Thai and Lao am take a cell besides that of their letter.
	expect(['กำ', 'น้ำ', 'ກຳ', 'ำ'].map(textWidth)).toEqual([2, 2, 2, 1]);
	expect(['', 'BTC', '0.0₄1371', '中文', 'é', '👍', '▲ −0.02'].map(textWidth)).toEqual([0, 3, 8, 4, 1, 2, 7]);
});

test('counts as string-width does', () => {
	fc.assert(
		fc.property(text, each => {
			expect(textWidth(each)).toBe(stringWidth(each));
		}),
	);
});

test('treats only one-cell characters as narrow', () => {
	const units = Array.from({length: 0x10000}, (_, code) => String.fromCharCode(code));
	expect(units.filter(unit => isNarrow(unit) && stringWidth(unit) !== 1)).toEqual([]);
	expect(['BTC 0.0₄1371 ┈◂', '中', 'e\u0301', '👍', 'a\u200D'].map(isNarrow)).toEqual([
		true,
		false,
		false,
		false,
		false,
	]);
});

test('pads on either side by cells', () => {
	expect([padStart('中', 4), padEnd('中', 4), padStart('BTCUSDT', 3), padEnd('', 2)]).toEqual([
		'  中',
		'中  ',
		'BTCUSDT',
		'  ',
	]);
});

test('pads to the width or leaves a wider text as it is', () => {
	fc.assert(
		fc.property(text, width, (each, cells) => {
			const wanted = Math.max(cells, stringWidth(each));
			expect([padStart(each, cells), padEnd(each, cells)].map(padded => stringWidth(padded))).toEqual([wanted, wanted]);
		}),
	);
});

test('cuts at a cell boundary and marks the cut', () => {
	expect([truncate('Bitcoin', 7), truncate('Bitcoin', 4), truncate('中文字', 4), truncate('中文字', 1)]).toEqual([
		'Bitcoin',
		'Bit…',
		'中…',
		'…',
	]);
	expect([truncate('Bitcoin', 4, true), truncate('Bitcoin', 0), truncate('', 0)]).toEqual(['Bit~', '', '']);
});

test('never takes more than the width, nor changes what fits', () => {
	fc.assert(
		fc.property(text, width, (each, cells) => {
			const cut = truncate(each, cells);
			expect(stringWidth(cut)).toBeLessThanOrEqual(cells);
			if (stringWidth(each) <= cells) expect(cut).toBe(each);
			else expect(each.startsWith(cut.replace(/…$/, ''))).toBe(true);
		}),
	);
});

test('aligns a table: texts left, numbers right or on their point', () => {
	const rows = [
		['market', 'last', 'volume', 'state'],
		['BTC/USDT', '61,824.01', '48,201', 'active'],
		['中/USDT', '0.0₄1371', '312 k', ''],
		['OLD', '–', '–', 'halted'],
		['ABC', '7', '5'],
	];
	expect(alignTable(rows, ['left', 'point', 'right'])).toEqual([
		'market             last  volume  state',
		'BTC/USDT  61,824.01      48,201  active',
		'中/USDT        0.0₄1371   312 k',
		'OLD                   –       –  halted',
		'ABC            7              5',
	]);
});

test('aligns no rows to no lines', () => {
	expect(alignTable([], ['left'])).toEqual([]);
	expect(alignTable([[]], ['left'])).toEqual(['']);
});

test('starts every left column at the same cell and ends every right one', () => {
	const cell = fc.string({unit: fc.constantFrom(...'ab1中é'), minLength: 1, maxLength: 6});
	fc.assert(
		fc.property(fc.array(fc.tuple(cell, cell, cell), {minLength: 1}), rows => {
			const lines = alignTable(rows, ['left', 'right', 'left']);
			const starts = lines.map((line, row) => stringWidth(line) - stringWidth(rows[row]?.[2] ?? ''));
			expect(new Set(starts).size).toBe(1);
			for (const [row, line] of lines.entries()) expect(line.split(/ +/)).toEqual(rows[row]);
		}),
	);
});
