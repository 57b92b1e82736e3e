import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {DepthBook, Ticker} from '../../../../source/market/types.ts';
import {noKeyHint} from '../../../../source/view/keys.ts';
import {type Line, lineText, lineWidth} from '../../../../source/view/line.ts';
import {
	notPolled,
	type OtherTickers,
	otherInterface,
	whyNotPolled,
} from '../../../../source/view/panels/ticker/interface-rows.ts';
import type {TickerState} from '../../../../source/view/panels/ticker/model.ts';
import {tickerPanel} from '../../../../source/view/panels/ticker/panel.ts';
import {failure, marketState, received} from '../../../helpers/market-state.ts';
import {makeTape} from '../tape/tapes.ts';
import {bitcoinTicker, now} from './tickers.ts';

const tape = makeTape({gapAfter: 12});
const market = {symbol: 'BTCUSDT', id: '101', base: 'BTC', quote: 'USDT', state: 'active', type: 'Spot'};
const known = marketState({
	markets: received([market], now - 90_000),
	tickers: received(new Map([['BTCUSDT', {...bitcoinTicker, type: 'spot'}]]), now - 4000),
	depth: {
		...received({asks: [[61_824.01, 6.67]], bids: [[61_824, 0.94]]}, now - 800),
		interface: 'legacy',
	},
	trades: received(tape, now - 400),
	decimals: {price: 2, quantity: 5},
});
const legacyTicker: Ticker = {
	...{symbol: 'BTCUSDT', last: 61_825.5, changePercent: -0.02, high: 62_745.14, low: 59_535},
	...{bid: 61_825.1, ask: 61_825.5, quoteVolume: 2.97e9, state: 'frozen 1'},
};
const legacy: OtherTickers = {
	...received(new Map([[legacyTicker.symbol, legacyTicker]]), now - 9000),
	interface: 'legacy',
};

type View = {readonly columns: number; readonly rows: number; readonly ascii?: boolean; readonly other?: OtherTickers};

const panel = (state: TickerState, {columns, rows, ascii = false, other = legacy}: View): readonly Line[] =>
	tickerPanel(state, {keyHint: noKeyHint, size: {columns, rows}, focused: true, ascii, now, other});

const golden = (name: string) => `../../../frames/ticker/${name}.txt`;
const text = (lines: readonly Line[]) => `${lines.map(lineText).join('\n')}\n`;

/** Of the panel of a zoomed ticker in terminals of 40×12, 80×24, 120×40 and 200×60. */
const sizes = [
	{columns: 40, rows: 10},
	{columns: 80, rows: 21},
	{columns: 120, rows: 36},
	{columns: 200, rows: 56},
];

describe('frames', () => {
	test.each(sizes)('zoomed in $columns×$rows', async size => {
		await expect(text(panel(known, size))).toMatchFileSnapshot(golden(`zoomed-${size.columns}x${size.rows}`));
	});

	test('zoomed-ascii', async () => {
		await expect(text(panel(known, {columns: 120, rows: 36, ascii: true}))).toMatchFileSnapshot(golden('zoomed-ascii'));
	});

	test('zoomed-unknown', async () => {
		const views: readonly (readonly [TickerState, OtherTickers])[] = [
			[marketState(), notPolled('polled after v2')],
			[known, notPolled('not configured')],
			[known, {status: 'failed', failure: failure(now - 3000)}],
		];
		const frames = views.map(([state, other]) => text(panel(state, {columns: 80, rows: 18, other})));
		await expect(frames.join('')).toMatchFileSnapshot(golden('zoomed-unknown'));
	});
});

test('the ticker of the other interface is asked for where it can answer now', () => {
	const both = {interfaces: ['v2', 'legacy'], use: 'legacy', paused: false, isPast: false, isAvailable: true} as const;

	expect([
		otherInterface(known),
		otherInterface({...known, tickers: {...received(new Map(), now), interface: 'legacy'}}),
		otherInterface(marketState()),
	]).toEqual(['legacy', 'v2', undefined]);
	expect([
		whyNotPolled(both),
		whyNotPolled({...both, interfaces: ['v2']}),
		whyNotPolled({...both, use: undefined}),
		whyNotPolled({...both, paused: true}),
		whyNotPolled({...both, isPast: true}),
		whyNotPolled({...both, isAvailable: false}),
	]).toEqual([undefined, 'not configured', 'polled after v2', 'not polled while paused', 'not recorded', 'not polled']);
});

test('trades per minute are those of the last answer, which is named once it is old', () => {
	const rateAt = (later: number) => {
		const lines = tickerPanel(known, {
			...{
				keyHint: noKeyHint,
				size: {columns: 120, rows: 36},
				focused: true,
				ascii: false,
				now: now + later,
				other: legacy,
			},
		});
		return lines.map(lineText).flatMap(row => / trades +(\S*\/min.*?) since/.exec(row)?.[1] ?? []);
	};
	const [live, old] = [0, 120_000].map(rateAt);
	expect(live).toEqual([expect.stringMatching(/^≥?[1-9]\d*\/min, \d+$/)]);
	const at = new Date(now - 400).toISOString().slice(11, 19);
	expect(old).toEqual(live?.map(text => text.replace('/min', `/min at ${at}`)));
});

test('the interface of the monitor says why its ticker is not current', () => {
	const {tickers} = known;
	const stale = {...known, tickers: {...tickers, failure: failure(now - 3000)}} as TickerState;
	const reasons = (state: TickerState) =>
		panel(state, {columns: 120, rows: 36}).flatMap(line => / v2: (.*?)[ ┃]*$/.exec(lineText(line))?.[1] ?? []);
	expect([reasons(known), reasons(stale)]).toEqual([[], [failure(now).error.brief]]);
});

test('a price at an end of the range is in it, one beyond it is not', () => {
	const {low = 0, high = 0} = bitcoinTicker;
	const placesOf = (bid: number, ask: number) => {
		const depth = {
			...received({asks: [[ask, 1]], bids: [[bid, 1]]} satisfies DepthBook, now),
			interface: 'legacy' as const,
		};
		const [, , places = []] = panel({...known, depth}, {columns: 120, rows: 36});
		return ['bid', 'ask'].map(side => new RegExp(` ${side} \\S+ (at \\d+ %|outside)`).exec(lineText(places))?.[1]);
	};
	expect([placesOf(low, high), placesOf(low - 0.01, high + 0.01)]).toEqual([
		['at 0 %', 'at 100 %'],
		['outside', 'outside'],
	]);
});

test('a change too long for its column has its zeros counted', () => {
	const tiny = {...bitcoinTicker, change: -0.000_000_000_034, last: 1e-9, open: 1e-9};
	const state = {
		...known,
		decimals: {price: 12, quantity: 5},
		tickers: received(new Map([['BTCUSDT', tiny]]), now),
	};
	const [row] = panel(state, {columns: 80, rows: 21}).flatMap(
		line => / change {2,}(\S+)/.exec(lineText(line))?.[1] ?? [],
	);
	expect(row).toBe('−0.0₁₀34');
});

test('prices of hundreds of digits are left out, not cut', () => {
	const [low, high] = [1e-300, 1.5e300];
	const state: TickerState = {
		...known,
		tickers: received(new Map([['BTCUSDT', {...bitcoinTicker, low, high, last: high, open: low}]]), now),
	};

	const shown = panel(state, {columns: 120, rows: 36}).map(lineText);

	expect(shown[1]?.startsWith('┃ 0.0₂₉₉1 ▕')).toBe(true);
	expect(shown[1]?.endsWith('▏ … ┃')).toBe(true);
	expect(shown.find(row => row.includes('   high '))).toMatch(/ high +… +62,745\.14 /);
});

test('any panel is exactly its size, whatever the prices', () => {
	fc.assert(
		fc.property(
			fc.integer({min: 2, max: 220}),
			fc.integer({min: 2, max: 70}),
			fc.integer({min: 0, max: 12}),
			fc.integer({min: 1, max: 1e9}),
			fc.boolean(),
			(columns, rows, decimals, units, ascii) => {
				const price = units / 10 ** decimals;
				const ticker = {...bitcoinTicker, last: price, open: price * 2, high: price * 3, low: price / 3};
				const state: TickerState = {
					...known,
					decimals: {price: decimals, quantity: 5},
					tickers: received(new Map([['BTCUSDT', ticker]]), now),
				};
				const lines = panel(state, {columns, rows, ascii});

				expect(lines.map(lineWidth)).toEqual(Array(rows).fill(columns));
			},
		),
		{numRuns: 30},
	);
});
