import {padEnd, padStart} from '../../format/cells.ts';
import {formatAmount, formatPercent} from '../../format/number.ts';
import {formatDateTime} from '../../format/time.ts';
import type {Candle} from '../../market/types.ts';
import {fitLine, type Line, lineWidth, type Size, type Span, type Tone} from '../line.ts';
import type {ChartState} from './chart-state.ts';
import {curveSample} from './draw-curve.ts';
import type {Glyphs} from './glyphs.ts';
import {type Overlay, overlayShapes} from './indicator-curves.ts';
import type {PriceLabels} from './price-labels.ts';

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

const crossWidths = (labelWidth: number): readonly number[] => [
	timeWidth,
	changeWidth,
	volumeWidth,
	...Array.from({length: 4}, () => labelWidth + 2),
];

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
	const crossed = Math.min(rowsOf(crossWidths(labelWidth), columns).length, Math.floor(rows / 2));
	const prices = chart.cross === undefined ? (rows >= leastRowsForPrices ? 1 : 0) : crossed;
	const wanted = rowsOf(overlayWidths(chart, labelWidth), columns).length;
	const most = Math.min(Math.floor(rows / rowsPerOverlayRow), mostOverlayRows);
	return {prices, overlays: wanted > most ? Math.min(most, 1) : wanted};
}

export type LegendInput = {
	readonly chart: ChartState;
	readonly size: Size;
	/** The candle under the crosshair, else the newest in sight: traded prices. */
	readonly candle: Candle;
	readonly overlays: readonly Overlay[];
	/** Index of the candle in the overlays' values. */
	readonly at: number;
	/** Of the price. */
	readonly decimals: number;
	readonly labels: PriceLabels;
	readonly glyphs: Glyphs;
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

const volumePart = ({candle, ascii}: LegendInput): Line => [
	{text: 'V ', tone: 'muted'},
	{text: padEnd(formatAmount(candle.volume, {ascii}), volumeWidth - 2)},
];

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
	const time: Span = {text: formatDateTime(input.candle.time).slice(0, timeWidth), tone: 'accent'};
	const parts = [[time], changePart(input), volumePart(input), ...priceParts(input)];
	return rowsOf(crossWidths(input.labels.width), input.size.columns).map(row =>
		joined(row.flatMap(index => [parts[index] ?? []])),
	);
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
	const {at, decimals, labels, glyphs, ascii} = input;
	const style = curves.at(-1)?.style;
	const none = ascii ? '-' : '–';
	// An average has more digits than a price can have.
	const text = (value: number | undefined): string =>
		padStart(value === undefined ? none : labels.price(Number(value.toFixed(decimals))), labels.width);
	const values = withValues ? said.map((each): Span => ({text: ` ${text(each[at])}`})) : [];
	return [
		...(style ? [{text: curveSample(style, glyphs), tone: style.tone}] : []),
		{text: ` ${label}`, tone: style?.tone},
		...values,
	];
}
