import {padStart, textWidth} from '../../../format/cells.ts';
import {formatAmount, formatFixed} from '../../../format/number.ts';
import type {Tone} from '../../line.ts';
import type {Canvas} from '../../plot/canvas.ts';
import type {PriceLabels} from '../../plot/price-labels.ts';
import {type Price, type PriceScale, type RoundTicks, rowOf} from '../../plot/price-scale.ts';
import type {TimeLabel} from '../../plot/time-labels.ts';
import type {Glyphs} from './glyphs.ts';
import type {ChartLayout} from './layout.ts';

/** What every part of the axes is drawn with. */
export type Axes = {
	readonly canvas: Canvas;
	readonly layout: ChartLayout;
	readonly glyphs: Glyphs;
};

const volumeTitle = ' volume ';

/** The rows of the prices, axis included. */
const pricePart = ({canvas, layout}: Pick<Axes, 'canvas' | 'layout'>): Canvas =>
	canvas.part(layout.priceTop, layout.priceRows);

/** The lines that part prices, volume and labels: the same with and without candles. */
export function drawFrame({canvas, layout, glyphs}: Axes): void {
	const {priceAxis, volume, plotColumns} = layout;
	for (let row = layout.priceTop; priceAxis && row < (layout.timeRow ?? canvas.size.rows); row++) {
		canvas.write(row, priceAxis.column, glyphs.axis, 'muted');
	}

	if (!volume) return;
	canvas.write(volume.top - 1, 0, glyphs.rule.repeat(plotColumns), 'muted');
	canvas.write(volume.top - 1, 1, volumeTitle, 'muted');
	if (priceAxis) canvas.write(volume.top - 1, priceAxis.column, glyphs.ruleEnd, 'muted');
}

/** The round prices at their rows. One that has more digits than the axis has cells for is left out, never cut. */
export function drawPriceTicks(axes: Axes, scale: PriceScale, ticks: RoundTicks, labels: PriceLabels): void {
	for (const value of ticks.values) {
		const label = labels.tick(value, ticks.decimals);
		if (textWidth(label) > labels.width) continue;
		writePrice(axes, rowOf(scale.halfRowOf(value)), axes.glyphs.tick, label, 'muted');
	}
}

/** The last price at its row, over a round one there, or beyond the end of the scale where it lies outside. */
export function drawLastPrice(axes: Axes, scale: PriceScale, last: Price, labels: PriceLabels): void {
	const {layout, glyphs} = axes;
	const row = rowOf(scale.halfRowOf(last));
	const {above, below, here, trail} = glyphs.lastPrice;
	const inside = isInside(scale, last);
	writePrice(axes, row, inside ? here : last > scale.top ? above : below, labels.price(last), 'accent');
	if (inside) drawLevel(axes, row, trail.repeat(layout.plotColumns).slice(0, layout.plotColumns), 'muted');
}

/** Best bid and ask, each where it stands on a row of its own: closer ones are the last price's line, as far as one can see. */
export function drawTouch(
	axes: Axes,
	scale: PriceScale,
	touch: {readonly bid?: Price | undefined; readonly ask?: Price | undefined; readonly last: Price},
	labels: PriceLabels,
): void {
	const taken = new Set([rowOf(scale.halfRowOf(touch.last))]);
	const sides = [
		{price: touch.ask, tone: 'down', mark: 'a'},
		{price: touch.bid, tone: 'up', mark: 'b'},
	] as const;
	for (const {price, tone, mark} of sides) {
		if (price === undefined || !isInside(scale, price)) continue;
		const row = rowOf(scale.halfRowOf(price));
		if (taken.has(row)) continue;
		taken.add(row);
		writePrice(axes, row, mark, labels.price(price), tone);
		drawLevel(axes, row, axes.glyphs.touch.repeat(axes.layout.plotColumns), tone);
	}
}

const isInside = (scale: PriceScale, price: Price): boolean => price <= scale.top && price >= scale.bottom;

function drawLevel(axes: Axes, row: number, text: string, tone: Tone): void {
	pricePart(axes).writeBehind(row, 0, text, tone);
}

function writePrice(axes: Axes, row: number, mark: string, label: string, tone: Tone, inverse = false): void {
	const {priceAxis} = axes.layout;
	if (!priceAxis) return;
	const part = pricePart(axes);
	part.write(row, priceAxis.column, mark, tone);
	part.write(row, priceAxis.labelColumn, padStart(label, priceAxis.labelWidth), tone, inverse);
}

export type Crosshair = {readonly column: number; readonly price: Price};

/** An upright through the candle, a level at its closing price, and its price on the axis. */
export function drawCrosshair(axes: Axes, scale: PriceScale, cross: Crosshair, labels: PriceLabels): void {
	const {canvas, layout, glyphs} = axes;
	const {upright, level} = glyphs.crosshair;
	const row = rowOf(scale.halfRowOf(cross.price));
	for (let at = layout.priceTop; at < (layout.timeRow ?? canvas.size.rows); at++) {
		canvas.writeBehind(at, cross.column, upright, 'accent');
	}

	drawLevel(axes, row, level.repeat(layout.plotColumns), 'accent');
	writePrice(axes, row, glyphs.tick, labels.price(cross.price), 'accent', true);
}

/** The volume of a full bar, where there is room for it. */
export function drawLargestVolume({canvas, layout, glyphs}: Axes, volume: number, ascii: boolean): void {
	const {priceAxis} = layout;
	const text = formatAmount(volume, {ascii});
	if (!priceAxis || !layout.volume || textWidth(text) > priceAxis.labelWidth) return;
	canvas.write(layout.volume.top, priceAxis.column, glyphs.tick, 'muted');
	canvas.write(layout.volume.top, priceAxis.labelColumn, padStart(text, priceAxis.labelWidth), 'muted');
}

export type TimeAxis = {
	readonly labels: readonly TimeLabel[];
	/** Column of the candle that is still forming, if it is in sight. */
	readonly forming?: number | undefined;
	/** Candles newer than the ones in sight. */
	readonly newer: number;
	/** The time under the crosshair, over the labels that it would touch. */
	readonly cross?: {readonly column: number; readonly text: string} | undefined;
};

const crossStart = ({column, text}: {column: number; text: string}, columns: number): number =>
	Math.max(Math.min(column - Math.floor(text.length / 2), columns - text.length), 0);

export function drawTimes({canvas, layout, glyphs}: Axes, {labels, forming, newer, cross}: TimeAxis): void {
	const {timeRow, priceAxis} = layout;
	if (timeRow === undefined) return;
	const crossed = cross && {text: cross.text, start: crossStart(cross, layout.plotColumns)};
	for (const {start, text} of labels) {
		const isFree = !crossed || start > crossed.start + crossed.text.length || start + text.length < crossed.start;
		if (isFree) canvas.write(timeRow, start, text, 'muted');
	}

	if (forming !== undefined) canvas.write(timeRow, forming, glyphs.forming, 'accent');
	const corner = newer > 0 ? `${formatFixed(newer, 0)} ${glyphs.newer}` : 'UTC';
	if (crossed) canvas.write(timeRow, crossed.start, crossed.text, 'accent', true);
	if (!priceAxis || corner.length > priceAxis.labelWidth) return;
	canvas.write(timeRow, priceAxis.labelColumn, padStart(corner, priceAxis.labelWidth), newer > 0 ? 'accent' : 'muted');
}

/** A dot where a round price meets a round time. */
export function drawGrid(axes: Axes, rows: readonly number[], columns: readonly number[]): void {
	const part = pricePart(axes);
	for (const row of rows) {
		for (const column of columns) part.writeBehind(row, column, axes.glyphs.grid, 'muted');
	}
}

/** An upright over the price pane wherever candles are missing. */
export function drawGaps(axes: Axes, columns: readonly number[]): void {
	const part = pricePart(axes);
	for (const column of columns) {
		for (let row = 0; row < axes.layout.priceRows; row++) part.writeBehind(row, column, axes.glyphs.gap, 'warn');
	}
}
