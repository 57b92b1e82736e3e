import {panColumns, zoomedBy} from '../panels/chart/chart-state.ts';
import {type CompareView, initialCompare, movedCompareCross, pannedCompare} from '../panels/compare/compare-view.ts';
import {compareViewOf} from '../panels/compare/rows.ts';
import {type Change, changed, type UiState} from '../ui-state.ts';
import {type Command, type Control, pair} from './command.ts';

const atOldest = 'no older candles are loaded';
const atNewest = 'this is the newest candle';

/** Act in the comparison. */
export const compareCommands: readonly Command[] = [
	...pair(
		{help: 'pan the comparison to older and newer times, or move its crosshair', hint: {word: 'pan', rank: 5}},
		{name: 'compare-older', keys: ['left'], atEnd: atOldest, run: control => pan(1, control)},
		{name: 'compare-newer', keys: ['right'], atEnd: atNewest, run: control => pan(-1, control)},
	),
	...pair(
		{help: 'oldest and newest time of the comparison'},
		{name: 'compare-oldest', keys: ['g', 'home'], atEnd: atOldest, run: control => move(beyondAll, control)},
		{name: 'compare-newest', keys: ['G', 'end'], atEnd: atNewest, run: control => move(-beyondAll, control)},
	),
	...pair(
		{help: 'zoom the comparison', hint: {word: 'zoom', rank: 6}},
		{name: 'compare-zoom-in', keys: ['+', '='], atEnd: 'end of the scale', run: control => zoom(1, control)},
		{name: 'compare-zoom-out', keys: ['-', '_'], atEnd: 'all candles are shown', run: control => zoom(-1, control)},
	),
	{
		name: 'compare-crosshair',
		keys: ['x'],
		help: 'show or hide the crosshair, with price and change of each market',
		hint: {word: 'crosshair', rank: 7},
		atEnd: 'there are no candles yet',
		run: toggleCross,
	},
	{
		name: 'compare-base',
		keys: ['enter'],
		help: 'measure changes from the crosshair; again: from the left edge',
		hintNow: ({compare}) => (compare.cross === undefined ? undefined : {word: 'base', rank: 8}),
		atEnd: 'no crosshair to measure changes from',
		run: toggleBase,
	},
];

/** More steps than there are. */
const beyondAll = 1_000_000;

const change = (fields: Partial<UiState['compare']>, {ui}: Control): void => ui.update(changed('compare', fields));

/** What the comparison shows; undefined: there are no candles. */
function viewOnScreen({store, ui, comparison, page}: Control): CompareView | undefined {
	const {markets, period} = store.getSnapshot();
	return compareViewOf(
		{compared: comparison.getSnapshot(), markets, period, compare: ui.getSnapshot().compare},
		page.columns,
	);
}

/** Moves the crosshair or, if there is none, the view by so many steps. Above 0: to older ones. */
function move(steps: number, control: Control): void {
	const view = viewOnScreen(control);
	if (!view) return;
	change(view.cross === undefined ? pannedCompare(view, steps) : movedCompareCross(view, -steps), control);
}

/** Moves the crosshair by one step, or the view by a few columns. */
function pan(by: 1 | -1, control: Control): void {
	const {zoom, cross} = control.ui.getSnapshot().compare;
	move(by * (cross === undefined ? Math.max(Math.round(panColumns / zoom.columns), 1) : 1), control);
}

/** Zooms out no further than to all candles there are. */
function zoom(by: 1 | -1, control: Control): void {
	const view = viewOnScreen(control);
	const isWhole = control.comparison
		.getSnapshot()
		.every(({history}) => history.status === 'complete' || history.status === 'full');
	if (by < 0 && isWhole && view && view.from === view.oldest && view.to === view.newest) return;
	change({zoom: zoomedBy(control.ui.getSnapshot().compare.zoom, by)}, control);
}

function toggleCross(control: Control): void {
	const view = viewOnScreen(control);
	if (!view) return;
	change(view.cross === undefined ? movedCompareCross(view, 0) : {cross: undefined}, control);
}

/** Counts changes from the crosshair or, if they are already or there is none, from the left edge. */
function toggleBase(control: Control): void {
	const view = viewOnScreen(control);
	if (!view) return;
	const {base} = control.ui.getSnapshot().compare;
	const isThere = base !== undefined && (view.cross === undefined || view.base === view.cross);
	change({base: isThere ? undefined : view.cross}, control);
}

/** Opens the comparison of these markets at its newest time. */
export const comparing =
	(symbols: readonly string[]): Change =>
	state => ({...state, overlay: 'compare', compared: symbols, compare: {...initialCompare, zoom: state.compare.zoom}});
