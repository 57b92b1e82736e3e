import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {tileSizeAt, tilesFor, watchPage, watchStatus} from '../../../../source/view/panels/watch/model.ts';
import {initialTiles} from '../../../../source/view/panels/watch/tiles-state.ts';

const page = (columns: number, rows: number, perPage: number, pages = 1) => ({tile: {columns, rows}, perPage, pages});

test.each([
	['one market has it all', {columns: 120, rows: 39}, 1, page(120, 39, 1)],
	['a few stand one below the other', {columns: 120, rows: 39}, 3, page(120, 13, 3)],
	['more stand side by side', {columns: 120, rows: 39}, 5, page(60, 13, 5)],
	['a dozen too', {columns: 120, rows: 39}, 12, page(40, 9, 12)],
	['large ones stand side by side if they fill the screen', {columns: 200, rows: 59}, 4, page(100, 29, 4)],
	['but leave no corner empty', {columns: 200, rows: 59}, 3, page(200, 19, 3)],
	['tiles get lower before a market is left out', {columns: 80, rows: 23}, 6, page(40, 7, 6)],
	['those that do not fit are spread evenly over pages', {columns: 80, rows: 23}, 7, page(40, 11, 4, 2)],
	['a page for each on a small terminal', {columns: 40, rows: 11}, 3, page(40, 11, 1, 3)],
	['too narrow a terminal shows none', {columns: 39, rows: 30}, 2, page(0, 0, 0)],
	['too low a terminal shows none', {columns: 200, rows: 5}, 2, page(0, 0, 0)],
])('%s', (_, size, count, tiles) => {
	expect(tilesFor(size, count)).toEqual(tiles);
});

const anySize = fc.record({columns: fc.integer({min: 1, max: 300}), rows: fc.integer({min: 0, max: 100})});
const anyCount = fc.integer({min: 1, max: 60});

test('tiles fit their page, none is too small, and the pages hold all markets', () => {
	fc.assert(
		fc.property(anySize, anyCount, (size, count) => {
			const {tile, perPage, pages} = tilesFor(size, count);
			if (perPage === 0) {
				expect(size.columns < 40 || size.rows < 6).toBe(true);
				return;
			}

			const across = Math.floor(size.columns / tile.columns);
			const down = Math.floor(size.rows / tile.rows);
			expect(across * down).toBeGreaterThanOrEqual(perPage);
			expect(tile.columns).toBeGreaterThanOrEqual(40);
			expect(tile.rows).toBeGreaterThanOrEqual(6);
			expect(perPage * pages).toBeGreaterThanOrEqual(count);
			expect(perPage * (pages - 1)).toBeLessThan(count);
		}),
	);
});

test('the tiles of a full page fill its columns and rows, and differ by at most one', () => {
	fc.assert(
		fc.property(anySize, anyCount, (size, count) => {
			const page = watchPage({size, count, tiles: initialTiles(0), now: 0});
			const {area, tile, across, perPage} = page;
			const sizes = Array.from({length: perPage}, (_, place) => tileSizeAt(page, place));
			const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0);
			fc.pre(perPage > 0);
			expect(sum(sizes.slice(0, across).map(({columns}) => columns))).toBe(area.columns);
			expect(sum(sizes.filter((_, place) => place % across === 0).map(({rows}) => rows))).toBe(area.rows);
			for (const {columns, rows} of sizes)
				expect([columns - tile.columns, rows - tile.rows].join()).toMatch(/^[01],[01]$/);
		}),
	);
});

describe('pages', () => {
	const size = {columns: 80, rows: 24};
	const shown = (ms: number, rotateMs?: number, count = 14) => {
		const {first, end, note} = watchPage({size, count, tiles: initialTiles(1000), now: 1000 + ms, rotateMs});
		return [first, end, note];
	};

	test('follow each other every ten seconds, round and round', () => {
		expect([0, 9999, 10_000, 20_000, 30_000].map(ms => shown(ms))).toEqual([
			...[
				[0, 5, 'page 1/3'],
				[0, 5, 'page 1/3'],
				[5, 10, 'page 2/3'],
				[10, 14, 'page 3/3'],
				[0, 5, 'page 1/3'],
			],
		]);
	});

	test('follow each other at the chosen interval', () => {
		expect([0, 2000, 4000, 6000].map(ms => shown(ms, 2000)[2])).toEqual([
			...['page 1/3', 'page 2/3', 'page 3/3', 'page 1/3'],
		]);
	});

	test('pages stay the first where all fits, and after the clock was set back', () => {
		expect(shown(60_000, 2000, 6)).toEqual([0, 6, '']);
		expect(shown(-60_000)).toEqual([0, 5, 'page 1/3']);
	});

	test('pages show every market once a round, and nothing where there is no room', () => {
		fc.assert(
			fc.property(anySize, anyCount, (anyOtherSize, count) => {
				const at = (now: number) => watchPage({size: anyOtherSize, count, tiles: initialTiles(0), now, rotateMs: 1});
				const {pages, perPage} = tilesFor(at(0).area, count);
				const markets = Array.from({length: pages}, (_, now) => {
					const {first, end} = at(now);
					return Array.from({length: end - first}, (_, index) => first + index);
				});
				expect(markets.flat()).toEqual(perPage === 0 ? [] : Array.from({length: count}, (_, index) => index));
			}),
		);
	});
});

describe('the status line shows', () => {
	const until = 'BTCUSDT.last > 70000 and BTCUSDT.spread < 2';
	const statusOf = (columns: number, count: number, condition?: string) =>
		watchStatus(watchPage({size: {columns, rows: 12}, count, tiles: initialTiles(0), now: 0}), {
			text: condition && `until ${condition}`,
			ascii: false,
		});

	test.each([
		['nothing where all markets fit and no condition is pending', statusOf(80, 1), undefined],
		['the page', statusOf(40, 3), 'page 1/3'],
		['the condition', statusOf(120, 1, until), `until ${until}`],
		['the condition as far as there is room', statusOf(80, 1, until), 'until BTCUSDT.last > 70000 and …'],
		['both', statusOf(80, 9, 'last > 1'), 'page 1/5, until last > 1'],
		['only the page where there is no room', statusOf(50, 2, until), 'page 1/2'],
	])('%s', (_, text, expected) => {
		expect(text).toBe(expected);
	});
});
