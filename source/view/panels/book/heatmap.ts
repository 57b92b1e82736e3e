import type {Size} from '../../../format/cells.ts';
import {formatAmount, formatPrice, formatUpTo} from '../../../format/number.ts';
import {formatAge, formatClock} from '../../../format/time.ts';
import {type PriceStep, spreadOf, stepDecimals, stepSize} from '../../../market/depth.ts';
import {type BookHistory, reachOf, type Snapshot} from '../../../market/liquidity.ts';
import {clamp} from '../../../market/numbers.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {DepthBook} from '../../../market/types.ts';
import {fitLines, type Line, type Span, type Tone} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {createCanvas} from '../../plot/canvas.ts';
import {bookColumns, type HeatCell, heatColumn, type PriceRows} from './heat-columns.ts';
import {ladderSteps} from './rungs.ts';

export type HeatmapInput = {
	readonly history: BookHistory;
	readonly book: DepthBook;
	readonly decimals: Decimals;
	/** Steps coarser than the default, which shows the whole session; negative: finer. */
	readonly zoom: number;
	readonly size: Size;
	readonly ascii: boolean;
};

type Heatmap = {
	/** From the top row down, each from the oldest column to the newest. A column without a book has no cells. */
	readonly rows: ReadonlyArray<readonly HeatCell[]>;
	readonly priceRows: PriceRows;
	readonly step: PriceStep;
	/** The largest cell, in base asset. */
	readonly largest: number;
	/** Of the first and the newest snapshot shown, epoch ms. */
	readonly from: number;
	readonly to: number;
	/** Time that a column covers. */
	readonly columnMs: number;
};

/** Levels of each side that the price rows cover without zoom. */
const reachedLevels = 20;

/** The heatmap of a session; undefined if there is nothing to draw. */
export function heatmapOf(input: HeatmapInput): Heatmap | undefined {
	const {history, size} = input;
	const plot = {columns: size.columns - labelColumns(input), rows: size.rows - 1};
	const session = plot.rows < 1 ? undefined : bookColumns(history, plot.columns);
	if (!session) return undefined;
	const {snapshots, columnMs, from, to} = session;
	const taken = snapshots.flatMap(snapshot => snapshot ?? []);
	const scale = priceRowsOf(input, taken, plot.rows);
	if (!scale) return undefined;
	const columns = snapshots.map(snapshot => snapshot && heatColumn(snapshot, scale.priceRows));
	const rows = Array.from({length: plot.rows}, (_, row) => columns.map(column => column?.[row]));
	const largest = Math.max(0, ...rows.flat().map(cell => (typeof cell === 'object' ? cell.quantity : 0)));
	return {...scale, rows, largest, from, to, columnMs};
}

/** Price rows with the mid in the middle, in the finest step that shows the best prices of the session and the nearest levels now. */
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
	const index = clamp((enough < 0 ? steps.length - 1 : enough) + zoom, 0, steps.length - 1);
	const step = steps[index];
	if (!step) return undefined;
	const size = stepSize(step);
	return {step, priceRows: {step: size, top: Math.round(middle / size) + Math.floor(count / 2), count}};
}

const shades = {unicode: ['░', '▒', '▓', '█'], ascii: [':', '+', '%', '#']};

/** The heatmap: time to the right, price upwards, size as shade, with the newest book at the right edge. Exactly `size`. */
export function heatmapBody(input: HeatmapInput): readonly Line[] {
	const {size, ascii} = input;
	const map = heatmapOf(input);
	if (!map) {
		const text = firstFitting([' no books yet', ' none yet'], size.columns);
		return fitLines([[{text, tone: 'muted'}]], size);
	}

	const labels = labelColumns(input);
	const left = size.columns - (map.rows[0]?.length ?? 0);
	const canvas = createCanvas({columns: size.columns, rows: map.rows.length});
	for (const [row, cells] of map.rows.entries()) {
		const price = row % 2 === 0 ? rowPrice(map, row, ascii) : '';
		if (price.length < labels) canvas.write(row, labels - 1 - price.length, price, 'muted');
		for (const [column, cell] of cells.entries()) {
			const {text, tone = 'plain'} = heatSpan(cell, map.largest, ascii);
			canvas.write(row, left + column, text, tone);
		}
	}

	return fitLines([...canvas.lines(), timeRow(map, left, size.columns)], size);
}

const rowPrice = ({priceRows: {step, top}, step: priceStep}: Heatmap, row: number, ascii: boolean): string =>
	formatUpTo((top - row) * step, stepDecimals(priceStep), {ascii});

/** Cells of a price and two blanks; 1 if the map is too narrow for labels. */
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
	// Sizes differ by orders of magnitude: the square root keeps small ones distinguishable.
	const shade = Math.ceil(Math.sqrt(cell.quantity / largest) * glyphs.length);
	const tone: Tone = cell.side === 'ask' ? 'down' : 'up';
	return {text: glyphs[clamp(shade, 1, glyphs.length) - 1] ?? ' ', tone};
}

/** The times of both ends, the first one below its column (`start` cells from the left) or as near to it as possible. */
function timeRow({from, to}: Heatmap, start: number, columns: number): Line {
	const [left, right] = [formatClock(from), formatClock(to)];
	const room = columns - right.length;
	const at = Math.min(start, room - left.length - 1);
	const text = at < 0 || left === right ? '' : ' '.repeat(at) + left;
	return [{text: text.padEnd(room) + right, tone: 'muted'}];
}

/** The size of the darkest shade and the time of a column, from long to short. */
export function heatmapScale(map: Heatmap, base: string | undefined, ascii: boolean): readonly string[] {
	const {separator} = marksFor(ascii);
	const full = (ascii ? shades.ascii : shades.unicode).at(-1) ?? '';
	const amount = `${full} ${formatAmount(map.largest, {ascii})}${base ? ` ${base}` : ''}`;
	const column = formatAge(map.columnMs).replace('.0 ', ' ');
	return [`${amount} ${separator} ${column} per column`, amount];
}
