import {padEnd, padStart} from '../../../format/cells.ts';
import {formatAmount, formatPercent} from '../../../format/number.ts';
import {formatDateTime} from '../../../format/time.ts';
import type {Candle} from '../../../market/types.ts';
import {fitLine, type Line, lineWidth, type Size, type Span, type Tone} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {curveSample} from '../../plot/curves.ts';
import type {PriceLabels} from '../../plot/price-axis.ts';
import type {ChartState} from './chart-state.ts';
import {type Overlay, overlayShapes} from './indicator-curves.ts';

const leastRowsForPrices = 14;
const rowsPerOverlayRow = 9;
const mostOverlayRows = 3;
const sampleWidth = 3;
const timeWidth = 16;
const changeWidth = 10;
const volumeWidth = 10;
const gap = '  ';

/** Parts of a fixed width, so that numbers stand still: their indexes, row by row, as many to a row as fit. */
function rowsOf(widths: readonly number[], columns: number): readonly number[][] {
	const rows: number[][] = [];
	// The first part opens the first row.
	let used = Infinity;
	for (const [index, width] of widths.entries()) {
		used += gap.length + width;
		if (used > columns) {
			rows.push([]);
			used = width;
		}

		rows.at(-1)?.push(index);
	}

	return rows;
}

const crossParts = ['time', 'change', 'volume', 'open', 'high', 'low', 'close'] as const;
type CrossPart = (typeof crossParts)[number];
/** What is worth more where there is no room for all. */
const crossPriority: readonly CrossPart[] = ['time', 'close', 'change', 'open', 'high', 'low', 'volume'];
/** Of the crosshair's time, from long to short: the longest that fits is shown. */
const timeForms = [{from: 0}, {from: 5}, {from: 11}].map(({from}) => ({from, width: timeWidth - from}));

/** The parts of the crosshair's candle, row by row: all of them, or the most important where there are too few rows. */
function crossRows(labelWidth: number, {columns, rows}: Size): readonly CrossPart[][] {
	const most = Math.floor(rows / 2);
	const widths: Readonly<Record<CrossPart, number>> = {
		...{time: timeForms.find(({width}) => width <= columns)?.width ?? columns + 1},
		...{change: changeWidth, volume: volumeWidth},
		...{open: labelWidth + 2, high: labelWidth + 2, low: labelWidth + 2, close: labelWidth + 2},
	};
	const laidOut = (parts: readonly CrossPart[]): readonly CrossPart[][] => {
		const fitting = parts.filter(part => widths[part] <= columns);
		const indexes = rowsOf(
			fitting.map(part => widths[part]),
			columns,
		);
		return indexes.map(row => row.flatMap(index => fitting[index] ?? []));
	};
	const all = laidOut(crossParts);
	return all.length <= most ? all : laidOut(crossPriority).slice(0, most);
}

/** Cells of each overlay's sample, name and values. */
const overlayWidths = ({indicators}: ChartState, labelWidth: number): readonly number[] =>
	overlayShapes(indicators).map(({label, values}) => sampleWidth + 1 + label + values * (labelWidth + 1));

/**
 * Rows above the prices: the crosshair's candle in as many as it takes, else one where there is room; overlays with their
 * values in up to three, or in one without.
 */
export function legendRowsFor(chart: ChartState, size: Size, labelWidth: number): number {
	const {prices, overlays} = legendRows(chart, size, labelWidth);
	return prices + overlays;
}

function legendRows(chart: ChartState, {columns, rows}: Size, labelWidth: number): {prices: number; overlays: number} {
	const ofNewest = rows >= leastRowsForPrices ? 1 : 0;
	const prices = chart.cross === undefined ? ofNewest : crossRows(labelWidth, {columns, rows}).length;
	const wanted = rowsOf(overlayWidths(chart, labelWidth), columns).length;
	const most = Math.min(Math.floor(rows / rowsPerOverlayRow), mostOverlayRows);
	return {prices, overlays: wanted > most ? Math.min(most, 1) : wanted};
}

export type LegendInput = {
	readonly chart: ChartState;
	readonly size: Size;
	/** The candle under the crosshair, else the newest in sight: traded prices. */
	readonly candle: Candle;
	/** Trades may be missing from that candle. */
	readonly partial: boolean;
	readonly overlays: readonly Overlay[];
	/** Index of the candle in the overlays' values. */
	readonly at: number;
	/** Of the price. */
	readonly decimals: number;
	readonly labels: PriceLabels;
	readonly ascii: boolean;
};

/** As many rows as `legendRowsFor` says. */
export function legendLines(input: LegendInput): readonly Line[] {
	const {chart, size, labels} = input;
	const {prices, overlays} = legendRows(chart, size, labels.width);
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

/** The first of these that fits: open, high, low, close and what follows; the close and what follows; the close. */
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
	const from = timeForms.find(({width}) => width <= size.columns)?.from ?? 0;
	const time: Span = {text: formatDateTime(candle.time).slice(from, timeWidth), tone: 'accent'};
	const [open = [], high = [], low = [], close = []] = priceParts(input);
	const parts: Readonly<Record<CrossPart, Line>> = {
		...{time: [time], change: changePart(input), volume: volumePart(input)},
		...{open, high, low, close},
	};
	return crossRows(labels.width, size).map(row => {
		const shown = row.map(part => parts[part]);
		// A volume can have more digits than its place has cells.
		while (lineWidth(joined(shown)) > size.columns) shown.pop();
		return joined(shown);
	});
}

/** Sample, name and values of each overlay; in one row too short for all, as many names as fit. */
function overlayLines(input: LegendInput, rows: number): readonly Line[] {
	const {overlays, size, chart, labels} = input;
	const widths = overlayWidths(chart, labels.width);
	const wrapped = rowsOf(widths, size.columns);
	if (wrapped.length <= rows) {
		const parts = overlays.map(overlay => overlayPart(overlay, true, input));
		const padded = parts.map((part, index) => fitLine(part, widths[index] ?? 0));
		return wrapped.map(row => joined(row.flatMap(index => [padded[index] ?? []])));
	}

	const names = overlays.map(overlay => overlayPart(overlay, false, input));
	const fitting = names.map((_, left) => joined(names.slice(0, names.length - left)));
	return [fitting.find(line => lineWidth(line) <= size.columns) ?? []].slice(0, rows);
}

function overlayPart({label, curves, said}: Overlay, withValues: boolean, input: LegendInput): Line {
	const {at, decimals, labels, ascii} = input;
	const style = curves.at(-1)?.style;
	const none = ascii ? '-' : '–';
	// An average has more digits than a price can have.
	const text = (value: number | undefined): string =>
		padStart(value === undefined ? none : labels.price(Number(value.toFixed(decimals))), labels.width);
	const values = withValues ? said.map((each): Span => ({text: ` ${text(each.at(at))}`})) : [];
	return [
		...(style ? [{text: curveSample(style, ascii), tone: style.tone}] : []),
		{text: ` ${label}`, tone: style?.tone},
		...values,
	];
}
