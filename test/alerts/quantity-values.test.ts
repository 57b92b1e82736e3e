import fc from 'fast-check';
import {expect, test} from 'vitest';
import {formOf, type Quantity, quantityNames} from '../../source/alerts/condition.ts';
import {marketValues, quantityValue} from '../../source/alerts/quantity-values.ts';
import {minuteMs} from '../../source/market/units.ts';
import {anyBook, anyCandles, anyTape, anyTicker} from '../helpers/any-values.ts';
import {marketState, received} from '../helpers/market-state.ts';

const start = Date.UTC(2026, 10, 20, 12);
const blank = marketState();

test.each(['sma', 'ema', 'vwap'] as const)('the %s of equal prices is that price', name => {
	const anyPrice = fc.record({digits: fc.integer({min: 1, max: 99_999_999}), decimals: fc.integer({min: 0, max: 8})});
	fc.assert(
		fc.property(anyPrice, fc.integer({min: 1, max: 250}), ({digits, decimals}, count) => {
			const price = Number((digits / 10 ** decimals).toFixed(decimals));
			const candles = Array.from({length: 300}, (_, index) => ({
				...{time: start + index * minuteMs, open: price, high: price, low: price, close: price, volume: index / 7},
			}));
			const now = start + 300 * minuteMs;
			const series = received({candles, period: 1, builtFrom: 'exchange'} as const, now);
			const known = {state: blank, candlesOf: () => series, facts: new Map()};
			const quantity = {type: 'quantity', name, count, period: 1} as const;
			expect(quantityValue(quantity, known, {now, newest: 0, isTrade: false})).toBe(price);
		}),
	);
});

test('every quantity of any prices and sizes is a number, or unknown', () => {
	const quantityOf: fc.Arbitrary<Quantity> = fc
		.record({
			type: fc.constant('quantity' as const),
			name: fc.constantFrom(...quantityNames),
			...{windowMs: fc.constant(5000), count: fc.constant(3), period: fc.constant(1), distance: fc.constant(50)},
		})
		.map(({windowMs, count, period, distance, ...quantity}) => {
			const takes = formOf(quantity.name).takes ?? [];
			return {
				...quantity,
				...(takes.includes('window') && {windowMs}),
				...(takes.includes('count') && {count, period}),
				...(takes.includes('distance') && {distance}),
			};
		});
	fc.assert(
		fc.property(
			...[quantityOf, anyBook, anyTicker('BTCUSDT'), anyTape(start), anyCandles(start - minuteMs)],
			(quantity, book, ticker, tape, candles) => {
				const state = {
					...{...blank, trades: received(tape, start), depth: received(book, start)},
					tickers: received(new Map([[ticker.symbol, ticker]]), start),
				};
				const series = {period: 1, candles, builtFrom: 'exchange'} as const;
				const known = {state, candlesOf: () => received(series, start), facts: new Map()};
				const moments = [false, true].map(isTrade => ({now: start, newest: 0, isTrade}));
				for (const moment of moments) {
					const value = quantityValue(quantity, known, moment);
					expect(value === undefined || Number.isFinite(value)).toBe(true);
				}

				const all = Object.values(marketValues(state, start));
				expect(all.filter(value => value !== null && !Number.isFinite(value))).toEqual([]);
			},
		),
		{numRuns: 100},
	);
});
