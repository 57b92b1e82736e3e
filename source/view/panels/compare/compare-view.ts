import {candleStart, periodsBetween, startAfter} from '../../../market/candles.ts';
import {clamp} from '../../../market/numbers.ts';
import type {Steps} from '../../../market/performance.ts';
import type {Candle, Period} from '../../../market/types.ts';
import {oneColumn, type Zoom} from '../chart/chart-state.ts';

/** The visible steps of a comparison. Times are starts of steps, epoch ms. */
export type CompareView = Steps & {
	/** The last visible step. */
	readonly to: number;
	/** Columns of a step. */
	readonly columns: number;
	/** As many steps as there is room for. */
	readonly room: number;
	/** The first and the last step of which any market has a candle. */
	readonly oldest: number;
	readonly newest: number;
	/** Minutes of a candle: a step can be several of them. */
	readonly candlePeriod: Period;
	/** The step from which changes count. */
	readonly base: number;
	/** The step under the crosshair, which is visible; absent: no crosshair. */
	readonly cross?: number | undefined;
};

/**
 * What a comparison shows in so many columns; undefined if no market has candles. Until the user pans, it begins no earlier than
 * all markets have candles.
 */
export function createCompareView(
	series: ReadonlyArray<readonly Candle[]>,
	candlePeriod: Period,
	{zoom, edge, cross, base}: CompareState,
	columns: number,
): CompareView | undefined {
	const traded = series.filter(({length}) => length > 0);
	if (traded.length === 0) return undefined;
	const period = candlePeriod * zoom.merged;
	const startOf = (time: number) => candleStart(time, period);
	const firsts = traded.map(([first]) => startOf(first?.time ?? 0));
	const oldest = Math.min(...firsts);
	const newest = Math.max(...traded.map(candles => startOf(candles.at(-1)?.time ?? 0)));
	const room = Math.max(Math.floor(columns / zoom.columns), 1);
	const held = edge?.period === candlePeriod ? edge.time : undefined;
	const begin = held === undefined ? Math.max(...firsts) : oldest;
	const leastEdge = Math.min(startAfter(oldest, period, room - 1), newest);
	const to = held === undefined ? newest : clamp(startOf(held), leastEdge, newest);
	const from = Math.max(startAfter(to, period, 1 - room), Math.min(begin, to));
	return {
		...{from, to, period, candlePeriod, room, oldest, newest},
		count: periodsBetween(from, to, period) + 1,
		columns: zoom.columns,
		base: base === undefined ? from : startOf(base),
		cross: cross === undefined ? undefined : clamp(startOf(cross), from, to),
	};
}

/** The column of a step in the plot, by its number. */
export const columnOfStep = (step: number, {columns}: Pick<CompareView, 'columns'>): number =>
	step * columns + Math.floor((columns - 1) / 2);

/** The number of the step that begins at `start`; outside 0 to `count` if it is not visible. */
export const stepAt = (start: number, {from, period}: Pick<CompareView, 'from' | 'period'>): number =>
	start < from ? -periodsBetween(start, from, period) : periodsBetween(from, start, period);

type Edge = Pick<CompareState, 'edge'>;

const edgeAt = (time: number, {newest, candlePeriod}: CompareView): Edge => ({
	edge: time >= newest ? undefined : {time, period: candlePeriod},
});

/** The start of the step so many after `start`, no further away than the candles reach: a time far beyond them is none. */
function stepsAfter(start: number, steps: number, {oldest, newest, period}: CompareView): number {
	const most = periodsBetween(oldest, newest, period);
	return startAfter(start, period, clamp(steps, -most, most));
}

/** Where the view is after panning by so many steps, above 0 to older ones. What has room at the left is filled first. */
export function pannedCompare(view: CompareView, steps: number): Edge {
	const {to, from, oldest, room, count, period, candlePeriod} = view;
	if (steps < 0) return edgeAt(stepsAfter(to, -steps, view), view);
	const isHeldBack = count < room && oldest < from;
	// The oldest step does not move past the left edge.
	const least = Math.min(startAfter(oldest, period, room - 1), to);
	return {edge: {time: isHeldBack ? to : Math.max(stepsAfter(to, -steps, view), least), period: candlePeriod}};
}

/** The crosshair, by default from the newest visible step, moved by so many steps to the right; the view follows it. */
export function movedCompareCross(view: CompareView, steps: number): Edge & Pick<CompareState, 'cross'> {
	const {from, to, oldest, newest, period} = view;
	const cross = clamp(stepsAfter(view.cross ?? to, steps, view), oldest, newest);
	const moved = cross > to ? cross : cross < from ? startAfter(to, period, stepAt(cross, view)) : undefined;
	return {cross, ...(moved !== undefined && edgeAt(moved, view))};
}

/** Whether older candles of a market are wanted: that of the base, and those of another screen to pan to. */
export const wantsOlderOf = (candles: readonly Candle[], {from, period, room, base}: CompareView): boolean =>
	candles[0] !== undefined && candles[0].time > Math.min(startAfter(from, period, -room), base);

/** The user's view of the comparison. */
export type CompareState = {
	readonly zoom: Zoom;
	/** The step at the right edge, by its start, epoch ms. Absent, or of another period than is shown: always the newest. */
	readonly edge?: {readonly time: number; readonly period: Period} | undefined;
	/** A time in the step under the crosshair, epoch ms; absent: no crosshair. */
	readonly cross?: number | undefined;
	/** A time in the step from which changes count, epoch ms; absent: the left edge. */
	readonly base?: number | undefined;
};

export const initialCompare: CompareState = {zoom: oneColumn};
