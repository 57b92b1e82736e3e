import {padEnd, textWidth, truncate} from '../../../format/cells.ts';
import {clamp} from '../../../market/numbers.ts';
import {borderOf} from '../../frame.ts';
import {keyLabel, noKeyHint, promptKeys} from '../../keys.ts';
import {dotted, firstFitting} from '../../marks.ts';
import type {Canvas} from '../../plot/canvas.ts';
import type {ChartInput} from './chart-view.ts';
import {indicatorLabel, indicatorNames, meaningOf} from './indicator-table.ts';

const title = ' Indicators ';

/**
 * Draws the open indicator menu over the top left of the canvas. If there are too few rows, it shows the entries around the cursor.
 * Prices stand right of `plotColumns`: a menu that is wider covers them too.
 */
export function drawIndicatorMenu(canvas: Canvas, input: ChartInput, plotColumns: number): void {
	const {menu: cursor = 0, ascii} = input;
	const {columns, rows} = canvas.size;
	// The corners, and a dash before the text.
	const hint = firstFitting(hintTexts(input), columns - 3);
	const texts = entryTexts(input, columns - 2);
	const needed = Math.max(textWidth(hint) + 1, ...texts.map(textWidth));
	const width = needed + 2 > plotColumns ? columns - 2 : needed;
	const count = clamp(rows - 2, 1, texts.length);
	const first = clamp(cursor - count + 1, 0, texts.length - count);

	const frame = borderOf(false, ascii);
	const border = (left: string, text: string, right: string): string =>
		`${left}${frame.horizontal}${text}${frame.horizontal.repeat(Math.max(width - 1 - textWidth(text), 0))}${right}`;
	canvas.write(0, 0, border(frame.topLeft, title, frame.topRight), 'focus');
	for (const [row, text] of texts.slice(first, first + count).entries()) {
		const fitted = padEnd(truncate(text.trimEnd(), width, ascii), width);
		canvas.write(row + 1, 0, frame.vertical, 'focus');
		canvas.write(row + 1, 1, fitted, 'plain', first + row === cursor);
		canvas.write(row + 1, width + 1, frame.vertical, 'focus');
	}

	canvas.write(count + 1, 0, border(frame.bottomLeft, hint, frame.bottomRight), 'focus');
}

/** What the keys do, from long to short. */
function hintTexts({keyHint = noKeyHint, ascii}: ChartInput): readonly string[] {
	const hints = [`${keyLabel(promptKeys.toggle)} toggles`, keyHint('closes', 'back')].filter(Boolean);
	return [dotted(hints, ascii), ...hints].map(text => ` ${text} `);
}

/** Cursor, state and name of each indicator, and its meaning if all meanings fit uncut. */
function entryTexts({menu: cursor, indicators, lengths, ascii}: ChartInput, columns: number): readonly string[] {
	const names = indicatorNames.map(name => indicatorLabel(name, lengths));
	const labelColumns = Math.max(...names.map(textWidth)) + 2;
	const [on, off, pointer] = ascii ? ['x', '.', '>'] : ['●', '·', '▶'];
	const labels = indicatorNames.map((name, index) => {
		const state = indicators.has(name) ? on : off;
		return ` ${index === cursor ? pointer : ' '} ${state} ${padEnd(names[index] ?? '', labelColumns)}`;
	});
	const meanings = indicatorNames.map(name => (ascii ? meaningOf(name).replace('±', '+-') : meaningOf(name)));
	const texts = labels.map((label, index) => `${label}${meanings[index]} `);
	return texts.every(text => textWidth(text) <= columns) ? texts : labels;
}
