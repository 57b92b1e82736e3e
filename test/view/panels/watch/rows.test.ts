import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Ticker} from '../../../../source/market/types.ts';
import type {MarketState} from '../../../../source/store/state.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {tileLines} from '../../../../source/view/panels/watch/rows.ts';
import {failure, marketState, received} from '../../../helpers/market-state.ts';
import {makeTape} from '../tape/tapes.ts';
import {bitcoinTicker, now} from '../ticker/tickers.ts';

const tickersOf = (ticker: Ticker) => received(new Map([[ticker.symbol, ticker]]), now - 3000);
const bitcoin = marketState({
	decimals: {price: 2, quantity: 5},
	tickers: tickersOf(bitcoinTicker),
	depth: received({asks: [[61_824.01, 6.67]], bids: [[61_824, 0.94]]}, now - 800),
	trades: received(makeTape(), now - 400),
});

const rows = (state: Partial<MarketState>, columns = 60, ascii = false) =>
	tileLines({...bitcoin, ...state}, {size: {columns, rows: 8}, now, ascii}).map(line =>
		lineText(line).slice(1, -1).trimEnd(),
	);

describe('a tile shows', () => {
	test('price, trend and trades', () => {
		expect(rows({})).toEqual([
			'─ BTCUSDT ─────────────────────────────────── v2 · 0.8 s ─',
			' 61,793.10 ▼     −42.92  −0.07 %',
			' spread 0.01  bid 61,824.00  ask 61,824.01',
			' 23:54:21     ⣠⠤⠤⣄⣀⡀  ⢀⡟⠒⢲ ⣤⡀          ⡴⠋⠙⠶⣆   ├ 61,845.04',
			' 23:54:59 ⠙⠦⠤⠼⠁    ⠙⠒⠲⠼  ⠈⠿⠁⠉⠳⠞⠓⠒⠦⠤⠤⠤⠤⠼⠁   ⠘⠒⢦ ├ 61,793.10',
			' 23:54:59 ▼  61,793.10    0.14944 ███████████████████',
			' 23:54:57 ▼  61,806.04    0.00164 ▎',
			'──────────────────────────────────────────────────────────',
		]);
	});

	test.each([
		[40, ' 61,793.10 ▼ 2 h 24 min ago  −0.07 %'],
		[60, ' 61,793.10 ▼ 2 h 24 min ago     −42.92  −0.07 %'],
	])('how long ago the last trade was, if that is a minute or more, in %i columns', (columns, price) => {
		const tape = received(makeTape(), now + 144 * 60_000);
		expect(rows({trades: tape}, columns)[1]).toBe(price);
	});

	test('how many entries of its own lists were dropped, and of the tickers only if it has none', () => {
		const dropped = {dropped: 1};
		const own = {...tickersOf(bitcoinTicker), ...dropped};
		const absent = {...tickersOf({symbol: 'ETHUSDT', state: 'active'}), ...dropped};
		const tape = {...received(makeTape(), now - 400), dropped: 2};
		const border = (state: Partial<MarketState>) => /\d dropped/.exec(rows(state).at(-1) ?? '')?.[0];
		expect([border({tickers: own}), border({tickers: absent}), border({trades: tape, tickers: own})]).toEqual([
			...[undefined, '1 dropped', '2 dropped'],
		]);
	});

	test('the older age of trades and book, and compares no trade with an older book', () => {
		const book = {asks: [[61_700, 1]], bids: [[61_600, 1]]} as const;
		const shown = (age: number) => {
			const [border = '', price = ''] = rows({depth: received(book, now - age)}, 100);
			return [/v2 · .* s/.exec(border)?.[0], /[<>] (?:bid|ask)/.exec(price)?.[0]];
		};

		expect([0, 8000].map(shown)).toEqual([
			['v2 · 0.4 s', '> ask'],
			['v2 · 8.0 s', undefined],
		]);
	});

	test('the interfaces of both trades and book, and how old a ticker is that is much older', () => {
		const depth = {...bitcoin.depth, interface: 'legacy'} as MarketState['depth'];
		const ticker = (age: number) => ({tickers: received(new Map([['BTCUSDT', bitcoinTicker]]), now - age)});
		expect(rows({depth})[0]).toBe('─ BTCUSDT ──────────────────────────── v2+legacy · 0.8 s ─');
		const price = (age: number) => /% .*(?= {2}H)/.exec(rows(ticker(age), 100)[1] ?? '')?.[0].trim();
		expect([10_000, 11_000].map(price)).toEqual(['%', '%  24 h answer 11 s old']);
	});

	test('since when the book is stale, with dimmed numbers', () => {
		const depth = {...received({asks: [[3, 1]] as const, bids: [[2, 1]] as const}, now - 9000), failure: failure(now)};
		const line = tileLines({...bitcoin, depth}, {size: {columns: 60, rows: 8}, now, ascii: false})[2] ?? [];
		expect(lineText(line)).toBe('│ spread 1.00  stale since 23:54:50  bid 2.00  ask 3.00    │');
		expect(line.filter(({tone}) => tone === 'warn').map(({text}) => text)).toEqual(['stale since 23:54:50']);
		expect(line.filter(({tone}) => tone === 'up' || tone === 'down')).toEqual([]);
	});

	test('the best levels of the book beside the trades where there is room, dimmed if they are stale', () => {
		const size = {columns: 90, rows: 13};
		const lines = (depth: MarketState['depth'], columns = size.columns) =>
			tileLines({...bitcoin, depth}, {size: {...size, columns}, now, ascii: false}).slice(7, -1);
		const book = received({asks: [[61_824.01, 6.67]] as const, bids: [[61_824, 0.94]] as const}, now - 800);
		const shown = (depth: MarketState['depth'], columns?: number) =>
			lines(depth, columns).map(line => lineText(line).slice(-42, -1).trim());
		expect(shown(book)).toEqual([
			...['', '61,824.01   6.67000   6.67000  ████████', '── spread 0.01 · <0.01 bp ──────────────'],
			...['61,824.00   0.94000   0.94000  █▏', ''],
		]);
		const tones = (depth: MarketState['depth']) =>
			new Set(lines(depth).flatMap(line => line.filter(({text}) => / 61,824\.0\d/.test(text)).map(({tone}) => tone)));
		expect(tones(book)).toEqual(new Set(['down', 'up']));
		expect(tones({...book, failure: failure(now)})).toEqual(new Set(['muted']));
		expect(shown({status: 'waiting'})[1]).toMatch(/^·+ +·+ +·+/);
		for (const alone of [shown(book, 84), shown({status: 'failed', failure: failure(now)})])
			expect(alone.join()).not.toMatch(/spread|61,824/);
	});

	test("the ticker's bid by name where the book shows none, or no bid", () => {
		const depth = received({asks: [[61_824.01, 6.67]] as const}, now);
		expect(rows({depth})[2]).toBe(' spread –  ticker bid 61,822.10  ask 61,824.01');
		expect(rows({depth}, 44)[2]).toBe(' spread –');
	});

	test('why the trades and the book are stale or miss bids, where there is room', () => {
		const tape = {...received(makeTape(), now - 400), failure: failure(now)};
		const depth = received({asks: [[61_824.01, 6.67]] as const, bids: [[61_824, 0.94]] as const}, now - 800);
		const staleDepth = {...depth, failure: failure(now)};
		const bidsFailure = failure(now).error;
		const lines = [{trades: tape}, {trades: tape, depth: staleDepth}, {depth: received({asks: [], bidsFailure}, now)}];
		expect(lines.map(state => rows(state, 40)[2])).toEqual([
			' spread 0.01  trades: timed out',
			' spread 0.01  timed out',
			' spread –  bids missing: timed out',
		]);
		expect(rows({depth: received({asks: [[3, 1]] as const, bids: []}, now)}, 40)[2]).toBe(
			' spread –  no bids received  – / 3.00',
		);
	});

	test('whether the 24 h change is stale, unknown or still loading', () => {
		const stale = {...tickersOf(bitcoinTicker), failure: failure(now)};
		expect(rows({tickers: stale})[1]).toBe(' 61,793.10 ▼     −42.92  −0.07 %  24 h stale');
		expect(rows({tickers: tickersOf({symbol: 'BTCUSDT', state: 'halted'})})[1]).toBe(
			' 61,793.10 ▼        24 h –  halted',
		);
		expect(rows({tickers: {status: 'waiting'}})[1]).toBe(' 61,793.10 ▼');
		expect(rows({tickers: received(new Map(), now)})[1]).toBe(' 61,793.10 ▼        no ticker');
	});

	test('how long an answer is waited for, beside the age', () => {
		const pending = {trades: now - 6000, candles: now - 9000};
		expect(rows({pending})[0]).toBe('─ BTCUSDT ───────────────────── waiting 6 s · v2 · 0.8 s ─');
		expect(rows({pending, trades: {status: 'waiting'}})[0]).toBe(
			'─ BTCUSDT ────────────────────────────────── waiting 6 s ─',
		);
		expect(rows({pending: {candles: now - 9000}})[0]).toContain('─ v2 · 0.8 s ─');
	});

	test('since when its trades are stale, and why there are none', () => {
		const stale = {...received(makeTape(), now - 9000), failure: failure(now)};
		expect(rows({trades: stale})[0]).toBe('─ BTCUSDT ───────────── stale since 23:54:50 · timed out ─');
		const failed = rows({trades: {status: 'failed', failure: failure(now)}});
		expect([failed[0], ...failed.slice(3, 5)]).toEqual([
			'─ BTCUSDT ────────────────────────────────────── no data ─',
			...[' timed out', ' retry in 2.0 s'],
		]);
	});
});

test('a tile has exactly its size, and only ASCII characters where that is wanted', () => {
	const waiting = {status: 'waiting'} as const;
	const failed = {status: 'failed', failure: failure(now)} as const;
	const anyState = fc.record({
		tickers: fc.constantFrom(bitcoin.tickers, waiting, failed),
		depth: fc.constantFrom(bitcoin.depth, waiting, failed),
		trades: fc.constantFrom(bitcoin.trades, waiting, failed, received({trades: [], gaps: new Set<string>()}, now)),
	});
	const anySize = fc.record({columns: fc.integer({min: 40, max: 160}), rows: fc.integer({min: 6, max: 40})});
	fc.assert(
		fc.property(anyState, anySize, fc.boolean(), (state, size, ascii) => {
			const lines = tileLines({...bitcoin, ...state}, {size, now, ascii});
			expect(lines.map(lineWidth)).toEqual(Array.from({length: size.rows}, () => size.columns));
			if (ascii) expect(lines.map(lineText).join('')).toMatch(/^[ -~]*$/);
		}),
	);
});
