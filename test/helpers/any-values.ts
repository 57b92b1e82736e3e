import fc from 'fast-check';
import {noDecimals, widen} from '../../source/market/precision.ts';
import type {Tape} from '../../source/market/tape.ts';
import type {Candle, DepthBook, Level, Ticker, Trade} from '../../source/market/types.ts';

/** What a screen, a line or a message never says of a number. */
export const notFinite = /NaN|Infinity|undefined|\bnull\b/;

const extremes = [Number.MIN_VALUE, 1e-308, 1e-101, 1e-7, 1, 61_824.01, 9e307, 1e308, 1.7e308, Number.MAX_VALUE];

/** What an exchange can send as a price or a size. */
export const anyPositive = fc.oneof(
	fc.constantFrom(...extremes),
	fc.double({min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true}),
);

/** What an exchange can send as a volume. */
export const anySize = fc.oneof({weight: 6, arbitrary: anyPositive}, {weight: 1, arbitrary: fc.constant(0)});

/** What an exchange can send as a change, and a user can type. */
const anyNumber = fc.oneof(
	anySize,
	anyPositive.map(value => -value),
);

const anyLevels = fc.uniqueArray(fc.tuple(anyPositive, anyPositive), {maxLength: 5, selector: ([price]) => price});

/** Best prices first. */
export const anyBook: fc.Arbitrary<DepthBook> = fc
	.record({asks: anyLevels, bids: fc.option(anyLevels, {nil: undefined})})
	.map(({asks, bids}) => ({
		asks: asks.toSorted(([a]: Level, [b]: Level) => a - b),
		bids: bids?.toSorted(([a]: Level, [b]: Level) => b - a),
	}));

/** Some fields are unknown. */
export function anyTicker(symbol: string): fc.Arbitrary<Ticker> {
	const some = (value: fc.Arbitrary<number>) => fc.option(value, {nil: undefined, freq: 8});
	const [price, size] = [some(anyPositive), some(anySize)];
	return fc.record({
		...{symbol: fc.constant(symbol), state: fc.constant('active')},
		...{last: price, open: price, high: price, low: price, bid: price, ask: price},
		...{volume: size, quoteVolume: size, bidQuantity: size, askQuantity: size},
		...{change: some(anyNumber), changePercent: some(anyNumber)},
	});
}

/** Newest first, one a second before `newest`. */
export const anyTape = (newest: number): fc.Arbitrary<Tape> =>
	fc
		.array(fc.record({price: anyPositive, quantity: anySize, side: fc.constantFrom('buy', 'sell', undefined)}), {
			maxLength: 8,
		})
		.map(entries => ({
			trades: entries.map(
				({side, ...entry}, index): Trade => ({
					...{...entry, id: `${100 - index}`, time: newest - index * 1000},
					...(side && {side, sideText: side}),
				}),
			),
			gaps: new Set<string>(),
		}));

/** Oldest first, one a minute. */
export const anyCandles = (newest: number): fc.Arbitrary<readonly Candle[]> =>
	fc
		.tuple(
			fc.array(fc.record({prices: fc.array(anyPositive, {minLength: 4, maxLength: 4}), volume: anySize}), {
				maxLength: 10,
			}),
			// As many as an average needs.
			fc.constantFrom(1, 8),
		)
		.map(([some, times]) => Array.from({length: times}, () => some).flat())
		.map(entries =>
			entries.map(({prices, volume}, index): Candle => {
				const [low = 0, open = 0, close = 0, high = 0] = prices.toSorted((a, b) => a - b);
				return {time: newest - (entries.length - 1 - index) * 60_000, open, high, low, close, volume};
			}),
		);

/** The digits of a market with these prices and sizes, as a store counts them. */
export const decimalsFor = (prices: readonly number[], quantities: readonly number[]) =>
	widen(noDecimals, {prices, quantities});

/** Any characters, also those that are not assigned. fast-check's own unit `binary` takes seconds to set up. */
export const anyCharacters = fc.string({
	unit: fc
		.oneof(fc.integer({min: 0, max: 0xd7ff}), fc.integer({min: 0xe000, max: 0x10_ffff}))
		.map(code => String.fromCodePoint(code)),
});
