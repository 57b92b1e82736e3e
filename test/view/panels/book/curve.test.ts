import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {DepthBook, Level} from '../../../../source/market/types.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {
	type CurveInput,
	curveBody,
	curveLegend,
	curveRange,
	curveTitles,
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
		'curve-end-of-book': {zoom: 1},
		'curve-end-of-book-wide': {zoom: 2, size: {columns: 118, rows: 24}},
		'curve-end-of-book-ascii': {zoom: 2, size: {columns: 60, rows: 12}, ascii: true},
		'curve-narrow': {size: {columns: 16, rows: 6}},
		'curve-tiny-prices': {book: makeBook(tiny), decimals: {price: 10, quantity: 1}},
		'curve-asks-only': {book: {asks}},
		'curve-no-asks': {book: {asks: [], bids}},
		'curve-empty': {book: {asks: [], bids: []}},
		'curve-empty-asks-only': {book: {asks: []}},
		'curve-crossed': {book: {asks, bids: [[61_830, 1.5], [61_829.5, 0.2], ...bids]}},
	};

	test.each(Object.entries(frames))('%s', async (name, change) => {
		await expect(boxed(curveBody(input(change)))).toMatchFileSnapshot(`../../../frames/book/${name}.txt`);
	});
});

/** The curve of a book in so many columns. */
const curveOf = (book: DepthBook, columns: number, zoom = 0) => {
	const range = curveRange(book, zoom);
	return range && {...range, ...depthCurve(book, range, columns)};
};

test('sums asks to the right of the mid and bids to its left, and stays level beyond the last one received', () => {
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

	expect(curveOf(book, 8)).toEqual({
		...{from: 96, middle: 100, to: 104},
		asks: [undefined, undefined, undefined, undefined, 1, 1, 3, 6],
		bids: [9, 4, 4, 4, undefined, undefined, undefined, undefined],
		...{asksEnd: 8, bidsEnd: 0, highest: 9},
	});
	expect(curveOf(book, 8, 1)).toEqual({
		...{from: 92, middle: 100, to: 108},
		asks: [undefined, undefined, undefined, undefined, 1, 6, 6, 6],
		bids: [9, 9, 9, 4, undefined, undefined, undefined, undefined],
		...{asksEnd: 6, bidsEnd: 2, highest: 9},
	});
});

test('ignores single orders far from the others', () => {
	const level = (price: number): Level => [price, 1];
	const near = Array.from({length: 20}, (_, index) => index + 1);
	const book: DepthBook = {
		asks: [...near.map(distance => level(1000 + distance)), level(1e9)],
		bids: [...near.map(distance => level(1000 - distance)), level(0.01)],
	};

	expect(curveRange(book, 0)).toMatchObject({from: 980, to: 1020});
});

describe('the words beside a curve', () => {
	const book: DepthBook = {asks: [[101, 1.5]], bids: [[99, 4]]};

	test('name its range at every width', () => {
		expect(curveTitles(input({book}))).toEqual(['Depth curve ±1 %', 'Depth ±1 %', '±1 %']);
		expect(curveTitles(input({book, zoom: 8, ascii: true})).at(-1)).toBe('+/-100 %');
		expect(curveTitles(input({book: {asks: []}}))).toEqual(['Depth curve', 'Depth']);
	});

	test('name the end of the book only where the plot has no room for it', () => {
		expect(curveLegend(input({book, zoom: 1, size: {columns: 60, rows: 9}}), 'BTC')).toEqual(['up to 4 BTC']);
		expect(curveLegend(input({book, zoom: 1, size: {columns: 30, rows: 9}}), 'BTC')).toEqual([
			'up to 4 BTC · ╱ end of book',
			'╱ end of book',
		]);
	});
});

const side = (sign: 1 | -1) =>
	fc
		.uniqueArray(fc.tuple(fc.integer({min: 1, max: 900}), fc.integer({min: 1, max: 99})), {
			selector: ([price]) => price,
			maxLength: 30,
		})
		.map((levels): readonly Level[] => levels.sort(([a], [b]) => sign * (a - b)));
const anyBook = fc.record({asks: side(1), bids: fc.option(side(-1), {nil: undefined})});

test('a curve of any book is exactly its size', () => {
	const size = fc.record({columns: fc.integer({min: 1, max: 90}), rows: fc.integer({min: 1, max: 30})});
	fc.assert(
		fc.property(anyBook, size, fc.integer({min: -8, max: 8}), fc.boolean(), (book, within, zoom, ascii) => {
			const lines = curveBody(input({book, size: within, zoom, ascii}));
			expect(lines.map(lineWidth)).toEqual(Array(within.rows).fill(within.columns));
			if (ascii) expect(lines.map(lineText).join('')).toMatch(/^[ -~]*$/);
		}),
	);
});

test('a crossed book of sizes near the largest number is drawn', () => {
	const asks: readonly Level[] = [
		[1e-308, 5e-324],
		[1e-7, 7.8e115],
		[9e307, 1e308],
	];
	const bids: readonly Level[] = [
		[1e308, 3e38],
		[1, 7.8e246],
		[1e-101, 1.8e34],
	];
	const size = {columns: 58, rows: 18};
	expect(curveBody(input({book: {asks, bids}, zoom: -1, size})).map(lineWidth)).toEqual(Array(18).fill(58));
});

test('each column of any curve has the size of all levels up to its price, and is beyond the book where no level lies farther', () => {
	fc.assert(
		fc.property(anyBook, fc.integer({min: 1, max: 90}), fc.integer({min: -8, max: 8}), (book, columns, zoom) => {
			const curve = curveOf(book, columns, zoom);
			if (!curve) return;
			const {asks, bids = []} = book;
			const edge = (column: number) => curve.from + ((curve.to - curve.from) * column) / columns;
			// Whether a level at the very edge counts is a matter of rounding.
			const hair = (curve.to - curve.from) * 1e-9;
			const sizeOf = (levels: readonly Level[], isWithin: (price: number) => boolean) =>
				levels.filter(([price]) => isWithin(price)).reduce((sum, [, size]) => sum + size, 0);
			const isBetween = (value: number | undefined, a: number, b: number) => {
				expect(value ?? 0).toBeGreaterThanOrEqual(a);
				expect(value ?? 0).toBeLessThanOrEqual(b);
			};
			for (let column = 0; column < columns; column++) {
				const [low, high] = [edge(column), edge(column + 1)];
				const asksUpTo = (limit: number) => sizeOf(asks, price => price <= limit);
				const bidsUpTo = (limit: number) => sizeOf(bids, price => price >= limit);
				isBetween(curve.asks[column], asksUpTo(high - hair), asksUpTo(high + hair));
				isBetween(curve.bids[column], bidsUpTo(low + hair), bidsUpTo(low - hair));
				if (column >= curve.asksEnd) expect(asksUpTo(low + hair)).toBe(sizeOf(asks, () => true));
				if (column < curve.bidsEnd) expect(bidsUpTo(high - hair)).toBe(sizeOf(bids, () => true));
			}
		}),
	);
});
