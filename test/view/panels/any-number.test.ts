/** Prices and sizes of any magnitude: panels write them shorter rather than leave them out. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatPlain} from '../../../source/format/number.ts';
import {cumulative} from '../../../source/market/depth.ts';
import {costToFill} from '../../../source/market/fill.ts';
import {noDecimals, widen} from '../../../source/market/precision.ts';
import type {DepthBook, Level} from '../../../source/market/types.ts';
import {bodySize} from '../../../source/view/frame.ts';
import {layoutFor, leastSizes, panelSize} from '../../../source/view/layout.ts';
import {type Line, lineText} from '../../../source/view/line.ts';
import {ladderBody} from '../../../source/view/panels/book/rows.ts';
import {tapeBody} from '../../../source/view/panels/tape/rows.ts';
import {tickerBody} from '../../../source/view/panels/ticker/panel.ts';
import {isAmount, readNumber} from '../../helpers/boxed.ts';
import {tickerInputOf} from './ticker/tickers.ts';

const screens = [
	{columns: 40, rows: 12},
	{columns: 80, rows: 24},
	{columns: 120, rows: 40},
	{columns: 200, rows: 60},
];

const sizesOf = (focus: 'book' | 'tape') =>
	[...screens.map(screen => panelSize(layoutFor(screen, {focus, zoomed: false}), focus)), leastSizes[focus]].map(
		bodySize,
	);

/** A number of up to `digits` digits from 10 to the power of `least` to 1e12. */
const numberOf = (digits: number, least: number) =>
	fc
		.tuple(fc.integer({min: 1, max: 10 ** digits - 1}), fc.integer({min: least, max: 11}))
		.map(([all, exponent]) => Number(`${String(all).replace(/^\d/, '$&.')}e${exponent}`));

/** Levels without an order of their own; no two prices are the same in 12 digits. */
const levelsOf = (price: fc.Arbitrary<number>, size: fc.Arbitrary<number>) =>
	fc.uniqueArray(fc.tuple(price, size), {minLength: 2, maxLength: 8, selector: ([each]) => each.toPrecision(12)});

/** ASCII counts zeros in more cells. */
const anyLevels = fc.oneof(
	fc.record({ascii: fc.constant(false), levels: levelsOf(numberOf(12, -12), numberOf(12, -9))}),
	fc.record({
		ascii: fc.constant(false),
		levels: levelsOf(fc.double({min: 1e-12, max: 1e12, noNaN: true}), fc.double({min: 1e-9, max: 1e12, noNaN: true})),
	}),
	fc.record({ascii: fc.constant(true), levels: levelsOf(numberOf(6, -12), numberOf(6, -9))}),
);

const decimalsOf = (levels: readonly Level[]) =>
	widen(noDecimals, {prices: levels.map(([price]) => price), quantities: levels.map(([, size]) => size)});

/** The cheaper half are bids. */
function bookOf(levels: readonly Level[]): DepthBook {
	const rising = levels.toSorted(([a], [b]) => a - b);
	const middle = Math.floor(rising.length / 2);
	return {asks: rising.slice(middle), bids: rising.slice(0, middle).reverse()};
}

const isPrice = (text: string, price: number) => Math.abs(readNumber(text) / price - 1) < 1e-11;

const rowsOf = (lines: readonly Line[], tones: readonly string[], at: number) =>
	lines.filter(line => tones.includes(line[at]?.tone ?? '') && /\d/.test(line[at]?.text ?? ''));

test('a ladder shows the price and the size of each level, and from 80 columns on the sum', () => {
	fc.assert(
		fc.property(anyLevels, ({ascii, levels}) => {
			const {asks, bids = []} = bookOf(levels);
			const expected = [...cumulative(asks).toReversed(), ...cumulative(bids)];
			for (const [index, size] of sizesOf('book').entries()) {
				const lines = ladderBody({book: {asks, bids}, decimals: decimalsOf(levels), size, ascii});
				const rows = rowsOf(lines, ['up', 'down'], 0).filter(line => !/bids|asks/.test(lineText(line)));
				const wrong = rows.filter((line, row) => {
					const above = Math.max(asks.length - rows.filter(each => each[0]?.tone === 'down').length, 0);
					const level = expected[above + row];
					if (!level) return true;
					const [price = '', quantity = '', sum = ''] = line.map(({text}) => text.trim());
					const hasSum = index === 0 || isAmount(sum, level.cumulative);
					return !(isPrice(price, level.price) && isAmount(quantity, level.quantity) && hasSum);
				});
				expect(wrong.map(lineText)).toEqual([]);
				expect(rows.length).toBeGreaterThan(1);
			}
		}),
	);
});

test('a tape shows the time, the price and the size of each trade', () => {
	fc.assert(
		fc.property(anyLevels, ({ascii, levels}) => {
			const trades = levels.map(([price, quantity], index) => ({
				...{id: String(index), time: 1000 * (60 - index), price, quantity},
				side: 'buy' as const,
			}));
			const tape = {trades, gaps: new Set<string>()};
			for (const size of sizesOf('tape')) {
				const rows = rowsOf(tapeBody({tape, decimals: decimalsOf(levels), size, ascii, now: 60_000}), ['muted'], 0);
				const wrong = rows.filter((line, row) => {
					const [time = '', price = '', quantity = ''] = line.map(({text}) => text.trim());
					const trade = trades[row];
					if (!trade || !/^00:0[01]:\d\d$/.test(time)) return true;
					return !(isPrice(price.slice(1), trade.price) && isAmount(quantity, trade.quantity));
				});
				expect(wrong.map(lineText)).toEqual([]);
				expect(rows.length).toBeGreaterThan(1);
			}
		}),
	);
});

test('a fill shows its amount in the other asset', () => {
	fc.assert(
		fc.property(anyLevels, fc.constantFrom('base', 'quote'), ({ascii, levels}, unit) => {
			const book = bookOf(levels);
			const [price, size] = book.asks[0] ?? [0, 0];
			const amount = {unit, size: Number(((unit === 'base' ? size : price * size) * 0.4).toPrecision(6))};
			const fill = {text: `${formatPlain(amount.size)} ${unit === 'base' ? 'btc' : 'usdt'}`, editing: false};
			const {base, quote} = costToFill(book.asks, amount);
			// Beyond it compact amounts have no unit.
			fc.pre(quote < 1e20);
			for (const screen of sizesOf('book')) {
				const input = {book, fill, base: 'BTC', quote: 'USDT', decimals: decimalsOf(levels), size: screen, ascii};
				const answer =
					ladderBody(input)
						.map(lineText)
						.find(text => text.startsWith(' buy ')) ?? '';
				const words = answer
					.trim()
					.replace(/ (?:BTC|USDT)$/, '')
					.split(/ +/);
				const isShown = [1, 2].some(count => isAmount(words.slice(-count).join(' '), unit === 'base' ? quote : base));
				expect(isShown, answer).toBe(true);
			}
		}),
	);
});

test.each([
	[34, [' buy  61682.00  0.00 bp  0.0000811', ' sell 61600.50  0.00 bp  0.0000812']],
	[32, [' buy  61,682.00  0.00 bp  0.0₄81', ' sell 61,600.50  0.00 bp  0.0₄81']],
	[29, [' buy  61682.00 0.00 bp 0.0₄81', ' sell 61600.50 0.00 bp 0.0₄81']],
])('a fill of a few dollars shows its amount in %d columns', (columns, expected) => {
	const lines = ladderBody({
		...{book: {asks: [[61_682, 1000]], bids: [[61_600.5, 1000]]}, decimals: {price: 2, quantity: 5}},
		...{fill: {text: '5 usdt', editing: false}, base: 'BTC', quote: 'USDT', size: {columns, rows: 12}, ascii: false},
	});
	const texts = lines.map(line => lineText(line).trimEnd());
	expect(texts.filter(text => / (?:buy|sell) /.test(text))).toEqual(expected);
});

/** As many digits as a double holds, beside few. */
const manyDigits = [0.12345678901234568, 1.5, 61_824.12345678901, 9_007_199_254_740_992, 9_007_199_254_740_994];
const manyDecimals = widen(noDecimals, {prices: manyDigits, quantities: manyDigits});

test('a ladder shows numbers of 17 digits whole and with aligned points', () => {
	const asks = manyDigits.map((number): Level => [number, number]);
	const size = {columns: 84, rows: 12};
	const lines = ladderBody({book: {asks}, decimals: manyDecimals, size, ascii: false});
	expect(lines.map(line => lineText(line).trimEnd()).join('\n')).toMatchInlineSnapshot(`
		"               price                                    size cum size



		    9007199254740994 9,007,199,254,740,994                   18,014 T  █████████████
		    9007199254740992 9,007,199,254,740,992                    9,007 T  █████████████
		   61824.12345678901                61,824.12345678901           <1 T
		                 1.5                     1.5                     <1 T
		 0.12345678901234568                     0.12345678901234568     <1 T
		── spread – ────────────────────────────────────────────────────────────────────────
		 no bids shown by this interface
		"
	`);
});

test('a tape shows numbers of 17 digits whole and with aligned points', () => {
	const now = Date.UTC(2024, 7, 8, 10);
	const trades = manyDigits.map((number, index) => ({
		id: `${index}`,
		time: now - index,
		price: number,
		quantity: number,
	}));
	const size = {columns: 100, rows: manyDigits.length};
	const lines = tapeBody({tape: {trades, gaps: new Set()}, decimals: manyDecimals, size, ascii: false, now});
	expect(lines.map(line => lineText(line).trimEnd()).join('\n')).toMatchInlineSnapshot(`
		" 10:00:00 ·                      0.12345678901234568                       0.12345678901234568
		 09:59:59 ·                      1.5                                       1.5
		 09:59:59 ·                 61,824.12345678901                        61,824.12345678901
		 09:59:59 ·  9,007,199,254,740,992                     9,007,199,254,740,992                  ●
		 09:59:59 ·  9,007,199,254,740,994                     9,007,199,254,740,994                  ●"
	`);
});

test('the ticker and the ladder call a book open whose prices differ in their last digit', () => {
	const [price, decimals, size] = [1.0000000000000002, {price: 0, quantity: 1}, {columns: 80, rows: 8}];
	const book = {asks: [[price, 0.1 + 0.2]], bids: [[1, 0.5]]} as const;
	const ladder = ladderBody({decimals, size, ascii: false, book});
	const ticker = tickerBody({...tickerInputOf({book, decimals}), size});
	for (const body of [ladder, ticker]) {
		const texts = body.map(lineText);
		expect(
			texts.some(text =>
				text
					.split(/ +/)
					.map(readNumber)
					.includes(price - 1),
			),
		).toBe(true);
		expect(texts.some(text => text.includes('LOCKED'))).toBe(false);
	}
});
