import type {Size} from '../../../format/cells.ts';
import {type Zone, zoneOfCandles} from '../../../format/zone.ts';
import {groupCandles, heikinAshi, indexAtTime} from '../../../market/candle-groups.ts';
import {type CandleSeries, candleEnd, isAfterGap} from '../../../market/candles.ts';
import type {Results} from '../../../market/follow.ts';
import {clamp} from '../../../market/numbers.ts';
import type {Candle, Period} from '../../../market/types.ts';
import type {DrawnLevel} from '../../drawn-levels.ts';
import type {KeyHint} from '../../keys.ts';
import {createPriceLabels, type PriceLabels} from '../../plot/price-axis.ts';
import type {Price} from '../../plot/price-scale.ts';
import {centredOffset, createTimeScale, type TimeScale} from '../../plot/time-scale.ts';
import {type ChartLayout, chartLayout} from './chart-layout.ts';
import type {ChartState} from './chart-state.ts';
import type {Touch} from './draw-axes.ts';
import {lacksSessionStart, paneShares} from './indicator-curves.ts';
import {legendRowsFor} from './legend.ts';
import {measureRowsFor} from './measure.ts';

export type ChartInput = ChartState & {
	readonly series: CandleSeries;
	/** The exchange has no candles before the first of the series. Absent: it may have some. */
	readonly complete?: boolean | undefined;
	/** Size inside the panel's border. */
	readonly size: Size;
	readonly ascii: boolean;
	/** Epoch ms by the exchange's clock: a candle that ends later is still forming. */
	readonly now: number;
	/** Decimals of the market's price. */
	readonly decimals: number;
	/** Best prices of the book, each drawn as a line. */
	readonly touch?: Touch | undefined;
	/** Prices at which alerts have levels. Default: none. */
	readonly levels?: readonly Price[] | undefined;
	/** Levels that the user drew. Default: none. */
	readonly drawnLevels?: readonly DrawnLevel[] | undefined;
	/** Price of the last trade; absent: none is known. */
	readonly lastTrade?: Price | undefined;
	/** Absent: no keyboard. */
	readonly keyHint?: KeyHint | undefined;
	/** Of times of day. Default UTC. */
	readonly zone?: Zone | undefined;
};

/** The visible part of the series and its place: everything that does not depend on prices. */
export type ChartView = {
	/** Traded prices, one candle per slot: merged if several share a column. */
	readonly candles: readonly Candle[];
	/** Minutes of one of them. */
	readonly period: Period;
	/** The last candle of the series in each of `candles`, as an index into the series. */
	endOf(index: number): number;
	readonly timeScale: TimeScale;
	readonly layout: ChartLayout;
	/** The first of the legend's rows, for what is measured. */
	readonly measureRows: number;
	/** The size for which the rest of the legend is laid out. */
	readonly legendSize: Size;
	readonly labels: PriceLabels;
	/** Of its times: UTC for candles of whole days, which are the exchange's days. */
	readonly zone: Zone;
	/** Index of the forming candle, if it is visible. */
	readonly forming?: number | undefined;
	/** Index of the candle under the crosshair. */
	readonly cross?: number | undefined;
	/** Number of candles in the series newer than the visible ones. */
	readonly newer: number;
	/** The series begins inside a session, and the view shows a mean of that session. */
	readonly lacksMean: boolean;
	/** Epoch ms of the candle to show that is older than the series; absent: there is none. */
	readonly missing?: number | undefined;
};

type Shown = Pick<ChartView, 'candles' | 'endOf'> & {isGap(index: number): boolean};

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

/** The places of the candles in a chart of this size. There may be none. */
export function createView(input: ChartInput): ChartView {
	const {series, size, ascii, now, decimals, zoom, rightEdge, centre, cross, zone} = input;
	const {candles, isGap, endOf} = shownOf(series, zoom.merged);
	const count = candles.length;
	const period = series.period * zoom.merged;
	const labels = createPriceLabels({candles, decimals, ascii});
	const measureRows = measureRowsFor(input, size);
	const legendSize = {...size, rows: Math.max(size.rows - measureRows * rowsPerMeasureRow, 0)};
	const legendRows = measureRows + legendRowsFor(input, legendSize, labels.width);
	const profile = input.indicators.has('profile');
	const layout = chartLayout(size, {labelWidth: labels.width, legendRows, panes: paneShares(input), profile});
	// A candle that begins before the series counts as the first one.
	const indexOf = (time: number): number => Math.max(indexAtTime(candles, time), 0);
	const places = {count, isGap, columns: layout.timeColumns, zoom: zoom.columns};
	const offsetOf = (edge: number | undefined): number => (edge === undefined ? 0 : count - 1 - indexOf(edge));
	const offset = centre === undefined ? offsetOf(rightEdge) : centredOffset(indexOf(centre), places);
	const timeScale = createTimeScale({...places, offset});
	const newest = candles.at(-1);
	const oldest = candles[timeScale.first];
	const forms = newest !== undefined && offset === 0 && candleEnd(newest, period) > now;
	return {
		candles,
		period,
		endOf,
		timeScale,
		layout,
		measureRows,
		legendSize,
		labels,
		zone: zoneOfCandles(period, zone),
		forming: forms ? timeScale.last : undefined,
		cross: cross === undefined || count === 0 ? undefined : indexOf(cross),
		newer: series.candles.length - 1 - endOf(timeScale.last),
		lacksMean: oldest !== undefined && lacksSessionStart(series, input, oldest.time),
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
export const heldPlace = ({candles, timeScale}: ChartView): Place => placeAt(candles, timeScale.last);

/** The view after panning by `slots` (above 0: to the left). */
export function pannedPlace({candles, timeScale: {first, last}}: ChartView, slots: number): Place {
	// The oldest candle does not move past the left edge.
	const left = Math.max(last - Math.min(slots, first), 0);
	return placeAt(candles, slots > 0 ? left : last - slots);
}

const placeAt = (candles: readonly Candle[], index: number): Place => ({
	rightEdge: index >= candles.length - 1 ? undefined : candles[Math.max(index, 0)]?.time,
	centre: undefined,
});

/** Moves the crosshair by `slots` to the right, and the view if the crosshair would leave it. */
export function movedCross(view: ChartView, slots: number): Place & {readonly cross: number | undefined} {
	const {candles, timeScale, cross} = view;
	const {first, last} = timeScale;
	const index = clamp((cross ?? last) + slots, 0, candles.length - 1);
	const right = index > last ? index : index < first ? Math.max(last - (first - index), 0) : last;
	return {cross: candles[index]?.time, ...placeAt(candles, right)};
}
