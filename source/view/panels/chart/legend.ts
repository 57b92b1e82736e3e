import {padEnd, padStart, type Size} from '../../../format/cells.ts';
import {formatAmount, formatExact, formatPercent, toDecimals} from '../../../format/number.ts';
import {formatDateTime, formatSpan} from '../../../format/time.ts';
import type {Zone} from '../../../format/zone.ts';
import {indexAtTime} from '../../../market/candle-groups.ts';
import {type CandleSeries, candleEnd, lacksTrades} from '../../../market/candles.ts';
import {sumDecimals} from '../../../market/precision.ts';
import type {Candle} from '../../../market/types.ts';
import {type Drawing, fitLine, type Line, lineWidth, type Span, type Tone} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {curveSample} from '../../plot/curves.ts';
import type {PriceLabels} from '../../plot/price-axis.ts';
import type {ChartState} from './chart-state.ts';
import {type Overlay, overlayShapes} from './indicator-curves.ts';

const leastRowsForPrices = 14;
const rowsPerOverlayRow = 8;
const mostOverlayRows = 3;
const sampleWidth = 3;
/** Widths of `2024-08-09 14:00`, then without its year, then only the time: the longest that fits is shown. */
const timeWidths = [16, 11, 5];
const changeWidth = 10;
const volumeWidth = 10;
const gap = '  ';
const betweenValues = ' / ';

/** Wraps parts into rows, as many per row as fit. Their widths are fixed, so that numbers do not move while they change. */
function wrapParts<Part extends {readonly width: number}>(parts: readonly Part[], columns: number): readonly Part[][] {
	const rows: Part[][] = [];
	// The first part opens the first row.
	let used = Infinity;
	for (const part of parts) {
		used += gap.length + part.width;
		if (used > columns) {
			rows.push([]);
			used = part.width;
		}

		rows.at(-1)?.push(part);
	}

	return rows;
}

type LegendChart = ChartState & {readonly ascii: boolean};

/** The parts of a candle, in the order in which they stand. The crosshair's candle has its time, averages a note that the prices are traded ones. */
const partNames = ['traded', 'time', 'change', 'volume', 'open', 'high', 'low', 'close'] as const;
type PartName = (typeof partNames)[number];
/** What a row too narrow for all parts keeps longest comes first. High and low fall away together. */
const keptLongest: ReadonlyArray<readonly PartName[]> = [
	['time'],
	['close'],
	['high', 'low'],
	['open'],
	['change'],
	['volume'],
	['traded'],
];

/**
 * The most parts for which `fits` holds, in order. They fall away one after the other: where one has no room, no later one of
 * `keptLongest` is shown, so that a narrower row never shows a part that a wider one lacks.
 */
function fittingParts(wanted: readonly PartName[], fits: (names: readonly PartName[]) => boolean): readonly PartName[] {
	let kept: readonly PartName[] = [];
	for (const group of keptLongest) {
		const next = partNames.filter(name => kept.includes(name) || (group.includes(name) && wanted.includes(name)));
		if (!fits(next)) break;
		kept = next;
	}

	return kept;
}

const pricesOf = (chart: ChartState): readonly PartName[] =>
	chart.type === 'heikin-ashi' ? partNames.filter(name => name !== 'time') : partNames.slice(2);

/** The parts of the crosshair's candle and their places, row by row: as many parts as have room in half of the rows. */
function crossRows(labelWidth: number, {columns, rows}: Size) {
	const price = labelWidth + 2;
	const widths: Readonly<Record<PartName, number>> = {
		...{time: timeWidths.find(width => width <= columns) ?? Infinity, change: changeWidth, volume: volumeWidth},
		...{open: price, high: price, low: price, close: price, traded: Infinity},
	};
	const wrapped = (names: readonly PartName[]) =>
		wrapParts(
			names.map(name => ({name, width: widths[name]})),
			columns,
		);
	const fits = (names: readonly PartName[]): boolean =>
		names.every(name => widths[name] <= columns) && wrapped(names).length <= Math.floor(rows / 2);
	return wrapped(fittingParts(partNames.slice(1), fits));
}

/** The parts of the overlays (samples, names and values), row by row; undefined where one is wider than a row. */
function overlayRows(chart: LegendChart, labelWidth: number, {columns}: Size) {
	const widths = overlayShapes(chart).map(({letters, label, values}) => {
		const sample = chart.ascii ? letters : sampleWidth;
		return sample + 1 + label + values * (1 + labelWidth) + (values - 1) * (betweenValues.length - 1);
	});
	if (widths.some(width => width > columns)) return undefined;
	return wrapParts(
		widths.map((width, index) => ({index, width})),
		columns,
	);
}

/**
 * Number of rows above the prices. The crosshair's candle takes as many as it needs, other legends one if there is room;
 * overlays take up to three with values, or one without.
 */
export function legendRowsFor(chart: LegendChart, size: Size, labelWidth: number): number {
	const {prices, overlays} = legendRows(chart, size, labelWidth);
	return prices + overlays;
}

function legendRows(chart: LegendChart, size: Size, labelWidth: number): {prices: number; overlays: number} {
	const ofNewest = size.rows >= leastRowsForPrices ? 1 : 0;
	const prices = chart.cross === undefined ? ofNewest : crossRows(labelWidth, size).length;
	const needed = overlayRows(chart, labelWidth, size)?.length ?? Infinity;
	const most = Math.min(Math.floor(size.rows / rowsPerOverlayRow), mostOverlayRows);
	return {prices, overlays: needed > most ? Math.min(most, 1) : needed};
}

export type LegendInput = Drawing & {
	readonly chart: ChartState;
	/** The candle under the crosshair, else the newest visible one: traded prices. */
	readonly candle: Candle;
	/** Start of the period without a trade under the crosshair, epoch ms; absent: there is a candle. */
	readonly emptyAt?: number | undefined;
	/** Trades may be missing from that candle. */
	readonly partial: boolean;
	readonly overlays: readonly Overlay[];
	/** Index of the candle in the overlays' values. */
	readonly at: number;
	/** Decimals of the price. */
	readonly decimals: number;
	readonly labels: PriceLabels;
};

/** The legend, in `legendRowsFor` rows. The places of numbers are fixed, so that they do not move while they change. */
export function legendLines(input: LegendInput): readonly Line[] {
	const {chart, size, labels, ascii} = input;
	const {prices, overlays} = legendRows({...chart, ascii}, size, labels.width);
	const above = chart.cross === undefined ? [pricesLine(input)] : crossLines(input);
	const shown = input.emptyAt === undefined ? above : emptyLines(input.emptyAt, input, prices);
	return [...shown.slice(0, prices), ...overlayLines(input, overlays)];
}

/** In place of a candle, in as many rows: `2024-08-09 14:00  no trades`. */
function emptyLines(time: number, {size, zone}: LegendInput, rows: number): readonly Line[] {
	const none: Line = [{text: 'no trades', tone: 'warn'}];
	const texts = timeWidths.map((width): Line => joinedParts([timePart(time, width, zone), none]));
	const line = [...texts, none].find(each => lineWidth(each) <= size.columns) ?? [];
	return Array.from({length: rows}, (_, row) => (row === 0 ? line : []));
}

const timePart = (time: number, width: number, zone?: Zone): Line => [
	{text: formatDateTime(time, zone).slice(0, timeWidths[0]).slice(-width), tone: 'accent'},
];

/** What is written of a part. `timeWidth`: how much of the time there is room for. */
type WritePart = (input: LegendInput, timeWidth?: number) => Line;

const pricePart =
	(name: 'open' | 'high' | 'low' | 'close'): WritePart =>
	({candle, labels}) => [
		{text: `${name.charAt(0).toUpperCase()} `, tone: 'muted'},
		{text: padStart(labels.price(candle[name]), labels.width)},
	];

const writeParts: Readonly<Record<PartName, WritePart>> = {
	traded: () => [{text: 'traded', tone: 'muted'}],
	time: ({candle, zone}, width = 0) => timePart(candle.time, width, zone),
	change({candle: {open, close}, ascii}) {
		const percent = open > 0 ? (close / open - 1) * 100 : undefined;
		return [{text: padStart(formatPercent(percent, {ascii}), changeWidth), tone: movedTone(close - open)}];
	},
	volume({candle, partial, ascii}) {
		const [label, {text}] = volumeSpans(candle.volume, partial, ascii);
		return [label, {text: padEnd(text, volumeWidth - label.text.length)}];
	},
	...{open: pricePart('open'), high: pricePart('high'), low: pricePart('low'), close: pricePart('close')},
};

const movedTone = (change: number): Tone => (change > 0 ? 'up' : change < 0 ? 'down' : 'plain');

/** `V 345.6`, and `V≥345.6` where trades may be missing. */
const volumeSpans = (volume: number, partial: boolean, ascii: boolean): readonly [label: Span, amount: Span] => [
	partial ? {text: `V${marksFor(ascii).atLeast}`, tone: 'warn'} : {text: 'V ', tone: 'muted'},
	{text: formatAmount(volume, {ascii})},
];

/** Parts side by side, with space between. */
const joinedParts = (parts: readonly Line[]): Line =>
	parts.flatMap((part, index) => [...(index > 0 ? [{text: gap}] : []), ...part]);

/** The newest visible candle in one row. */
function pricesLine(input: LegendInput): Line {
	const lineOf = (names: readonly PartName[]): Line => joinedParts(names.map(name => writeParts[name](input)));
	return lineOf(fittingParts(pricesOf(input.chart), names => lineWidth(lineOf(names)) <= input.size.columns));
}

function crossLines(input: LegendInput): readonly Line[] {
	const {labels, size, ascii} = input;
	return crossRows(labels.width, size).map(row => {
		const parts = row.map(({name, width}) => ({line: writeParts[name](input, width), width}));
		const whole = joinedParts(parts.map(({line}) => line));
		if (lineWidth(whole) <= size.columns) return whole;
		return joinedParts(
			parts.map(({line, width}) => (lineWidth(line) > width ? withoutNumber(line, width, ascii) : line)),
		);
	});
}

/** Stands for a volume or a change that is wider than its place. */
const withoutNumber = (part: Line, width: number, ascii: boolean): Line =>
	fitLine([...part.slice(0, -1), {text: marksFor(ascii).ellipsis, tone: 'muted'}], width);

/**
 * Sample, name and values of each overlay, in places that fit the longest texts, else in one row. If they do not fit, the names, else
 * as many brief names as fit into one row.
 */
function overlayLines(input: LegendInput, rows: number): readonly Line[] {
	const {overlays, size, chart, labels, ascii} = input;
	const places = overlayRows({...chart, ascii}, labels.width, size);
	const parts = overlays.map(of => [...namePart(of, ascii), ...valueParts(of, input)]);
	if (places && places.length <= rows)
		return places.map(row => joinedParts(row.map(({index, width}) => fitLine(parts[index] ?? [], width))));

	const names = overlays.map(overlay => namePart(overlay, ascii));
	const brief = overlays.map(overlay => namePart({...overlay, label: overlay.brief}, ascii));
	const more: Line = [{text: marksFor(ascii).ellipsis, tone: 'muted'}];
	const shorter = brief.map((_, left) => [...brief.slice(0, brief.length - 1 - left), more]);
	const fitting = [parts, names, brief, ...shorter].map(joinedParts);
	return [fitting.find(line => lineWidth(line) <= size.columns) ?? []].slice(0, rows);
}

function namePart({label, letters, curves}: Overlay, ascii: boolean): Line {
	const style = curves.at(-1)?.style;
	const sample = ascii || !style ? letters : curveSample(style, ascii);
	return [{text: `${sample} ${label}`, tone: style?.tone}];
}

function valueParts({listed}: Overlay, {at, decimals, labels, ascii}: LegendInput): Line {
	// An average has more digits than a price.
	const text = (value: number | undefined): string =>
		value === undefined ? marksFor(ascii).none : labels.price(toDecimals(value, decimals));
	return listed.map((values, index) => ({
		text: `${index === 0 ? ' ' : betweenValues}${padStart(text(values.at(at)), labels.width)}`,
	}));
}

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

/** What lies between the mark and the crosshair: below 0, the crosshair is lower or older than the mark. Undefined: there is no mark, or no crosshair. */
export function measured({series, mark, crossPrice, decimals}: Measurable, {candles, cross: crossed, endOf}: Place) {
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
		/** Undefined: the mark is at no price above 0. */
		percent: mark.price > 0 ? (price / mark.price - 1) * 100 : undefined,
		/** From one to the other: the older end is not counted, the newer one is. */
		candles: endOf(cross) - endOf(at),
		ms: candle.time - (candles[at]?.time ?? candle.time),
		/** Of these candles. */
		volume: sumDecimals(between.map(({volume}) => volume)),
		/** Trades may be missing from that volume. */
		partial:
			first !== undefined && last !== undefined && lacksTrades(series, first.time, candleEnd(last, series.period)),
	};
}

type Measured = NonNullable<ReturnType<typeof measured>>;

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
	const tone = movedTone(change);
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
		volumeSpans(volume, partial, ascii),
	];
	return [prices, times] as const;
}
