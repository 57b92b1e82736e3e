import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Candle} from '../../../../source/market/types.ts';
import {type CandleCell, candleCells} from '../../../../source/view/panels/chart/candle-cells.ts';
import {type CandleStyle, glyphsFor} from '../../../../source/view/panels/chart/glyphs.ts';
import {fromAbove, fromBelow} from '../../../../source/view/plot/canvas.ts';
import {createPriceScale} from '../../../../source/view/plot/price-scale.ts';

const rows = 8;
/** A unit of price is an eighth of a row; 63 stands in the middle of the first half row. */
const scale = createPriceScale({low: 3, high: 63, rows, decimals: 0});
const stepOf = (price: number) => Math.round(scale.rowsTo(price) * 8);

const anyCandle = fc
	.tuple(...[0, 1, 2, 3].map(() => fc.integer({min: 3, max: 63})), fc.boolean())
	.map(([a = 0, b = 0, c = 0, d = 0, rises]): Candle => {
		const [low = 0, bottom = 0, top = 0, high = 0] = [a, b, c, d].map(Number).sort((x, y) => x - y);
		return {time: 0, open: rises ? bottom : top, close: rises ? top : bottom, high, low, volume: 1};
	});
const styles = [glyphsFor(false).narrow, glyphsFor(false).wide];
const anyStyle: fc.Arbitrary<CandleStyle> = fc.constantFrom(...styles, glyphsFor(true).narrow, glyphsFor(true).wide);
const cellsOf = (candle: Candle, style: CandleStyle) => candleCells(candle, scale, style, false);

/** What a body's cell fills, in steps from the top of the pane; a dash is taken for the two steps in its middle. */
function filledBy({row, ink}: CandleCell): readonly [from: number, to: number] {
	const text = ink.text.at(-1);
	const isIn = (blocks: typeof fromBelow) =>
		blocks.findIndex(block => block.text === text && block.inverse === ink.inverse);
	const below = isIn(fromBelow) + 1;
	const above = isIn(fromAbove) + 1;
	if (below > 0) return [row * 8 + 8 - below, row * 8 + 8];
	if (above > 0) return [row * 8, row * 8 + above];
	return /^[─┼┴┬━┿┷┯]+$/.test(ink.text) && !ink.inverse ? [row * 8 + 3, row * 8 + 5] : [row * 8, row * 8 + 8];
}

describe('candleCells', () => {
	test('draws the ends of a body within five eighths of a row, or a half where it has a whole row', () => {
		fc.assert(
			fc.property(anyCandle, fc.constantFrom(...styles), (candle, style) => {
				fc.pre(candle.open !== candle.close);
				const filled = cellsOf(candle, style)
					.filter(({isBody}) => isBody)
					.flatMap(filledBy);
				const top = stepOf(Math.max(candle.open, candle.close));
				const bottom = stepOf(Math.min(candle.open, candle.close));
				const most = Math.ceil(top / 8) < Math.floor(bottom / 8) ? 4 : 5;
				expect(Math.abs(Math.min(...filled) - top)).toBeLessThanOrEqual(most);
				expect(Math.abs(Math.max(...filled) - bottom)).toBeLessThanOrEqual(most);
			}),
			{
				numRuns: 300,
				examples: [[{time: 0, open: 50, close: 63, high: 63, low: 49, volume: 1}, glyphsFor(false).wide]],
			},
		);
	});

	test('draws a body without wicks to the eighth where it has a whole row or falls over several', () => {
		fc.assert(
			fc.property(anyCandle, fc.constantFrom(...styles), (any, style) => {
				const {open, close} = any;
				const candle = {...any, high: Math.max(open, close), low: Math.min(open, close)};
				const top = stepOf(candle.high);
				const bottom = stepOf(candle.low);
				const hasWhole = Math.ceil(top / 8) < Math.floor(bottom / 8);
				const isTall = Math.floor(top / 8) < Math.floor((bottom - 1) / 8);
				fc.pre(hasWhole || (isTall && close < open));
				const filled = cellsOf(candle, style).flatMap(filledBy);
				expect([Math.min(...filled), Math.max(...filled)]).toEqual([top, bottom]);
			}),
			{numRuns: 300},
		);
	});

	test('draws every row between high and low, none beyond them, and always a body', () => {
		fc.assert(
			fc.property(anyCandle, anyStyle, (candle, style) => {
				const cells = cellsOf(candle, style);
				const drawn = cells.map(({row}) => row).sort((a, b) => a - b);
				const first = drawn[0] ?? Number.NaN;
				expect(drawn).toEqual(drawn.map((_, index) => first + index));
				expect(first).toBeGreaterThanOrEqual(Math.floor(stepOf(candle.high) / 8));
				expect(drawn.at(-1)).toBeLessThanOrEqual(Math.floor(stepOf(candle.low) / 8));
				expect(cells.some(({isBody}) => isBody)).toBe(true);
			}),
			{numRuns: 300},
		);
	});

	test('never draws a rising body as a falling one of the same prices', () => {
		fc.assert(
			fc.property(anyCandle, anyStyle, (candle, style) => {
				fc.pre(candle.open !== candle.close);
				const turned = {...candle, open: candle.close, close: candle.open};
				expect(cellsOf(candle, style)).not.toEqual(cellsOf(turned, style));
			}),
			{numRuns: 300},
		);
	});
});
