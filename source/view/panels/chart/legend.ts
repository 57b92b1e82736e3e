import {padEnd, padStart, type Size} from '../../../format/cells.ts';
import {formatAmount, formatPercent} from '../../../format/number.ts';
import {formatDateTime} from '../../../format/time.ts';
import type {Candle} from '../../../market/types.ts';
import {fitLine, type Line, lineWidth, type Tone} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {curveSample} from '../../plot/curves.ts';
import type {PriceLabels} from '../../plot/price-axis.ts';
import type {ChartState} from './chart-state.ts';
import {briefLabel, type Overlay, overlayShapes} from './indicator-curves.ts';

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

const crossParts = ['time', 'change', 'volume', 'open', 'high', 'low', 'close'] as const;
type CrossPart = (typeof crossParts)[number];
/** Parts by importance, for a legend without room for all. */
const crossPriority: readonly CrossPart[] = ['time', 'close', 'change', 'open', 'high', 'low', 'volume'];

/** The parts of the crosshair's candle, row by row: all, or the most important if there are too few rows. */
function crossRows(labelWidth: number, {columns, rows}: Size) {
	const most = Math.floor(rows / 2);
	const price = labelWidth + 2;
	const widths: Readonly<Record<CrossPart, number>> = {
		...{time: timeWidths.find(width => width <= columns) ?? Infinity, change: changeWidth, volume: volumeWidth},
		...{open: price, high: price, low: price, close: price},
	};
	const wrapped = (names: readonly CrossPart[]) =>
		wrapParts(
			names.map(name => ({name, width: widths[name]})).filter(({width}) => width <= columns),
			columns,
		);
	const all = wrapped(crossParts);
	return all.length <= most ? all : wrapped(crossPriority).slice(0, most);
}

/** The parts of the overlays (samples, names and values), row by row; undefined where one is wider than a row. */
function overlayRows({indicators, ascii}: LegendChart, labelWidth: number, {columns}: Size) {
	const widths = overlayShapes(indicators).map(({letters, label, values}) => {
		const sample = ascii ? letters : sampleWidth;
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

export type LegendInput = {
	readonly chart: ChartState;
	readonly size: Size;
	/** The candle under the crosshair, else the newest visible one: traded prices. */
	readonly candle: Candle;
	/** Trades may be missing from that candle. */
	readonly partial: boolean;
	readonly overlays: readonly Overlay[];
	/** Index of the candle in the overlays' values. */
	readonly at: number;
	/** Decimals of the price. */
	readonly decimals: number;
	readonly labels: PriceLabels;
	readonly ascii: boolean;
};

/** The legend, in `legendRowsFor` rows. The places of numbers are fixed, so that they do not move while they change. */
export function legendLines(input: LegendInput): readonly Line[] {
	const {chart, size, labels, ascii} = input;
	const {prices, overlays} = legendRows({...chart, ascii}, size, labels.width);
	const above = chart.cross === undefined ? [pricesLine(input)] : crossLines(input);
	return [...above.slice(0, prices), ...overlayLines(input, overlays)];
}

function priceParts({candle, labels}: LegendInput): readonly Line[] {
	const values = [
		['O', candle.open],
		['H', candle.high],
		['L', candle.low],
		['C', candle.close],
	] as const;
	return values.map(([name, value]) => [
		{text: `${name} `, tone: 'muted'},
		{text: padStart(labels.price(value), labels.width)},
	]);
}

function changePart({candle: {open, close}, ascii}: LegendInput): Line {
	const tone: Tone = close > open ? 'up' : close < open ? 'down' : 'plain';
	const percent = open > 0 ? (close / open - 1) * 100 : undefined;
	return [{text: padStart(formatPercent(percent, {ascii}), changeWidth), tone}];
}

function volumePart({candle, partial, ascii}: LegendInput): Line {
	const label = partial ? `V${marksFor(ascii).atLeast}` : 'V ';
	return [
		{text: label, tone: partial ? 'warn' : 'muted'},
		{text: padEnd(formatAmount(candle.volume, {ascii}), volumeWidth - label.length)},
	];
}

const joined = (parts: readonly Line[]): Line =>
	parts.flatMap((part, index) => [...(index > 0 ? [{text: gap}] : []), ...part]);

/** The first of these that fits: open, high, low, close and the rest; close and the rest; close alone. */
function pricesLine(input: LegendInput): Line {
	const {size} = input;
	const prices = priceParts(input);
	const rest = [changePart(input), volumePart(input)];
	const close = prices.slice(-1);
	const traded: Line = input.chart.type === 'heikin-ashi' ? [{text: 'traded', tone: 'muted'}] : [];
	const candidates = [
		[traded, ...prices, ...rest],
		[...prices, ...rest],
		[...prices, ...rest.slice(0, 1)],
		prices,
		[...close, ...rest],
		close,
	].map(parts => joined(parts.filter(part => part.length > 0)));
	return candidates.find(line => lineWidth(line) <= size.columns) ?? [];
}

function crossLines(input: LegendInput): readonly Line[] {
	const {candle, labels, size} = input;
	const timeText = formatDateTime(candle.time).slice(0, timeWidths[0]);
	const [open = [], high = [], low = [], close = []] = priceParts(input);
	return crossRows(labels.width, size).map(row => {
		const shown = row.map(({name, width}): Line => {
			const time: Line = [{text: timeText.slice(-width), tone: 'accent'}];
			return {time, change: changePart(input), volume: volumePart(input), open, high, low, close}[name];
		});
		// A volume can be wider than its place.
		while (lineWidth(joined(shown)) > size.columns) shown.pop();
		return joined(shown);
	});
}

/** Sample, name and values of each overlay. If they do not fit, the names, else as many brief names as fit into one row. */
function overlayLines(input: LegendInput, rows: number): readonly Line[] {
	const {overlays, size, chart, labels, ascii} = input;
	const places = overlayRows({...chart, ascii}, labels.width, size);
	if (places && places.length <= rows) {
		const parts = overlays.map(of => [...namePart(of, ascii), ...valueParts(of, input)]);
		return places.map(row => joined(row.map(({index, width}) => fitLine(parts[index] ?? [], width))));
	}

	const names = overlays.map(overlay => namePart(overlay, ascii));
	const brief = overlays.map(overlay => namePart({...overlay, label: briefLabel(overlay.label)}, ascii));
	const fitting = [names, ...brief.map((_, left) => brief.slice(0, brief.length - left))].map(joined);
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
		value === undefined ? marksFor(ascii).none : labels.price(Number(value.toFixed(decimals)));
	return listed.map((values, index) => ({
		text: `${index === 0 ? ' ' : betweenValues}${padStart(text(values.at(at)), labels.width)}`,
	}));
}
