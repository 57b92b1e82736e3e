import {padStart, type Size, textWidth} from '../../../format/cells.ts';
import {formatPercent} from '../../../format/number.ts';
import {formatPeriod} from '../../../format/time.ts';
import type {CandleSeries} from '../../../market/candles.ts';
import {memo} from '../../../market/memo.ts';
import {clamp} from '../../../market/numbers.ts';
import {type Performances, performances} from '../../../market/performance.ts';
import {pairName} from '../../../market/symbol.ts';
import type {Market, Period} from '../../../market/types.ts';
import {minuteMs} from '../../../market/units.ts';
import type {Compared} from '../../../store/comparison.ts';
import {type Resource, waiting} from '../../../store/resource.ts';
import type {KeyHint} from '../../keys.ts';
import type {Line, Tone} from '../../line.ts';
import {type Canvas, createCanvas} from '../../plot/canvas.ts';
import {drawSolidLine} from '../../plot/curves.ts';
import {enclosingTicks} from '../../plot/price-axis.ts';
import {createPriceScale, type PriceScale} from '../../plot/price-scale.ts';
import {dayTime} from '../../plot/time-labels.ts';
import {resourcePanel} from '../../resource-panel.ts';
import {builtFromText} from '../chart/model.ts';
import {chartSkeleton, emptyChart} from '../chart/rows.ts';

/** As many as there are colours. */
export const mostCompared = 6;

export type ComparePanelInput = {
	readonly compared: readonly Compared[];
	/** The market list, for the names of the pairs. */
	readonly markets: Resource<readonly Market[]>;
	readonly period: Period;
	readonly keyHint: KeyHint;
	readonly size: Size;
	readonly now: number;
	readonly ascii: boolean;
};

/** The framed comparison. Its age is that of a failing market or, if none fails, the oldest one. */
export function comparePanel(input: ComparePanelInput): readonly Line[] {
	const {compared, markets, period, keyHint, size, now, ascii} = input;
	const dot = ascii ? ' - ' : ' · ';
	const built = compared.flatMap(({candles}) => seriesOf(candles) ?? []).flatMap(builtFromText);
	const short = [formatPeriod(period), ...new Set(built)].join(dot);
	const name = `Compare${dot}${short}`;
	const hints = [keyHint('period', 'shorter-period', 'longer-period'), keyHint('closes', 'back')];
	const keys = [keyHint('compare picks the markets', 'command'), ...hints];
	return resourcePanel({
		resource: worstResource(compared),
		command: 'compare',
		titles: [`${name}${dot}change since the left edge`, name, short, short.replaceAll('built from', 'from')],
		footers: [keys, hints, hints.slice(-1)].map(texts => texts.filter(Boolean).join(dot)),
		focused: true,
		...{keyHint, size, now, ascii},
		body: (_, {columns, rows}) => compareBody(compared, markets, period, columns, rows, ascii),
		skeleton: chartSkeleton,
	});
}

const compareBody = memo(
	(
		compared: ComparePanelInput['compared'],
		markets: ComparePanelInput['markets'],
		period: Period,
		columns: number,
		rows: number,
		ascii: boolean,
	): readonly Line[] => {
		const size = {columns, rows};
		const listed = new Map(markets.status === 'ready' ? markets.data.map(market => [market.symbol, market]) : []);
		const lines = compared.map(({symbol, candles}): ComparedLine => {
			const market = listed.get(symbol);
			return {symbol, name: market ? pairName(market) : symbol, note: noteOf(candles)};
		});
		const series = new Map(compared.map(({symbol, candles}) => [symbol, seriesOf(candles)?.candles ?? []]));
		const names = lines.map(line => line.name);
		const shown = performances(series, period * minuteMs, plotColumns(names, size));
		return shown ? compareChart({lines, performances: shown, size, ascii}) : emptyChart(size, ascii);
	},
);

const seriesOf = (candles: Compared['candles']): CandleSeries | undefined =>
	candles.status === 'ready' ? candles.data : undefined;

function noteOf(candles: Compared['candles']): string | undefined {
	if (candles.status === 'waiting') return 'waiting';
	if (candles.status === 'failed') return candles.failure.error.brief;
	if (candles.data.candles.length === 0) return 'no candles';
	return candles.failure ? 'stale' : undefined;
}

/** Among the markets with candles, one that fails, else the oldest. */
function worstResource(compared: readonly Compared[]): Resource<unknown> {
	const resources = compared.map(({candles}) => candles);
	const answered = resources.filter(candles => candles.status === 'ready');
	const failing = answered.find(({failure}) => failure !== undefined);
	const [oldest] = answered.toSorted((a, b) => a.receivedAt - b.receivedAt);
	return failing ?? oldest ?? resources[0] ?? waiting;
}

/** One market of a comparison, with its label. */
export type ComparedLine = {
	readonly symbol: string;
	/** The pair. */
	readonly name: string;
	/** Shown in place of a change if there is none. */
	readonly note?: string | undefined;
};

export type CompareChartInput = {
	readonly lines: readonly ComparedLine[];
	readonly performances: Performances;
	readonly size: Size;
	readonly ascii: boolean;
};

/** One colour per market. */
const tones: readonly Tone[] = ['series1', 'series2', 'series3', 'series4', 'series5', 'series6'];
const toneOf = (index: number): Tone => tones[index] ?? 'plain';
const letterOf = (index: number): string => String.fromCharCode(65 + index);
/** Columns between letters in a line, which distinguish the lines without colour. */
const letterColumns = 18;

/** The labels beside the ends of the lines: ` A BTC/USDT +1.23 %`. */
function labelsOf({lines, performances, ascii}: CompareChartInput): readonly string[] {
	const names = Math.max(...lines.map(({name}) => textWidth(name)));
	const notes = lines.map(({symbol, note}) => note ?? formatPercent(performances.changes.get(symbol)?.at(-1), {ascii}));
	const width = Math.max(...notes.map(textWidth));
	return lines.map(({name}, index) => {
		const note = padStart(notes[index] ?? '', width);
		return ` ${letterOf(index)} ${name}${' '.repeat(names - textWidth(name))} ${note}`;
	});
}

/** Columns that labels and scale leave for the lines. */
export function plotColumns(names: readonly string[], {columns}: Size): number {
	return Math.max(columns - scaleColumns - Math.max(...names.map(textWidth)) - changeColumns, 1);
}

const scaleColumns = 11;
/** Minimum rows between labelled changes. */
const rowsPerTick = 2;
/** Decimals of a change in percent. */
const percentDecimals = 2;
/** Letter, blanks and `+19,675 %`, or a short note. */
const changeColumns = 14;

/** The change of several markets since the left edge, one line each, with zero line, scale and labels. Exactly `size`. */
export function compareChart(input: CompareChartInput): readonly Line[] {
	const {lines, performances, size, ascii} = input;
	const canvas = createCanvas(size);
	const rows = Math.max(size.rows - 1, 2);
	const changes = lines.map(({symbol}) => performances.changes.get(symbol) ?? []);
	const columns = Math.max(...changes.map(({length}) => length), 0);
	const all = [0, ...changes.flat()];
	const low = all.reduce((a, b) => Math.min(a, b));
	const high = all.reduce((a, b) => Math.max(a, b));
	// Round ends do not move while the lines move between them.
	const ticks = ticksFor(low, high, rows);
	const ends = {low: ticks.at(-1) ?? 0, high: ticks[0] ?? 0};
	const scale = createPriceScale({...ends, rows, decimals: percentDecimals, inset: 0.5});

	drawScale(canvas, scale, {ticks: [0, ...ticks], columns, ascii});
	const lineRows = changes.map(line => line.map(change => scale.rowOf(change)));
	for (const [index, drawn] of lineRows.entries()) {
		const line = {rows: drawn, column: scaleColumns, tone: toneOf(index)};
		if (drawn.length > 0) drawSolidLine(canvas.part(0, rows), line, ascii);
	}

	for (const [index, drawn] of lineRows.entries()) drawLetters(canvas, drawn, index);
	const labels = labelsOf(input);
	const lastRows = lineRows.map(drawn => drawn.at(-1) ?? rows - 1);
	for (const [index, row] of spreadOut(lastRows, rows).entries()) {
		canvas.write(row, scaleColumns + columns, labels[index] ?? '', toneOf(index));
	}

	const to = dayTime(performances.to);
	canvas.write(rows, scaleColumns, dayTime(performances.from), 'muted');
	if (columns > 2 * to.length + 2) canvas.write(rows, scaleColumns + columns - to.length, to, 'muted');
	return canvas.lines();
}

/** Round changes that enclose the range, as many as `rows` have room for. */
function ticksFor(low: number, high: number, rows: number): readonly number[] {
	const intervals = Math.max(Math.floor(rows / rowsPerTick), 1);
	const choices = Array.from({length: intervals}, (_, fewer) =>
		enclosingTicks(low, high, intervals - fewer, percentDecimals),
	).map(({values}) => values);
	// The ends can add intervals.
	return choices.find(({length}) => (length - 1) * rowsPerTick <= rows - 1) ?? choices.at(-1) ?? [];
}

/** The labelled changes in percent, and the columns of the lines. */
type Labelled = {readonly ticks: readonly number[]; readonly columns: number; readonly ascii: boolean};

function drawScale(canvas: Canvas, scale: PriceScale, {ticks, columns, ascii}: Labelled): void {
	canvas.write(scale.rowOf(0), scaleColumns, (ascii ? '.' : '·').repeat(columns), 'muted');
	for (const change of ticks) {
		canvas.write(scale.rowOf(change), 0, padStart(formatPercent(change, {ascii}), scaleColumns - 1), 'muted');
	}
}

/** Draws the letters of a line. Each line has its own columns for them, so that they never overlap. */
function drawLetters(canvas: Canvas, lineRows: readonly number[], index: number): void {
	for (let column = index * 3; column < lineRows.length; column += letterColumns) {
		canvas.write(lineRows[column] ?? 0, scaleColumns + column, letterOf(index), toneOf(index));
	}
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
