import fc from 'fast-check';
import {expect, test} from 'vitest';
import {fitLine, fitLines, lineText, lineWidth} from '../../source/view/line.ts';

test('a short line is filled with blanks', () => {
	expect(fitLine([{text: 'ab', tone: 'up'}], 4)).toEqual([{text: 'ab', tone: 'up'}, {text: '  '}]);
});

test('a long line is cut between cells, and keeps its tones', () => {
	expect(
		fitLine(
			[
				{text: 'ab', tone: 'up'},
				{text: 'cd', tone: 'down'},
			],
			3,
		),
	).toEqual([
		{text: 'ab', tone: 'up'},
		{text: 'c', tone: 'down'},
	]);
});

test('half of a wide character is a blank', () => {
	expect(lineText(fitLine([{text: 'a漢字'}], 4))).toBe('a漢 ');
});

test('any line fits exactly', () => {
	const anyLine = fc.array(fc.record({text: fc.string({unit: fc.constantFrom('a', '漢', '▲', 'é', ' ')})}));
	fc.assert(
		fc.property(anyLine, fc.nat({max: 60}), (line, columns) => {
			const fitted = fitLine(line, columns);
			expect(lineWidth(fitted)).toBe(columns);
			expect(lineText(line).startsWith(lineText(fitted).trimEnd())).toBe(true);
		}),
	);
});

test('a body is filled or cut to its rows', () => {
	const body = [[{text: 'a'}], [{text: 'b'}]];
	expect(fitLines(body, {columns: 2, rows: 3}).map(lineText)).toEqual(['a ', 'b ', '  ']);
	expect(fitLines(body, {columns: 2, rows: 1}).map(lineText)).toEqual(['a ']);
});
