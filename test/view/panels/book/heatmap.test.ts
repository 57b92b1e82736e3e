import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Zone} from '../../../../source/format/zone.ts';
import {emptyHistory, remember} from '../../../../source/market/liquidity.ts';
import type {DepthBook, Level, Side, Trade} from '../../../../source/market/types.ts';
import {heatLevels, type Line, lineText, lineWidth} from '../../../../source/view/line.ts';
import {heatmapBody, heatmapNotes} from '../../../../source/view/panels/book/heatmap.ts';
import {type Heatmap, type HeatmapInput, heatmapOf} from '../../../../source/view/panels/book/heatmap-model.ts';
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

const bodyOf = (map: HeatmapInput) => heatmapBody(heatmapOf(map), map);

describe('frames', () => {
	const books = drifting(bitcoin, 20);
	const trades = Array.from({length: 29}, (_, back): Trade => {
		const second = 29 - back;
		const {asks, bids = []} = books[second] ?? {asks: []};
		const side = second % 7 === 0 ? undefined : second % 3 === 0 ? 'sell' : 'buy';
		const price = (side === 'sell' ? bids : asks)[0]?.[0] ?? 0;
		return {id: String(second), time: start + second * 1000, price, quantity: (second % 5) + 1, side};
	});
	const read = {trades, cursor: {time: start + 12_000, price: 61_826}};
	const frames: Record<string, HeatmapInput> = {
		heatmap: input(books),
		'heatmap-trades-cursor': input(books, read),
		'heatmap-trades-cursor-tiny': input(books, {...read, size: {columns: 38, rows: 8}}),
		'heatmap-trades-cursor-small-ascii': input(books, {...read, size: {columns: 32, rows: 17}, ascii: true}),
		'heatmap-trades-cursor-zoomed': input(books, {...read, size: {columns: 118, rows: 36}}),
		'heatmap-last-seconds': input(books, {...read, window: {columnMs: 1000}, size: {columns: 24, rows: 10}}),
		'heatmap-ascii': input(books, {ascii: true}),
		'heatmap-wide-finer': input(books, {size: {columns: 76, rows: 20}, zoom: -1}),
		'heatmap-narrow': input(books, {size: {columns: 20, rows: 8}}),
		'heatmap-tiny-prices': input(drifting(tiny, 1), {decimals: {price: 10, quantity: 1}}),
		'heatmap-asks-only': input(books.map(({asks}) => ({asks}))),
		'heatmap-first-book': input(books.slice(0, 1)),
		'heatmap-nothing': input([]),
		'heatmap-no-levels': input([{asks: [], bids: []}]),
	};

	test.each(Object.entries(frames))('%s', async (name, map) => {
		await expect(boxed(bodyOf(map))).toMatchFileSnapshot(`../../../frames/book/${name}.txt`);
	});
});

test('shows all best prices of the session in the finest step that covers them', () => {
	const books = [100, 104, 108].map((mid): DepthBook => ({asks: [[mid + 1, 1]], bids: [[mid - 1, 2]]}));
	const map = heatmapOf(input(books, {decimals: {price: 0, quantity: 0}, size: {columns: 40, rows: 22}}));

	expect(map?.priceRows).toEqual({step: 1, top: 118, count: 21});
	expect(map?.columns.map(column => column?.[17])).toEqual([{side: 'ask', quantity: 1}, undefined, undefined]);
	expect(map?.largest).toBe(2);
});

test('names its largest size and the time of a column', () => {
	const shaded = input(drifting(bitcoin, 20));
	const map = heatmapOf(shaded);

	expect(map && heatmapNotes(map, 'BTC', shaded)).toEqual([
		'█ 20.991 BTC · 1 s per column',
		'█ 20.991 BTC · 1 s per column',
		'█ 20.991 BTC',
		'20.991 BTC',
	]);
	expect(map && heatmapNotes(map, 'BTC', {...shaded, hasHeat: true})[0]).toBe('brightest 20.991 BTC · 1 s per column');
});

describe('trades', () => {
	const book: DepthBook = {asks: [[101, 1]], bids: [[99, 2]]};
	const trade = (second: number, price: number, quantity: number, side?: Side): Trade => ({
		...{id: `${second} ${price} ${side}`, time: start + second * 1000, price, quantity},
		side,
	});
	/** Newest first. */
	const trades = [
		trade(9, 101, 8, 'buy'),
		trade(7, 100, 0.1),
		trade(5, 99, 0.1, 'buy'),
		trade(5, 99, 0.2, 'sell'),
		trade(3, 101, 0.1, 'buy'),
		trade(3, 101, 0.1, 'buy'),
		trade(2, 99, 4, 'sell'),
		trade(2, 150, 4, 'sell'),
		trade(-5, 99, 4, 'sell'),
	];
	const withTrades = (change: Partial<HeatmapInput> = {}) =>
		input(Array(10).fill(book), {
			...{trades, decimals: {price: 0, quantity: 1}, size: {columns: 20, rows: 4}},
			...change,
		});

	test('are dots in their second and row: filled if bought, hollow if sold, large if large', () => {
		expect(bodyOf(withTrades()).map(lineText)).toEqual([
			' 101 ▓▓▓•▓▓▓▓▓●     ',
			'     ───────◇──     ',
			'  99 ██○██◦████     ',
			'     23:50:00       ',
		]);
		expect(
			bodyOf(withTrades({ascii: true}))
				.map(lineText)
				.slice(0, 3),
		).toEqual([' 101 %%%b%%%%%B     ', '     -------x--     ', '  99 ##S##s####     ']);
	});

	test('have the tone of their side over the heat of their cell', () => {
		const spans = bodyOf(withTrades({hasHeat: true})).flat();
		const dots = spans.filter(({text}) => /[•●◦○◇]/.test(text));
		expect(dots.map(({tone, heat}) => [tone, heat?.side])).toEqual([
			['up', 'down'],
			['up', 'down'],
			['plain', undefined],
			['down', 'up'],
			['down', 'up'],
		]);
	});
});

describe('the cursor', () => {
	const book: DepthBook = {asks: [[101, 1.25]], bids: [[98, 2]]};
	const at = (second: number, price: number, change: Partial<HeatmapInput> = {}) => {
		const shown = input(Array(10).fill(book), {
			cursor: {time: start + second * 1000, price},
			trades: [{id: '1', time: start + 4000, price: 101, quantity: 0.5, side: 'buy'}],
			...{decimals: {price: 0, quantity: 2}, size: {columns: 30, rows: 6}},
			...change,
		});
		const map = heatmapOf(shown);
		return {map, lines: bodyOf(shown), notes: map ? heatmapNotes(map, 'BTC', shown) : []};
	};

	test('is inverse, with its price and its time beside the map', () => {
		const {lines, map} = at(4, 99);
		expect(map?.cursor).toEqual({column: 4, row: 3});
		expect(lines[3]).toEqual([
			{text: '  99 ', tone: 'accent'},
			{text: '────', tone: 'muted'},
			{text: '─', tone: 'muted', inverse: true},
			{text: '─────', tone: 'muted'},
			{text: ' '.repeat(15)},
		]);
		expect(
			lines
				.at(-1)
				?.find(({tone}) => tone === 'accent')
				?.text.trimEnd(),
		).toBe('23:50:04');
	});

	test.each([
		[
			4,
			101,
			[
				'23:50:04 · 101 · ask 1.25 BTC · bought 0.5',
				'23:50:04 · 101 · ask 1.25 BTC',
				'101 · ask 1.25 BTC',
				'ask 1.25 BTC',
			],
		],
		[4, 100, ['23:50:04 · 100 · spread', '23:50:04 · 100 · spread', '100 · spread', 'spread']],
		[
			99,
			102,
			[
				'23:50:09 · 102 · beyond the book',
				'23:50:09 · 102 · beyond the book',
				'102 · beyond the book',
				'beyond the book',
			],
		],
	])('at second %s and %s reads out size and trades', (second, price, notes) => {
		expect(at(second, price).notes).toEqual(notes);
	});

	test('reads out the time of a zone, whose offset is beside the times', () => {
		const zone: Zone = {word: 'Asia/Kolkata', name: 'Asia/Kolkata', offsetAt: () => 330 * 60_000};
		const {lines, notes} = at(4, 100, {zone, decimals: {price: 3, quantity: 2}});
		expect(notes[0]).toBe('05:20:04 +05:30 · 100 · spread');
		expect(lineText(lines.at(-1) ?? []).trim()).toBe('+05:30 05:20:04');
	});

	test('reads out a pause', () => {
		const history = [0, 1, 2, 8, 9].reduce(
			(before, second) => remember(before, book, start + second * 1000),
			emptyHistory,
		);
		expect(at(5, 101, {history}).notes[0]).toBe('23:50:05 · 101 · no book');
	});
});

describe('with 24-bit colours', () => {
	const books = drifting(bitcoin, 20);
	const cells = (lines: readonly Line[]) => lines.flat().filter(({heat}) => heat !== undefined);

	test('has a level of heat behind a blank where there would be a shade', () => {
		const [shaded, hot] = [bodyOf(input(books)), bodyOf(input(books, {hasHeat: true}))];
		const withoutShades = shaded.map(line => lineText(line).replaceAll(/[░▒▓█]/g, ' '));
		expect(hot.map(lineText)).toEqual(withoutShades);
		const levels = cells(hot).flatMap(({heat}) => heat?.level ?? []);
		expect(Math.max(...levels)).toBe(heatLevels - 1);
		expect(Math.min(...levels)).toBeGreaterThanOrEqual(0);
		expect(new Set(cells(hot).map(({heat}) => heat?.side))).toEqual(new Set(['up', 'down']));
	});

	test('draws the mid over the size of a row that is wider than the spread, which the cursor reads', () => {
		const book = {asks: [[108, 5]], bids: [[104, 3]]} as const;
		const coarse = {zoom: 3, hasHeat: true, cursor: {time: start, price: 110}, decimals: {price: 0, quantity: 0}};
		const map = input([book], {...coarse, size: {columns: 30, rows: 5}});
		expect(heatmapOf(map)?.priceRows.step).toBe(10);
		const mids = bodyOf(map)
			.flat()
			.filter(({text}) => text === '─');
		expect(mids).toEqual([{text: '─', tone: 'muted', heat: {side: 'down', level: heatLevels - 1}, inverse: true}]);
		expect(heatmapNotes(heatmapOf(map) as Heatmap, 'BTC', map)[0]).toBe('23:50:00 · 110 · ask 5 BTC');
	});

	test('has shades in ASCII all the same', () => {
		const ascii = bodyOf(input(books, {ascii: true}));
		expect(bodyOf(input(books, {ascii: true, hasHeat: true}))).toEqual(ascii);
	});
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
	const time = fc.integer({min: -5, max: 20}).map(second => start + second * 1000);
	const price = fc.integer({min: 1, max: 900});
	const trade = fc.record({
		...{time, price, quantity: fc.integer({min: 1, max: 99})},
		side: fc.constantFrom('buy' as const, 'sell' as const, undefined),
	});
	const look = fc.record({
		...{size, zoom: fc.integer({min: -8, max: 8}), ascii: fc.boolean(), hasHeat: fc.boolean()},
		cursor: fc.option(fc.record({time, price}), {nil: undefined}),
		window: fc.record({columnMs: fc.constantFrom(undefined, 1000, 5000), until: fc.option(time, {nil: undefined})}),
		trades: fc
			.array(trade, {maxLength: 12})
			.map(trades => trades.sort((a, b) => b.time - a.time).map((each, id) => ({...each, id: String(id)}))),
	});
	fc.assert(
		fc.property(fc.array(book, {maxLength: 12}), look, (books, change) => {
			const lines = bodyOf(input(books, {...change, decimals: {price: 0, quantity: 0}}));
			expect(lines.map(lineWidth)).toEqual(Array(change.size.rows).fill(change.size.columns));
			if (change.ascii) expect(lines.map(lineText).join('')).toMatch(/^[ -~]*$/);
		}),
	);
});
