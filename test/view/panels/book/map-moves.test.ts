import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {emptyHistory, remember} from '../../../../source/market/liquidity.ts';
import type {DepthBook} from '../../../../source/market/types.ts';
import {movedCursor, newCursor, panned, rescaled} from '../../../../source/view/commands/heatmap-commands.ts';
import {type HeatmapInput, heatmapOf} from '../../../../source/view/panels/book/heatmap-model.ts';

const start = Date.UTC(2024, 7, 8, 23, 50);
const second = 1000;
const book: DepthBook = {asks: [[103, 1]], bids: [[98, 2]]};

/** A map with room for 20 columns and 9 rows of a session that is so many seconds long. */
function inputOf(seconds: number, change: Partial<HeatmapInput> = {}): HeatmapInput {
	let history = emptyHistory;
	for (let at = 0; at < seconds; at++) history = remember(history, book, start + at * second);
	return {
		...{history, book, decimals: {price: 0, quantity: 0}, zoom: 0},
		...{size: {columns: 25, rows: 10}, ascii: false},
		...change,
	};
}

const spanOf = (input: HeatmapInput) => {
	const map = heatmapOf(input);
	const from = ((map?.from ?? 0) - start) / second;
	return map && [from, from + (map.columns.length * map.columnMs) / second, map.columnMs / second];
};

test('a new cursor is at the newest book and its spread', () => {
	const map = heatmapOf(inputOf(5));
	const cursor = map && newCursor(map);
	expect(cursor).toEqual({time: start + 4 * second, price: 102});
	expect(heatmapOf(inputOf(5, {cursor}))?.cursor).toEqual({column: 4, row: 3});
});

describe('panning', () => {
	const zoomed = inputOf(100, {window: {columnMs: second}});

	test('moves by columns and follows the newest book at the end', () => {
		expect(spanOf(zoomed)).toEqual([80, 100, 1]);
		const window = panned(zoomed, -30);
		expect(spanOf({...zoomed, window})).toEqual([50, 70, 1]);
		expect(panned({...zoomed, window}, 30)).toEqual({columnMs: second, until: undefined});
	});

	test('stops at the oldest book with a full map', () => {
		const window = panned(zoomed, -500);
		expect(spanOf({...zoomed, window})).toEqual([0, 20, 1]);
		expect(panned({...zoomed, window}, -1)).toBe(window);
		const whole = inputOf(100);
		expect(panned(whole, -1)).toEqual({});
	});
});

describe('the time of a column', () => {
	test('goes down to that of polls, and up to the whole session', () => {
		const whole = inputOf(100);
		expect(spanOf(whole)).toEqual([0, 100, 5]);
		const windows = [whole.window ?? {}];
		for (const by of [-1, -1, -1, -1, -1] as const)
			windows.push(rescaled({...whole, window: windows.at(-1) ?? {}}, by));
		expect(windows.map(window => spanOf({...whole, window})?.[2])).toEqual([5, 4, 3, 2, 1, 1]);
		expect(rescaled({...whole, window: {columnMs: 4 * second}}, 1)).toEqual({});
		expect(rescaled({...whole, window: {}}, 1)).toEqual({});
	});

	test('keeps the cursor on the map', () => {
		const cursor = {time: start + 30 * second, price: 100};
		const window = rescaled(inputOf(100, {cursor, window: {columnMs: 2 * second}}), -1);
		expect(spanOf(inputOf(100, {window}))).toEqual([21, 41, 1]);
	});
});

test('a cursor that leaves any map at a side takes it along, and comes back the same way', () => {
	const moves = fc.array(fc.record({column: fc.integer({min: -40, max: 40}), row: fc.integer({min: -12, max: 12})}), {
		maxLength: 12,
	});
	const session = inputOf(120, {window: {columnMs: second}});
	const map = heatmapOf(session);
	fc.assert(
		fc.property(moves, steps => {
			let input: HeatmapInput = {...session, cursor: map && newCursor(map)};
			for (const step of steps) {
				const before = input.cursor?.time ?? 0;
				input = {...input, ...movedCursor(input, step)};
				const shown = heatmapOf(input);
				expect(shown?.columns.length).toBe(20);
				const [oldest, newest] = [start, start + 119 * second];
				const wanted = Math.min(Math.max(before + step.column * second, oldest), newest);
				// The very cell of the cursor, neither cut off nor beside it.
				expect(input.cursor?.time).toBe(wanted);
				expect((shown?.from ?? 0) + (shown?.cursor?.column ?? -1) * second).toBe(wanted);
			}
		}),
	);
});
