import {padEnd, textWidth} from '../../../format/cells.ts';
import {borderOf} from '../../frame.ts';
import type {Canvas} from '../../plot/canvas.ts';
import {type ChartState, indicatorNames} from './chart-state.ts';
import {indicatorLabels, indicatorMeanings} from './indicator-curves.ts';

const title = ' Indicators ';
const hint = ' Space: on, off; Esc ';
const labelColumns = Math.max(...Object.values(indicatorLabels).map(textWidth)) + 2;

/** The indicators to choose from, over the top left of the chart. Where rows are few, those around the cursor. */
export function drawMenu(canvas: Canvas, chart: ChartState, ascii: boolean): void {
	const {menu, indicators} = chart;
	if (menu === undefined) return;
	const {columns, rows} = canvas.size;
	const frame = borderOf(false, ascii);
	const [on, off, cursor] = ascii ? ['x', '.', '>'] : ['●', '·', '▶'];
	const rowTexts = indicatorNames.map((name, index) => {
		const label = `${index === menu ? cursor : ' '} ${indicators.has(name) ? on : off} ${padEnd(indicatorLabels[name], labelColumns)}`;
		const meaning = ascii ? indicatorMeanings[name].replace('±', '+-') : indicatorMeanings[name];
		return {label, meaning};
	});
	const labelWidth = Math.max(...rowTexts.map(({label}) => textWidth(label)));
	const whole = labelWidth + Math.max(...rowTexts.map(({meaning}) => textWidth(meaning))) + 2;
	// Meanings are left out where they would be cut.
	const width = whole + 2 <= columns ? whole : Math.max(labelWidth, textWidth(hint)) + 1;
	const fitting = Math.max(Math.min(indicatorNames.length, rows - 2), 1);
	const first = Math.min(Math.max(menu - fitting + 1, 0), indicatorNames.length - fitting);
	const border = (left: string, text: string, right: string): string =>
		`${left}${frame.horizontal}${text}${frame.horizontal.repeat(Math.max(width - 1 - textWidth(text), 0))}${right}`;
	canvas.write(0, 0, border(frame.topLeft, title, frame.topRight), 'focus');
	for (const [row, {label, meaning}] of rowTexts.slice(first, first + fitting).entries()) {
		const text = padEnd(width === whole ? ` ${label}${meaning}` : ` ${label}`, width);
		canvas.write(row + 1, 0, frame.vertical, 'focus');
		canvas.write(row + 1, 1, text, 'plain', first + row === menu);
		canvas.write(row + 1, width + 1, frame.vertical, 'focus');
	}

	canvas.write(fitting + 1, 0, border(frame.bottomLeft, hint, frame.bottomRight), 'focus');
}
