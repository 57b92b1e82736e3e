/** Prices and sizes up to the largest number: what no number can say is unknown, and never `NaN` or `Infinity`. */

import fc from 'fast-check';
import {expect, test} from 'vitest';
import {emptyHistory, remember} from '../../../source/market/liquidity.ts';
import {withPrices} from '../../../source/market/price-trail.ts';
import type {Market} from '../../../source/market/types.ts';
import {noKeyHint} from '../../../source/view/keys.ts';
import {type Line, lineText} from '../../../source/view/line.ts';
import {bookViews} from '../../../source/view/panels/book/book-state.ts';
import {bookPanel} from '../../../source/view/panels/book/model.ts';
import {chartTypes, zoomLevels} from '../../../source/view/panels/chart/chart-state.ts';
import {indicatorNames} from '../../../source/view/panels/chart/indicator-table.ts';
import {createChartPanel} from '../../../source/view/panels/chart/model.ts';
import {initialCompare} from '../../../source/view/panels/compare/compare-view.ts';
import {comparePanel} from '../../../source/view/panels/compare/rows.ts';
import {columnNames} from '../../../source/view/panels/markets/columns.ts';
import {sortNames} from '../../../source/view/panels/markets/entries.ts';
import {pickerListOf} from '../../../source/view/panels/markets/list.ts';
import {pickerPanel} from '../../../source/view/panels/markets/model.ts';
import {tapePanel} from '../../../source/view/panels/tape/model.ts';
import {tickerHeader} from '../../../source/view/panels/ticker/header.ts';
import {tickerPanel} from '../../../source/view/panels/ticker/panel.ts';
import {tileLines} from '../../../source/view/panels/watch/rows.ts';
import {initialUi} from '../../../source/view/ui-state.ts';
import {
	anyBook,
	anyCandles,
	anyPositive,
	anySize,
	anyTape,
	anyTicker,
	decimalsFor,
	notFinite,
} from '../../helpers/any-values.ts';
import {marketState, received} from '../../helpers/market-state.ts';
import {now} from './ticker/tickers.ts';

const minute = 60_000;
const newest = Math.floor(now / minute) * minute;
const {chart, book: bookState, tape: tapeView, picker} = initialUi('standard');
const sizes = fc.constantFrom({columns: 120, rows: 36}, {columns: 60, rows: 20}, {columns: 34, rows: 9});
const numRuns = 20;

function expectFinite(lines: readonly Line[]): void {
	expect(lines.map(lineText).filter(text => notFinite.test(text))).toEqual([]);
}

test('a chart of any numbers has finite ones', () => {
	const anyInput = fc.record({
		candles: anyCandles(newest),
		type: fc.constantFrom(...chartTypes),
		zoom: fc.constantFrom(...zoomLevels),
		log: fc.boolean(),
		ascii: fc.boolean(),
		indicators: fc.subarray([...indicatorNames]).map(names => new Set(names)),
		cross: fc.option(fc.integer({min: newest - 40 * minute, max: newest}), {nil: undefined}),
		mark: fc.option(fc.record({time: fc.constant(newest - 5 * minute), price: anyPositive}), {nil: undefined}),
		crossPrice: fc.option(anyPositive, {nil: undefined}),
		touch: fc.record({bid: anyPositive, ask: anyPositive}),
		lastTrade: anyPositive,
		level: anyPositive,
		size: sizes,
	});
	fc.assert(
		fc.property(anyInput, ({candles, touch, lastTrade, level, size, ascii, ...state}) => {
			const prices = candles.flatMap(({open, high, low, close}) => [open, high, low, close]);
			const draw = createChartPanel();
			const data = {period: 1, candles, builtFrom: 'exchange'} as const;
			const {lines} = draw({
				candles: received(data, now),
				...{history: {status: 'complete'}, period: 1, decimals: decimalsFor(prices, [])},
				...{chart: {...chart, ...state}, touch, lastTrade, levels: [level], drawnLevels: [{price: level, note: 'x'}]},
				...{focused: true, size, now, ascii},
			});
			expectFinite(lines);
		}),
		{numRuns},
	);
});

test('a comparison of any numbers has finite ones', () => {
	const markets = received<readonly Market[]>([], now);
	fc.assert(
		fc.property(
			fc.array(anyCandles(newest), {minLength: 1, maxLength: 3}),
			fc.option(fc.integer({min: newest - 40 * minute, max: newest}), {nil: undefined}),
			sizes,
			(series, cross, size) => {
				const compared = series.map((candles, index) => ({
					symbol: `M${index}`,
					candles: received({period: 1, candles, builtFrom: 'exchange'} as const, now),
					history: {status: 'complete'} as const,
				}));
				const compare = {...initialCompare, cross, base: newest - 3 * minute};
				const view = {keyHint: noKeyHint, size, ascii: false};
				expectFinite(comparePanel({compared, markets, period: 1, compare, ...view}, now));
				expectFinite(comparePanel({compared, markets, period: 1, compare: initialCompare, ...view}, now));
			},
		),
		{numRuns},
	);
});

test('a book of any numbers has finite ones as ladder, curve and heatmap', () => {
	const anyInput = fc.record({
		books: fc.array(anyBook, {minLength: 1, maxLength: 4}),
		tape: anyTape(now),
		ticker: anyTicker('BTCUSDT'),
		zoom: fc.integer({min: -3, max: 3}),
		cursor: fc.option(fc.record({time: fc.constant(now), price: anyPositive}), {nil: undefined}),
		total: fc.constantFrom('total', 'value'),
		fill: fc.constantFrom('', '2', '1e308', '5 usdt', '0.0000001'),
		size: sizes,
		ascii: fc.boolean(),
	});
	fc.assert(
		fc.property(anyInput, ({books, tape, ticker, fill, ...more}) => {
			const history = books.reduce((all, book, index) => remember(all, book, now + index * 1000), emptyHistory);
			const book = books.at(-1) ?? {asks: []};
			const levels = [...book.asks, ...(book.bids ?? [])];
			const decimals = decimalsFor(
				levels.map(([price]) => price),
				levels.map(([, quantity]) => quantity),
			);
			for (const view of bookViews) {
				const input = {
					...{
						...bookState,
						...more,
						view,
						fill: {text: fill, editing: false},
						history,
						ticker,
						decimals,
						flashes: true,
					},
					...{depth: received(book, now), tape: received(tape, now), focused: true},
					market: {symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', state: 'active'},
				};
				expectFinite(bookPanel(input, now + 5000));
			}
		}),
		{numRuns},
	);
});

test('a tape of any numbers has finite ones', () => {
	fc.assert(
		fc.property(anyTape(now), anySize, fc.boolean(), sizes, fc.boolean(), (tape, minimum, merged, size, ascii) => {
			const decimals = decimalsFor(
				tape.trades.map(({price}) => price),
				tape.trades.map(({quantity}) => quantity),
			);
			for (const zoomed of [false, true]) {
				const view = {...tapeView, merged, minimum: {size: minimum, unit: 'quote'} as const};
				expectFinite(
					tapePanel(
						{
							...view,
							tape: received(tape, now),
							decimals,
							zoomed,
							assets: {base: 'BTC', quote: 'USDT'},
							focused: true,
							size,
							ascii,
						},
						now,
					),
				);
				expectFinite(
					tapePanel({...tapeView, tape: received(tape, now), decimals, zoomed, focused: true, size, ascii}, now),
				);
			}
		}),
		{numRuns},
	);
});

test('a list of markets of any numbers has finite ones', () => {
	const names = ['BTCUSDT', 'ETHUSDT', 'ETHBTC', 'XRPUSDT'];
	const anyTickers = fc.tuple(...names.map(name => anyTicker(name)));
	fc.assert(
		fc.property(
			anyTickers,
			anyTickers,
			fc.constantFrom(...sortNames),
			sizes,
			fc.boolean(),
			(before, after, sort, size, ascii) => {
				const bySymbol = (tickers: typeof after) => new Map(tickers.map(each => [each.symbol, each]));
				const priceTrails = withPrices(withPrices(new Map(), bySymbol(before), now - 5000), bySymbol(after), now);
				const markets = names.map((symbol): Market => {
					const [, base, quote] = /^(.*)(USDT|BTC)$/.exec(symbol) ?? [];
					return {symbol, base, quote, state: 'active'};
				});
				const state = marketState({
					...{markets: received(markets, now), tickers: received(bySymbol(after), now), priceTrails},
				});
				for (const columns of [undefined, columnNames]) {
					const chosen = {...picker, sort, columns};
					const list = pickerListOf(state, chosen);
					expectFinite(pickerPanel({state, list, picker: chosen, focused: true, size, ascii, flashAt: now}, now));
				}
			},
		),
		{numRuns},
	);
});

test('a ticker of any numbers has finite ones in header, panel and tile', () => {
	fc.assert(
		fc.property(anyBook, anyTicker('BTCUSDT'), anyTape(now), sizes, fc.boolean(), (book, ticker, tape, size, ascii) => {
			const levels = [...book.asks, ...(book.bids ?? [])];
			const state = marketState({
				decimals: decimalsFor(
					[...levels, ...tape.trades.map(({price}) => [price] as const)].map(([price]) => price),
					levels.map(([, quantity]) => quantity),
				),
				tickers: received(new Map([[ticker.symbol, ticker]]), now),
				depth: received(book, now),
				trades: received(tape, now),
			});
			const other = {...received(new Map([[ticker.symbol, ticker]]), now), interface: 'legacy'} as const;
			expectFinite(tickerHeader(state, {columns: size.columns, rows: 2, focused: false, now, ascii}));
			expectFinite(tickerPanel(state, {size, focused: false, now, ascii, other}));
			expectFinite(tileLines(state, {size, now, ascii}));
		}),
		{numRuns},
	);
});
