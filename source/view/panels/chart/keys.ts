import {parsePeriod} from '../../../format/time.ts';
import type {MarketStore} from '../../../store/state.ts';
import type {Size} from '../../line.ts';
import type {UiStore} from '../../ui-state.ts';
import type {ChartAction} from './chart-state.ts';
import {type ChartView, movedCross, pannedEdge} from './chart-view.ts';
import {viewOf} from './model.ts';

export type ChartControl = {
	readonly store: MarketStore;
	readonly ui: UiStore;
	/** Of the chart's panel, border included; nothing where it is not on the screen. */
	readonly chartSize: Size;
	/** Epoch ms. */
	readonly now: number;
};

/** Columns that one arrow key pans. */
const panColumns = 5;
const longestTyped = 6;
const typable = /^[0-9mhdw]$/i;

const dispatch = ({ui}: ChartControl, action: ChartAction): void => ui.dispatch({type: 'chart', action});

/** A key while a period is typed or the menu is open; false: it is a key as always. */
export function pressInChart(name: string, control: ChartControl): boolean {
	const {typing, menu} = control.ui.getSnapshot().chart;
	if (typing !== undefined) return typePeriod(name, typing, control);
	return menu === undefined ? false : pressInMenu(name, control);
}

function typePeriod(name: string, text: string, control: ChartControl): boolean {
	if (name === 'enter') {
		const period = parsePeriod(text);
		if (period !== undefined) changePeriod(period, control);
		return true;
	}

	if (name === 'backspace') dispatch(control, {type: 'typing', text: text.slice(0, -1)});
	else if (typable.test(name) && text.length < longestTyped) dispatch(control, {type: 'typing', text: text + name});
	// Other letters would do something to a screen that the user is not looking at.
	return name === 'backspace' || name === 'space' || name.length === 1;
}

const menuSteps: Readonly<Record<string, 1 | -1>> = {up: -1, k: -1, down: 1, j: 1};

function pressInMenu(name: string, control: ChartControl): boolean {
	const by = menuSteps[name];
	if (by !== undefined) dispatch(control, {type: 'menu-by', by});
	else if (name === 'space' || name === 'enter') dispatch(control, {type: 'toggle'});
	else if (name === 'o') dispatch(control, {type: 'close'});
	else return false;
	return true;
}

/** Candles of another period, from the newest on. */
export function changePeriod(period: number, control: ChartControl): void {
	dispatch(control, {type: 'rewind'});
	control.store.setPeriod(period);
}

/** Moves the crosshair where there is one and the chart has the focus, else the view; above 0: to older candles. */
export function moveChart(slots: number, control: ChartControl): void {
	const view = currentView(control);
	const {chart, focus} = control.ui.getSnapshot();
	if (!view) return;
	if (chart.cross !== undefined && focus === 'chart') dispatch(control, {type: 'cross', ...movedCross(view, -slots)});
	else dispatch(control, {type: 'edge', rightEdge: pannedEdge(view, slots)});
}

/** What one arrow key does: a candle with the crosshair, else a few columns. */
export function panChart(by: 1 | -1, control: ChartControl): void {
	const {chart, focus} = control.ui.getSnapshot();
	const slots = Math.max(Math.round(panColumns / chart.zoom.columns), 1);
	moveChart(chart.cross !== undefined && focus === 'chart' ? by : by * slots, control);
}

/** The crosshair on the newest candle in sight, or away. */
export function toggleCross(control: ChartControl): void {
	const {cross, rightEdge} = control.ui.getSnapshot().chart;
	const view = currentView(control);
	if (cross !== undefined || !view) return dispatch(control, {type: 'cross', cross: undefined, rightEdge});
	dispatch(control, {type: 'cross', ...movedCross(view, 0)});
}

function currentView({store, ui, chartSize, now}: ChartControl): ChartView | undefined {
	const {candles, decimals} = store.getSnapshot();
	if (candles.status !== 'ready' || candles.data.candles.length === 0) return undefined;
	return viewOf({candles, chart: ui.getSnapshot().chart, decimals, size: chartSize, now, ascii: false}, candles.data);
}
