import {lineThrough} from '../../market/trend-line.ts';
import {drawnLinesOf, mostDrawnLines, withLine} from '../drawn-lines.ts';
import {keyHintOf} from '../keys.ts';
import {cursorPrice, isLogarithmic} from '../panels/chart/chart-view.ts';
import {dayTime} from '../plot/time-labels.ts';
import {changed} from '../ui-state.ts';
import {chartHidden, viewOnScreen} from './chart-commands.ts';
import {type Command, type Control, noted} from './command.ts';

/** Draw trend lines in the chart. */
export const lineCommands: readonly Command[] = [
	{
		name: 'line',
		keys: ['T'],
		focused: true,
		help: 'begin a trend line at the crosshair, then draw it at its other end',
		hintNow({chart}) {
			if (chart.cross === undefined) return undefined;
			return {word: chart.lineFrom ? 'draw line' : 'line', rank: chart.lineFrom ? 1 : 13};
		},
		unavailable: (state, situation) =>
			chartHidden(state, situation) ??
			(state.chart.cross === undefined ? 'no crosshair to draw a line at; crosshair shows one' : undefined),
		run: putEnd,
	},
];

/** Puts one end of a line at the crosshair: the second draws it. */
function putEnd(control: Control): void {
	const {store, ui, commands} = control;
	const {symbol, candles} = store.getSnapshot();
	const {chart, drawnLines} = ui.getSnapshot();
	const view = viewOnScreen(control);
	const time = view?.cross === undefined ? undefined : view.timeOf(view.cross);
	const price = candles.status === 'ready' ? cursorPrice(candles.data, chart) : undefined;
	if (!view || symbol === undefined || time === undefined || price === undefined || price <= 0)
		return noted('there is no candle at the crosshair', control);
	if (drawnLinesOf(drawnLines, symbol).length >= mostDrawnLines)
		return noted(`a market has at most ${mostDrawnLines} lines; levels lists them`, control);
	const end = {time, price};
	const {lineFrom} = chart;
	if (!lineFrom) {
		ui.update(changed('chart', {lineFrom: end}));
		const how = keyHintOf(commands, false)('at its other end draws it', 'line');
		return noted([`line from ${dayTime(time, view.zone)}`, how].filter(Boolean).join('; '), control);
	}

	const line = lineThrough(lineFrom, end, isLogarithmic(chart));
	if (!line) return noted('a line goes through two candles; move the crosshair to another one', control);
	const {lines, number} = withLine(drawnLines, symbol, line);
	ui.update(state => ({...state, drawnLines: lines}));
	ui.update(changed('chart', {lineFrom: undefined}));
	noted(`line ${number} drawn`, control);
}
