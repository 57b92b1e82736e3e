import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {formatFixed} from '../../../../source/format/number.ts';
import {type Line, lineText, lineWidth} from '../../../../source/view/line.ts';
import {rangeGauge} from '../../../../source/view/panels/ticker/gauge.ts';
import {tickerLines} from '../../../../source/view/panels/ticker/header.ts';
import type {TickerInput} from '../../../../source/view/panels/ticker/model.ts';
import {tickerBody, tickerPanel} from '../../../../source/view/panels/ticker/panel.ts';
import {boxed} from '../../../helpers/boxed.ts';
import {marketState, received} from '../../../helpers/market-state.ts';
import {bitcoinInput, bitcoinTicker, now, tickerInputOf} from './tickers.ts';

const header = (change: Partial<TickerInput> = {}, columns = 160): readonly Line[] =>
	tickerLines({...tickerInputOf(change), columns, rows: 2});

const texts = (lines: readonly Line[]): string[] => lines.map(lineText);

const golden = (name: string) => `../../../frames/ticker/${name}.txt`;

const {asks} = bitcoinInput.book ?? {asks: []};
const trade = {id: '2', time: now, price: 61_824.01, quantity: 1};
const shiba: Partial<TickerInput> = {
	pair: 'SHIB/USDT',
	base: 'SHIB',
	decimals: {price: 8, quantity: 0},
	lastTrade: {...trade, price: 0.00001371},
	previousTrade: undefined,
	book: {asks: [[0.00001371, 1_200_345]], bids: [[0.0000137, 759_792_459]]},
	ticker: {
		symbol: 'SHIBUSDT',
		last: 0.0000137,
		open: 0.00001148,
		change: 0.00000223,
		changePercent: 19.44,
		high: 0.00001402,
		low: 0.00001101,
		volume: 8.9e12,
		state: 'active',
	},
};
const tiny: Partial<TickerInput> = {
	pair: 'DUST/BTC',
	base: 'DUST',
	quote: 'BTC',
	decimals: {price: 10, quantity: 1},
	lastTrade: {...trade, price: 1e-10},
	previousTrade: {...trade, price: 2e-10},
	book: {asks: [[2e-10, 500]], bids: [[1e-10, 12.5]]},
	ticker: {
		symbol: 'DUSTBTC',
		last: 1e-10,
		open: 2e-10,
		change: -1e-10,
		changePercent: -50,
		high: 3e-10,
		low: 1e-10,
		state: 'active',
	},
};
const billions: Partial<TickerInput> = {
	pair: 'BTC/IDR',
	quote: 'IDR',
	lastTrade: {...trade, price: 1_567_890_123.45},
	previousTrade: {...trade, price: 1_567_890_123.4},
	book: {asks: [[1_567_890_123.45, 6.67]], bids: [[999_999_999.99, 0.94]]},
	ticker: {
		...{
			symbol: 'BTCIDR',
			state: 'active',
			last: 1_567_890_000,
			open: 1_580_235_802.35,
			change: -12_345_678.9,
			changePercent: -0.78,
		},
		...{high: 1_600_000_000, low: 999_999_999.99, volume: 1234.5},
	},
};
const scenes: Record<string, Partial<TickerInput>> = {
	bitcoin: {},
	shiba,
	'tiny-prices': tiny,
	billions,
	'asks-only': {book: {asks}},
	'one-sided': {book: {asks, bids: []}},
	crossed: {book: {asks, bids: [[61_830, 1]]}},
	locked: {book: {asks, bids: [[61_824.01, 1]]}},
	'last-outside': {lastTrade: {...trade, price: 61_900}},
	'stale-book': {bookIsStale: true, bookNote: [{text: 'stale since 23:54:21', tone: 'warn'}]},
	'stale-ticker': {tickerIsStale: true},
	'two-interfaces': {sources: ['v2+legacy · 0.8 s']},
	'halted-without-trades': {state: 'halted', lastTrade: undefined, previousTrade: undefined},
	'huge-day': {
		ticker: {...bitcoinTicker, open: 312.61, change: 61_511.4, changePercent: 19_675.21, high: 61_800, low: 311},
	},
	legacy: {
		sources: ['legacy · 0.8 s'],
		ticker: {
			symbol: 'BTCUSDT',
			last: 61_822.4,
			changePercent: -0.02,
			high: 62_745.14,
			low: 59_535,
			quoteVolume: 48_201,
			state: 'active',
		},
	},
	'nothing-known': {
		lastTrade: undefined,
		previousTrade: undefined,
		ticker: undefined,
		tickerReceivedAt: undefined,
		book: undefined,
		sources: [],
	},
};

describe('frames', () => {
	test.each(Object.entries(scenes))('%s', async (name, change) => {
		const frames = [160, 120, 80, 40].map(columns => boxed(header(change, columns)));
		const single = boxed(tickerLines({...tickerInputOf(change), columns: 40, rows: 1}));
		await expect([...frames, single].join('\n')).toMatchFileSnapshot(golden(name));
	});

	test('ascii', async () => {
		const ascii = {ascii: true, sources: ['v2 - 0.4 s']};
		const frames = [{}, tiny, scenes['huge-day']].map(change => boxed(header({...change, ...ascii}, 120)));
		await expect(frames.join('\n')).toMatchFileSnapshot(golden('ascii'));
	});

	test('panel', async () => {
		const frames = [{}, {...scenes['asks-only'], state: 'halted'}, scenes['nothing-known'], shiba].flatMap(change =>
			[
				{columns: 118, rows: 9},
				{columns: 38, rows: 8},
			].map(size => boxed(tickerBody({...tickerInputOf(change), size}))),
		);
		await expect(frames.join('\n')).toMatchFileSnapshot(golden('panel'));
	});
});

describe('the current price', () => {
	test('is the last trade’s with an arrow', () => {
		const [upper] = tickerLines({...bitcoinInput, columns: 24, rows: 1});

		expect(upper).toEqual([
			{text: ' BTC/USDT', tone: 'title'},
			{text: '  '},
			{text: '61,824.01', tone: 'strong'},
			{text: ' ▲', tone: 'up'},
			{text: '  '},
		]);
	});

	test('is marked outside the best bid and ask without moving the rest', () => {
		const upper = (price: number, book: TickerInput['book'], bookIsStale = false) =>
			texts(header({lastTrade: {...trade, price}, book, bookIsStale}, 80))[0] ?? '';
		const mark = (...input: Parameters<typeof upper>) => /[<>] (?:bid|ask)/.exec(upper(...input))?.[0];
		const book = {asks: [[101, 1]], bids: [[100, 1]]} as const;

		expect([99, 100, 101, 102].map(price => mark(price, book))).toEqual(['< bid', undefined, undefined, '> ask']);
		expect([99, 102].map(price => mark(price, {asks: book.asks}))).toEqual([undefined, '> ask']);
		expect(mark(99, undefined)).toBe(undefined);
		expect(mark(99, book, true)).toBe(undefined);
		const [inside, outside] = [100, 102].map(price => upper(price, book).slice(28).replaceAll(/\d/g, '9'));
		expect(inside).toBe(outside);
		expect(inside).toContain('−99.99 %');
	});
});

test('a falling price points down, an equal one nowhere', () => {
	const arrow = (before: number) => texts(header({previousTrade: {...trade, price: before}}))[0]?.slice(20, 22);

	expect([61_825, 61_824.01, 61_823].map(arrow)).toEqual([' ▼', '  ', ' ▲']);
});

test('stale numbers are muted with a note where dimming would not show', () => {
	const stale = {bookIsStale: true, tickerIsStale: true};
	const [upper = [], lower = []] = header({...stale, bookNote: [{text: 'stale since 23:54:21', tone: 'warn'}]}, 120);

	const textsIn = (line: Line) => line.filter(({text}) => text.trim() !== '').map(({text, tone}) => [text, tone]);
	expect(textsIn(upper).filter(([, tone]) => tone !== 'muted')).toEqual([
		[' BTC/USDT', 'title'],
		['61,824.01', 'strong'],
		[' ▲', 'up'],
		['24 h stale', 'warn'],
	]);
	expect(textsIn(lower).filter(([, tone]) => tone !== 'muted')).toEqual([['stale since 23:54:21', 'warn']]);
});

describe('the change of the day', () => {
	const day = (change: Partial<TickerInput>) => {
		const panel = texts(tickerBody({...tickerInputOf(change), size: {columns: 100, rows: 9}}));
		return [1, 2, 7].map(row => panel[row]?.trim().replaceAll(/ +/g, ' '));
	};
	const ticker = {...bitcoinTicker, open: 61_837.63, high: 61_837.63, low: 61_600};

	test('is that of the last trade from the open, inside the range, and the ticker’s own stands with the ticker', () => {
		expect(
			day({ticker: {...ticker, last: 61_637.02, change: -200.61}, lastTrade: {...trade, price: 61_681.74}}),
		).toEqual([
			'24 h −155.89 −0.25 % open 61,837.63',
			'range 61,600.00 ▕─────────────●────────────────────────▏ 61,837.63 at 34 %',
			'ticker 61,637.02, answer 4.0 s old −44.72 vs last trade 24 h −200.61 −0.02 %',
		]);
		expect(day({ticker, lastTrade: {...trade, price: 61_900}})[1]).toMatch(/^range 61,600.00 .* 61,900.00 at 100 %$/);
	});

	test('is the ticker’s own, and marked so beside a trade, where it has no open', () => {
		const noOpen = {...ticker, open: undefined};
		expect(day({ticker: noOpen})[0]).toBe('24 h – ticker −0.02 %');
		expect(day({ticker: noOpen, lastTrade: undefined})[0]).toBe('24 h −13.62 −0.02 %');
	});
});

test('the header shows the ticker’s own change beside its price, and drops spread, age, price and sizes before it', () => {
	const bidAndAsk = ' bid 61,824.00 × 0.94000   ask 61,824.01 × 6.67000 ';
	const lower = (columns: number, change: Partial<TickerInput> = {}) => texts(header(change, columns))[1]?.trimEnd();
	const shown = [140, 125, 110, 90, 80, 75].map(columns =>
		lower(columns, {sources: []})?.replace(bidAndAsk, '').trim(),
	);
	expect(shown).toEqual([
		'spread 0.01  ticker 61,822.40 −13.62 −0.02 %, answer 4.0 s old  −1.61 vs last trade',
		'spread 0.01  ticker 61,822.40 −13.62 −0.02 %, answer 4.0 s old',
		'ticker 61,822.40 −13.62 −0.02 %, answer 4.0 s old',
		'ticker 61,822.40 −13.62 −0.02 %',
		'spread 0.01  ticker −0.02 %',
		'ticker −0.02 %',
	]);
	expect(lower(80)).toBe(`${bidAndAsk}  ticker −0.02 %   v2 · 0.4 s`);
	expect(lower(79)).toBe(' bid 61,824.00  ask 61,824.01  ticker 61,822.40 −13.62 −0.02 %       v2 · 0.4 s');
	// Beside the price of the last trade, or in its place, a change of the ticker is shown already.
	for (const change of [{ticker: {...bitcoinTicker, open: undefined, change: undefined}}, {lastTrade: undefined}]) {
		expect(lower(160, change)).toMatch(/ {2}ticker 61,822\.40, answer 4\.0 s old/);
	}
});

test('a long state leaves room for the price', () => {
	const [upper] = texts(header({state: 'suspended until the chain upgrade is over'}, 40));

	expect(upper).toBe(' BTC/USDT  suspended until…  61,824.01 ▲');
});

describe('the range gauge', () => {
	const gauge = (low: number | undefined, price: number | undefined, high: number | undefined, ascii = false) =>
		rangeGauge({low, price, high, columns: 9, ascii});

	test('points at the price in the range, or beyond the end where the price has left it', () => {
		expect([9, 10, 15, 20, 21].map(at => gauge(10, at, 20))).toEqual([
			'▕◀──────▏',
			'▕●──────▏',
			'▕───●───▏',
			'▕──────●▏',
			'▕──────▶▏',
		]);
		expect([9, 15, 21].map(at => gauge(10, at, 20, true))).toEqual(['[<------]', '[---o---]', '[------>]']);
	});

	test('points at the middle of a range of one price', () => {
		expect(gauge(10, 10, 10)).toBe('▕───●───▏');
	});

	test('is empty where a number is unknown', () => {
		expect([gauge(undefined, 1, 2), gauge(1, undefined, 2), gauge(1, 2, undefined)]).toEqual(['', '', '']);
	});
});

const price = fc.option(
	fc.integer({min: 1, max: 10_000_000_000}).map(units => units / 1e5),
	{nil: undefined},
);
const anyTicker = fc
	.record({
		state: fc.constantFrom('active', 'halted', 'frozen 1'),
		last: price,
		previous: price,
		bid: price,
		ask: price,
		ticker: fc.record({last: price, change: price, changePercent: price, high: price, low: price, volume: price}),
		ascii: fc.boolean(),
		columns: fc.integer({min: 1, max: 180}),
	})
	.map(({state, last, previous, bid, ask, ticker, ascii, columns}) => ({
		...bitcoinInput,
		range: {high: ticker.high, low: ticker.low},
		state,
		lastTrade: last === undefined ? undefined : {...trade, price: last},
		previousTrade: previous === undefined ? undefined : {...trade, price: previous},
		book: {asks: ask === undefined ? [] : [[ask, 1] as const], bids: bid === undefined ? [] : [[bid, 1] as const]},
		ticker: {...ticker, symbol: 'BTCUSDT', state},
		decimals: {price: 5, quantity: 0},
		ascii,
		columns,
	}));

test('any header and any panel are exactly their size', () => {
	fc.assert(
		fc.property(anyTicker, fc.integer({min: 1, max: 12}), (input, rows) => {
			const {columns} = input;
			expect(tickerLines({...input, rows: 1}).map(lineWidth)).toEqual([columns]);
			expect(tickerLines({...input, rows: 2}).map(lineWidth)).toEqual([columns, columns]);
			expect(tickerBody({...input, size: {columns, rows}}).map(lineWidth)).toEqual(Array(rows).fill(columns));
		}),
	);
});

test('prices in any header are uncut', () => {
	fc.assert(
		fc.property(anyTicker, input => {
			const {ticker, book, lastTrade} = input;
			const known = [lastTrade?.price, book.asks[0]?.[0], book.bids[0]?.[0], ticker.last, ticker.high, ticker.low]
				.filter(value => value !== undefined)
				.map(value => formatFixed(value, 5));
			const lines = texts(tickerLines({...input, rows: 2}));
			const labelled = lines.flatMap(line => [
				...line.matchAll(/(?:\b(?:bid|ask|H|L|ticker)|^ BTC\/USDT) +(\d\S*?),?(?: |$)/g),
			]);
			expect(known).toEqual(expect.arrayContaining(labelled.map(([, text]) => text)));
		}),
	);
});

test('the panel says why a number is unknown', () => {
	const view = {...{now: 1000, ascii: false, focused: true}, size: {columns: 60, rows: 10}};
	const rows = (state: Parameters<typeof marketState>[0]) =>
		tickerPanel(marketState(state), view)
			.slice(1, -1)
			.map(line => lineText(line).slice(2, -1).trimEnd());
	expect(rows({})).toEqual([
		'last    –  still loading',
		'24 h    –  –  still loading',
		'range   –  –  still loading',
		'bid     –  still loading',
		'ask     –  still loading',
		'spread  –  still loading',
		'volume  –  still loading',
		'ticker  –  still loading',
	]);
	const tickers = received(new Map(), 0);
	const depth = received({asks: []}, 0);
	expect(rows({symbol: 'BTCUSDT', tickers, depth})).toEqual([
		'last    –  still loading',
		'24 h    –  –  not in the ticker list',
		'range   –  –  not in the ticker list',
		'bid     –  not shown by this interface',
		'ask     –  no asks received',
		'spread  –  needs bid and ask',
		'volume  –  not in the ticker list',
		'ticker  –  not in the ticker list',
	]);
});
