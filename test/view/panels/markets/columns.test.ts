import fc from 'fast-check';
import {expect, test} from 'vitest';
import {pickerColumns} from '../../../../source/view/panels/markets/columns.ts';

test.each([
	[30, {name: 11, volume: 0, spread: 0, course: 0}],
	[38, {name: 12, volume: 0, spread: 0, course: 6}],
	[47, {name: 12, volume: 8, spread: 0, course: 6}],
	[58, {name: 13, volume: 8, spread: 9, course: 6}],
	[118, {name: 24, volume: 8, spread: 9, course: 55}],
])('in %s cells', (columns, expected) => {
	expect(pickerColumns(9, 6, columns)).toMatchObject(expected);
});

test('all columns together fill the row', () => {
	const anyWidth = fc.integer({min: 28, max: 200});
	fc.assert(
		fc.property(fc.integer({min: 9, max: 12}), fc.integer({min: 6, max: 8}), anyWidth, (price, change, columns) => {
			const {name, ...others} = pickerColumns(price, change, columns);
			const cells = Object.values(others).reduce((sum, width) => sum + (width > 0 ? width + 1 : 0), 2 + name);
			expect(cells).toBe(columns);
			expect(name).toBeGreaterThanOrEqual(4);
		}),
	);
});
