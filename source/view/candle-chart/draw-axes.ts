import {padStart, textWidth} from '../../format/cells.ts';
import {formatAmount, formatFixed} from '../../format/number.ts';
import type {Canvas} from './canvas.ts';
import type {Glyphs} from './glyphs.ts';
import type {ChartLayout} from './layout.ts';
import type {PriceLabels} from './price-labels.ts';
import {type Price, type PriceScale, type RoundTicks, rowOf} from './price-scale.ts';
import type {TimeLabel} from './time-labels.ts';

/** What every part of the axes is drawn with. */
export type Axes = {
	readonly canvas: Canvas;
	readonly layout: ChartLayout;
	readonly glyphs: Glyphs;
};

const volumeTitle = ' volume ';

/** The lines that part prices, volume and labels: the same with and without candles. */
export function drawFrame({canvas, layout, glyphs}: Axes): void {
	const {priceAxis, volume, plotColumns} = layout;
	for (let row = 0; priceAxis && row < (layout.timeRow ?? canvas.size.rows); row++) {
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
	const {canvas, layout, glyphs} = axes;
	const row = rowOf(scale.halfRowOf(last));
	const {above, below, here, trail} = glyphs.lastPrice;
	const inside = last <= scale.top && last >= scale.bottom;
	writePrice(axes, row, inside ? here : last > scale.top ? above : below, labels.price(last), 'accent');
	if (inside) canvas.writeBehind(row, 0, trail.repeat(layout.plotColumns).slice(0, layout.plotColumns), 'muted');
}

function writePrice(
	{canvas, layout: {priceAxis}}: Axes,
	row: number,
	mark: string,
	label: string,
	tone: 'muted' | 'accent',
): void {
	if (!priceAxis) return;
	canvas.write(row, priceAxis.column, mark, tone);
	canvas.write(row, priceAxis.labelColumn, padStart(label, priceAxis.labelWidth), tone);
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
};

export function drawTimes({canvas, layout, glyphs}: Axes, {labels, forming, newer}: TimeAxis): void {
	const {timeRow, priceAxis} = layout;
	if (timeRow === undefined) return;
	for (const {start, text} of labels) canvas.write(timeRow, start, text, 'muted');
	if (forming !== undefined) canvas.write(timeRow, forming, glyphs.forming, 'accent');
	const corner = newer > 0 ? `${formatFixed(newer, 0)} ${glyphs.newer}` : 'UTC';
	if (!priceAxis || corner.length > priceAxis.labelWidth) return;
	canvas.write(timeRow, priceAxis.labelColumn, padStart(corner, priceAxis.labelWidth), newer > 0 ? 'accent' : 'muted');
}

/** A dot where a round price meets a round time. */
export function drawGrid({canvas, glyphs}: Axes, rows: readonly number[], columns: readonly number[]): void {
	for (const row of rows) {
		for (const column of columns) canvas.writeBehind(row, column, glyphs.grid, 'muted');
	}
}

/** An upright over the price pane wherever candles are missing. */
export function drawGaps({canvas, layout, glyphs}: Axes, columns: readonly number[]): void {
	for (const column of columns) {
		for (let row = 0; row < layout.priceRows; row++) canvas.writeBehind(row, column, glyphs.gap, 'warn');
	}
}
