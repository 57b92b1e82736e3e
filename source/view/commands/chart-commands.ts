import {formatPeriod, parsePeriod} from '../../format/time.ts';
import type {IndicatorName} from '../../market/indicators.ts';
import {clamp} from '../../market/numbers.ts';
import {commonPeriods} from '../../market/types.ts';
import {promptKeys} from '../keys.ts';
import {
	atNewest,
	type ChartState,
	chartTypes,
	indicatorNames,
	nothingOpen,
	zoomedBy,
} from '../panels/chart/chart-state.ts';
import {type ChartView, movedCross, pannedEdge} from '../panels/chart/chart-view.ts';
import {viewOf} from '../panels/chart/model.ts';
import {editedAtEnd} from '../text-edit.ts';
import {changed, focusedOn, type UiState} from '../ui-state.ts';
import {beginning, type Command, type Control, choice, cycle, type Situation} from './command.ts';

const periodText = 'a period such as 45 (minutes), 4h, 3d, 2w';

/** Why nothing changes in a chart that is not on the screen. A comparison uses its period. */
export const chartHidden = ({overlay}: UiState, {chartSize}: Situation): string | undefined =>
	overlay === undefined && chartSize.columns === 0 ? 'the chart is not on the screen' : undefined;

export const chartCommands: readonly Command[] = [
	{
		name: 'shorter-period',
		keys: ['['],
		// A comparison uses the chart's period.
		overlays: ['compare'],
		help: 'shorter and longer candle period',
		hint: {word: 'period', rank: 6},
		unavailable: chartHidden,
		atEnd: 'shortest common period',
		run: control => stepPeriod(-1, control),
	},
	{
		name: 'longer-period',
		keys: [']'],
		overlays: ['compare'],
		unavailable: chartHidden,
		atEnd: 'longest common period',
		run: control => stepPeriod(1, control),
	},
	{
		name: 'period',
		keys: ['t'],
		focused: true,
		help: `set ${periodText}`,
		hint: {word: 'type period', rank: 17},
		run: control => change({...nothingOpen, typing: {text: ''}}, control),
		argument: {
			takes: periodText,
			complete: beginning(commonPeriods.map(formatPeriod)),
			run(text, control) {
				const period = parsePeriod(text);
				if ('fault' in period) return `${period.fault}; period takes ${periodText}`;
				changePeriod(period.value, control);
				return undefined;
			},
		},
	},
	{
		name: 'older',
		keys: ['left'],
		help: 'pan the chart to older and newer candles',
		hint: {word: 'pan', rank: 12},
		unavailable: chartHidden,
		atEnd: 'no older candles are loaded',
		run: control => panChart(1, control),
	},
	{
		name: 'newer',
		keys: ['right'],
		unavailable: chartHidden,
		atEnd: 'this is the newest candle',
		run: control => panChart(-1, control),
	},
	{
		...choice('chart-type', 'draw the chart as', chartTypes, (type, control) => change({type}, control)),
		keys: ['c'],
		hint: {word: 'type', rank: 14},
		unavailable: chartHidden,
		run: control => change({type: cycle(chartTypes, chartOf(control).type)}, control),
	},
	{
		...choice('indicators', 'show or hide indicators:', indicatorNames, toggleIndicator),
		keys: ['o'],
		hint: {word: 'indicators', rank: 15},
		run(control) {
			const isOpen = chartOf(control).menu !== undefined;
			control.ui.update(focusedOn('chart'));
			change(isOpen ? nothingOpen : {menu: 0}, control);
		},
	},
	{
		name: 'crosshair',
		keys: ['x'],
		help: 'show or hide the crosshair, which panning moves',
		hint: {word: 'crosshair', rank: 16},
		unavailable: chartHidden,
		atEnd: 'there are no candles yet',
		run: toggleCross,
	},
	{
		name: 'logarithmic',
		keys: ['l'],
		help: 'toggle the logarithmic price scale',
		hint: {word: 'log', rank: 18},
		unavailable: chartHidden,
		run: control => change({log: !chartOf(control).log}, control),
	},
];

const chartOf = ({ui}: Control): ChartState => ui.getSnapshot().chart;
const change = (fields: Partial<ChartState>, {ui}: Control): void => ui.update(changed('chart', fields));

/** Shows candles of another period, at the newest one. */
function changePeriod(period: number, control: Control): void {
	change(atNewest, control);
	control.store.setPeriod(period);
}

/** Switches to the next longer or shorter common period, if there is one. */
function stepPeriod(by: 1 | -1, control: Control): void {
	const {period} = control.store.getSnapshot();
	const next = by > 0 ? commonPeriods.find(each => each > period) : commonPeriods.findLast(each => each < period);
	changePeriod(next ?? period, control);
}

export const scaleChart = (by: 1 | -1, control: Control): void =>
	change({zoom: zoomedBy(chartOf(control).zoom, by)}, control);

/** Moves the crosshair if it is shown and the chart has the focus, else the view. Above 0: to older candles. */
function moveChart(slots: number, control: Control): void {
	const view = viewOnScreen(control);
	if (!view) return;
	if (hasCrosshair(control)) change(movedCross(view, -slots), control);
	else change({rightEdge: pannedEdge(view, slots)}, control);
}

/** Moves the cursor of the open indicator menu, else the chart. Above 0: down, to newer candles. */
export function moveInChart(by: number, control: Control): void {
	const {menu} = chartOf(control);
	if (menu === undefined) moveChart(-by, control);
	else change({menu: clamp(menu + by, 0, indicatorNames.length - 1)}, control);
}

/** Columns that one arrow key pans. */
const panColumns = 5;

/** Moves the crosshair by one candle, or the view by a few columns. */
function panChart(by: 1 | -1, control: Control): void {
	const slots = Math.max(Math.round(panColumns / chartOf(control).zoom.columns), 1);
	moveChart(hasCrosshair(control) ? by : by * slots, control);
}

const hasCrosshair = (control: Control): boolean =>
	chartOf(control).cross !== undefined && control.ui.getSnapshot().focus === 'chart';

/** Shows the crosshair on the newest visible candle, or hides it. */
function toggleCross(control: Control): void {
	const view = viewOnScreen(control);
	const shows = chartOf(control).cross === undefined && view !== undefined;
	// Only in the chart do keys move it.
	if (shows) control.ui.update(focusedOn('chart'));
	change(shows ? movedCross(view, 0) : {cross: undefined}, control);
}

function viewOnScreen(control: Control): ChartView | undefined {
	const {candles, decimals} = control.store.getSnapshot();
	if (candles.status !== 'ready' || candles.data.candles.length === 0) return undefined;
	const {chartSize: size, now} = control;
	return viewOf({candles, chart: chartOf(control), decimals, size, now, ascii: false}, candles.data);
}

function toggleIndicator(name: IndicatorName, control: Control): void {
	change({indicators: chartOf(control).indicators.symmetricDifference(new Set([name]))}, control);
}

/** Handles a key while a period is typed or the menu is open. False: it acts as a command. */
export function pressInChart(key: string, control: Control): boolean {
	const {typing, menu} = chartOf(control);
	if (typing !== undefined) return pressInPeriod(key, typing.text, control);
	return menu === undefined ? false : pressInMenu(key, menu, control);
}

function pressInPeriod(key: string, text: string, control: Control): boolean {
	if (key === promptKeys.accept) {
		const period = parsePeriod(text);
		if ('fault' in period) change({typing: {text, fault: period.fault}}, control);
		else changePeriod(period.value, control);
		return true;
	}

	const edited = editedAtEnd(text, key);
	if (edited === undefined) return false;
	change({typing: {text: edited}}, control);
	return true;
}

function pressInMenu(key: string, menu: number, control: Control): boolean {
	const name = indicatorNames[menu];
	if ((key !== promptKeys.toggle && key !== promptKeys.accept) || name === undefined) return false;
	toggleIndicator(name, control);
	return true;
}

/** The state without the menu or the period prompt; undefined: neither is open. */
export const promptClosed = (state: UiState): UiState | undefined => {
	const {menu, typing} = state.chart;
	return menu === undefined && typing === undefined ? undefined : changed('chart', nothingOpen)(state);
};

/** The state without the crosshair of the focused chart; undefined: there is none. */
export const crosshairHidden = (state: UiState): UiState | undefined =>
	state.chart.cross !== undefined && state.focus === 'chart' ? changed('chart', {cross: undefined})(state) : undefined;
