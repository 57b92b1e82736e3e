import {formatAmount, formatPrice} from '../../../format/number.ts';
import {formatAge, formatClock} from '../../../format/time.ts';
import {type PriceStep, spreadOf, stepDecimals, stepSize} from '../../../market/depth.ts';
import {type BookHistory, reachOf, type Snapshot} from '../../../market/liquidity.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {DepthBook} from '../../../market/types.ts';
import {fitLine, type Line, type Size, type Span, type Tone} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {bookColumns, type HeatCell, heatColumn, type PriceRows} from './heat-columns.ts';
import {ladderSteps} from './rungs.ts';

export type HeatmapInput = {
	readonly history: BookHistory;
	readonly book: DepthBook;
	readonly decimals: Decimals;
	/** Steps coarser, or finer where negative, than what shows the whole session. */
	readonly zoom: number;
	readonly size: Size;
	readonly ascii: boolean;
};

type Heatmap = {
	/** From the top row down, each from the oldest column to the newest; nothing is known of the time of an empty one. */
	readonly rows: ReadonlyArray<readonly HeatCell[]>;
	readonly priceRows: PriceRows;
	readonly step: PriceStep;
	/** The largest cell, in base asset. */
	readonly largest: number;
	/** Of the first and the newest snapshot shown, epoch ms. */
	readonly from: number;
	readonly to: number;
	/** How much time a column stands for. */
	readonly columnMs: number;
};

/** Levels of each side that the price rows reach by themselves. */
const reachedLevels = 20;

/** Absent where there is nothing to draw. */
export function heatmapOf(input: HeatmapInput): Heatmap | undefined {
	const {history, size} = input;
	const plot = {columns: size.columns - labelColumns(input), rows: size.rows - 1};
	const seen = plot.rows < 1 ? undefined : bookColumns(history, plot.columns);
	if (!seen) return undefined;
	const {snapshots, columnMs, from, to} = seen;
	const taken = snapshots.flatMap(snapshot => snapshot ?? []);
	const found = priceRowsOf(input, taken, plot.rows);
	if (!found) return undefined;
	const columns = snapshots.map(snapshot => snapshot && heatColumn(snapshot, found.priceRows));
	const rows = Array.from({length: plot.rows}, (_, row) => columns.map(column => column?.[row]));
	const largest = Math.max(0, ...rows.flat().map(cell => (typeof cell === 'object' ? cell.quantity : 0)));
	return {...found, rows, largest, from, to, columnMs};
}

/** The finest step whose rows show where the touch was all the time, and the nearest levels now; the mid in the middle. */
function priceRowsOf(
	{book, decimals, zoom}: HeatmapInput,
	snapshots: readonly Snapshot[],
	count: number,
): {readonly priceRows: PriceRows; readonly step: PriceStep} | undefined {
	const touches = snapshots.flatMap(({asks, bids}) => {
		const sides = [reachOf(asks), bids && reachOf(bids)];
		return sides.flatMap(reach => (reach ? [reach.best] : []));
	});
	const near = [book.asks, book.bids ?? []].flatMap(
		levels => levels[Math.min(reachedLevels, levels.length - 1)]?.[0] ?? [],
	);
	const middle = spreadOf(book)?.mid ?? book.asks[0]?.[0] ?? book.bids?.[0]?.[0] ?? touches.at(-1);
	if (middle === undefined) return undefined;
	const away = Math.max(0, ...[...touches, ...near].map(price => Math.abs(price - middle)));
	const steps = ladderSteps(book, decimals);
	const enough = steps.findIndex(step => (stepSize(step) * count) / 2 >= away);
	const index = Math.min(Math.max((enough < 0 ? steps.length - 1 : enough) + zoom, 0), steps.length - 1);
	const step = steps[index];
	if (!step) return undefined;
	const size = stepSize(step);
	return {step, priceRows: {step: size, top: Math.round(middle / size) + Math.floor(count / 2), count}};
}

const shades = {unicode: ['░', '▒', '▓', '█'], ascii: [':', '+', '%', '#']};

/** Time to the right, price upwards, size as shade; the newest book at the right edge. Exactly `size`. */
export function heatmapBody(input: HeatmapInput): readonly Line[] {
	const {size, ascii} = input;
	const map = heatmapOf(input);
	if (!map) {
		const text = firstFitting([' nothing seen of this book yet', ' nothing yet'], size.columns);
		return Array.from({length: size.rows}, (_, row) => fitLine(row === 0 ? [{text, tone: 'muted'}] : [], size.columns));
	}

	const labels = labelColumns(input);
	const blank = ' '.repeat(Math.max(size.columns - labels - (map.rows[0]?.length ?? 0), 0));
	const lines = map.rows.map((cells, row): Line => {
		const label = row % 2 === 0 ? rowPrice(map, row, ascii) : '';
		const fits = label.length < labels;
		const plot = cells.map(cell => heatSpan(cell, map.largest, ascii));
		return [{text: `${(fits ? label : '').padStart(labels - 1)} `, tone: 'muted'}, {text: blank}, ...joined(plot)];
	});
	lines.push(timeRow(map, labels + blank.length, size.columns));
	return lines.map(line => fitLine(line, size.columns));
}

const rowPrice = ({priceRows: {step, top}, step: priceStep}: Heatmap, row: number, ascii: boolean): string => {
	const decimals = stepDecimals(priceStep);
	return formatPrice(Number(((top - row) * step).toFixed(Math.min(decimals, 100))), {decimals, ascii});
};

/** As wide as a price, and a blank; none where the map is too narrow for labels. */
function labelColumns({book, decimals, size, ascii}: HeatmapInput): number {
	const price = book.asks[0]?.[0] ?? book.bids?.[0]?.[0] ?? 0;
	const width = formatPrice(price, {decimals: decimals.price, ascii}).length + 2;
	return width < size.columns / 2 ? width : 1;
}

function heatSpan(cell: HeatCell, largest: number, ascii: boolean): Span {
	if (cell === undefined) return {text: ' '};
	if (cell === 'empty') return {text: ascii ? '.' : '·', tone: 'border'};
	if (cell === 'spread') return {text: ascii ? '-' : '─', tone: 'muted'};
	const glyphs = ascii ? shades.ascii : shades.unicode;
	// Sizes differ by orders of magnitude: the root keeps small ones apart from each other.
	const shade = Math.ceil(Math.sqrt(cell.quantity / largest) * glyphs.length);
	const tone: Tone = cell.side === 'ask' ? 'down' : 'up';
	return {text: glyphs[Math.min(Math.max(shade, 1), glyphs.length) - 1] ?? ' ', tone};
}

/** Neighbours of one tone as one span. */
function joined(spans: readonly Span[]): Line {
	const line: Span[] = [];
	for (const span of spans) {
		const last = line.at(-1);
		if (last && last.tone === span.tone) line[line.length - 1] = {...last, text: last.text + span.text};
		else line.push(span);
	}

	return line;
}

/** The times of both ends, the first one below its column (`start` cells from the left) or as near to it as there is room. */
function timeRow({from, to}: Heatmap, start: number, columns: number): Line {
	const [left, right] = [formatClock(from), formatClock(to)];
	const room = columns - right.length;
	const at = Math.min(start, room - left.length - 1);
	const text = at < 0 || left === right ? '' : ' '.repeat(at) + left;
	return [{text: text.padEnd(room) + right, tone: 'muted'}];
}

/** What the darkest shade and a column stand for, from long to short. */
export function heatmapScale(map: Heatmap, base: string | undefined, ascii: boolean): readonly string[] {
	const {separator} = marksFor(ascii);
	const full = (ascii ? shades.ascii : shades.unicode).at(-1) ?? '';
	const amount = `${full} ${formatAmount(map.largest, {ascii})}${base ? ` ${base}` : ''}`;
	const column = formatAge(map.columnMs).replace('.0 ', ' ');
	return [`${amount} ${separator} ${column} a column`, amount];
}
