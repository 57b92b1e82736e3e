import {describe, expect, test} from 'vitest';
import type {Candle} from '../../../../source/market/types.ts';
import type {Span} from '../../../../source/view/line.ts';
import {candlePictures, drawCandles} from '../../../../source/view/panels/chart/draw-series.ts';
import {glyphsFor} from '../../../../source/view/panels/chart/glyphs.ts';
import {createCanvas} from '../../../../source/view/plot/canvas.ts';
import {createPriceScale} from '../../../../source/view/plot/price-scale.ts';
import {createTimeScale} from '../../../../source/view/plot/time-scale.ts';

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
	const timeScale = createTimeScale({count: candles.length, isGap: () => false, columns, zoom, offset: 0});
	const pictures = candlePictures({candles, timeScale, glyphs: glyphsFor(ascii), ascii, forming}, unitScale);
	for (const part of ['wicks', 'bodies'] as const) drawCandles(canvas, pictures, part);
	return canvas.lines().map(line => line.map(legible).join('').trimEnd());
}

/** Inverse cells by other characters: the eighths that are filled from above by their number. */
function legible({text, inverse}: Span): string {
	if (!inverse) return text;
	return text
		.replaceAll(/[▁-▇]/g, block => String(8 - ' ▁▂▃▄▅▆▇'.indexOf(block)))
		.replaceAll('┃', 'H')
		.replaceAll('╏', 'h');
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

describe('candles', () => {
	test('rising bodies have a slit and falling ones none; small ones are double and single dashes', () => {
		expect(draw(all)).toMatchInlineSnapshot(`
			[
			  "╷ ╷",
			  "│ │ │ │ ┼ ▂ │",
			  "H █ H █ │ │ ┼ ─",
			  "H █ │ │ ╵ ╵ │",
			  "│ │ │ │",
			  "╵ ╵",
			]
		`);
	});

	test('the ends of a body without wicks are drawn in eighths of a cell', () => {
		const ends = [100, 99.75, 99.5, 99.25, 99, 98.75].map(high => ({high, low: high - 7}));
		const falling = ends.map(({high, low}): Draft => ({prices: [high, high, low, low]}));
		const rising = ends.map(({high, low}): Draft => ({prices: [low, high, low, high]}));
		expect([draw(falling), draw(rising)]).toMatchInlineSnapshot(`
			[
			  [
			    "▆ ▅ ▄ ▃ ▂ ▁",
			    "█ █ █ █ █ █",
			    "█ █ █ █ █ █",
			    "6 7 █ █ █ █",
			    "      ▔ 2 3",
			    "",
			  ],
			  [
			    "▆ ▅ ▄ ▃ ▂ ▁",
			    "H H H H H H",
			    "H H H H H H",
			    "6 7 H H H H",
			    "      ▔ 2 3",
			    "",
			  ],
			]
		`);
	});
});
