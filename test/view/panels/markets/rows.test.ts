import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {withPrices} from '../../../../source/market/price-trail.ts';
import type {Market, Ticker} from '../../../../source/market/types.ts';
import {commands} from '../../../../source/view/commands/table.ts';
import {keyHintOf} from '../../../../source/view/keys.ts';
import {type Line, lineText, lineWidth} from '../../../../source/view/line.ts';
import type {PickerEntry} from '../../../../source/view/panels/markets/entries.ts';
import {type PickerInput, pickerBody, pickerSkeleton} from '../../../../source/view/panels/markets/rows.ts';

const entry = (pair: string, ticker?: Partial<Ticker>, state = 'active'): PickerEntry => {
	const [base, quote] = pair.split('/');
	const market: Market = {symbol: pair.replace('/', ''), base, quote, state};
	return {market, pair, ticker: ticker && {symbol: market.symbol, state: 'active', ...ticker}};
};

const list = [
	entry('BTC/USDT', {last: 61_822.4, high: 62_000.01, changePercent: -0.02}),
	entry('ETH/USDT', {last: 2682.82, changePercent: 1.21}),
	entry('PEPE/USDT', {last: 0.000_007_5, changePercent: 0}),
	entry('OLD/USDT', {last: 1.5, changePercent: 3}, 'halted'),
	entry('NEW/USDT'),
];

/** The prices after a poll of the list's tickers at `time`. */
const trailsOf = (entries: readonly PickerEntry[], time = 0, before: PickerInput['trails'] = new Map()) =>
	withPrices(
		before,
		new Map(entries.flatMap(({market, ticker}) => (ticker ? [[market.symbol, ticker] as const] : []))),
		time,
	);

const input = (change: Partial<PickerInput> = {}): PickerInput => ({
	list,
	selected: 'BTCUSDT',
	cursor: 'ETHUSDT',
	favourites: new Set(['ETHUSDT']),
	filter: '',
	editing: false,
	trails: trailsOf(change.list ?? list),
	size: {columns: 30, rows: 5},
	ascii: false,
	...change,
});
const texts = (lines: readonly Line[]) => lines.map(lineText);
const pairs = (lines: readonly Line[]) => lines.map(line => line[2]?.text.trim());

test('a row shows market, last price and change, or the state of an inactive market', () => {
	expect(texts(pickerBody(input()))).toEqual([
		'▶ BTC/USDT    61,822.40  −0.02',
		' ★ETH/USDT     2,682.82  +1.21',
		'  PEPE/USDT   0.0000075   0.00',
		'  OLD/USDT          1.5 halted',
		'  NEW/USDT            –      –',
	]);
});

test('a market whose entry could not be read has change and state of its ticker, else the row says so', () => {
	const unread = (ticker?: Partial<Ticker>): PickerEntry => {
		const {market, ...rest} = entry('BTCUSDT', ticker);
		return {...rest, market: {...market, state: 'unknown', unreadable: true}};
	};
	const unreadList = [unread({last: 61_681.74, changePercent: -0.32}), unread({last: 1, state: 'halted'}), unread()];
	expect(texts(pickerBody(input({list: unreadList, cursor: undefined, trails: new Map()})))).toEqual([
		'▶ BTCUSDT   61,681.74    −0.32',
		'▶ BTCUSDT           1   halted',
		'▶ BTCUSDT           – unreada…',
	]);
});

test('ASCII has a mark for each Unicode mark', () => {
	expect(texts(pickerBody(input({ascii: true}))).slice(0, 2)).toEqual([
		'> BTC/USDT    61,822.40  -0.02',
		' *ETH/USDT     2,682.82  +1.21',
	]);
});

test('rises, falls, states and markets without a trade differ in tone, and the cursor is one inverse bar', () => {
	const rows = pickerBody(input());
	expect(rows.map(row => [row[2]?.tone, row[4]?.tone])).toEqual([
		['strong', 'down'],
		['strong', 'strong'],
		['plain', 'muted'],
		['muted', 'warn'],
		['muted', 'muted'],
	]);
	expect(rows.map(row => row.every(({inverse}) => inverse))).toEqual([false, true, false, false, false]);
});

describe('filter', () => {
	test('shows the typed text, the caret and the number of matches', () => {
		expect(texts(pickerBody(input({filter: 'us', editing: true})))[0]).toBe('/us▏  5');
		expect(texts(pickerBody(input({filter: 'us', editing: true, ascii: true})))[0]).toBe('/us_  5');
		expect(texts(pickerBody(input({filter: 'us'})))[0]).toBe('/us  5');
	});

	test('names Esc when nothing matches', () => {
		const keyHint = keyHintOf(commands, false);
		expect(texts(pickerBody(input({list: [], filter: 'zz', editing: true, keyHint})))).toEqual([
			'/zz▏  no match, Esc clears',
		]);
	});
});

const long = Array.from({length: 100}, (_, index) => entry(`M${index}/USDT`, {last: 1, changePercent: 0}));

test.each([
	['M0USDT', 'M0/USDT'],
	['M9USDT', 'M0/USDT'],
	['M10USDT', 'M5/USDT'],
	['M50USDT', 'M45/USDT'],
	['M99USDT', 'M90/USDT'],
	['GONEUSDT', 'M0/USDT'],
])('with the cursor on %s ten rows begin with %s', (cursor, first) => {
	const rows = pickerBody(input({list: long, cursor, size: {columns: 30, rows: 10}}));
	expect(rows.length).toBe(10);
	expect(pairs(rows)[0]).toBe(first);
});

test('the cursor is always visible, and no row is wider than the panel', () => {
	const anyInput = fc.record({
		columns: fc.integer({min: 28, max: 200}),
		rows: fc.integer({min: 3, max: 40}),
		cursor: fc.nat({max: 99}),
		editing: fc.boolean(),
		ascii: fc.boolean(),
	});
	fc.assert(
		fc.property(anyInput, ({columns, rows, cursor, ...more}) => {
			const lines = pickerBody(input({list: long, cursor: `M${cursor}USDT`, size: {columns, rows}, ...more}));
			expect(pairs(lines)).toContain(`M${cursor}/USDT`);
			expect(lines.length).toBeLessThanOrEqual(rows);
			expect(Math.max(...lines.slice(more.editing ? 1 : 0).map(lineWidth))).toBe(columns);
		}),
	);
});

test('a long name is cut with a mark, a price never is', () => {
	const lines = pickerBody(
		input({
			list: [entry('VERYLONGNAME/USDT', {last: 0.000_000_000_123, changePercent: 19_675.3})],
			size: {columns: 30, rows: 1},
		}),
	);
	expect(texts(lines)).toEqual(['  VERYLONGN…   0.0₉123 +19,675']);
});

test('a number too long for the panel is left out and takes no room from other names', () => {
	const lines = pickerBody(
		input({
			list: [...list.slice(0, 2), entry('ODD/USDT', {last: 1.234_567_890_123_456_7, changePercent: 1e300})],
			size: {columns: 30, rows: 3},
		}),
	);
	expect(texts(lines)).toEqual([
		'▶ BTC/USDT    61,822.40  −0.02',
		' ★ETH/USDT     2,682.82  +1.21',
		'  ODD/USDT            …      …',
	]);
});

describe('a change', () => {
	const before = [
		entry('BTC/USDT', {last: 61_819.4, high: 62_000.01, changePercent: -0.02}),
		entry('ETH/USDT', {last: 2690, changePercent: 1.21}),
		entry('PEPE/USDT', {last: 0.000_007_5, changePercent: 0.35}),
		...list.slice(3),
	];
	const trails = trailsOf(list, 7000, trailsOf(before, 2000));
	const inverse = (change: Partial<PickerInput>) =>
		pickerBody(input({trails, ...change})).map(row => row.filter(span => span.inverse).map(({text}) => text));

	test('flashes from the first to the last digit that differs', () => {
		expect(inverse({flashAt: 7000, cursor: undefined})).toEqual([['22'], ['82.82'], [' 0.00'], [], []]);
	});

	test('flashes in volume and spread where they are shown', () => {
		const wide = {last: 100, volume: 2000, bid: 99.99, ask: 100.01, changePercent: 1};
		const [old, now] = [entry('UP/USDT', wide), entry('UP/USDT', {...wide, volume: 2010, bid: 99.98})];
		const polls = trailsOf([now], 7000, trailsOf([old], 2000));
		const look = {list: [now], trails: polls, flashAt: 7000, cursor: undefined, size: {columns: 58, rows: 3}};
		expect(inverse(look)).toEqual([['1', '3']]);
	});

	test('is not inverse under the cursor', () => {
		const [, row = []] = pickerBody(input({trails, flashAt: 7000, cursor: 'ETHUSDT'}));
		expect(row.filter(span => !span.inverse).map(({text}) => text)).toEqual(['82.82']);
	});

	test('flashes only once', () => {
		expect(inverse({cursor: undefined}).flat()).toEqual([]);
		expect(inverse({cursor: undefined, flashAt: 8000}).flat()).toEqual([]);
	});

	test('moves no cell', () => {
		expect(texts(pickerBody(input({trails, flashAt: 7000})))).toEqual(texts(pickerBody(input({trails}))));
	});
});

test('a price keeps the most decimals of its market', () => {
	const fine = entry('UP/USDT', {last: 1.25});
	const coarse = entry('UP/USDT', {last: 1.5});
	const trails = trailsOf([coarse], 1000, trailsOf([fine]));
	expect(texts(pickerBody(input({list: [coarse], trails})))).toEqual(['  UP/USDT          1.50      –']);
});

describe('in a wide picker', () => {
	const quoted = {last: 100, volume: 2000, bid: 99.99, ask: 100.01, changePercent: 1};
	const wide = [entry('UP/USDT', quoted), entry('NEW/USDT')];
	const trails = new Map(
		[...trailsOf(wide)].map(([symbol, each]) => [symbol, {...each, prices: [1, 2, 3, 4, 5, 6, 7, 8]}]),
	);
	const at = (columns: number, ascii = false) =>
		texts(pickerBody(input({list: wide, trails, cursor: undefined, size: {columns, rows: 3}, ascii})));

	test('the trend of the price since the start is at the right', () => {
		expect(at(38)).toEqual(['  UP/USDT         100.00  +1.00 ▁▂▃▆▇█', '  NEW/USDT             –      –       ']);
	});

	test('the trend of a price that never moved is a line', () => {
		const still = new Map([...trails].map(([symbol, each]) => [symbol, {...each, prices: [5, 5, 5]}]));
		const [row = []] = pickerBody(input({list: wide, trails: still, cursor: undefined, size: {columns: 38, rows: 3}}));
		expect(lineText(row)).toBe('  UP/USDT         100.00  +1.00    ───');
	});

	test('volume and spread precede the trend below the names of the columns', () => {
		expect(at(58)).toEqual([
			'market               last 24 h % ≈ volume spread bp  trend',
			'  UP/USDT          100.00  +1.00    200 k      2.00 ▁▂▃▆▇█',
			'  NEW/USDT              –      –        –         –       ',
		]);
		expect(at(80, true)).toEqual([
			'market                          last 24 h % ~ volume spread bp trend since start',
			'  UP/USDT                     100.00  +1.00    200 k      2.00          ..::::##',
			'  NEW/USDT                         -      -        -         -                  ',
		]);
	});
});

describe('a volume and a spread', () => {
	const at = (ticker: Partial<Ticker>) =>
		texts(
			pickerBody(
				input({
					list: [entry('UP/USDT', ticker), entry('NEW/USDT')],
					cursor: undefined,
					trails: new Map(),
					size: {columns: 58, rows: 3},
				}),
			),
		);

	test('the header stays when a longer price leaves the volume no room', () => {
		const headerAt = (columns: number, last: number) => {
			const size = {columns, rows: 5};
			return texts(pickerBody(input({list: [entry('BTC/USDT', {last}), entry('ETH/USDT', {last: 2})], size})))[0];
		};
		expect(headerAt(47, 2)).toBe('market              last 24 h % ≈ volume  trend');
		expect(headerAt(47, 1_234_567.25)).toBe('market                       last 24 h %  trend');
	});

	test('of an unknown unit is shown as is, under a question mark', () => {
		expect(at({last: 100, quoteVolume: 31_138}).slice(0, 2)).toEqual([
			'market               last 24 h % volume ? spread bp  trend',
			'  UP/USDT             100      –   31.1 k         –       ',
		]);
	});

	test('other than zero never reads as zero', () => {
		expect(at({last: 61_824, bid: 61_824, ask: 61_824.01})[1]).toBe(
			'  UP/USDT          61,824      –        –     <0.01       ',
		);
	});
});

test('the skeleton has the columns of the list', () => {
	expect(texts(pickerSkeleton({columns: 30, rows: 2}, false))).toEqual([
		'  ·······      ········ ·····',
		'  ·······      ········ ·····',
	]);
});
