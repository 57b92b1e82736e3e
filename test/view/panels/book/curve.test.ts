import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {DepthBook, Level} from '../../../../source/market/types.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {
	type CurveInput,
	curveBody,
	curveHeight,
	curveScale,
	depthCurve,
} from '../../../../source/view/panels/book/curve.ts';
import {boxed} from '../../../helpers/boxed.ts';
import {bitcoin, makeBook, tiny} from './books.ts';

const input = (change: Partial<CurveInput> = {}): CurveInput => ({
	book: makeBook(bitcoin),
	decimals: {price: 2, quantity: 5},
	zoom: 0,
	size: {columns: 42, rows: 14},
	ascii: false,
	...change,
});

describe('frames', () => {
	const {asks, bids = []} = makeBook(bitcoin);
	const frames: Record<string, Partial<CurveInput>> = {
		curve: {},
		'curve-wide-zoomed-in': {size: {columns: 76, rows: 18}, zoom: -2},
		'curve-ascii': {ascii: true},
		'curve-narrow': {size: {columns: 16, rows: 6}},
		'curve-tiny-prices': {book: makeBook(tiny), decimals: {price: 10, quantity: 1}},
		'curve-asks-only': {book: {asks}},
		'curve-no-asks': {book: {asks: [], bids}},
		'curve-empty': {book: {asks: [], bids: []}},
		'curve-crossed': {book: {asks, bids: [[61_830, 1.5], [61_829.5, 0.2], ...bids]}},
	};

	test.each(Object.entries(frames))('%s', async (name, change) => {
		await expect(boxed(curveBody(input(change)))).toMatchFileSnapshot(`../../../frames/book/${name}.txt`);
	});
});

test('sums asks to the right of the mid and bids to its left, up to the nearer end of the two', () => {
	const book: DepthBook = {
		asks: [
			[101, 1],
			[103, 2],
			[104, 3],
		],
		bids: [
			[99, 4],
			[96, 5],
		],
	};

	expect(depthCurve(book, 8, 0)).toEqual({
		from: 96,
		middle: 100,
		to: 104,
		asks: [undefined, undefined, undefined, undefined, 1, 1, 3, 6],
		bids: [9, 4, 4, 4, undefined, undefined, undefined, undefined],
	});
	expect(depthCurve(book, 4, 1)).toMatchObject({
		from: 92,
		to: 108,
		asks: [undefined, undefined, 6, undefined],
		bids: [undefined, 9, undefined, undefined],
	});
});

test('ignores single orders far from the others', () => {
	const level = (price: number): Level => [price, 1];
	const near = Array.from({length: 20}, (_, index) => index + 1);
	const book: DepthBook = {
		asks: [...near.map(distance => level(1000 + distance)), level(1e9)],
		bids: [...near.map(distance => level(1000 - distance)), level(0.01)],
	};

	expect(depthCurve(book, 10, 0)).toMatchObject({from: 980, to: 1020});
});

test('names the size of its full height', () => {
	const book: DepthBook = {asks: [[101, 1.5]], bids: [[99, 4]]};

	expect(curveScale(curveHeight(input({book})), 'BTC', false)).toEqual(['full height 4 BTC', 'height 4 BTC']);
});

const side = (sign: 1 | -1) =>
	fc
		.uniqueArray(fc.tuple(fc.integer({min: 1, max: 900}), fc.integer({min: 1, max: 99})), {
			selector: ([price]) => price,
			maxLength: 30,
		})
		.map((levels): readonly Level[] => levels.sort(([a], [b]) => sign * (a - b)));
const anyBook = fc.record({asks: side(1), bids: fc.option(side(-1), {nil: undefined})});

test('a curve of any book is exactly its size and rises away from the mid', () => {
	const size = fc.record({columns: fc.integer({min: 1, max: 90}), rows: fc.integer({min: 1, max: 30})});
	fc.assert(
		fc.property(anyBook, size, fc.integer({min: -8, max: 8}), fc.boolean(), (book, within, zoom, ascii) => {
			const lines = curveBody(input({book, size: within, zoom, ascii}));
			expect(lines.map(lineWidth)).toEqual(Array(within.rows).fill(within.columns));
			if (ascii) expect(lines.map(lineText).join('')).toMatch(/^[ -~]*$/);
			const curve = depthCurve(book, within.columns, zoom);
			const asks = (curve?.asks ?? []).filter(sum => sum !== undefined);
			const bids = (curve?.bids ?? []).filter(sum => sum !== undefined);
			expect(asks).toEqual(asks.toSorted((a, b) => a - b));
			expect(bids).toEqual(bids.toSorted((a, b) => b - a));
		}),
	);
});
