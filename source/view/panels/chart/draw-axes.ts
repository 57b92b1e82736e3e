import {padEnd, padStart, textWidth, truncate} from '../../../format/cells.ts';
import {formatAmount, formatFixed} from '../../../format/number.ts';
import type {DrawnLevel} from '../../drawn-levels.ts';
import type {Tone} from '../../line.ts';
import {firstFitting, levelTone} from '../../marks.ts';
import type {Canvas} from '../../plot/canvas.ts';
import type {PriceLabels, RoundTicks} from '../../plot/price-axis.ts';
import type {Price, PriceScale} from '../../plot/price-scale.ts';
import {startAround, type TimeLabel} from '../../plot/time-labels.ts';
import {distancePercent} from '../../price-texts.ts';
import type {ChartLayout} from './chart-layout.ts';
import type {Glyphs} from './glyphs.ts';

/** What drawing any part of the axes needs. */
export type Axes = {
	readonly canvas: Canvas;
	readonly layout: ChartLayout;
	readonly glyphs: Glyphs;
};

/** The axis of a chart that has prices. */
export type PriceAxis = Axes & {readonly scale: PriceScale; readonly labels: PriceLabels};

export const volumeTitle = ' volume ';

/** The rows of the prices, axis included. */
const pricePart = ({canvas, layout}: Axes): Canvas => canvas.part(layout.priceTop, layout.priceRows);

/** The lines between prices, volume and labels, which are drawn even without candles. */
export function drawFrame({canvas, layout, glyphs}: Axes): void {
	const {priceAxis, volume} = layout;
	for (let row = layout.priceTop; priceAxis && row < (layout.timeRow ?? canvas.size.rows); row++) {
		canvas.write(row, priceAxis.column, glyphs.axis, 'muted');
	}

	if (!volume) return;
	drawRule({canvas, layout, glyphs}, volume.top - 1);
	canvas.write(volume.top - 1, 1, volumeTitle, 'muted');
}

/** A rule across the plot that ends at the price axis. */
export function drawRule({canvas, layout: {plotColumns, priceAxis}, glyphs}: Axes, row: number): void {
	canvas.write(row, 0, glyphs.rule.repeat(plotColumns), 'muted');
	if (priceAxis) canvas.write(row, priceAxis.column, glyphs.ruleEnd, 'muted');
}

type Label = {readonly text: string; readonly mark?: string; readonly tone?: Tone; readonly inverse?: boolean};

/** Draws a label on the axis with a mark at its row. A label that does not fit is left out, never cut. */
export function drawLabel({canvas, layout: {priceAxis}, glyphs}: Axes, row: number, label: Label): void {
	const {text, mark = glyphs.tick, tone = 'muted', inverse} = label;
	if (!priceAxis || textWidth(text) > priceAxis.labelWidth) return;
	// A longer mark may be there.
	canvas.write(row, priceAxis.column, padEnd(mark, priceAxis.labelColumn - priceAxis.column), tone);
	canvas.write(row, priceAxis.labelColumn, padStart(text, priceAxis.labelWidth), tone, inverse);
}

/** Repeats `text` across the plot, behind the candles. */
function drawLevel(axes: Axes, row: number, text: string, tone: Tone): void {
	const {plotColumns} = axes.layout;
	pricePart(axes).writeBehind(row, 0, text.repeat(plotColumns).slice(0, plotColumns), tone);
}

const drawPriceLabel = (axis: PriceAxis, row: number, price: Price, label: Omit<Label, 'text'>): void =>
	drawLabel(axis, axis.layout.priceTop + row, {...label, text: axis.labels.price(price)});

/** Draws the round prices at their rows. */
export function drawPriceTicks(axis: PriceAxis, ticks: RoundTicks): void {
	const {layout, scale, labels} = axis;
	for (const value of ticks.values) {
		drawLabel(axis, layout.priceTop + scale.rowOf(value), {text: labels.tick(value, ticks.decimals)});
	}
}

/**
 * Draws the newest close at its row, over a round price there, or at the end of the scale if it lies outside. The mark says
 * whether it is the price of the last trade.
 */
export function drawLastPrice(axis: PriceAxis, last: Price, isTrade: boolean): void {
	const {here, trail} = axis.glyphs.lastPrice;
	const row = axis.scale.rowOf(last);
	const inside = axis.scale.contains(last);
	drawPriceLabel(axis, row, last, {
		mark: inside ? (isTrade ? here : 'c') : beyondMark(axis, last),
		tone: 'accent',
	});
	if (inside) drawLevel(axis, row, trail, 'muted');
}

/**
 * Draws the levels of alerts, the nearest to the last price first, each with its distance from that price: where the row is
 * blank, else over its oldest candles. Those outside the scale have no line; the nearest above and below are arrows at its
 * ends. `unnamed`: rows of levels that the user drew, marked before the alert. Returns the rows that they take.
 */
export function drawAlertLevels(
	axis: PriceAxis,
	levels: readonly Price[],
	last: Price,
	unnamed: ReadonlySet<number>,
	ascii: boolean,
): ReadonlySet<number> {
	const {scale, glyphs, layout, labels} = axis;
	const {mark, line} = glyphs.alert;
	const taken = new Set<number>();
	for (const price of levels.toSorted((a, b) => Math.abs(a - last) - Math.abs(b - last))) {
		const row = scale.rowOf(price);
		if (taken.has(row)) continue;
		taken.add(row);
		const inside = scale.contains(price);
		// A far price may be too long for the axis.
		const text = textWidth(labels.price(price)) > (layout.priceAxis?.labelWidth ?? 0) ? '' : labels.price(price);
		const marks = inside ? (unnamed.has(row) ? glyphs.level.mark : '') + mark : mark + beyondMark(axis, price);
		drawLabel(axis, layout.priceTop + row, {text, mark: marks, tone: 'warn'});
		const distance = ` ${distancePercent(price, last, ascii)} `;
		const column = blanks(pricePart(axis), row, layout.plotColumns, textWidth(distance)).at(-1) ?? 0;
		pricePart(axis).write(row, column, distance, 'warn');
		if (inside) drawLevel(axis, row, line, 'warn');
	}

	return taken;
}

/** The columns from which so many cells of the plot are blank. */
const blanks = (canvas: Canvas, row: number, plotColumns: number, columns: number): readonly number[] =>
	Array.from({length: Math.max(plotColumns - columns + 1, 0)}, (_, column) => column).filter(column =>
		canvas.isBlank(row, column, columns),
	);

export type Touch = {readonly bid?: Price | undefined; readonly ask?: Price | undefined};

/** Draws best bid and ask, unless they are in the row of the last price or in another that is taken, where they would look like it. */
export function drawTouch(axis: PriceAxis, {bid, ask}: Touch, last: Price, others: ReadonlySet<number>): void {
	const {scale, glyphs} = axis;
	const taken = new Set([scale.rowOf(last), ...others]);
	const sides = [
		{price: ask, tone: 'down', mark: 'a'},
		{price: bid, tone: 'up', mark: 'b'},
	] as const;
	for (const {price, tone, mark} of sides) {
		if (price === undefined || !scale.contains(price)) continue;
		const row = scale.rowOf(price);
		if (taken.has(row)) continue;
		taken.add(row);
		drawPriceLabel(axis, row, price, {mark, tone});
		drawLevel(axis, row, glyphs.touch, tone);
	}
}

export type Crosshair = {readonly column: number; readonly price: Price; readonly time: string};

/** Draws the lines of the crosshair behind the candles: one through its candle and, inside the scale, one at its price. */
export function drawCrosshair(axis: PriceAxis, {column, price}: Crosshair): void {
	const {canvas, layout, glyphs, scale} = axis;
	const row = scale.rowOf(price);
	const inside = scale.contains(price);
	if (inside) pricePart(axis).writeBehind(row, column, glyphs.crosshair.cross, 'accent');
	for (let at = layout.priceTop; at < (layout.timeRow ?? canvas.size.rows); at++) {
		canvas.writeBehind(at, column, glyphs.crosshair.upright, 'accent');
	}

	if (inside) drawLevel(axis, row, glyphs.crosshair.level, 'accent');
}

/** Draws the price under the crosshair on the axis; one outside the scale is at its end, with an arrow. */
export function drawCrosshairPrice(axis: PriceAxis, {price}: Crosshair): void {
	const mark = axis.scale.contains(price) ? axis.glyphs.crosshair.mark : beyondMark(axis, price);
	drawPriceLabel(axis, axis.scale.rowOf(price), price, {mark, tone: 'accent', inverse: true});
}

/**
 * Draws the place from which the crosshair measures: over the candle in its `column`, with a line towards the crosshair, and
 * its price on the axis. Without a column or outside the scale only what is visible of it.
 */
export function drawMark(
	axis: PriceAxis,
	{column, price}: {readonly column?: number | undefined; readonly price: Price},
	cross: Crosshair,
): void {
	const {scale, glyphs} = axis;
	const row = scale.rowOf(price);
	if (!scale.contains(price)) return drawPriceLabel(axis, row, price, {mark: beyondMark(axis, price), tone: 'accent'});
	const from = Math.min(column ?? 0, cross.column);
	const to = Math.max(column ?? 0, cross.column);
	pricePart(axis).writeBehind(row, from, glyphs.measure.line.repeat(to - from), 'accent');
	if (column !== undefined) pricePart(axis).write(row, column, glyphs.measure.mark, 'accent', true);
	drawPriceLabel(axis, row, price, {mark: glyphs.measure.mark, tone: 'accent'});
}

/** The arrow at the end of the scale beyond which a price is. */
const beyondMark = ({scale, glyphs}: PriceAxis, price: Price): string =>
	price > scale.top ? glyphs.lastPrice.above : glyphs.lastPrice.below;

/** Draws the volume of a full bar, if there is room. */
export function drawLargestVolume(axes: Axes, volume: number, ascii: boolean): void {
	if (axes.layout.volume) drawLabel(axes, axes.layout.volume.top, {text: formatAmount(volume, {ascii})});
}

export type TimeAxis = {
	readonly labels: readonly TimeLabel[];
	/** Column of the forming candle, if it is visible. */
	readonly forming?: number | undefined;
	/** Number of candles newer than the visible ones. */
	readonly newer: number;
	/** Names of the zone, from long to short. Default: none. */
	readonly zone?: readonly string[] | undefined;
	/** Its time replaces labels that it would touch. */
	readonly cross?: Crosshair | undefined;
};

export function drawTimes({canvas, layout, glyphs}: Axes, {labels, forming, newer, cross, zone = []}: TimeAxis): void {
	const {timeRow, priceAxis, plotColumns} = layout;
	if (timeRow === undefined) return;
	const crossed = cross && {text: cross.time, start: startAround(cross.column, cross.time, plotColumns)};
	for (const {start, text} of labels) {
		const isFree = !crossed || start > crossed.start + crossed.text.length || start + text.length < crossed.start;
		if (isFree) canvas.write(timeRow, start, text, 'muted');
	}

	if (forming !== undefined) canvas.write(timeRow, forming, glyphs.forming, 'accent');
	if (crossed) canvas.write(timeRow, crossed.start, crossed.text, 'accent', true);
	if (!priceAxis) return;
	const corner = firstFitting(newer > 0 ? [`${formatFixed(newer, 0)} ${glyphs.newer}`] : zone, priceAxis.labelWidth);
	canvas.write(timeRow, priceAxis.labelColumn, padStart(corner, priceAxis.labelWidth), newer > 0 ? 'accent' : 'muted');
}

/** Draws a dot where a round price meets a round time. */
export function drawGrid(axes: Axes, rows: readonly number[], columns: readonly number[]): void {
	const part = pricePart(axes);
	for (const row of rows) {
		for (const column of columns) part.writeBehind(row, column, axes.glyphs.grid, 'muted');
	}
}

/** Draws a vertical line over the price pane wherever candles are missing. */
export function drawGaps(axes: Axes, columns: readonly number[]): void {
	const part = pricePart(axes);
	for (const column of columns) {
		for (let row = 0; row < axes.layout.priceRows; row++) part.writeBehind(row, column, axes.glyphs.gap, 'warn');
	}
}

/** The levels of one row, to which those beyond an end of the scale belong too. */
type LevelGroup = {
	readonly row: number;
	/** The one nearest to the last price. */
	readonly nearest: DrawnLevel;
	readonly count: number;
};

function groupsOf({scale}: PriceAxis, levels: readonly DrawnLevel[], last: number): readonly LevelGroup[] {
	const byRow = Map.groupBy(
		levels.toSorted((a, b) => Math.abs(a.price - last) - Math.abs(b.price - last)),
		({price}) => scale.rowOf(price),
	);
	return [...byRow].flatMap(([row, [nearest, ...others]]) => (nearest ? {row, nearest, count: others.length + 1} : []));
}

/** Rows whose place on the axis others take: prices, and alerts, which write their distance into the plot too. */
type TakenRows = {readonly taken: ReadonlySet<number>; readonly alerts: ReadonlySet<number>};

type LevelRows = {
	/** Whose place on the axis levels take. */
	readonly labelled: ReadonlySet<number>;
	/** Where a level inside the scale is neither on the axis nor in the plot. */
	readonly unnamed: ReadonlySet<number>;
};

/**
 * Draws the prices of the user's levels on the axis, and their notes where the row is blank, else over its oldest candles. In
 * the rows that others take on the axis, the price stands before the note.
 */
export function drawLevelNotes(
	axis: PriceAxis,
	levels: readonly DrawnLevel[],
	last: number,
	{taken, alerts}: TakenRows,
	ascii: boolean,
): LevelRows {
	const {glyphs, layout, labels, scale} = axis;
	const labelled = new Set<number>();
	const unnamed = new Set<number>();
	for (const {row, nearest, count} of groupsOf(axis, levels, last)) {
		const {price, note = ''} = nearest;
		const mark = scale.contains(price) ? glyphs.level.mark : glyphs.level.mark + beyondMark(axis, price);
		const label = labels.price(price);
		const isLabelled = !taken.has(row) && !alerts.has(row) && textWidth(label) <= (layout.priceAxis?.labelWidth ?? 0);
		if (isLabelled) {
			drawLabel(axis, layout.priceTop + row, {text: label, mark, tone: levelTone});
			labelled.add(row);
		}

		const place = isLabelled ? '' : `${mark} ${label.trim()}`;
		const text = noteText(place, note, count > 1 ? `+${count - 1}` : '', layout.plotColumns, ascii);
		const isNoted = drawNote(axis, row, text, alerts.has(row));
		if (!isLabelled && !isNoted && scale.contains(price)) unnamed.add(row);
	}

	return {labelled, unnamed};
}

/** Room for ` −99.99 % `. */
const alertColumns = 12;
/** How much of a row a note takes at most, and the fewest cells to which it is cut. */
const noteShare = 2 / 3;
const leastNote = 4;

/** `◆ 61,500.00 note +2`: a note too long is cut, the numbers never. */
function noteText(place: string, note: string, more: string, columns: number, ascii: boolean): string {
	const joined = (...parts: readonly string[]) => parts.filter(Boolean).join(' ');
	const room = Math.floor(columns * noteShare);
	const left = room - textWidth(joined(place, more)) - 1;
	const shown = left < Math.min(leastNote, textWidth(note)) ? '' : truncate(note, left, ascii);
	return firstFitting([joined(place, shown, more), joined(place, more), place], room);
}

/** Whether there is a note. `hasAlert`: room is left for the distance of an alert in the row; where there is not enough, there is none. */
function drawNote(axis: PriceAxis, row: number, text: string, hasAlert: boolean): boolean {
	if (text === '') return false;
	const {plotColumns} = axis.layout;
	const part = pricePart(axis);
	const padded = ` ${text} `;
	const width = textWidth(padded);
	const places = hasAlert ? blanks(part, row, plotColumns, alertColumns) : [];
	const leavesRoom = (column: number): boolean =>
		!hasAlert || places.some(place => place + alertColumns <= column || place >= column + width);
	const column = blanks(part, row, plotColumns, width).findLast(leavesRoom);
	if (column === undefined && hasAlert) return false;
	part.writeText(row, column ?? 0, padded, levelTone);
	return true;
}

/** Draws the lines of the levels inside the scale, behind everything else. */
export function drawLevelLines(axis: PriceAxis, levels: readonly DrawnLevel[]): void {
	for (const {price} of levels) {
		if (axis.scale.contains(price)) drawLevel(axis, axis.scale.rowOf(price), axis.glyphs.level.line, levelTone);
	}
}
