import type {Size} from '../../../format/cells.ts';
import {formatAmount, formatExact, formatPercent, toDecimals} from '../../../format/number.ts';
import {formatSpan} from '../../../format/time.ts';
import {indexAtTime} from '../../../market/candle-groups.ts';
import {type CandleSeries, candleEnd, lacksTrades} from '../../../market/candles.ts';
import {sumDecimals} from '../../../market/precision.ts';
import type {Candle} from '../../../market/types.ts';
import {type Line, lineWidth, type Tone} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import type {PriceLabels} from '../../plot/price-axis.ts';
import type {ChartState} from './chart-state.ts';
import {joinedParts} from './legend.ts';

/** What lies between the mark and the crosshair: below 0, the crosshair is lower or older than the mark. */
export type Measured = {
	readonly change: number;
	/** Undefined: the mark is at no price above 0. */
	readonly percent: number | undefined;
	/** From one to the other: the older end is not counted, the newer one is. */
	readonly candles: number;
	readonly ms: number;
	/** Of these candles. */
	readonly volume: number;
	/** Trades may be missing from that volume. */
	readonly partial: boolean;
};

type Measurable = Pick<ChartState, 'mark' | 'crossPrice'> & {
	readonly series: CandleSeries;
	/** Decimals of the price. */
	readonly decimals: number;
};

type Place = {
	readonly candles: readonly Candle[];
	/** Index of the candle under the crosshair. */
	readonly cross?: number | undefined;
	/** The last candle of the series in each of `candles`, as an index into the series. */
	endOf(index: number): number;
};

/** Undefined: there is no mark, or no crosshair. */
export function measured(
	{series, mark, crossPrice, decimals}: Measurable,
	{candles, cross: crossed, endOf}: Place,
): Measured | undefined {
	// Periods without a trade have no candle.
	const cross = crossed === undefined ? undefined : Math.min(crossed, candles.length - 1);
	const candle = cross === undefined ? undefined : candles[cross];
	if (!mark || !candle || cross === undefined) return undefined;
	const at = Math.max(indexAtTime(candles, mark.time), 0);
	const between = series.candles.slice(endOf(Math.min(at, cross)) + 1, endOf(Math.max(at, cross)) + 1);
	const [first, last] = [between[0], between.at(-1)];
	const price = crossPrice ?? candle.close;
	return {
		change: toDecimals(price - mark.price, decimals),
		percent: mark.price > 0 ? (price / mark.price - 1) * 100 : undefined,
		candles: endOf(cross) - endOf(at),
		ms: candle.time - (candles[at]?.time ?? candle.time),
		volume: sumDecimals(between.map(({volume}) => volume)),
		partial:
			first !== undefined && last !== undefined && lacksTrades(series, first.time, candleEnd(last, series.period)),
	};
}

/** From this width on, one row has room for a whole measurement. */
const singleRowFrom = 64;

/** Rows above the legend for what is measured, at most a quarter of the chart's. */
export const measureRowsFor = ({mark, cross}: Pick<ChartState, 'mark' | 'cross'>, {columns, rows}: Size): number =>
	mark && cross !== undefined ? Math.min(columns >= singleRowFrom ? 1 : 2, Math.floor(rows / 4)) : 0;

/**
 * `Δ +130.00  +0.21 %  12 candles  12 h  V 345.6` in one row, or prices above times in two; the last parts of a row are left
 * out where they have no room.
 */
export function measureLines(
	measurement: Measured,
	{columns, rows}: Size,
	labels: PriceLabels,
	ascii: boolean,
): readonly Line[] {
	const [prices, times] = measureParts(measurement, labels, ascii);
	const groups = rows > 1 ? [prices, times] : [[...prices, ...times]];
	return groups.slice(0, rows).map(parts => {
		const fitting = parts.map((_, left) => joinedParts(parts.slice(0, parts.length - left)));
		return fitting.find(line => lineWidth(line) <= columns) ?? [];
	});
}

function measureParts({change, percent, candles, ms, volume, partial}: Measured, labels: PriceLabels, ascii: boolean) {
	const marks = marksFor(ascii);
	const minus = formatExact(-1, {ascii}).slice(0, 1);
	const sign = change > 0 ? marks.plus : change < 0 ? minus : '';
	const tone: Tone = change > 0 ? 'up' : change < 0 ? 'down' : 'plain';
	const older = ms < 0 ? minus : '';
	const prices: readonly Line[] = [
		[
			{text: `${marks.delta} `, tone: 'accent'},
			{text: sign + labels.price(Math.abs(change)).trim(), tone},
		],
		[{text: formatPercent(percent, {ascii}), tone}],
	];
	const times: readonly Line[] = [
		[{text: `${formatExact(candles, {ascii})} ${Math.abs(candles) === 1 ? 'candle' : 'candles'}`}],
		[{text: older + formatSpan(Math.abs(ms))}],
		[
			{text: partial ? `V${marks.atLeast}` : 'V ', tone: partial ? 'warn' : 'muted'},
			{text: formatAmount(volume, {ascii})},
		],
	];
	return [prices, times] as const;
}
