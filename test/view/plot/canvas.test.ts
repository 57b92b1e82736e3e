import {expect, test} from 'vitest';
import {lineText} from '../../../source/view/line.ts';
import {createCanvas} from '../../../source/view/plot/canvas.ts';

test('cells of one tone become one span, blanks between them included', () => {
	const canvas = createCanvas({columns: 8, rows: 1});
	canvas.write(0, 1, 'ab', 'up');
	canvas.write(0, 4, 'c', 'up');
	canvas.write(0, 6, 'd', 'down');
	expect(canvas.lines()).toEqual([
		[
			{text: ' ab c ', tone: 'up'},
			{text: 'd ', tone: 'down'},
		],
	]);
});

test('a blank canvas is blank lines of its size', () => {
	expect(createCanvas({columns: 3, rows: 2}).lines()).toEqual([
		[{text: '   ', tone: 'plain'}],
		[{text: '   ', tone: 'plain'}],
	]);
});

test('what falls outside is not drawn', () => {
	const canvas = createCanvas({columns: 3, rows: 1});
	canvas.write(0, -1, 'abcde', 'plain');
	canvas.write(1, 0, 'x', 'plain');
	canvas.write(-1, 0, 'x', 'plain');
	expect(canvas.lines()).toEqual([[{text: 'bcd', tone: 'plain'}]]);
});

test('text written behind shows only on blank cells', () => {
	const canvas = createCanvas({columns: 3, rows: 1});
	canvas.write(0, 1, 'x', 'up');
	canvas.writeBehind(0, 0, '---', 'muted');
	expect(canvas.lines()).toEqual([
		[
			{text: '-', tone: 'muted'},
			{text: 'x', tone: 'up'},
			{text: '-', tone: 'muted'},
		],
	]);
});

test('inverse cells are a span of their own, blanks among them included', () => {
	const canvas = createCanvas({columns: 8, rows: 1});
	canvas.write(0, 1, 'a b', 'accent', true);
	canvas.write(0, 5, 'c', 'accent');
	expect(canvas.lines()).toEqual([
		[
			{text: ' ', tone: 'plain'},
			{text: 'a b', tone: 'accent', inverse: true},
			{text: ' c  ', tone: 'accent'},
		],
	]);
});

test('a part draws into its rows and columns and nowhere else', () => {
	const canvas = createCanvas({columns: 4, rows: 4});
	const part = canvas.part(1, 2, 3);
	expect(part.size).toEqual({columns: 3, rows: 2});
	for (const row of [-1, 0, 1, 2]) part.write(row, -1, 'xxxxx', 'plain');
	expect(canvas.lines().map(lineText)).toEqual(['    ', 'xxx ', 'xxx ', '    ']);
});

test('cells are blank until something is written to them', () => {
	const canvas = createCanvas({columns: 4, rows: 2});
	canvas.write(0, 1, 'a', 'plain');
	const blank = [canvas.isBlank(0, 2, 2), canvas.isBlank(0, 0, 2), canvas.isBlank(1, 0, 4)];
	expect(blank).toEqual([true, false, true]);
	expect([canvas.isBlank(1, 1, 4), canvas.isBlank(2, 0, 1)]).toEqual([false, false]);
});

test('a character wider than a cell takes its cells, and goes as a whole when one of them is written over', () => {
	const canvas = createCanvas({columns: 8, rows: 1});
	canvas.writeText(0, 1, 'a支持', 'up');
	expect(canvas.lines()).toEqual([[{text: ' a支持  ', tone: 'up'}]]);
	canvas.write(0, 3, 'x', 'up');
	expect(canvas.lines().map(lineText)).toEqual([' a x持  ']);
	canvas.write(0, 4, 'y', 'up');
	expect(canvas.lines().map(lineText)).toEqual([' a xy   ']);
	canvas.writeText(0, 7, '支b', 'up');
	expect(canvas.lines().map(lineText)).toEqual([' a xy  b']);
});
