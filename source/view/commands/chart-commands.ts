import {formatCount, formatPlain} from '../../format/number.ts';
import {formatPeriod, parsePeriod} from '../../format/time.ts';
import {startAfter} from '../../market/candles.ts';
import {clamp} from '../../market/numbers.ts';
import {symbolKey} from '../../market/symbol.ts';
import {commonPeriods} from '../../market/types.ts';
import {quietTo} from '../../store/trade-time.ts';
import {promptKeys} from '../keys.ts';
import {
	anchorsOf,
	atNewest,
	type ChartState,
	chartTypes,
	crossHidden,
	leastFootprintColumns,
	mostAnchors,
	nothingOpen,
	oldestOfAll,
	oneColumn,
	panColumns,
	parseImbalance,
	zoomedBy,
	zoomOf,
} from '../panels/chart/chart-state.ts';
import {
	type ChartInput,
	type ChartView,
	chartScale,
	createView,
	cursorPrice,
	heldPlace,
	movedCross,
	pannedPlace,
	slotsOf,
} from '../panels/chart/chart-view.ts';
import {indicatorNames} from '../panels/chart/indicator-table.ts';
import {inputOf} from '../panels/chart/model.ts';
import {type PriceScale, priceInRow, steppedPrice} from '../plot/price-scale.ts';
import {dayTime} from '../plot/time-labels.ts';
import {editedAtEnd} from '../text-edit.ts';
import {changed, focusedOn, type UiState} from '../ui-state.ts';
import {beginning, type Command, type Control, choice, cycle, noted, pair, type Situation} from './command.ts';
import {toggleIndicator} from './indicator-commands.ts';

const periodText = 'a period such as 45 (minutes), 4h, 2w, 1M';

/** Why nothing changes in a chart that is not on the screen. A comparison uses its period. */
export const chartHidden = ({overlay}: UiState, {chartSize}: Situation): string | undefined =>
	overlay === undefined && chartSize.columns === 0 ? 'the chart is not on the screen' : undefined;

export const noCandles = 'there are no candles yet';

export const chartCommands: readonly Command[] = [
	...pair(
		{
			// A comparison uses the chart's period.
			overlays: ['compare'],
			help: 'shorter and longer candle period',
			hint: {word: 'period', rank: 6},
			unavailable: chartHidden,
		},
		{name: 'shorter-period', keys: ['['], atEnd: 'shortest common period', run: control => stepPeriod(-1, control)},
		{name: 'longer-period', keys: [']'], atEnd: 'longest common period', run: control => stepPeriod(1, control)},
	),
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
	...pair(
		{help: 'pan the chart to older and newer candles', hint: {word: 'pan', rank: 12}, unavailable: chartHidden},
		{name: 'older', keys: ['left'], atEnd: 'no older candles are loaded', run: control => panChart(1, control)},
		{name: 'newer', keys: ['right'], atEnd: 'this is the newest candle', run: control => panChart(-1, control)},
	),
	{
		...choice('chart-type', 'draw the chart as', chartTypes, (type, control) => change({type}, control)),
		keys: ['c'],
		hint: {word: 'type', rank: 14},
		unavailable: chartHidden,
		run: control => change({type: cycle(chartTypes, chartOf(control).type)}, control),
	},
	{
		name: 'footprint',
		keys: [],
		help: 'draw footprints: volume sold and bought at each price',
		unavailable: chartHidden,
		run: control => change({type: 'footprint'}, control),
		argument: {
			takes: 'a ratio such as 3 marks imbalances from 3:1',
			complete: () => [],
			run(text, control) {
				const ratio = parseImbalance(text);
				if ('fault' in ratio) return `${ratio.fault}; footprint takes one such as 3`;
				change({imbalance: ratio.value}, control);
				noted(`footprints mark imbalances from ${formatPlain(ratio.value)}:1`, control);
				return undefined;
			},
		},
	},
	{
		...choice('indicators', 'show or hide indicators:', indicatorNames, toggleIndicator),
		help: 'show or hide indicators, such as sma, rsi or macd',
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
		help: 'show or hide the crosshair, which arrows move',
		hint: {word: 'crosshair', rank: 16},
		unavailable: chartHidden,
		atEnd: noCandles,
		run: toggleCross,
	},
	{
		name: 'logarithmic',
		keys: ['l'],
		help: 'toggle the logarithmic price scale',
		hint: {word: 'log', rank: 18},
		unavailable: (state, situation) =>
			chartHidden(state, situation) ??
			(state.chart.type === 'footprint' ? 'a footprint has one price step per row, on a linear scale' : undefined),
		run: control => change({log: !chartOf(control).log}, control),
	},
	{
		name: 'measure',
		keys: ['m'],
		focused: true,
		help: 'measure from the crosshair, or stop',
		hintNow: ({chart}) => (chart.cross === undefined ? undefined : {word: 'measure', rank: 13}),
		unavailable: chartHidden,
		atEnd: 'there is no candle at the crosshair',
		run: toggleMark,
	},
	{
		name: 'avwap',
		keys: [],
		help: 'anchor a VWAP with bands at the crosshair, or remove it',
		unavailable: (state, situation) =>
			chartHidden(state, situation) ??
			(state.chart.cross === undefined ? 'no crosshair to anchor a VWAP at; crosshair shows one' : undefined),
		run: toggleAnchor,
		argument: {
			takes: 'off removes all of the market',
			complete: beginning(['off']),
			run(text, control) {
				if (text !== 'off') return `${text} is not off; avwap alone anchors a VWAP at the crosshair`;
				const {symbol} = control.store.getSnapshot();
				const removed = anchorsOf(chartOf(control).anchors, symbol).length;
				if (symbol !== undefined && removed > 0) anchor(symbol, [], control);
				noted(
					removed > 0 ? `${formatCount(removed, 'anchored VWAP')} removed` : 'no VWAP is anchored in this market',
					control,
				);
				return undefined;
			},
		},
	},
];

const anchor = (symbol: string, times: readonly number[], control: Control): void =>
	change({anchors: new Map([...chartOf(control).anchors, [symbolKey(symbol), times]])}, control);

/** Anchors a VWAP at the candle under the crosshair, or removes the one that begins there. */
function toggleAnchor(control: Control): void {
	const view = viewOnScreen(control);
	const {symbol} = control.store.getSnapshot();
	const candle = view?.cross === undefined ? undefined : view.candles[view.cross];
	if (!view || !candle || symbol === undefined) return noted('there is no candle at the crosshair', control);
	const {time} = candle;
	const anchors = anchorsOf(chartOf(control).anchors, symbol);
	// Of a longer period, the candle may have begun before the anchor.
	const others = anchors.filter(each => each < time || each >= startAfter(time, view.period));
	const place = dayTime(time, view.zone);
	if (others.length < anchors.length) {
		anchor(symbol, others, control);
		return noted(`VWAP anchored at ${place} removed`, control);
	}

	if (anchors.length >= mostAnchors)
		return noted(`a market has at most ${mostAnchors} anchored VWAPs; avwap off removes them`, control);
	anchor(
		symbol,
		[...anchors, time].toSorted((a, b) => a - b),
		control,
	);
	noted(`VWAP anchored at ${place}`, control);
}

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

/** Zooms the chart. It zooms out no further than to all loaded candles, and leaves no blank before the oldest one. */
export function scaleChart(by: 1 | -1, control: Control): void {
	if (by < 0 && viewOnScreen(control, atNewest)?.timeScale.first === 0) {
		const notice = isHistoryWhole(control) ? 'all candles are visible' : 'loading older candles';
		return noted(notice, control);
	}

	const {type, zoom} = chartOf(control);
	if (type === 'footprint' && by < 0 && zoom.columns === 1)
		return noted(`a footprint takes at least ${leastFootprintColumns} columns`, control);
	change({zoom: zoomedBy(type === 'footprint' && zoom.merged > 1 ? oneColumn : zoom, by)}, control);
	const view = viewOnScreen(control);
	const newest = viewOnScreen(control, atNewest);
	const isPanned = chartOf(control).rightEdge !== undefined;
	if (isPanned && view?.timeScale.first === 0 && newest) change(pannedPlace(newest, Infinity), control);
}

/** Whether no older candles can be loaded. */
function isHistoryWhole({store}: Control): boolean {
	const {candles, history} = store.getSnapshot();
	if (candles.status === 'ready' && candles.data.builtFrom === 'trades') return true;
	// A recording has no others.
	if (history.status === 'failed') return history.error.kind === 'unavailable';
	return history.status === 'complete' || history.status === 'full';
}

/** Moves the crosshair if it is shown and the chart has the focus, else the view. Above 0: to older candles. */
function moveChart(slots: number, control: Control): void {
	const view = viewOnScreen(control);
	if (!view) return;
	if (hasCrosshair(control)) change(movedCross(view, -slots), control);
	else change(pannedPlace(view, slots), control);
}

/** Moves the cursor of the open indicator menu, else the chart. Above 0: down, to newer candles. */
export function moveInChart(by: number, control: Control): void {
	const {menu} = chartOf(control);
	if (menu === undefined) moveChart(-by, control);
	else change({menu: clamp(menu + by, 0, indicatorNames.length - 1)}, control);
}

/** How many candles the focused chart shows; undefined: keys move something else, or there are none. */
export function candlesOnPage(control: Control): number | undefined {
	const {overlay, focus, chart} = control.ui.getSnapshot();
	if (overlay !== undefined || focus !== 'chart' || chart.menu !== undefined) return undefined;
	const scale = viewOnScreen(control)?.timeScale;
	return scale && scale.last - scale.first + 1;
}

/** Moves the crosshair by one candle, or the view by a few columns. */
function panChart(by: 1 | -1, control: Control): void {
	const slots = Math.max(Math.round(panColumns / zoomOf(chartOf(control)).columns), 1);
	moveChart(hasCrosshair(control) ? by : by * slots, control);
}

/** Whether keys move the crosshair: it is shown, and the chart has the focus. */
const hasCrosshair = (control: Control): boolean =>
	chartOf(control).cross !== undefined && control.ui.getSnapshot().focus === 'chart';

/** Shows the crosshair on the newest visible candle, or hides it. */
function toggleCross(control: Control): void {
	const view = viewOnScreen(control);
	const shows = chartOf(control).cross === undefined && view !== undefined;
	// Only in the chart do keys move it.
	if (shows) control.ui.update(focusedOn('chart'));
	change({...crossHidden, ...(shows ? movedCross(view, 0) : view && heldPlace(view))}, control);
}

/** What the chart draws; undefined: there are no candles. */
function inputOnScreen(control: Control, changes?: Partial<ChartState>): ChartInput | undefined {
	const state = control.store.getSnapshot();
	const {candles, history, decimals, symbol} = state;
	if (candles.status !== 'ready' || candles.data.candles.length === 0) return undefined;
	const {chartSize: size, now, ascii} = control;
	return inputOf(
		{
			candles,
			history,
			symbol,
			chart: {...chartOf(control), ...changes},
			decimals,
			size,
			quietTo: quietTo(state),
			now,
			ascii,
		},
		candles.data,
	);
}

/** What of the series the chart shows, with these changes to its state; undefined: there are no candles. */
export function viewOnScreen(control: Control, changes?: Partial<ChartState>): ChartView | undefined {
	const input = inputOnScreen(control, changes);
	return input && createView(input);
}

/** The scale of the prices as they are drawn; undefined: there are no candles. */
export function scaleOnScreen(control: Control): PriceScale | undefined {
	const input = inputOnScreen(control);
	return input && chartScale(input, createView(input), control.fitRange);
}

/** Shows the crosshair at a cell of the chart's body, from 0: on the candle of its column, and on its price if it is among the prices. */
export function crossAt({column, row}: {readonly column: number; readonly row: number}, control: Control): void {
	const view = viewOnScreen(control);
	const index = view?.timeScale.indexAt(column);
	if (!view || index === undefined || chartOf(control).menu !== undefined) return;
	const scale = scaleOnScreen(control);
	const {decimals} = control.store.getSnapshot();
	const inPrices = row - view.layout.priceTop;
	const isPrice = scale !== undefined && inPrices >= 0 && inPrices < scale.rows;
	const crossPrice = isPrice ? priceInRow(scale, inPrices, decimals.price) : undefined;
	// Held, as the view would move with the newest candle under the pointer.
	change({...movedCross({...view, cross: index}, 0), crossPrice}, control);
}

/** How many candles and empty periods are newer than the view: what a drag of the chart begins from; undefined: there are no candles. */
export function newerInView(control: Control): number | undefined {
	const view = viewOnScreen(control);
	return view && slotsOf(view) - 1 - view.timeScale.last;
}

/** Pans the chart until so many candles and empty periods are newer than the view, within the ends of the series. */
export function panTo(newer: number, control: Control): void {
	const view = viewOnScreen(control);
	const slots = newer - (newerInView(control) ?? 0);
	if (view && slots !== 0) change(pannedPlace(view, slots), control);
}

/** Shows the candle of a time (epoch ms) under the crosshair in the middle of the chart, once it is loaded. */
export function showCandle(time: number, control: Control): void {
	control.ui.update(focusedOn('chart'));
	change({cross: time, crossPrice: undefined, centre: time, rightEdge: undefined}, control);
}

/** Goes to the oldest candle there is, and loads it. False: keys do not move the chart, or there are no candles. */
export function goToOldest(control: Control): boolean {
	const {overlay, focus} = control.ui.getSnapshot();
	const isFree = overlay === undefined && focus === 'chart' && chartOf(control).menu === undefined;
	if (!isFree || !viewOnScreen(control)) return false;
	change({centre: oldestOfAll, rightEdge: undefined, ...(hasCrosshair(control) && {cross: oldestOfAll})}, control);
	return true;
}

/** Stops loading older candles for a time to show; the view stays where it is. False: none are loaded for it. */
export function stopLooking(control: Control): boolean {
	const view = viewOnScreen(control);
	const {overlay, focus} = control.ui.getSnapshot();
	if (overlay !== undefined || focus !== 'chart' || view?.missing === undefined) return false;
	if (isHistoryWhole(control)) return false;
	change({...crossHidden, ...heldPlace(view)}, control);
	return true;
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

/** Sets the mark at the crosshair, which is shown for it, or removes it there. */
function toggleMark(control: Control): void {
	const {store, ui} = control;
	if (ui.getSnapshot().chart.cross === undefined) toggleCross(control);
	const {chart} = ui.getSnapshot();
	const {candles} = store.getSnapshot();
	const price = candles.status === 'ready' ? cursorPrice(candles.data, chart) : undefined;
	const view = viewOnScreen(control);
	// The crosshair may be at a time between the starts of candles, or before the first.
	const time = view?.cross === undefined ? undefined : view.candles[view.cross]?.time;
	if (time === undefined || price === undefined) return;
	// A crosshair that was not moved up or down follows the close of a forming candle.
	const isThere = chart.mark?.time === time && (chart.mark.price === price || chart.crossPrice === undefined);
	ui.update(changed('chart', {mark: isThere ? undefined : {time, price}}));
}

/** Moves the crosshair by one row of prices; `by` 1: down. False: the focused panel has no crosshair to move. */
export function movePriceCursor(by: 1 | -1, control: Control): boolean {
	const {store, ui} = control;
	const {overlay, chart} = ui.getSnapshot();
	const {candles, decimals} = store.getSnapshot();
	if (overlay || chart.menu !== undefined || !hasCrosshair(control) || candles.status !== 'ready') return false;
	const from = cursorPrice(candles.data, chart);
	const scale = scaleOnScreen(control);
	if (from === undefined || !scale) return false;
	const price = steppedPrice(scale, from, by, decimals.price);
	if (price === from) noted(`${by > 0 ? 'bottom' : 'top'} of the price scale`, control);
	else ui.update(changed('chart', {crossPrice: price}));
	return true;
}
