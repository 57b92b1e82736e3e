import fc from 'fast-check';
import {EMA, RSI, SMA} from 'trading-signals';
import {describe, expect, test} from 'vitest';
import {formOf, type Quantity, type QuantityName, quantityNames} from '../../source/alerts/condition.ts';
import {marketValues, quantityValue} from '../../source/alerts/quantity-values.ts';
import {candlesFromTrades} from '../../source/market/candles.ts';
import type {DepthBook, Level, Trade} from '../../source/market/types.ts';
import {minuteMs} from '../../source/market/units.ts';
import {waiting} from '../../source/store/resource.ts';
import {anyBook, anyCandles, anyTape, anyTicker} from '../helpers/any-values.ts';
import {marketState, received} from '../helpers/market-state.ts';

const start = Date.UTC(2026, 10, 20, 12);
const blank = marketState();

describe('the depth of a book', () => {
	const anySizes = fc.array(fc.integer({min: 1, max: 10_000}), {minLength: 1, maxLength: 30});
	const sum = (levels: readonly Level[]) => levels.reduce((total, [, size]) => total + size, 0);

	test('is the sum of the sizes within that distance of the mid, and the imbalance that of the whole book', () => {
		const anyDistance = fc.integer({min: 1, max: 10_000}).map(value => value / 100);
		fc.assert(
			fc.property(
				anySizes,
				anySizes,
				fc.integer({min: 1, max: 50}),
				anyDistance,
				(bidSizes, askSizes, gap, percent) => {
					const bids = bidSizes.map((size, index) => [1000 - gap - index * 7, size] as const);
					const asks = askSizes.map((size, index) => [1000 + gap + index * 11, size] as const);
					const book: DepthBook = {bids, asks};
					const known = {state: {...blank, depth: received(book, start)}, candlesOf: () => waiting, facts: new Map()};
					const value = (name: QuantityName, distance?: number) =>
						quantityValue({type: 'quantity', name, distance}, known, {now: start, newest: 0, isTrade: false});
					const near = (levels: readonly Level[]) =>
						levels.filter(([price]) => Math.abs(price - 1000) * 100 <= percent * 1000);
					expect([value('bidDepth', percent), value('askDepth', percent)]).toEqual([sum(near(bids)), sum(near(asks))]);
					expect(value('imbalance')).toBeCloseTo((sum(bids) - sum(asks)) / (sum(bids) + sum(asks)), 12);
				},
			),
		);
	});

	test.each([
		['bidDepth', 65 + 4],
		['askDepth', 35 + 2],
		['imbalance', 0.3],
	] as const)('%s has no rounding error, where a level is as far from the mid as the limit', (name, want) => {
		const [near, far] = [
			{asks: [[0.31, 35]], bids: [[0.29, 65]]},
			{asks: [[0.33, 2]], bids: [[0.27, 4]]},
		] as const satisfies readonly DepthBook[];
		const book: DepthBook =
			name === 'imbalance' ? near : {asks: [...near.asks, ...far.asks], bids: [...near.bids, ...far.bids]};
		const known = {state: {...blank, depth: received(book, start)}, candlesOf: () => waiting, facts: new Map()};
		const value = quantityValue({type: 'quantity', name, distance: 10}, known, {now: start, newest: 0, isTrade: false});
		expect(value).toBe(want);
	});
});

describe('an indicator', () => {
	const closes = [100, 103, 101, 99, 104, 108, 107, 111, 110, 115, 113, 118];
	const trades = closes.flatMap((price, index): readonly Trade[] => [
		{id: `${index}a`, time: start + index * minuteMs, price: price - 3, quantity: index + 1, side: 'buy'},
		{id: `${index}b`, time: start + index * minuteMs + 50_000, price, quantity: 2, side: 'sell'},
	]);

	/**
	 * As of `seconds` into the minute after the last of these closes, of which all trades are known. `candlesAgo`: seconds since
	 * the candles were received.
	 */
	function valueAt(quantity: Omit<Quantity, 'type'>, count: number, seconds: number, candlesAgo = 0) {
		const now = start + count * minuteMs + seconds * 1000;
		const until = (time: number) => trades.filter(each => each.time <= time).toReversed();
		const receivedAt = now - candlesAgo * 1000;
		const series = {...candlesFromTrades(until(receivedAt), 1), builtFrom: 'exchange' as const};
		const tape = received({trades: until(now), gaps: new Set<string>()}, now);
		const known = {state: {...blank, trades: tape}, candlesOf: () => received(series, receivedAt), facts: new Map()};
		return quantityValue({type: 'quantity', ...quantity}, known, {now, newest: 0, isTrade: false});
	}

	const expected: Readonly<Record<string, (count: number, closed: number) => number | undefined>> = {
		sma: (count, closed) => last(new SMA(count), closed),
		ema: (count, closed) => last(new EMA(count), closed),
		rsi: (count, closed) => last(new RSI(count), closed),
		vwap(count, closed) {
			if (closed < count) return undefined;
			let [value, volume] = [0, 0];
			for (let index = closed - count; index < closed; index++) {
				const close = closes[index] ?? 0;
				value += ((close + close - 3 + close) / 3) * (index + 3);
				volume += index + 3;
			}

			return value / volume;
		},
	};

	function last(indicator: SMA | EMA | RSI, closed: number): number | undefined {
		for (const close of closes.slice(0, closed)) indicator.update(close, false);
		return indicator.isStable ? (indicator.getResult() ?? undefined) : undefined;
	}

	test.each(['sma', 'ema', 'rsi', 'vwap'] as const)(
		'%s is that of the closed candles, whatever the running one does',
		name => {
			for (const count of [1, 3, 5]) {
				for (let closed = 0; closed < closes.length; closed++) {
					const want = expected[name]?.(count, closed);
					for (const seconds of [0, 10, 55]) {
						const value = valueAt({name, count, period: 1}, closed, seconds);
						if (want === undefined) expect(value).toBeUndefined();
						else expect(value).toBeCloseTo(want, 10);
					}
				}
			}
		},
	);

	test.each(['sma', 'ema', 'rsi', 'vwap'] as const)(
		'%s counts a candle that had not ended when it was received as running',
		name => {
			const quantity = {name, count: 3, period: 1} as const;
			// Received 15 s before the end of the minute, with a trade to come that closes it 3 higher.
			expect(valueAt(quantity, 8, 5, 20)).toBe(valueAt(quantity, 7, 40));
			expect(valueAt(quantity, 8, 5, 4)).toBe(valueAt(quantity, 8, 1));
		},
	);

	test.each(['sma', 'ema', 'vwap'] as const)('%s of equal prices is that price', name => {
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
