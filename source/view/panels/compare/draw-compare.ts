import {padEnd, padStart, type Size, textWidth} from '../../../format/cells.ts';
import {formatPercent, formatPrice} from '../../../format/number.ts';
import {utc, zoneLabel} from '../../../format/zone.ts';
import {clamp} from '../../../market/numbers.ts';
import {stepStarts} from '../../../market/performance.ts';
import type {Drawing} from '../../line.ts';
import {type Line, seriesTones, type Tone} from '../../line.ts';
import {type Canvas, createCanvas} from '../../plot/canvas.ts';
import {drawAsciiLine, type PlottedCurve} from '../../plot/curves.ts';
import {drawCurves} from '../../plot/layers.ts';
import {createTickedScale, enclosingTicks, type TickedScale} from '../../plot/price-axis.ts';
import type {PriceScale} from '../../plot/price-scale.ts';
import {priceRange} from '../../plot/sparkline.ts';
import {dayTime, startAround, timeLabels} from '../../plot/time-labels.ts';
import {createTimeScale} from '../../plot/time-scale.ts';
import {glyphsFor} from '../chart/glyphs.ts';
import {type CompareView, columnOfStep, stepAt} from './compare-view.ts';

/** As many as there are colours. */
export const mostCompared = seriesTones.length;

/** One market of a comparison. */
export type ComparedLine = {
	/** The pair. */
	readonly name: string;
	/** Shown in place of a change at the end of the line, as the candles are not those of now. */
	readonly note?: string | undefined;
	/** By step, in percent since the base; undefined where the market or its base has no candle. */
	readonly changes: ReadonlyArray<number | undefined>;
	/** By step. */
	readonly prices: ReadonlyArray<number | undefined>;
	/** Decimals of the prices. */
	readonly decimals: number;
	/** Whether the market has a candle at the base. */
	readonly hasBase: boolean;
};

export type CompareChartInput = Drawing & {
	readonly lines: readonly ComparedLine[];
	readonly view: CompareView;
	/** Marks the base in the plot; it is not the left edge. */
	readonly isBaseChosen?: boolean | undefined;
	/** Epoch ms: dates of its year are written without it. */
	readonly now: number;
};

/** One colour per market. */
const toneOf = (index: number): Tone => seriesTones[index] ?? 'plain';
const letterOf = (index: number): string => String.fromCharCode(65 + index);
/** Columns between letters in a line, which distinguish the lines without colour. */
const letterColumns = 18;

const scaleColumns = 11;
/** Minimum rows between labelled changes. */
const rowsPerTick = 2;
/** Decimals of a change in percent. */
const percentDecimals = 2;
/** Letter, blanks and `+19,675 %`, or a short note. */
const changeColumns = 14;
/** Rows that the values above leave for the lines. */
const leastPlotRows = 4;

/** Fewer columns for the lines are too few: then names and changes are above the lines, and only letters beside them. */
const leastPlot = 20;
/** Where pairs would take more rows above the lines, only their base assets are shown. */
const mostNameRows = 2;
/** A blank and a letter. */
const letterLabel = 2;

const columnsBeside = (names: readonly string[], columns: number): number =>
	columns - scaleColumns - Math.max(...names.map(textWidth)) - changeColumns;

/** Columns that labels and scale leave for the lines. */
export function plotColumns(names: readonly string[], {columns}: Pick<Size, 'columns'>): number {
	const beside = columnsBeside(names, columns);
	return beside >= leastPlot ? beside : Math.max(columns - scaleColumns - letterLabel, 1);
}

const hasNamesBeside = ({lines, size}: CompareChartInput): boolean =>
	columnsBeside(
		lines.map(({name}) => name),
		size.columns,
	) >= leastPlot;

/**
 * The change of several markets since the base, one line each, with zero line, scale, times and labels; with a crosshair also
 * each market's price and change there. Exactly `size`.
 */
export function compareChart(input: CompareChartInput): readonly Line[] {
	const {lines, view, size, ascii} = input;
	const canvas = createCanvas(size);
	const values = valueRows(input);
	for (const [row, cells] of values.entries()) drawValues(canvas, row, cells);
	const rows = Math.max(size.rows - values.length - 1, 2);
	const plot = canvas.part(values.length, rows);
	const scale = scaleOf(input, rows);
	const columns = view.count * view.columns;

	drawScale(plot, scale, columns, ascii);
	const lineRows = lines.map(({changes}) =>
		changes.map(change => (change === undefined ? undefined : scale.rowOf(change))),
	);
	const curves = comparedCurves(
		lines.map(({changes}) => changes),
		scale,
		view,
	);
	if (!ascii) drawCurves(plot, curves, ascii);
	for (const [index, {style}] of curves.entries()) {
		if (ascii) drawAsciiLine(plot, {points: asciiPoints(lineRows[index] ?? [], view), style});
	}

	for (const [index, drawn] of lineRows.entries()) drawLetters(plot, drawn, view, index);
	drawUprights(plot, input);
	// Values under the crosshair that have no room above the lines are shown beside them.
	const labels = labelsOf(input, values.flat().length < lines.length ? lookedAt(view) : view.count - 1);
	const lastRows = lineRows.map(drawn => drawn.findLast(row => row !== undefined) ?? rows - 1);
	for (const [index, row] of spreadOut(lastRows, rows).entries()) {
		plot.write(row, scaleColumns + columns, labels[index] ?? '', toneOf(index));
	}

	drawTimes(canvas.part(values.length + rows, 1), input);
	return canvas.lines();
}

/** The scale of the visible changes. It encloses 0 where the base is visible. */
function scaleOf({lines, view: {base, from, to}}: CompareChartInput, rows: number): TickedScale {
	const shown = lines.flatMap(({changes}) => changes.filter(change => change !== undefined));
	const all = shown.length === 0 || (base >= from && base <= to) ? [0, ...shown] : shown;
	const {low, high} = priceRange(all);
	// Round ends do not move while the lines move between them.
	const {values} = enclosingTicks(low, high, Math.max(Math.floor(rows / rowsPerTick), 1), percentDecimals);
	const ends = {low: values.at(-1) ?? low, high: values[0] ?? high};
	return createTickedScale({...ends, rows, decimals: percentDecimals, inset: 0.5}, rowsPerTick);
}

function drawScale(canvas: Canvas, scale: TickedScale, columns: number, ascii: boolean): void {
	const ticks = scale.ticks.values;
	const zero = scale.contains(0) ? [0] : [];
	if (zero.length > 0) canvas.write(scale.rowOf(0), scaleColumns, (ascii ? '.' : '·').repeat(columns), 'muted');
	for (const change of [...zero, ...ticks]) {
		canvas.write(scale.rowOf(change), 0, padStart(formatPercent(change, {ascii}), scaleColumns - 1), 'muted');
	}
}

/** A solid curve for each market's changes, by step. */
const comparedCurves = (
	changes: ReadonlyArray<ReadonlyArray<number | undefined>>,
	scale: PriceScale,
	view: Pick<CompareView, 'columns'>,
): readonly PlottedCurve[] =>
	changes.map((line, index) => ({
		points: line.map((change, step) =>
			change === undefined ? undefined : {column: scaleColumns + columnOfStep(step, view), rows: scale.rowsTo(change)},
		),
		style: {tone: toneOf(index), dash: [1, 0], letter: letterOf(index)},
	}));

/** A line of ASCII characters has the row of a step in all of its columns. */
const asciiPoints = (rows: ReadonlyArray<number | undefined>, {columns}: CompareView): PlottedCurve['points'] =>
	rows.flatMap((row, step) =>
		Array.from({length: columns}, (_, column) =>
			row === undefined ? undefined : {column: scaleColumns + step * columns + column, rows: row},
		),
	);

/** Draws the letters of a line. Each line has its own columns for them, so that they never overlap. */
function drawLetters(
	canvas: Canvas,
	rows: ReadonlyArray<number | undefined>,
	{columns}: CompareView,
	index: number,
): void {
	for (let column = index * 3; column < rows.length * columns; column += letterColumns) {
		const row = rows[Math.floor(column / columns)];
		if (row !== undefined) canvas.write(row, scaleColumns + column, letterOf(index), toneOf(index));
	}
}

/** The lines through the base, if it was chosen, and the crosshair, behind all else. */
function drawUprights(canvas: Canvas, {view, isBaseChosen, ascii}: CompareChartInput): void {
	const {upright} = glyphsFor(ascii).crosshair;
	const draw = (start: number, tone: Tone) => {
		const step = stepAt(start, view);
		if (step < 0 || step >= view.count) return;
		for (let row = 0; row < canvas.size.rows; row++)
			canvas.writeBehind(row, scaleColumns + columnOfStep(step, view), upright, tone);
	};
	if (view.cross !== undefined) draw(view.cross, 'accent');
	if (isBaseChosen) draw(view.base, 'muted');
}

/** The step whose values are shown: that under the crosshair, else the last one. */
const lookedAt = ({cross, count, ...view}: CompareView): number =>
	cross === undefined ? count - 1 : stepAt(cross, view);

/** The change of a market at a step, or why there is none. */
function changeText({changes, prices, hasBase}: ComparedLine, step: number, ascii: boolean): string {
	const change = changes[step];
	if (change !== undefined) return formatPercent(change, {ascii});
	return prices[step] === undefined ? 'no candle' : hasBase ? 'no change' : 'no base';
}

/** The labels beside the ends of the lines, with the changes at a step: ` A BTC/USDT +1.23 %`; where room is short ` A`. */
function labelsOf(input: CompareChartInput, step: number): readonly string[] {
	const {lines, ascii} = input;
	if (!hasNamesBeside(input)) return lines.map((_, index) => ` ${letterOf(index)}`);
	const names = Math.max(...lines.map(({name}) => textWidth(name)));
	const notes = lines.map(line => line.note ?? changeText(line, step, ascii));
	const width = Math.max(...notes.map(textWidth));
	return lines.map(
		({name}, index) => ` ${letterOf(index)} ${padEnd(name, names)} ${padStart(notes[index] ?? '', width)}`,
	);
}

type Value = {readonly text: string; readonly tone: Tone};

/**
 * What is above the lines, in as many rows as are needed and leave the lines some: each market's price and change under the
 * crosshair, and, where there is no room beside the lines, names and changes even without one.
 */
function valueRows(input: CompareChartInput): ReadonlyArray<readonly Value[]> {
	const {lines, view, size, ascii} = input;
	const isBeside = hasNamesBeside(input);
	const isCross = view.cross !== undefined;
	if (isBeside && !isCross) return [];
	const step = lookedAt(view);
	const names = lines.map(({name}) => name);
	const prices = lines.map(({prices: all, decimals}) => formatPrice(all[step], {decimals, ascii}));
	const changes = lines.map(line => (isCross ? undefined : line.note) ?? changeText(line, step, ascii));
	const most = Math.max(size.rows - leastPlotRows - 1, 0);
	const withPrices = isCross ? inRows([names, prices, changes], size.columns) : undefined;
	if (withPrices && (isBeside || withPrices.length <= most)) return withPrices.slice(0, most);
	const [whole = [], short = []] = [names, shortNames(names)].map(texts => inRows([texts, changes], size.columns));
	return (whole.length > mostNameRows && short.length < whole.length ? short : whole).slice(0, most);
}

/** The base assets of pairs if they tell the markets apart, else the pairs. */
function shortNames(names: readonly string[]): readonly string[] {
	const bases = names.map(name => name.split('/')[0] ?? name);
	return new Set(bases).size === names.length ? bases : names;
}

/** The name of each market, then numbers of equal width, as many markets to a row as fit; the more numbers, the farther apart. */
function inRows(
	[names = [], ...numbers]: ReadonlyArray<readonly string[]>,
	columns: number,
): ReadonlyArray<readonly Value[]> {
	const widthOf = (texts: readonly string[]) => Math.max(...texts.map(textWidth));
	const between = ' '.repeat(numbers.length);
	const values = names.map((name, index): Value => {
		const cells = numbers.map(texts => padStart(texts[index] ?? '', widthOf(texts)));
		const text = [`${letterOf(index)} ${padEnd(name, widthOf(names))}`, ...cells].join(between);
		return {text: `${text}${between} `, tone: toneOf(index)};
	});
	// The blanks after the last one need no room.
	const perRow = Math.floor((columns + between.length + 1) / widthOf(values.map(({text}) => text))) || 1;
	return Array.from({length: Math.ceil(values.length / perRow)}, (_, row) =>
		values.slice(row * perRow, (row + 1) * perRow),
	);
}

function drawValues(canvas: Canvas, row: number, values: readonly Value[]): void {
	let column = 0;
	for (const {text, tone} of values) {
		canvas.writeText(row, column, text.trimEnd(), tone);
		column += textWidth(text);
	}
}

/** The times below the plot: round ones, that of the crosshair over them, and the zone at the left. */
function drawTimes(canvas: Canvas, {view, now, zone = utc}: CompareChartInput): void {
	const {count, columns, period, cross, from, to} = view;
	const axis = canvas.size.columns - scaleColumns;
	const candles = stepStarts(view).map(time => ({time}));
	const timeScale = createTimeScale({
		count,
		isGap: () => false,
		columns: count * columns + (columns === 1 ? 1 : 0),
		zoom: columns,
		offset: 0,
	});
	const labels = timeLabels({candles, period, timeScale, zoom: columns, columns: axis, now, zone});
	const crossText = cross === undefined ? '' : dayTime(cross, zone);
	const crossStart =
		cross === undefined ? Infinity : startAround(columnOfStep(stepAt(cross, view), view), crossText, axis);
	const shown = labels.length > 0 ? labels : [{start: 0, text: dayTime(from, zone)}];
	for (const {start, text} of shown) {
		const isCovered = start <= crossStart + crossText.length && start + text.length >= crossStart;
		if (!isCovered) canvas.write(0, scaleColumns + start, text, 'muted');
	}

	canvas.write(0, 0, padStart(zoneLabel(zone, to), scaleColumns - 1), 'muted');
	if (cross !== undefined) canvas.write(0, scaleColumns + crossStart, crossText, 'accent', true);
}

/** Gives each label a row of its own, as near to the ideal one as their order allows. */
function spreadOut(ideal: readonly number[], rows: number): readonly number[] {
	const order = ideal.map((row, index) => ({row, index})).sort((a, b) => a.row - b.row || a.index - b.index);
	const placed: number[] = [];
	for (const [place, {row}] of order.entries()) {
		const after = (placed[place - 1] ?? -1) + 1;
		placed.push(clamp(row, after, rows - (order.length - place)));
	}

	const result = [...ideal];
	for (const [place, {index}] of order.entries()) result[index] = placed[place] ?? 0;
	return result;
}
