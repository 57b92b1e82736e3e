import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {emptyHistory, remember} from '../../../../source/market/liquidity.ts';
import type {DepthBook, Level} from '../../../../source/market/types.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {type HeatmapInput, heatmapBody, heatmapOf, heatmapScale} from '../../../../source/view/panels/book/heatmap.ts';
import {boxed} from '../../../helpers/boxed.ts';
import {bitcoin, makeBook, tiny} from './books.ts';

const start = Date.UTC(2024, 7, 8, 23, 50);

/** One book a second. */
const historyOf = (books: readonly DepthBook[]) =>
	books.reduce((history, book, index) => remember(history, book, start + index * 1000), emptyHistory);

/** A market that drifts up and back, one large bid staying where it is. */
const drifting = (shape: typeof bitcoin, unit: number): readonly DepthBook[] =>
	Array.from({length: 30}, (_, index) => {
		const drift = Math.round(Math.sin(index / 5) * 4) * unit;
		const {asks, bids = []} = makeBook({...shape, ask: shape.ask + drift, bid: shape.bid + drift});
		const wall: Level = [
			(shape.bid - 30 * unit) / 10 ** shape.priceDecimals,
			(shape.scale * 4) / 10 ** shape.quantityDecimals,
		];
		return {asks, bids: [...bids.filter(([price]) => price !== wall[0]), wall].sort(([a], [b]) => b - a)};
	});

const input = (books: readonly DepthBook[], change: Partial<HeatmapInput> = {}): HeatmapInput => ({
	history: historyOf(books),
	book: books.at(-1) ?? {asks: []},
	decimals: {price: 2, quantity: 5},
	zoom: 0,
	size: {columns: 46, rows: 16},
	ascii: false,
	...change,
});

describe('frames', () => {
	const books = drifting(bitcoin, 20);
	const frames: Record<string, HeatmapInput> = {
		heatmap: input(books),
		'heatmap-ascii': input(books, {ascii: true}),
		'heatmap-wide-finer': input(books, {size: {columns: 76, rows: 20}, zoom: -1}),
		'heatmap-narrow': input(books, {size: {columns: 20, rows: 8}}),
		'heatmap-tiny-prices': input(drifting(tiny, 1), {decimals: {price: 10, quantity: 1}}),
		'heatmap-asks-only': input(books.map(({asks}) => ({asks}))),
		'heatmap-first-book': input(books.slice(0, 1)),
		'heatmap-nothing': input([]),
	};

	test.each(Object.entries(frames))('%s', async (name, map) => {
		await expect(boxed(heatmapBody(map))).toMatchFileSnapshot(`../../../frames/book/${name}.txt`);
	});
});

test('shows all best prices of the session in the finest step that covers them', () => {
	const books = [100, 104, 108].map((mid): DepthBook => ({asks: [[mid + 1, 1]], bids: [[mid - 1, 2]]}));
	const map = heatmapOf(input(books, {decimals: {price: 0, quantity: 0}, size: {columns: 40, rows: 22}}));

	expect(map?.priceRows).toEqual({step: 1, top: 118, count: 21});
	expect(map?.rows[17]).toEqual([{side: 'ask', quantity: 1}, undefined, undefined]);
	expect(map?.largest).toBe(2);
});

test('covers several snapshots per column where the session is longer than the map is wide', () => {
	const books = Array.from({length: 100}, (_, index): DepthBook => ({asks: [[1000 + index, 1]], bids: [[999, 1]]}));
	const map = heatmapOf(input(books, {decimals: {price: 0, quantity: 0}, size: {columns: 40, rows: 30}}));

	expect([map?.rows[0]?.length, map?.columnMs, map?.to]).toEqual([25, 4000, start + 99_000]);
});

test('leaves the time of a pause empty', () => {
	const book: DepthBook = {asks: [[101, 1]], bids: [[99, 2]]};
	const history = [0, 1, 2, 8, 9].reduce(
		(before, second) => remember(before, book, start + second * 1000),
		emptyHistory,
	);
	const lines = heatmapBody({
		...input([book]),
		history,
		decimals: {price: 0, quantity: 0},
		size: {columns: 27, rows: 5},
	}).map(lineText);

	expect(lines).toEqual([
		' 102                       ',
		'                 ▓▓▓     ▓▓',
		' 100             ───     ──',
		'                 ███     ██',
		'          23:50:00 23:50:09',
	]);
});

test('names the size of its darkest shade and the time of a column', () => {
	const map = heatmapOf(input(drifting(bitcoin, 20)));

	expect(map && heatmapScale(map, 'BTC', false)).toEqual(['█ 20.991 BTC · 1 s per column', '█ 20.991 BTC']);
});

test('a heatmap of any books is exactly its size', () => {
	const side = fc.uniqueArray(fc.tuple(fc.integer({min: 1, max: 900}), fc.integer({min: 1, max: 99})), {
		selector: ([price]) => price,
		maxLength: 20,
	});
	const book = fc.record({asks: side, bids: fc.option(side, {nil: undefined})}).map(
		({asks, bids}): DepthBook => ({
			asks: asks.sort(([a], [b]) => a - b),
			bids: bids?.sort(([a], [b]) => b - a),
		}),
	);
	const size = fc.record({columns: fc.integer({min: 1, max: 90}), rows: fc.integer({min: 1, max: 30})});
	fc.assert(
		fc.property(
			fc.array(book, {maxLength: 12}),
			size,
			fc.integer({min: -8, max: 8}),
			fc.boolean(),
			(books, within, zoom, ascii) => {
				const lines = heatmapBody(input(books, {size: within, zoom, ascii, decimals: {price: 0, quantity: 0}}));
				expect(lines.map(lineWidth)).toEqual(Array(within.rows).fill(within.columns));
				if (ascii) expect(lines.map(lineText).join('')).toMatch(/^[ -~]*$/);
			},
		),
	);
});
