import {crossHidden} from '../panels/chart/chart-state.ts';
import {cursorPrice} from '../panels/chart/chart-view.ts';
import {steppedPrice} from '../panels/chart/price-cursor.ts';
import {changed, type UiState} from '../ui-state.ts';
import {chartHidden, hasCrosshair, scaleOnScreen, toggleCross, viewOnScreen} from './chart-commands.ts';
import type {Command, Control} from './command.ts';

/** Act on the crosshair of the chart. */
export const cursorCommands: readonly Command[] = [
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
];

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

/** The state without the innermost thing of the focused chart: what is measured, then the crosshair; undefined: there is none. */
export function cursorHidden(state: UiState): UiState | undefined {
	const {chart, focus} = state;
	if (chart.cross === undefined || focus !== 'chart') return undefined;
	return changed('chart', chart.mark ? {mark: undefined} : crossHidden)(state);
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
	if (price === from) ui.update(state => ({...state, notice: `${by > 0 ? 'bottom' : 'top'} of the price scale`}));
	else ui.update(changed('chart', {crossPrice: price}));
	return true;
}
