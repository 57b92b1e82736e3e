import {zoneOfCandles} from '../../../format/zone.ts';
import {groupCandles, heikinAshi, indexAtTime} from '../../../market/candle-groups.ts';
import {type CandleSeries, candleEnd, isAfterGap, periodsBetween, startAfter} from '../../../market/candles.ts';
import type {Results} from '../../../market/follow.ts';
import {clamp} from '../../../market/numbers.ts';
import type {Tape} from '../../../market/tape.ts';
import type {TradedMinutes} from '../../../market/traded-minutes.ts';
import type {Candle, Period} from '../../../market/types.ts';
import type {MarkedLevels} from '../../drawn-levels.ts';
import type {DrawnLine} from '../../drawn-lines.ts';
import type {KeyHint} from '../../keys.ts';
import type {Drawing} from '../../line.ts';
import {createPriceLabels, createTickedScale, type TickedScale} from '../../plot/price-axis.ts';
import type {Price, RangeFitter} from '../../plot/price-scale.ts';
import {centredOffset, createTimeScale} from '../../plot/time-scale.ts';
import {chartLayout} from './chart-layout.ts';
import type {ChartState} from './chart-state.ts';
import type {Touch} from './draw-axes.ts';
import {footprintScale, type StepGrid} from './draw-footprint.ts';
import {lacksSessionStart, overlaysOf, paneShares} from './indicator-curves.ts';
import {legendRowsFor, measureRowsFor} from './legend.ts';

/** `size`: inside the border of the panel. */
export type ChartInput = ChartState &
	Drawing &
	MarkedLevels & {
		readonly series: CandleSeries;
		/** Default: none. */
		readonly lines?: readonly DrawnLine[] | undefined;
		/** Of which anchored VWAPs are made where they reach back. */
		readonly trades?: Tape | undefined;
		/** Of which footprints are made. */
		readonly traded?: TradedMinutes | undefined;
		/** Newer trades may be missing from these, as the tape fails. Default: none are. */
		readonly tapeFails?: boolean | undefined;
		/** The exchange has no candles before the first of the series. Absent: it may have some. */
		readonly complete?: boolean | undefined;
		/** Epoch ms by the exchange's clock: a candle that ends later is still forming. */
		readonly now: number;
		/** Decimals of the market's price. */
		readonly decimals: number;
		/** Best prices of the book, each drawn as a line. */
		readonly touch?: Touch | undefined;
		/** Up to when nothing was traded after the newest candle, epoch ms. Absent: something was, or it is not known. */
		readonly quietTo?: number | undefined;
		/** Price of the last trade; absent: none is known. */
		readonly lastTrade?: Price | undefined;
		/** Absent: no keyboard. */
		readonly keyHint?: KeyHint | undefined;
	};

/** The visible part of the series and its place: everything that does not depend on prices. */
export type ChartView = ReturnType<typeof createView>;

type Shown = {
	readonly candles: readonly Candle[];
	isGap(index: number): boolean;
	/** The last candle of the series in each of `candles`, as an index into the series. */
	endOf(index: number): number;
};

function shownOf(series: CandleSeries, merged: number): Shown {
	const {candles, period} = series;
	if (merged === 1) return {candles, isGap: index => isAfterGap(series, index), endOf: index => index};
	const groups = groupCandles(candles, period, period * merged);
	const lacking = [...(series.lacking ?? [])].map(time => indexAtTime(groups.candles, time));
	const gaps = new Set([...groups.gaps, ...lacking]);
	return {candles: groups.candles, isGap: index => gaps.has(index), endOf: index => groups.ends[index] ?? -1};
}

/** The legend of a low chart is shorter by this while something is measured, so that prices keep some rows. */
const rowsPerMeasureRow = 3;

/** The share of the columns that empty periods take at most. */
const mostEmpty = 0.25;

/** The last periods without a candle up to the one of `to`, at most so many, oldest first. */
function emptyPeriods(newest: Candle | undefined, to: number | undefined, period: Period, most: number) {
	if (!newest || to === undefined) return [];
	const missing = Math.max(periodsBetween(newest.time, to, period), 0);
	return Array.from({length: Math.min(missing, most)}, (_, before) =>
		startAfter(newest.time, period, missing - before),
	).toReversed();
}

/** The places of the candles in a chart of this size. There may be none. */
export function createView(input: ChartInput) {
	const {series, size, ascii, now, decimals, zoom, rightEdge, centre, cross, quietTo, zone} = input;
	const shown = shownOf(series, zoom.merged);
	const {candles} = shown;
	const period = series.period * zoom.merged;
	const labels = createPriceLabels({candles, decimals, ascii});
	const measureRows = measureRowsFor(input, size);
	const legendSize = {...size, rows: Math.max(size.rows - measureRows * rowsPerMeasureRow, 0)};
	const legendRows = measureRows + legendRowsFor(input, legendSize, labels.width);
	const profile = input.indicators.has('profile');
	const layout = chartLayout(size, {labelWidth: labels.width, legendRows, panes: paneShares(input), profile});
	const {timeColumns: columns} = layout;
	const empty = emptyPeriods(candles.at(-1), quietTo, period, Math.floor((columns / zoom.columns) * mostEmpty));
	const count = candles.length + empty.length;
	// A candle that begins before the series counts as the first one.
	const indexOf = (time: number): number => {
		const at = empty.findLastIndex(start => start <= time);
		return at < 0 ? Math.max(indexAtTime(candles, time), 0) : candles.length + at;
	};
	const endOf = (index: number): number => {
		const after = index - candles.length;
		return after < 0 ? shown.endOf(index) : series.candles.length + after;
	};
	const isGap = (index: number): boolean => index < candles.length && shown.isGap(index);
	const places = {count, isGap, columns, zoom: zoom.columns};
	const offsetOf = (edge: number | undefined): number => (edge === undefined ? 0 : count - 1 - indexOf(edge));
	const offset = centre === undefined ? offsetOf(rightEdge) : centredOffset(indexOf(centre), places);
	const timeScale = createTimeScale({...places, offset});
	const newest = candles.at(-1);
	const oldest = candles[timeScale.first];
	const forms = newest !== undefined && empty.length === 0 && offset === 0 && candleEnd(newest, period) > now;
	const newestShown = Math.min(timeScale.last, candles.length - 1);
	return {
		/** Traded prices, one candle per slot: merged if several share a column. */
		candles,
		/**
		 * The starts of the periods without a trade from the newest candle up to now, epoch ms, oldest first: the last ones, where not all
		 * have room. In the time scale they follow the candles.
		 */
		empty,
		/** Minutes of one of them. */
		period,
		/** The last candle of the series in each of `candles`, as an index into the series; of an empty period an index after it. */
		endOf,
		/** The start of a candle or of an empty period. */
		timeOf: (index: number): number | undefined => candles[index]?.time ?? empty[index - candles.length],
		timeScale,
		layout,
		/** The first of the legend's rows, for what is measured. */
		measureRows,
		/** The size for which the rest of the legend is laid out. */
		legendSize,
		labels,
		/** Of its times: UTC for candles of whole days, which are the exchange's days. */
		zone: zoneOfCandles(period, zone),
		/** Index of the forming candle, if it is visible. */
		forming: forms ? timeScale.last : undefined,
		/** Index of the candle, or of the empty period, under the crosshair. */
		cross: cross === undefined || candles.length === 0 ? undefined : indexOf(cross),
		/** Index of the newest visible candle. */
		newest: newestShown,
		/** Number of candles in the series newer than the visible ones. */
		newer: series.candles.length - 1 - endOf(newestShown),
		/** The series begins inside a session, and the view shows a mean of that session. */
		lacksMean: oldest !== undefined && lacksSessionStart(series, input, oldest.time),
		/** Epoch ms of the candle to show that is older than the series; undefined: there is none. */
		missing: isMissing(centre, series) ? centre : undefined,
	};
}

/** Whether the series may still get the candle of this time. Of trades, no older ones are known. */
const isMissing = (time: number | undefined, {candles, builtFrom}: CandleSeries): boolean =>
	time !== undefined && builtFrom !== 'trades' && time < (candles[0]?.time ?? 0);

/** The price under the crosshair; undefined: there is none. */
export function cursorPrice(series: CandleSeries, {cross, crossPrice, zoom}: ChartState): Price | undefined {
	if (cross === undefined || crossPrice !== undefined) return crossPrice;
	const {candles} = shownOf(series, zoom.merged);
	return candles[Math.max(indexAtTime(candles, cross), 0)]?.close;
}

/** The candles as the chart draws them: traded prices, or averages. */
export const drawnCandles = ({type}: ChartInput, {candles}: ChartView): Results<Candle> =>
	type === 'heikin-ashi' ? heikinAshi(candles) : candles;

/** Whether older candles are needed: for a time to show, for another screen to pan to, or for a mean that lacks its beginning. */
export const wantsOlder = ({candles, timeScale: {first, last}, lacksMean, missing}: ChartView): boolean =>
	candles.length === 0 || first <= last - first || lacksMean || missing !== undefined;

/** What places the view: the candle at its right edge, or the one in its middle. */
type Place = {readonly rightEdge: number | undefined; readonly centre: undefined};

/** Holds the view where it is, whatever is loaded later. */
export const heldPlace = (view: ChartView): Place => placeAt(view, view.timeScale.last);

/** The view after panning by `slots` (above 0: to the left). */
export function pannedPlace(view: ChartView, slots: number): Place {
	const {first, last} = view.timeScale;
	// The oldest candle does not move past the left edge.
	const left = Math.max(last - Math.min(slots, first), 0);
	return placeAt(view, slots > 0 ? left : last - slots);
}

/** How many candles and empty periods can be shown. */
export const slotsOf = ({candles, empty}: Pick<ChartView, 'candles' | 'empty'>): number =>
	candles.length + empty.length;

const placeAt = (view: ChartView, index: number): Place => ({
	rightEdge: index >= slotsOf(view) - 1 ? undefined : view.timeOf(Math.max(index, 0)),
	centre: undefined,
});

/** Moves the crosshair by `slots` to the right, and the view if the crosshair would leave it. At first it is at the newest visible candle. */
export function movedCross(view: ChartView, slots: number): Place & {readonly cross: number | undefined} {
	const {timeScale, cross = view.newest} = view;
	const {first, last} = timeScale;
	const index = clamp(cross + slots, 0, slotsOf(view) - 1);
	const right = index > last ? index : index < first ? Math.max(last - (first - index), 0) : last;
	return {cross: view.timeOf(index), ...placeAt(view, right)};
}

/** Whether prices are drawn by their logarithms: a footprint has one price step per row. */
export const isLogarithmic = ({log, type}: Pick<ChartState, 'log' | 'type'>): boolean => log && type !== 'footprint';

/** Least rows between round prices, in a chart with few rows and in others. */
const rowsPerTick = {few: 2, many: 3};
const fewRows = 12;
/** How far overlays may widen the prices' range, as a share of it: a mean far away must not flatten the candles. */
const overlayShare = 0.5;

/**
 * The scale of the prices: it fits the visible candles, and overlays that are near enough. `fitRange` keeps it still
 * while the chart keeps its width; asked twice for one input and view, it gives the same scale.
 */
export function chartScale(
	input: ChartInput,
	view: ChartView,
	fitRange: RangeFitter,
	drawn = drawnCandles(input, view),
	overlays = overlaysOf(input.series, input, input.complete ?? false),
): TickedScale & {readonly grid?: StepGrid} {
	const {type, decimals} = input;
	const log = isLogarithmic(input);
	const {period, layout, timeScale, endOf} = view;
	const {first, last} = timeScale;
	let low = Infinity;
	let high = -Infinity;
	for (let index = first; index <= last; index++) {
		const candle = drawn.at(index);
		if (!candle) continue;
		low = Math.min(low, type === 'line' ? candle.close : candle.low);
		high = Math.max(high, type === 'line' ? candle.close : candle.high);
	}

	// A footprint has a row for each price step, and none to spare.
	const air = type === 'footprint' ? 0 : (high - low) * overlayShare;
	const widest = {low: low - air, high: high + air};
	for (const {values} of overlays.flatMap(({curves}) => curves)) {
		for (let index = first; index <= last; index++) {
			const value = values.at(endOf(index));
			if (value === undefined) continue;
			low = Math.min(low, Math.max(value, widest.low));
			high = Math.max(high, Math.min(value, widest.high));
		}
	}

	const {priceRows: rows, timeColumns: columns} = layout;
	const range = fitRange({low, high}, {name: `${period} ${type} ${log} ${columns}`, log});
	if (type === 'footprint') return footprintScale(range, rows, decimals);
	return createTickedScale({...range, rows, decimals, log}, rowsPerTick[rows < fewRows ? 'few' : 'many']);
}
