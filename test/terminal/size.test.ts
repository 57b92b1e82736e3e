import {expect, test} from 'vitest';
import {drawnSize} from '../../source/terminal/frame-output.ts';

test.each([
	['as the terminal says', {columns: 120, rows: 40}, '120×40'],
	['80×24 if the terminal says nothing', {}, '80×24'],
	['80×24 for a size of 0, as of a serial console', {columns: 0, rows: 0}, '80×24'],
	['the usual height if only the width is known', {columns: 200, rows: 0}, '200×24'],
	['at most 1000×300', {columns: 65_535, rows: 65_535}, '1000×300'],
	['1×1 if that is its size', {columns: 1, rows: 1}, '1×1'],
])('draws %s', (_, size, expected) => {
	const {columns, rows} = drawnSize(size);
	expect(`${columns}×${rows}`).toBe(expected);
});
