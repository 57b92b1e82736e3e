import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {textWidth} from '../../../source/format/cells.ts';
import {type Column, table} from '../../../source/view/kit/table.ts';

const rows = [
	['BTC/USDT', '61,824.01', '48,201', 'active', 'a note of several words'],
	['中/USDT', '0.0₄1371', '312 k', '', ''],
	['OLD', '–', '–', 'halted'],
	['ABC', '7', '5'],
];
const columns: readonly Column[] = [
	{titles: ['market']},
	{titles: ['last (USDT)', 'last'], alignment: 'point'},
	{titles: ['volume'], alignment: 'right', rank: 3},
	{titles: ['state'], rank: 1},
	{titles: ['note'], rank: 2, least: 10},
];

test('texts are left, numbers right or on their decimal points', () => {
	expect(table(columns, rows)).toMatchObject({
		lines: [
			'market      last (USDT)  volume  state   note',
			'BTC/USDT  61,824.01      48,201  active  a note of several words',
			'中/USDT        0.0₄1371   312 k',
			'OLD                   –       –  halted',
			'ABC            7              5',
		],
		hidden: [],
	});
});

test('a table without titles has only its rows', () => {
	const labels = [{titles: []}, {titles: [], least: 5}];
	expect(table(labels, []).lines).toEqual([]);
	expect(
		table(
			labels,
			[
				['one', 'a text of words'],
				['another', 'b'],
			],
			{width: 16},
		).lines,
	).toEqual(['one      a text', '         of', '         words', 'another  b']);
});

describe('where room is short', () => {
	test.each([
		[
			'texts are wrapped',
			50,
			[
				'market     last (USDT)  volume  state   note',
				'BTC/USDT  61,824.01     48,201  active  a note of',
				'                                        several',
				'                                        words',
				'中/USDT       0.0₄1371   312 k',
				'OLD                  –       –  halted',
				'ABC            7             5',
			],
			[],
		],
		[
			'titles are short and numbers near their points, then the column of the highest rank is left out',
			40,
			[
				'market          last  state   note',
				'BTC/USDT  61,824.01   active  a note of',
				'                              several',
				'                              words',
				'中/USDT     0.0₄1371',
				'OLD                –  halted',
				'ABC            7',
			],
			['volume'],
		],
		[
			'a less important column is not shown in place of one that is wider',
			28,
			[
				'market          last  state',
				'BTC/USDT  61,824.01   active',
				'中/USDT     0.0₄1371',
				'OLD                –  halted',
				'ABC            7',
			],
			['volume', 'note'],
		],
		[
			'numbers are whole, even if their columns are too wide',
			10,
			['market         last', 'BTC/USDT  61,824.01', '中/USDT    0.0₄1371', 'OLD               –', 'ABC            7'],
			['volume', 'state', 'note'],
		],
	] as const)('%s', (_, width, lines, hidden) => {
		expect(table(columns, rows, {width})).toMatchObject({lines, hidden});
	});

	test('columns of one rank are shown or left out together', () => {
		const pair = [{titles: ['market']}, {titles: ['high'], rank: 1}, {titles: ['low'], rank: 1}];
		const {lines, hidden} = table(pair, [['BTC', '12', '10']], {width: 14});
		expect({lines, hidden}).toEqual({lines: ['market', 'BTC'], hidden: ['high', 'low']});
	});

	test('texts of columns that cut are cut', () => {
		const cutting = [{titles: ['level']}, {titles: ['note'], least: 0, cuts: true}];
		expect(table(cutting, [['1', 'support of a week']], {width: 16}).lines).toEqual([
			'level  note',
			'1      support …',
		]);
		expect(table(cutting, [['1', 'support of a week']], {width: 16, ascii: true}).lines[1]).toBe('1      support ~');
	});
});

test('no line is wider than asked for as long as what must stay fits, no number is cut, and what is shown has the lowest ranks', () => {
	const cell = fc.string({unit: fc.constantFrom(...'1.中é9'), minLength: 1, maxLength: 6});
	const row = fc.tuple(cell, cell, cell, cell);
	const ranks = fc.tuple(fc.nat({max: 3}), fc.nat({max: 3}), fc.nat({max: 3}));
	fc.assert(
		fc.property(fc.array(row, {minLength: 1}), ranks, fc.integer({min: 1, max: 40}), (cells, others, width) => {
			const ranked = [0, ...others].map(
				(rank, index): Column => ({titles: [`${index}`], rank, alignment: index % 2 ? 'point' : 'left'}),
			);
			const {lines, hidden} = table(ranked, cells, {width});
			const shown = ranked.flatMap(({titles: [title = '']}, index) => (hidden.includes(title) ? [] : index));
			for (const [index, line] of lines.slice(1).entries())
				expect(line.split(/ +/).filter(Boolean)).toEqual(shown.map(column => cells[index]?.[column]));
			const staysOnly = shown.every(column => ranked[column]?.rank === 0);
			if (!staysOnly) expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
			const rankOf = (column: number) => ranked[column]?.rank ?? 0;
			const lowestHidden = Math.min(...hidden.map(title => rankOf(Number(title))));
			expect(shown.every(column => rankOf(column) <= lowestHidden)).toBe(true);
		}),
	);
});
