import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {ColorLevel} from '../../../../source/format/style.ts';
import {withPrices} from '../../../../source/market/price-trail.ts';
import type {Market, Ticker} from '../../../../source/market/types.ts';
import {commands} from '../../../../source/view/commands/table.ts';
import {keyHintOf} from '../../../../source/view/keys.ts';
import {type Line, lineText, lineWidth} from '../../../../source/view/line.ts';
import {shortPair} from '../../../../source/view/panels/markets/column-plan.ts';
import {columnNames} from '../../../../source/view/panels/markets/columns.ts';
import type {PickerEntry} from '../../../../source/view/panels/markets/entries.ts';
import {type PickerInput, pickerBody, pickerSkeleton} from '../../../../source/view/panels/markets/rows.ts';
import {createTheme} from '../../../../source/view/theme/theme.ts';

const entry = (pair: string, ticker?: Partial<Ticker>, state = 'active'): PickerEntry => {
	const [base, quote] = pair.split('/');
	const market: Market = {symbol: pair.replace('/', ''), base, quote, state};
	return {market, pair, ticker: ticker && {symbol: market.symbol, state, ...ticker}, worth: 1};
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
	currency: 'USDT',
	now: 0,
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
		'  OLD/USDT         1.5  halted',
		'  NEW/USDT            –      –',
	]);
});

test('a market whose entry could not be read has change and state of its ticker, else the row says so', () => {
	const unread = (ticker?: Partial<Ticker>): PickerEntry => {
		const {market, ...rest} = entry('BTCUSDT', ticker);
		return {...rest, market: {...market, state: 'unknown', unreadable: true}};
	};
	const unreadList = [unread({last: 61_681.74, changePercent: -0.32}), unread({last: 1, state: 'halted'}), unread()];
	const rows = pickerBody(input({list: unreadList, cursor: undefined, trails: new Map()}));
	expect(texts(rows)).toEqual([
		'▶ BTCUSDT   61,681.74    −0.32',
		'▶ BTCUSDT        1      halted',
		'▶ BTCUSDT           – unreada…',
	]);
	expect(rows.map(row => row[2]?.tone)).toEqual(['strong', 'muted', 'muted']);
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

describe('the past', () => {
	const hour = 3_600_000;
	const pastList = [
		{...entry('BTC/USDT', {last: 100}), past: {'1h': 1.2, rvol: 2.5, rvolEndedAt: 0}},
		{...entry('ETH/USDT', {last: 100}), past: {'1h': -1.2, rvol: 1234.5, rvolEndedAt: -0.5 * hour}},
		{...entry('SOL/USDT', {last: 100}), past: {'1h': 0}},
		entry('XRP/USDT', {last: 100}),
	];
	const rows = (size: PickerInput['size'], chosen: PickerInput['chosen']) =>
		pickerBody(input({list: pastList, cursor: undefined, chosen, size, now: 0.7 * hour}));

	test('is empty where it is unknown, and a relative volume has its muted age, and is muted once another hour is over', () => {
		const [, ...lines] = rows({columns: 50, rows: 5}, ['1h', 'rvol']);
		expect(texts(lines).map(text => text.trimEnd())).toEqual([
			'▶ BTC/USDT                +1.20     2.50 42 min',
			' ★ETH/USDT                −1.20   1.23 k    1 h',
			'  SOL/USDT                 0.00',
			'  XRP/USDT',
		]);
		const toned = (line: Line) => line.slice(3).filter(({text}) => text.trim() !== '');
		expect(lines.map(line => toned(line).map(({text, tone}) => `${text.trim()} ${tone}`))).toEqual([
			['+1.20 up', '2.50 strong', '42 min muted'],
			['−1.20 down', '1.23 k muted', '1 h muted'],
			['0.00 muted'],
			[],
		]);
	});

	test('a relative volume has its age at every width at which it is shown', () => {
		for (let columns = 10; columns <= 60; columns++) {
			const shown = texts(rows({columns, rows: 5}, ['rvol', 'last'])).join('\n');
			if (/2\.50/.test(shown)) expect(shown).toMatch(/2\.50 42 min/);
			expect(shown.split('\n').every(line => line.length <= columns)).toBe(true);
		}
	});
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
	expect(texts(lines)).toEqual(['  VERY…/USDT   0.0₉123 +19,675']);
});

test('a number too long for its column takes cells of its own name, or is left out', () => {
	const lines = pickerBody(
		input({
			list: [...list.slice(0, 2), entry('ODD/USDT', {last: 1.234_567_890_123_456_7, changePercent: 1e300})],
			size: {columns: 30, rows: 3},
		}),
	);
	expect(texts(lines)).toEqual([
		'▶ BTC/USDT 61,822.40     −0.02',
		' ★ETH/USDT  2,682.82     +1.21',
		'  ODD/USDT            …      …',
	]);
	const odd = entry('ODDLYNAMED/USDT', {last: 123_456_789.25, changePercent: 1});
	const many = [...Array.from({length: 9}, () => list[1] ?? odd), odd];
	const size = {columns: 30, rows: 10};
	expect(texts(pickerBody(input({list: many, cursor: undefined, size}))).slice(-2)).toEqual([
		' ★ETH/USDT     2,682.82  +1.21',
		'  OD…/USDT 123456789.25  +1.00',
	]);
});

test('one tiny price does not widen the column of the others, and keeps every digit', () => {
	const tiny = entry('TINY/USDT', {last: 0.000_000_000_123});
	const odd = entry('ODD/USDT', {last: 0.000_000_000_123_456_78});
	const many = [...Array.from({length: 18}, (_, index) => entry(`M${index}/USDT`, {last: 1.25})), tiny, odd];
	const rows = texts(pickerBody(input({list: many, cursor: undefined, size: {columns: 30, rows: 20}})));
	expect(rows.slice(17)).toEqual([
		'  M17/USDT         1.25      –',
		'  TINY/USDT     0.0₉123      –',
		'  ODD/USDT 0.0₉12345678      –',
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
	const standingOut = (change: Partial<PickerInput>) =>
		pickerBody(input({trails, flashAt: 7000, ...change})).map(row =>
			row.filter(({tone}) => tone === 'rose' || tone === 'fell').map(({text, tone}) => `${text} ${tone}`),
		);

	test('stands out from the first to the last digit that differs, by its direction', () => {
		expect(standingOut({cursor: undefined})).toEqual([['22 rose'], ['82.82 fell'], ['00 fell'], [], []]);
	});

	test('stands out in volume and spread where they are shown', () => {
		const wide = {last: 100, volume: 2000, bid: 99.99, ask: 100.01, changePercent: 1};
		const [old, now] = [entry('UP/USDT', wide), entry('UP/USDT', {...wide, volume: 2010, bid: 99.98})];
		const polls = trailsOf([now], 7000, trailsOf([old], 2000));
		const look = {list: [now], trails: polls, cursor: undefined, size: {columns: 58, rows: 3}};
		expect(standingOut(look)).toEqual([['1 rose', '3 rose']]);
	});

	test('does not interrupt the bar of the cursor', () => {
		const [, row = []] = pickerBody(input({trails, flashAt: 7000, cursor: 'ETHUSDT'}));
		expect(row.every(({inverse}) => inverse)).toBe(true);
		expect(row.filter(({tone}) => tone === 'fell').map(({text}) => text)).toEqual(['82.82']);
	});

	test('is underlined where there are no colours, and bold in colour', () => {
		const [row = []] = pickerBody(input({trails, flashAt: 7000, cursor: undefined}));
		const attributesAt = (color: ColorLevel) =>
			createTheme({palette: 'classic', color})
				.paint(row)
				.filter(({text}) => text === '22')
				.map(({style}) => style.attributes);
		expect([attributesAt(0), attributesAt(3)]).toEqual([['4'], ['1']]);
	});

	test('flashes only once', () => {
		expect(standingOut({flashAt: undefined}).flat()).toEqual([]);
		expect(standingOut({flashAt: 8000}).flat()).toEqual([]);
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
			'market              last 24 h %   ≈ USDT spread bp   trend',
			'  UP/USDT         100.00  +1.00    200 k      2.00 ▁▂▃▅▆▇█',
			'  NEW/USDT             –      –        –         –        ',
		]);
		expect(at(80, true)).toEqual([
			'market              last 24 h %   ~ USDT   24 h range      high spread bp  trend',
			'  UP/USDT         100.00  +1.00    200 k            -         -      2.00 ..::##',
			'  NEW/USDT             -      -        -            -         -         -       ',
		]);
	});
});

describe('a volume and a spread', () => {
	const at = (ticker: Partial<Ticker>, basis?: PickerEntry['basis']) =>
		texts(
			pickerBody(
				input({
					list: [entry('UP/USDT', ticker), entry('NEW/USDT')].map(each => ({...each, basis})),
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
		expect(headerAt(47, 2)).toBe('market              last 24 h %   ≈ USDT  trend');
		expect(headerAt(47, 1_234_567.25)).toBe('market               last 24 h %          trend');
	});

	test('of an unknown unit is shown as is, under a question mark, or as the last one of v2', () => {
		expect(at({last: 100, quoteVolume: 31_138, lastVolume: 5}, 'last v2').slice(0, 2)).toEqual([
			'market              last 24 h %  last v2 spread bp   trend',
			'  UP/USDT            100      –    500           –        ',
		]);
		expect(at({last: 100, quoteVolume: 31_138}, 'unknown').slice(0, 2)).toEqual([
			'market              last 24 h % volume ? spread bp   trend',
			'  UP/USDT            100      –   31.1 k         –        ',
		]);
	});
});

test('the skeleton has the columns of the list', () => {
	expect(texts(pickerSkeleton({columns: 30, rows: 2}, false))).toEqual([
		'  ·······      ········ ·····',
		'  ·······      ········ ·····',
	]);
});

describe('a name', () => {
	const entries = ['BTC/USDT', 'BTC/EUR', 'BITCOINCASH/EUR', '1000SATS/USDT', '1000SATS/BTC', 'A/B'].map(pair =>
		entry(pair, {last: 61_822.4, changePercent: 1}),
	);

	test('loses its base before its quote asset', () => {
		expect([14, 13, 10, 8, 7, 6].map(width => shortPair(entry('1000SATS/USDT'), width, false))).toEqual([
			...['1000SATS/USDT', '1000SATS/USDT', '1000…/USDT', '10…/USDT', '1…/USDT', '…/USDT'],
		]);
		const {market} = entry('LUNA/USDT');
		const shared = {pair: 'LUNA/USDT#5', market: {...market, symbol: 'LUNAUSDT#5', id: '5'}};
		expect([11, 9].map(width => shortPair(shared, width, false))).toEqual(['LUNA/USDT#5', 'L…/USDT#5']);
		expect(shortPair({...entry('WHATEVERUSDT'), market: {symbol: 'WHATEVERUSDT', state: 'active'}}, 9, true)).toBe(
			'WHAT~USDT',
		);
	});

	test('keeps its quote asset at every width, whatever columns are shown', () => {
		const anyLook = fc.record({
			list: fc.shuffledSubarray(entries, {minLength: 1}),
			columns: fc.integer({min: 28, max: 200}),
			chosen: fc.option(fc.shuffledSubarray([...columnNames], {minLength: 1}), {nil: undefined}),
			ascii: fc.boolean(),
		});
		fc.assert(
			fc.property(anyLook, ({columns, ...look}) => {
				const size = {columns, rows: 10};
				const rows = pickerBody(input({cursor: undefined, ...look, size})).slice(-look.list.length);
				expect(rows.map(row => row[2]?.text.trim().split('/')[1])).toEqual(look.list.map(({market}) => market.quote));
				for (const row of rows) expect(lineWidth(row)).toBe(columns);
			}),
		);
	});
});

describe('the columns', () => {
	const full = {...{last: 61_822.4, high: 62_000.5, low: 60_000}, ...{bid: 61_822, ask: 61_823, volume: 12}};
	const some = [
		entry('BTC/USDT', {...full, changePercent: 1.25}),
		{...entry('ETH/EUR', {last: 2500, low: 2400, high: 2600, volume: 1000, changePercent: 0}), worth: 1.25},
		{...entry('ODD/XYZ', {last: 0.000_000_000_123, volume: 5}), worth: undefined},
	];
	const trails = trailsOf(some, 10_000, trailsOf([entry('BTC/USDT', {...full, last: 1})], 2000));
	const at = (columns: number, change: Partial<PickerInput> = {}) =>
		texts(
			pickerBody(input({list: some, trails, now: 14_000, cursor: undefined, size: {columns, rows: 9}, ...change})),
		).map(row => row.trimEnd());

	test.each([44, 78, 118, 198])('that fit in %i cells are shown', columns => {
		expect(at(columns, {ascii: columns === 78})).toMatchSnapshot();
	});

	test('that were chosen are shown in that order, those that do not fit left out', () => {
		const chosen = ['age', 'volume', 'range', 'trend', 'last'] as const;
		expect([at(60, {chosen}), at(40, {chosen}), at(28, {chosen})]).toMatchSnapshot();
	});

	test('show the state of an inactive market after its name where no column of changes does', () => {
		const halted = [...some, entry('OLD/USDT', {last: 1.5}, 'halted')];
		expect(at(30, {list: halted, chosen: ['last']}).at(-1)).toBe('  OLD/USDT halted      1.5');
	});

	test('show a volume that other markets converted as such, and an unknown one as unknown', () => {
		expect(at(30, {chosen: ['volume']})).toMatchInlineSnapshot(`
			[
			  "market           ≈ volume USDT",
			  "▶ BTC/USDT               742 k",
			  "  ETH/EUR              ≈3.13 M",
			  "  ODD/XYZ                    –",
			]
		`);
	});
});
