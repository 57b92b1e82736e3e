import fc from 'fast-check';
import {expect, test} from 'vitest';
import {cursorMove} from '../../source/terminal/cell-diff.ts';
import {createScreen} from '../helpers/screen.ts';

test.each([
	['nowhere', [3, 5], [3, 5], ''],
	['one to the left', [3, 5], [3, 4], '\b'],
	['some to the right', [3, 5], [3, 9], '\u001B[4C'],
	['down', [3, 5], [5, 5], '\v\v'],
	['up', [3, 5], [2, 5], '\u001BM'],
	['to the next line', [3, 60], [4, 0], '\r\v'],
	['home', [20, 30], [0, 0], '\u001B[H'],
	['far away', [3, 5], [29, 70], '\u001B[30;71H'],
	['far to the left', [3, 110], [3, 8], '\u001B[9G'],
	['far down', [3, 50], [30, 50], '\u001B[27B'],
	['from after the last column', [3, undefined], [4, 2], '\u001B[3G\v'],
] as const)('moves %s', (_, [row, column], [toRow, toColumn], sequence) => {
	expect(cursorMove({row, column}, toRow, toColumn)).toBe(sequence);
});

test('ends at its target without scrolling', async () => {
	const [columns, rows] = [120, 40];
	const [row, column] = [fc.nat(rows - 1), fc.nat(columns - 1)];
	await fc.assert(
		fc.asyncProperty(row, column, row, column, async (fromRow, fromColumn, toRow, toColumn) => {
			const screen = createScreen(columns, rows);
			await screen.write(`top\u001B[${fromRow + 1};${fromColumn + 1}H`);
			const move = cursorMove({row: fromRow, column: fromColumn}, toRow, toColumn);
			await screen.write(move);
			expect(screen.cursor()).toMatchObject({row: toRow, column: toColumn});
			expect(screen.text()[0]).toBe('top');
			expect(move.length).toBeLessThanOrEqual(`\u001B[${toRow + 1};${toColumn + 1}H`.length);
		}),
	);
});
