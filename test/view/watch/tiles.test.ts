import fc from 'fast-check';
import {expect, test} from 'vitest';
import {tilesFor} from '../../../source/view/watch/tiles.ts';

test.each([
	['one market has it all', {columns: 120, rows: 39}, 1, {tile: {columns: 120, rows: 39}, shown: 1}],
	['a few stand one below the other', {columns: 120, rows: 39}, 3, {tile: {columns: 120, rows: 13}, shown: 3}],
	['more stand side by side', {columns: 120, rows: 39}, 5, {tile: {columns: 60, rows: 13}, shown: 5}],
	['too many are not all shown', {columns: 80, rows: 23}, 9, {tile: {columns: 40, rows: 11}, shown: 4}],
	['too small a terminal shows none', {columns: 39, rows: 30}, 2, {tile: {columns: 0, rows: 0}, shown: 0}],
])('%s', (_, size, count, tiles) => {
	expect(tilesFor(size, count)).toEqual(tiles);
});

test('the tiles that are shown fit, and none is too small to say something', () => {
	const anySize = fc.record({columns: fc.integer({min: 1, max: 300}), rows: fc.integer({min: 1, max: 100})});
	fc.assert(
		fc.property(anySize, fc.integer({min: 1, max: 40}), (size, count) => {
			const {tile, shown} = tilesFor(size, count);
			if (shown === 0) {
				expect(size.columns < 40 || size.rows < 8).toBe(true);
				return;
			}

			const across = Math.floor(size.columns / tile.columns);
			const down = Math.floor(size.rows / tile.rows);
			expect(across * down).toBeGreaterThanOrEqual(shown);
			expect(shown).toBeLessThanOrEqual(count);
			expect(tile.columns).toBeGreaterThanOrEqual(40);
			expect(tile.rows).toBeGreaterThanOrEqual(8);
		}),
	);
});
