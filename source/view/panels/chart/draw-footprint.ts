import {padEnd, padStart, textWidth} from '../../../format/cells.ts';
import {formatAmount, formatCompact, formatSigned} from '../../../format/number.ts';
import {type PriceStep, stepSize, wholeSteps} from '../../../market/depth.ts';
import {
	type Footprint,
	footprintOf,
	footprintStep,
	imbalanceAt,
	type LackingFootprint,
	type StepVolume,
} from '../../../market/footprint.ts';
import {decimalsOf} from '../../../market/precision.ts';
import type {TradedMinutes} from '../../../market/traded-minutes.ts';
import type {Candle, Period} from '../../../market/types.ts';
import {changeTone, type Tone} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import type {Canvas} from '../../plot/canvas.ts';
import {roundTicks, type TickedScale} from '../../plot/price-axis.ts';
import {createPriceScale, type PriceRange} from '../../plot/price-scale.ts';
import {candlePictures, drawCandles, type Series} from './draw-series.ts';

/** Price steps by the rows of a chart: the first row has the step `top`, each row below it the next one down. */
export type StepGrid = {readonly step: PriceStep; readonly top: number};

export type FootprintScale = TickedScale & {readonly grid: StepGrid};

export const isFootprint = (scale: TickedScale & {readonly grid?: StepGrid}): scale is FootprintScale =>
	scale.grid !== undefined;

/** Below the rows of the steps, for the delta of each candle. */
const deltaRows = 1;
const leastTickRows = 3;
/** So that the lower end of a step is drawn in its own row, not at the edge of two. */
const edgeShare = 1e-6;

/** A scale that covers the range with one price step per row, the smallest that fits, and leaves the last row for the deltas. */
export function footprintScale({low, high}: PriceRange, priceRows: number, decimals: number): FootprintScale {
	const rows = Math.max(priceRows - deltaRows, 1);
	const step = footprintStep(low, high, rows, decimals);
	const [first = 0, last = 0] = [low, high].map(price => wholeSteps(price, 'bid', step));
	// No price is below zero.
	const top = Math.max(last + Math.floor((rows - 1 - last + first) / 2), rows - 1);
	const size = stepSize(step);
	const range = {low: (top + 1 - rows - edgeShare) * size, high: (top + 1 - edgeShare) * size};
	const ticks = roundTicks(Math.max(range.low, 0), range.high, Math.floor(rows / leastTickRows), decimals);
	return {...createPriceScale({...range, rows, decimals, inset: 0}), ticks, grid: {step, top}};
}

/** The place of the parts of a slot, in columns from its left: the candle, what was sold, three marks, what was bought, a blank. */
const slotParts = (columns: number) => {
	const number = Math.floor((columns - 6) / 2);
	return {number, sold: 2, marks: 2 + number, bought: 5 + number, texts: columns - 2};
};

export type FootprintInput = {
	readonly series: Series;
	/** Absent: no trades are loaded. */
	readonly traded: TradedMinutes | undefined;
	/** The forming candle may have trades that these lack. */
	readonly tapeFails: boolean;
	readonly period: Period;
	readonly grid: StepGrid;
	/** Columns of a slot. */
	readonly columns: number;
	/** From which an imbalance is marked. */
	readonly ratio: number;
	readonly ascii: boolean;
};

/** Draws thin candles, and beside each what was sold and bought in its price steps, or why that is not known. */
export function drawFootprints(canvas: Canvas, scale: FootprintScale, input: FootprintInput): void {
	const {series, columns} = input;
	const {timeScale} = series;
	const left = (index: number): number => timeScale.columnOf(index) - Math.floor((columns - 1) / 2);
	const pictures = candlePictures({...series, timeScale: {...timeScale, bodyReach: 0, columnOf: left}}, scale);
	drawCandles(canvas, pictures, 'wicks');
	drawCandles(canvas, pictures, 'bodies');
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		const candle = series.candles.at(index);
		if (!candle) continue;
		const footprint = footprintAt(candle, index, input);
		if (typeof footprint === 'object') drawFootprint(canvas, left(index), scale.rows, footprint, input);
		else drawLacking(canvas, left(index), scale.rowOf((candle.high + candle.low) / 2), footprint, input);
	}
}

function footprintAt(
	candle: Candle,
	index: number,
	{traded, tapeFails, period, grid, series}: FootprintInput,
): Footprint | LackingFootprint {
	return traded
		? footprintOf(traded, {candle, period, isForming: index === series.forming && !tapeFails}, grid.step)
		: 'missing';
}

function drawFootprint(
	canvas: Canvas,
	left: number,
	rows: number,
	footprint: Footprint,
	{grid, columns, ratio, ascii}: FootprintInput,
): void {
	const {number, ...at} = slotParts(columns);
	const glyphs = footprintGlyphs[ascii ? 'ascii' : 'unicode'];
	const amount = (value: number): string => amountText(value, number, ascii);
	for (const [step, volume] of footprint.steps) {
		const row = grid.top - step;
		if (row < 0 || row >= rows) continue;
		const isControl = step === footprint.control;
		// No line behind it runs through the numbers.
		canvas.write(row, left + 1, ' '.repeat(at.texts), 'plain');
		if (isControl) canvas.write(row, left + at.marks + 1, glyphs.control, 'accent');
		if (footprint.delta === undefined) {
			canvas.write(row, left + at.sold, padStart(amount(volume.total), number), 'plain');
			continue;
		}

		if (!isControl) canvas.write(row, left + at.marks + 1, glyphs.times, 'muted');
		const imbalance = imbalanceAt(footprint, step, ratio);
		canvas.write(row, left + at.sold, padStart(amount(volume.sold), number), toneOf(volume, 'sold', imbalance.sold));
		if (imbalance.sold) canvas.write(row, left + at.marks, glyphs.sold, 'down');
		if (imbalance.bought) canvas.write(row, left + at.marks + 2, glyphs.bought, 'up');
		canvas.write(
			row,
			left + at.bought,
			padEnd(amount(volume.bought), number),
			toneOf(volume, 'bought', imbalance.bought),
		);
	}

	const {text, tone} = sumOf(footprint, at.texts, ascii);
	canvas.write(rows, left + 1, text, tone);
}

const footprintGlyphs = {
	unicode: {times: '×', control: '◆', sold: '‹', bought: '›'},
	ascii: {times: 'x', control: '*', sold: '<', bought: '>'},
} as const;

const sideTones = {sold: 'down', bought: 'up'} as const;

const toneOf = (volume: StepVolume, side: 'sold' | 'bought', isImbalanced: boolean): Tone =>
	isImbalanced ? sideTones[side] : volume[side] === 0 ? 'muted' : 'plain';

/** The delta of a candle, or its volume where that is not known. */
function sumOf({delta, steps}: Footprint, columns: number, ascii: boolean): {text: string; tone: Tone} {
	if (delta === undefined) {
		const total = formatAmount(
			steps.values().reduce((sum, step) => sum + step.total, 0),
			{ascii},
		);
		return {text: firstFitting([`total ${total}`, total], columns), tone: 'plain'};
	}

	const sign = marksFor(ascii).delta;
	const exact = formatSigned(delta, decimalsOf(delta), {ascii});
	const short = `${delta > 0 ? '+' : ''}${formatAmount(delta, {ascii})}`;
	return {text: firstFitting([`${sign} ${exact}`, `${sign} ${short}`, short], columns), tone: changeTone(delta)};
}

/** An amount in at most so many cells: three digits and a unit, without the zero before the point where that makes room. */
function amountText(value: number, cells: number, ascii: boolean): string {
	const text = formatCompact(value, {ascii}).replaceAll(' ', '');
	return firstFitting([text, text.replace(/^0(?=\.)/, ''), value.toExponential(0)], cells) || '…'.slice(0, cells);
}

const lackingTexts: Readonly<Record<LackingFootprint, readonly string[]>> = {
	missing: ['trades missing', 'missing'],
	differing: ['volume differs', 'differs'],
};

function drawLacking(
	canvas: Canvas,
	left: number,
	row: number,
	lacking: LackingFootprint,
	{columns}: FootprintInput,
): void {
	const {texts} = slotParts(columns);
	const text = firstFitting(lackingTexts[lacking], texts);
	canvas.write(row, left + 1 + Math.floor((texts - textWidth(text)) / 2), text, 'muted');
}
