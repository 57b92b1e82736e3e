import {expect, test} from 'vitest';
import type {Values} from '../../../../source/market/indicators.ts';
import type {Span} from '../../../../source/view/line.ts';
import {chartLayout} from '../../../../source/view/panels/chart/chart-layout.ts';
import {drawPane} from '../../../../source/view/panels/chart/draw-panes.ts';
import {glyphsFor} from '../../../../source/view/panels/chart/glyphs.ts';
import {createCanvas} from '../../../../source/view/plot/canvas.ts';
import {createTimeScale} from '../../../../source/view/plot/time-scale.ts';

/** A histogram on five rows, one column a value; blocks that are inverse read as the number of eighths that they fill. */
function draw(histogram: Values, ascii: boolean): readonly string[] {
	const rows = 5;
	const size = {columns: histogram.length + 1, rows: rows + 1};
	const canvas = createCanvas(size);
	const count = histogram.length;
	const timeScale = createTimeScale({count, isGap: () => false, columns: size.columns, zoom: 1, offset: 0});
	const layout = chartLayout(size, {labelWidth: 9});
	const plot = {
		canvas,
		layout,
		glyphs: glyphsFor(ascii),
		ascii,
		timeScale,
		endOf: (index: number) => index,
		readoutIndex: 0,
	};
	drawPane(plot, {label: '', curves: [], histogram, levels: [0]}, {top: 1, rows});
	const legible = ({text, inverse}: Span): string =>
		inverse ? text.replaceAll(/[▁-▇]/g, block => String(8 - ' ▁▂▃▄▅▆▇'.indexOf(block))) : text;
	return canvas
		.lines()
		.slice(1)
		.map(line => line.map(legible).join(''));
}

const values = [3, 1.5, 0.25, 0.01, 0, undefined, -0.01, -0.25, -1.5, -2];

test.each([
	['in eighths of a row', false, ['█          ', '█▄         ', '██▂▁▁▁▁▁▁▁▁', '      ▔2██ ', '        ▀█ ']],
	['in thirds of a row in ASCII', true, ['#          ', '#:         ', '##.._______', "      ''## ", '        "# ']],
] as const)('bars stand on the zero line or hang from it, %s, and show a sliver at least', (_, ascii, rows) => {
	expect(draw(values, ascii)).toEqual(rows);
});
