import {expect, test} from 'vitest';
import type {Values} from '../../../../source/market/indicators.ts';
import {lineText} from '../../../../source/view/line.ts';
import {drawPane} from '../../../../source/view/panels/chart/draw-panes.ts';
import {glyphsFor} from '../../../../source/view/panels/chart/glyphs.ts';
import {chartLayout} from '../../../../source/view/panels/chart/layout.ts';
import {createCanvas} from '../../../../source/view/plot/canvas.ts';
import {createTimeScale} from '../../../../source/view/plot/time-scale.ts';

/** A histogram on five rows, one column a value, with the tones and inverse cells of its bars. */
function draw(histogram: Values, ascii: boolean): readonly (readonly [text: string, inverse: string])[] {
	const rows = 5;
	const size = {columns: histogram.length + 1, rows: rows + 1};
	const canvas = createCanvas(size);
	const timeScale = createTimeScale({
		count: histogram.length,
		isGap: () => false,
		columns: size.columns,
		zoom: 1,
		offset: 0,
	});
	const layout = chartLayout(size, {labelWidth: 9});
	const plot = {canvas, layout, glyphs: glyphsFor(ascii), ascii, timeScale, endOf: (index: number) => index, named: 0};
	drawPane(plot, {label: '', curves: [], histogram, levels: [0]}, {top: 1, rows});
	return canvas
		.lines()
		.slice(1)
		.map(line => [
			lineText(line),
			line
				.map(({text, inverse}) => (inverse ? '^' : ' ').repeat(text.length))
				.join('')
				.trimEnd(),
		]);
}

const values = [3, 1.5, 0.25, 0.01, 0, undefined, -0.01, -0.25, -1.5, -2];

test('bars stand on the zero line or hang from it, in eighths of a row, and show a sliver at least', () => {
	expect(draw(values, false)).toMatchInlineSnapshot(`
		[
		  [
		    "█          ",
		    "",
		  ],
		  [
		    "█▄         ",
		    "",
		  ],
		  [
		    "██▂▁▁▁▁▁▁▁▁",
		    "",
		  ],
		  [
		    "      ▔▆██ ",
		    "       ^",
		  ],
		  [
		    "        ▀█ ",
		    "",
		  ],
		]
	`);
});

test('plain ASCII has bars in thirds of a row', () => {
	expect(draw(values, true)).toMatchInlineSnapshot(`
		[
		  [
		    "#          ",
		    "",
		  ],
		  [
		    "#:         ",
		    "",
		  ],
		  [
		    "##.._______",
		    "",
		  ],
		  [
		    "      ''## ",
		    "",
		  ],
		  [
		    "        "# ",
		    "",
		  ],
		]
	`);
});
