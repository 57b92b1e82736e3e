/** Prices and sizes up to the largest number: what no number can say is unknown, and never `NaN` or `Infinity`. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {decimalsOf} from '../../../source/market/precision.ts';
import type {DepthBook, Level, Ticker} from '../../../source/market/types.ts';
import {lineText} from '../../../source/view/line.ts';
import {curveBody, curveLegend, curveTitles} from '../../../source/view/panels/book/curve.ts';
import {ladderBody} from '../../../source/view/panels/book/rows.ts';
import {tickerPanel} from '../../../source/view/panels/ticker/panel.ts';
import {tileLines} from '../../../source/view/panels/watch/rows.ts';
import {marketState, received} from '../../helpers/market-state.ts';
import {now} from './ticker/tickers.ts';

const notFinite = /NaN|Infinity|undefined/;
const anyPositive = fc.oneof(
	fc.double({min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true}),
	fc.constantFrom(Number.MIN_VALUE, 1e-308, 1e-300, 1, 9e307, 1e308, 1.7e308, Number.MAX_VALUE),
);
const anyLevels = fc.array(fc.tuple(anyPositive, anyPositive), {maxLength: 4});
const anyBook: fc.Arbitrary<DepthBook> = fc.record({asks: anyLevels, bids: anyLevels}).map(({asks, bids}) => ({
	asks: asks.toSorted(([a]: Level, [b]: Level) => a - b),
	bids: bids.toSorted(([a]: Level, [b]: Level) => b - a),
}));
const size = {columns: 100, rows: 30};

test('a book of any numbers has finite ones in ladder and curve', () => {
	fc.assert(
		fc.property(anyBook, fc.integer({min: -3, max: 3}), (book, zoom) => {
			const prices = [...book.asks, ...(book.bids ?? [])].map(([price]) => decimalsOf(price));
			const decimals = {price: Math.max(0, ...prices), quantity: 2};
			const input = {book, decimals, zoom, size, ascii: false};
			const lines = [...curveBody(input), ...ladderBody(input)].map(lineText);
			for (const text of [...curveTitles(input), ...curveLegend(input, 'BTC'), ...lines]) {
				expect(text).not.toMatch(notFinite);
			}
		}),
		{numRuns: 60},
	);
});

test('a market of any numbers has finite ones in its ticker panel and its tile', () => {
	const anyTicker: fc.Arbitrary<Ticker> = fc.record({
		...{symbol: fc.constant('BTCUSDT'), state: fc.constant('active')},
		...{last: anyPositive, open: anyPositive, high: anyPositive, low: anyPositive, volume: anyPositive},
		...{bid: anyPositive, ask: anyPositive, change: anyPositive, changePercent: anyPositive},
	});
	const anyPrices = fc.array(anyPositive, {maxLength: 4});
	fc.assert(
		fc.property(anyBook, anyTicker, anyPrices, anyPositive, (book, ticker, prices, quantity) => {
			const trades = prices.map((price, index) => ({id: `${9 - index}`, time: now - index * 1000, price, quantity}));
			const state = marketState({
				decimals: {price: 2, quantity: 2},
				tickers: received(new Map([[ticker.symbol, ticker]]), now),
				depth: received(book, now),
				tape: received({trades, gaps: new Set<string>()}, now),
			});
			const view = {size, focused: false, now, ascii: false};
			for (const line of [...tickerPanel(state, view), ...tileLines(state, view)]) {
				expect(lineText(line)).not.toMatch(notFinite);
			}
		}),
		{numRuns: 60},
	);
});
