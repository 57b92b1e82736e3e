import {describe, expect, test} from 'vitest';
import type {Size} from '../../../../source/format/cells.ts';
import {stepAt, stepOf, stepSize} from '../../../../source/market/depth.ts';
import type {DepthBook, Level, Trade} from '../../../../source/market/types.ts';
import {type Line, lineText} from '../../../../source/view/line.ts';
import type {Anchor} from '../../../../source/view/panels/book/book-state.ts';
import {
	type LadderInput,
	ladderBody,
	ladderSkeleton,
	scrolledAnchor,
} from '../../../../source/view/panels/book/rows.ts';
import {ladderStep, nextStep} from '../../../../source/view/panels/book/rungs.ts';
import {boxed, readNumber} from '../../../helpers/boxed.ts';
import {type BookShape, bitcoin, makeBook, shiba, tiny} from './books.ts';

const sizes = {
	standard: {columns: 34, rows: 19},
	small: {columns: 32, rows: 11},
	tiny: {columns: 38, rows: 8},
	wide: {columns: 58, rows: 24},
} satisfies Record<string, Size>;

const legacyFails = (brief: string): DepthBook['bidsFailure'] => ({
	...{interface: 'legacy', operation: 'depth', kind: 'http', brief, message: brief},
});

const decimalsOf = (shape: BookShape) => ({price: shape.priceDecimals, quantity: shape.quantityDecimals});

const input = (change: Partial<LadderInput> = {}): LadderInput => ({
	book: makeBook(bitcoin),
	decimals: decimalsOf(bitcoin),
	size: sizes.standard,
	ascii: false,
	...change,
});

const golden = (name: string) => `../../../frames/book/${name}.txt`;

/** Two trades at the best of each side and one a level deeper. */
const tradesAt = ({asks, bids = []}: DepthBook): readonly Trade[] =>
	[asks[0], asks[0], asks[1], bids[0], bids[0], bids[1]].flatMap((level, index) =>
		level ? [{id: String(index), time: 0, price: level[0], quantity: 0.25 * (index + 1)}] : [],
	);

const texts = (lines: readonly Line[]): string[] => lines.map(line => lineText(line).trimEnd());

describe('frames', () => {
	const {asks} = makeBook(bitcoin);
	const frames: Record<string, Partial<LadderInput>> = {
		'bitcoin-standard': {},
		'bitcoin-small': {size: sizes.small},
		'bitcoin-tiny': {size: sizes.tiny},
		'bitcoin-wide-grouped': {size: sizes.wide, grouping: stepAt(2, 3)},
		'bitcoin-traded': {size: {columns: 42, rows: 19}, trades: tradesAt(makeBook(bitcoin))},
		'bitcoin-traded-wide-grouped': {size: sizes.wide, grouping: stepAt(2, 3), trades: tradesAt(makeBook(bitcoin))},
		'bitcoin-narrow': {size: {columns: 28, rows: 7}},
		'bitcoin-narrower': {size: {columns: 20, rows: 7}},
		'bitcoin-prices-only': {size: {columns: 12, rows: 7}},
		'bitcoin-too-narrow': {size: {columns: 6, rows: 5}},
		'bitcoin-scrolled': {anchor: {side: 'bid', price: makeBook(bitcoin).bids?.[6]?.[0] ?? 0}},
		'bitcoin-ascii': {ascii: true},
		'shiba-standard': {book: makeBook(shiba), decimals: decimalsOf(shiba)},
		'shiba-wide': {book: makeBook(shiba), decimals: decimalsOf(shiba), size: sizes.wide},
		'tiny-prices-standard': {book: makeBook(tiny), decimals: decimalsOf(tiny)},
		'tiny-prices-narrow': {book: makeBook(tiny), decimals: decimalsOf(tiny), size: {columns: 20, rows: 7}},
		'tiny-prices-narrow-ascii': {
			book: makeBook(tiny),
			decimals: decimalsOf(tiny),
			size: {columns: 20, rows: 7},
			ascii: true,
		},
		'no-bids': {book: {asks, bids: []}},
		'no-asks': {book: {asks: [], bids: makeBook(bitcoin).bids}},
		'bitcoin-value': {total: 'value'},
		'bitcoin-value-zoomed': {size: {columns: 118, rows: 16}, trades: tradesAt(makeBook(bitcoin)), tradesPartial: true},
		'bitcoin-traded-partial-ascii': {
			size: {columns: 46, rows: 13},
			trades: tradesAt(makeBook(bitcoin)),
			tradesPartial: true,
			ascii: true,
		},
		'fill-base': {fill: {text: '2', editing: false}, base: 'BTC', quote: 'USDT'},
		'fill-quote-wide': {
			fill: {text: '250k usdt', editing: false},
			base: 'BTC',
			quote: 'USDT',
			size: {columns: 58, rows: 12},
		},
		'fill-few-levels': {fill: {text: '60', editing: false}, base: 'BTC', quote: 'USDT', size: sizes.small},
		'fill-few-levels-narrow': {fill: {text: '60', editing: false}, base: 'BTC', size: {columns: 29, rows: 11}},
		'fill-cut-levels': {fill: {text: '60', editing: false}, base: 'BTC', quote: 'USDT', cut: 3},
		'fill-no-levels': {book: {asks: [], bids: []}, fill: {text: '60', editing: false}},
		'fill-refused': {
			fill: {text: '2,5', editing: true, fault: 'a dot separates decimals (2.5), a comma thousands (1,000)'},
			size: sizes.small,
		},
		'fill-editing': {fill: {text: '2 b', editing: true}, base: 'BTC', quote: 'USDT', size: sizes.tiny},
		'fill-unknown-asset-ascii': {fill: {text: '2 eth', editing: false}, base: 'BTC', quote: 'USDT', ascii: true},
		'fill-without-bids': {book: {asks}, fill: {text: '1', editing: false}, size: sizes.small},
		empty: {book: {asks: [], bids: []}},
		crossed: {
			book: {
				asks,
				bids: [
					[61_830, 1.5],
					[61_829.5, 0.2],
				],
			},
		},
		'asks-only': {book: {asks}, tickerBid: 61_824, tickerBidQuantity: 0.94},
		'asks-only-legacy-fails': {
			book: {asks, bidsFailure: legacyFails('timed out')},
			tickerBid: 61_824,
			tickerBidQuantity: 0.94,
		},
		'asks-only-legacy-fails-wide': {
			book: {asks, bidsFailure: legacyFails('server error 503')},
			size: {columns: 60, rows: 8},
		},
		'asks-only-no-ticker': {book: {asks}, size: sizes.small},
	};

	test.each(Object.entries(frames))('%s', async (name, change) => {
		await expect(boxed(ladderBody(input(change)))).toMatchFileSnapshot(golden(name));
	});

	test.each([
		['skeleton-standard', sizes.standard, false],
		['skeleton-tiny-ascii', sizes.tiny, true],
	] as const)('%s', async (name, size, ascii) => {
		await expect(boxed(ladderSkeleton(size, ascii))).toMatchFileSnapshot(golden(name));
	});
});

test('asks are red above the spread and bids green below it', () => {
	const book: DepthBook = {asks: [[101, 2]], bids: [[100, 1]]};

	const lines = ladderBody(input({book, decimals: {price: 0, quantity: 0}, size: {columns: 24, rows: 3}}));

	expect(lines).toEqual([
		[
			{text: ' 101', tone: 'down'},
			{text: '    2'},
			{text: '    2', tone: 'muted'},
			{text: '  ', tone: 'accent'},
			{text: '████████', tone: 'downBar'},
		],
		[
			{text: '── ', tone: 'muted'},
			{text: 'spread 1', tone: 'plain'},
			{text: ' ────────────', tone: 'muted'},
		],
		[
			{text: ' 100', tone: 'up'},
			{text: '    1'},
			{text: '    1', tone: 'muted'},
			{text: '  ', tone: 'accent'},
			{text: '████', tone: 'upBar'},
			{text: '    '},
		],
	]);
});

test.each([
	['crossed', 101, 'CROSSED by 2 · 200.00 bp', ' ──────'],
	['locked', 99, 'LOCKED · spread 0', ' ─────────────'],
])('a %s book is marked as a warning', (_, bid, text, end) => {
	const book: DepthBook = {asks: [[99, 1]], bids: [[bid, 1]]};

	const lines = ladderBody(input({book, decimals: {price: 0, quantity: 0}, size: {columns: 34, rows: 3}}));

	expect(lines[1]).toEqual([
		{text: '── ', tone: 'warn'},
		{text, tone: 'warn'},
		{text: end, tone: 'warn'},
	]);
});

test('a trade between the best prices counts at one price only, though both sides are grouped to it', () => {
	const book: DepthBook = {
		asks: [[100.3, 1]],
		bids: [
			[100.2, 2],
			[99.9, 1],
		],
	};
	const trades: readonly Trade[] = [
		{id: '2', time: 0, price: 100.3, quantity: 0.2},
		{id: '1', time: 0, price: 100.2, quantity: 0.1},
		{id: '0', time: 0, price: 99.9, quantity: 0.7},
	];
	const decimals = {price: 1, quantity: 1};
	const lines = ladderBody(input({book, trades, decimals, grouping: stepAt(1, 3), size: {columns: 60, rows: 5}}));

	expect(
		texts(lines).map(line =>
			line
				.trim()
				.split(/[ █-▏]+/u)
				.slice(0, 5),
		),
	).toEqual([
		[''],
		['101', '1.0', '1.0', '100.30', '0.2'],
		['──', 'spread', '0.1', '·', '9.98'],
		['100', '2.0', '2.0', '200.40', '0.1'],
		['99', '1.0', '3.0', '300.30', '0.7'],
	]);
});

describe('a scrolled ladder', () => {
	const book = makeBook({...bitcoin, levels: 30});
	const {bids = []} = book;
	const {rows} = sizes.small;
	const priceIn = (line: string | undefined) => readNumber(line?.split(/\s+/)[1] ?? '');
	const shownAt = (anchor: Anchor | undefined, of: DepthBook = book) =>
		texts(ladderBody(input({book: of, size: sizes.small, anchor})));

	test('ends with the highest ask at the top and the lowest bid at the bottom', () => {
		const top = shownAt(scrolledAnchor(input({book}), rows, -1000));
		const bottom = shownAt(scrolledAnchor(input({book}), rows, 1000));

		expect([priceIn(top[0]), priceIn(bottom.at(-1))]).toEqual([book.asks.at(-1)?.[0], bids.at(-1)?.[0]]);
	});

	test('returns to the spread after as many rows up as down', () => {
		const down = scrolledAnchor(input({book}), rows, 3);

		expect(down).toEqual({side: 'bid', price: bids[2]?.[0]});
		expect(scrolledAnchor(input({book, anchor: down}), rows, -3)).toBeUndefined();
		expect(scrolledAnchor(input({book, anchor: down}), rows, -4)).toEqual({side: 'ask', price: book.asks[0]?.[0]});
	});

	test('keeps its price in the middle while levels nearer to the spread change', () => {
		const anchor = scrolledAnchor(input({book}), rows, 9);
		const nearer: Level = [bids[0]?.[0] ?? 0, 1];
		const moved = {asks: book.asks.slice(4), bids: [[nearer[0] + 0.005, 1] as Level, nearer, ...bids.slice(1)]};

		expect(shownAt(anchor, moved).map(priceIn)).toEqual(shownAt(anchor).map(priceIn));
	});

	test('keeps its price when the market passes it', () => {
		const bids = [104, 100, 99, 95, 94, 93, 92, 91, 90].map((price): Level => [price, 1]);
		const decimals = {price: 0, quantity: 0};
		const ladder = {book: {asks: [[105, 1] as Level], bids}, decimals, size: sizes.small};

		const lines = texts(ladderBody(input({...ladder, anchor: {side: 'ask', price: 100}})));

		expect(priceIn(lines[5])).toBe(100);
	});

	test('does not exist where the whole book fits', () => {
		expect(scrolledAnchor(input({book: {asks: [[2, 1]], bids: [[1, 1]]}}), 20, 5)).toBeUndefined();
	});
});

describe('changes since the book before', () => {
	const previous: DepthBook = {
		asks: [
			[101, 5],
			[103, 4],
			[104, 1],
			[105, 1],
		],
		bids: [
			[100, 2],
			[98, 2],
			[97, 1],
		],
	};
	const book: DepthBook = {
		asks: [
			[101, 5],
			[102, 1],
			[103, 3],
			[105, 1],
		],
		bids: [
			[98, 4],
			[97, 1],
		],
	};
	const ladder = input({book, previous, decimals: {price: 0, quantity: 0}, size: {columns: 30, rows: 11}});
	const rows = (lines: readonly Line[]) =>
		lines.map(line => [
			lineText(line).replaceAll(/[█-▏]/g, '').trim().split(/\s+/).slice(0, 4).join(' '),
			line.find(span => span.tone === 'strong')?.text.trim(),
		]);

	test('are bold with a sign; a pulled level is marked at the next worse one that stayed', () => {
		expect(rows(ladderBody(ladder))).toEqual([
			['', undefined],
			['105 1 10 ×', undefined],
			['103 3 9 ▼', '3'],
			['102 1 6 +', '1'],
			['101 5 5', undefined],
			['── spread 3 ·', undefined],
			['98 4 4 ▲', '4'],
			['97 1 5', undefined],
			['', undefined],
			['', undefined],
			['', undefined],
		]);
	});

	test('of a pulled best level are marked at the new best level', () => {
		const bids = previous.bids?.slice(1);
		expect(rows(ladderBody({...ladder, book: {...previous, bids}})).slice(5)).toEqual([
			['── spread 3 ·', undefined],
			['98 2 2 ×', undefined],
			['97 1 3', undefined],
			['', undefined],
			['', undefined],
			['', undefined],
		]);
	});

	test('of a group are those of its total', () => {
		const lines = ladderBody({...ladder, grouping: stepAt(0, 1)});

		expect(rows(lines).filter(([, changed]) => changed)).toEqual([
			['104 3 9 ▼', '3'],
			['102 6 6 ▲', '6'],
			['98 4 4 ▲', '4'],
		]);
	});
});

describe('the step of a ladder', () => {
	const book: DepthBook = {
		asks: Array.from({length: 30}, (_, index): Level => [(612 + index * 2) / 10, 1]),
		bids: [[61, 1]],
	};
	const decimals = {price: 1, quantity: 0};

	test('is that of the prices in the book without a choice, also once finer decimals appear elsewhere', () => {
		expect([1, 2].map(price => stepSize(ladderStep(book, {...decimals, price}, undefined)))).toEqual([0.2, 0.2]);
	});

	test('stays as chosen when finer decimals appear, and where fewer than ten rows are left', () => {
		const chosen = {mantissa: 2, exponent: 0} as const;
		expect([1, 2, 5].map(price => ladderStep(book, {...decimals, price}, chosen))).toEqual(Array(3).fill(chosen));
	});

	test('is the coarsest or finest possible where the choice is coarser or finer', () => {
		expect(ladderStep(book, decimals, {mantissa: 1, exponent: 9})).toEqual({mantissa: 5, exponent: 0});
		expect(ladderStep(book, decimals, {mantissa: 1, exponent: -9})).toEqual({mantissa: 2, exponent: -1});
	});

	test('changes by one from the step of the book to the last one that leaves ten rows', () => {
		const stepped = (by: 1 | -1, ...sizes: readonly number[]) =>
			sizes.map(size => {
				const step = nextStep(book, decimals, stepOf(size), by);
				return step && stepSize(step);
			});

		expect(stepped(1, 0.2, 0.5, 5, 0.01)).toEqual([0.5, undefined, undefined, 0.5]);
		expect(stepped(-1, 5, 0.5, 0.2, 0.01)).toEqual([0.5, 0.2, undefined, undefined]);
	});
});
