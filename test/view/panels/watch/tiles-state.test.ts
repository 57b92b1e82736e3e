import fc from 'fast-check';
import {expect, test} from 'vitest';
import {commands} from '../../../../source/view/commands/table.ts';
import {watchPage} from '../../../../source/view/panels/watch/model.ts';
import {marketToOpen, pressedInTiles} from '../../../../source/view/panels/watch/tiles-keys.ts';
import {initialTiles, type TilesState} from '../../../../source/view/panels/watch/tiles-state.ts';

/** Tiles of 14 markets at 80×24: pages of 5, 5 and 4, two tiles side by side, each shown for 10 s. */
function openTiles(count = 14) {
	let [now, state]: [number, TilesState] = [1000, initialTiles(1000)];
	const page = () => watchPage({size: {columns: 80, rows: 24}, count, tiles: state, now});
	return {
		press(...names: readonly string[]) {
			for (const name of names) {
				const {notice: _, ...before} = state;
				state = pressedInTiles(name, before, {page: page(), commands, ascii: false});
			}
		},
		wait(ms: number) {
			now += ms;
		},
		note: () => page().note,
		focus: () => state.focus,
		notice: () => state.notice,
		shows: (market: number) => market >= page().first && market < page().end,
		toOpen: () => marketToOpen(state, page()),
	};
}

test('the arrow keys turn pages round and round, and each is then shown for its whole time', () => {
	const tiles = openTiles();
	tiles.wait(9000);
	tiles.press('newer');
	tiles.wait(9999);
	expect(tiles.note()).toBe('page 2/3');
	tiles.wait(1);
	expect(tiles.note()).toBe('page 3/3');
	tiles.press('newer', 'older', 'older');
	expect(tiles.note()).toBe('page 2/3');
});

test('a held page stays until the rotation is resumed, and is then shown for its whole time', () => {
	const tiles = openTiles();
	tiles.wait(12_000);
	tiles.press('pause');
	tiles.wait(3_600_000);
	expect(tiles.note()).toBe('page 2/3 held');
	tiles.press('newer');
	expect(tiles.note()).toBe('page 3/3 held');
	tiles.press('pause');
	expect(tiles.note()).toBe('page 3/3');
	tiles.wait(10_000);
	expect(tiles.note()).toBe('page 1/3');
});

test('the focus moves between tiles and pages, and holds its page until it is released', () => {
	const tiles = openTiles();
	tiles.press('next-panel');
	expect([tiles.focus(), tiles.note()]).toEqual([0, 'page 1/3 held']);
	tiles.press('down', 'down', 'down');
	expect(tiles.focus()).toBe(4);
	tiles.press('up', 'next-panel', 'next-panel', 'next-panel');
	expect([tiles.focus(), tiles.note()]).toEqual([5, 'page 2/3 held']);
	tiles.press('newer');
	expect([tiles.focus(), tiles.note()]).toEqual([10, 'page 3/3 held']);
	tiles.press('back');
	expect([tiles.focus(), tiles.note()]).toEqual([undefined, 'page 3/3']);
	tiles.press('previous-panel');
	expect(tiles.focus()).toBe(13);
});

test('Enter opens the focused tile or the only one, and else focuses the first', () => {
	const tiles = openTiles();
	expect(tiles.toOpen()).toBeUndefined();
	tiles.press('select');
	expect(tiles.toOpen()).toBe(0);
	expect(openTiles(1).toOpen()).toBe(0);
	tiles.press('help');
	expect(tiles.toOpen()).toBeUndefined();
});

test('keys for pages say why they do nothing where there is only one', () => {
	const tiles = openTiles(3);
	for (const name of ['older', 'newer', 'pause']) {
		tiles.press(name);
		expect([tiles.notice(), tiles.note()]).toEqual(['all markets are on this page', '']);
	}
});

test('the focused tile is on the page, and a held page never turns, whatever is pressed', () => {
	const names = ['older', 'newer', 'pause', 'next-panel', 'previous-panel', 'up', 'down', 'select', 'back'];
	const anyStep = fc.oneof(fc.constantFrom(...names), fc.nat(20_000));
	fc.assert(
		fc.property(fc.integer({min: 1, max: 40}), fc.array(anyStep, {maxLength: 30}), (count, steps) => {
			const tiles = openTiles(count);
			for (const step of steps) {
				const before = tiles.note();
				if (typeof step === 'string') tiles.press(step);
				else tiles.wait(step);
				if (typeof step === 'number' && before.endsWith('held')) expect(tiles.note()).toBe(before);
				const focus = tiles.focus();
				if (focus === undefined) continue;
				expect(tiles.toOpen()).toBe(focus);
				expect(tiles.shows(focus)).toBe(true);
			}
		}),
	);
});
