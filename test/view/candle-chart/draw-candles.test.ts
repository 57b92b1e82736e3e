import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Candle} from '../../../source/market/types.ts';
import {createCanvas} from '../../../source/view/candle-chart/canvas.ts';
import {drawCandles} from '../../../source/view/candle-chart/draw-candles.ts';
import {glyphsFor} from '../../../source/view/candle-chart/glyphs.ts';
import {createPriceScale, rowOf} from '../../../source/view/candle-chart/price-scale.ts';
import {createTimeScale} from '../../../source/view/candle-chart/time-scale.ts';
import {lineText} from '../../../source/view/line.ts';
import {anySeries} from '../../helpers/candles.ts';

/** Rows of a chart with one half row a unit of price: 100 is at the top, 100 − 2 × rows + 1 at the bottom. */
const rows = 6;
const unitScale = createPriceScale({low: 101 - rows * 2, high: 100, rows, decimals: 0});

type Draft = {readonly prices: readonly [open: number, high: number, low: number, close: number]};

function draw(drafts: readonly Draft[], options: {zoom?: number; ascii?: boolean; forming?: number} = {}): string[] {
	const {zoom = 2, ascii = false, forming} = options;
	const candles = drafts.map(({prices: [open, high, low, close]}, time): Candle => {
		return {time, open, high, low, close, volume: 1};
	});
	const columns = drafts.length * zoom;
	const canvas = createCanvas({columns, rows});
	const timeScale = createTimeScale({count: candles.length, gaps: [], columns, zoom, offset: 0});
	drawCandles(canvas, {candles, timeScale, glyphs: glyphsFor(ascii), forming}, unitScale);
	return canvas.lines().map(line => lineText(line).trimEnd());
}

const rising: Draft = {prices: [93, 99, 90, 97]};
const falling: Draft = {prices: [97, 99, 90, 93]};
const risingFromHalf: Draft = {prices: [94, 98, 91, 97]};
const fallingToHalf: Draft = {prices: [97, 98, 91, 94]};
const risingSmall: Draft = {prices: [96, 98, 94, 97]};
const fallingSmall: Draft = {prices: [97, 98, 94, 96]};
const doji: Draft = {prices: [96, 98, 93, 96]};
const flat: Draft = {prices: [96, 96, 96, 96]};
const all = [rising, falling, risingFromHalf, fallingToHalf, risingSmall, fallingSmall, doji, flat];

describe('drawCandles', () => {
	test('bodies and wicks end at half cells, rising ones thin and falling ones filled', () => {
		expect(draw(all)).toMatchInlineSnapshot(`
			[
			  "╷ ╷",
			  "╥ ╽ ╥ ╽ ╽ ▄ │",
			  "║ █ ║ █ ╿ ▀ ┿ ━",
			  "║ █ ╨ ╿ ╵ ╵ │",
			  "│ │ │ │",
			  "╵ ╵",
			]
		`);
	});

	test('wide bodies are hollow when rising and filled when falling', () => {
		expect(draw(all, {zoom: 4})).toMatchInlineSnapshot(`
			[
			  " ╷   ╷",
			  "┏┷┓ ▄╽▄ ┏┷┓ ▄╽▄ ┏┷┓ ▄╽▄  │",
			  "┃ ┃ ███ ┃ ┃ ███ ┗┯┛ ▀╿▀ ━┿━ ━━━",
			  "┃▁┃ ███ ┗┯┛ ▀╿▀  ╵   ╵   │",
			  " │   │   │   │",
			  " ╵   ╵",
			]
		`);
	});

	test('plain ASCII tells rising from falling as well', () => {
		expect(draw(all, {ascii: true})).toMatchInlineSnapshot(`
			[
			  ", ,",
			  "O # O # O # |",
			  "O # O # O # + -",
			  "O # O # ' ' |",
			  "| | | |",
			  "' '",
			]
		`);
	});

	test('a body that still forms has broken strokes', () => {
		const long = [{prices: [92, 99, 90, 97]}, {prices: [97, 99, 90, 92]}] as const;
		expect([draw(long, {forming: 0}), draw(long, {forming: 1})]).toMatchInlineSnapshot(`
			[
			  [
			    "╷ ╷",
			    "╥ ╽",
			    "╏ █",
			    "╏ █",
			    "╨ ╿",
			    "╵ ╵",
			  ],
			  [
			    "╷ ╷",
			    "╥ ╽",
			    "║ ▓",
			    "║ ▓",
			    "╨ ╿",
			    "╵ ╵",
			  ],
			]
		`);
	});

	test('a falling body without a wick above it begins at the eighth of a cell that is nearest to its price', () => {
		const tops = [100, 99.8, 99.6, 99.4, 99.2, 99].map((open): Draft => ({prices: [open, open, 92, 94]}));
		const [first] = draw(tops);
		expect(first).toBe('▆ ▅ ▄ ▄ ▃ ▂');
	});

	test('a candle covers the rows from its high to its low and no other', () => {
		fc.assert(
			fc.property(anySeries, fc.integer({min: 1, max: 40}), fc.constantFrom(1, 2, 4), (series, height, zoom) => {
				const {candles} = series;
				fc.pre(candles.length > 0);
				const columns = candles.length * zoom + 1;
				const canvas = createCanvas({columns, rows: height});
				const timeScale = createTimeScale({count: candles.length, gaps: [], columns, zoom, offset: 0});
				const low = Math.min(...candles.map(candle => candle.low));
				const high = Math.max(...candles.map(candle => candle.high));
				const scale = createPriceScale({low, high, rows: height, decimals: 12});
				drawCandles(canvas, {candles, timeScale, glyphs: glyphsFor(false)}, scale);
				const texts = canvas.lines().map(lineText);
				for (const [index, candle] of candles.entries()) {
					const column = timeScale.columnOf(index);
					const reach = timeScale.bodyReach;
					const covered = texts.flatMap((text, row) =>
						text.slice(column - reach, column + reach + 1).trim() === '' ? [] : [row],
					);
					const first = rowOf(scale.halfRowOf(candle.high));
					const last = rowOf(scale.halfRowOf(candle.low));
					expect(covered).toEqual(Array.from({length: last - first + 1}, (_, offset) => first + offset));
				}
			}),
		);
	});
});
