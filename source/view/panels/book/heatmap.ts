import {formatAmount, formatUpTo} from '../../../format/number.ts';
import {formatAge, formatClock, formatZonedClock} from '../../../format/time.ts';
import {isUtc, toLocal, utc, type Zone, zoneLabel} from '../../../format/zone.ts';
import {stepDecimals} from '../../../market/depth.ts';
import {clamp} from '../../../market/numbers.ts';
import {hourMs, minuteMs, secondMs} from '../../../market/units.ts';
import {fitLine, fitLines, type Heat, heatLevels, type Line, type Span, type Tone} from '../../line.ts';
import {dotted, firstFitting} from '../../marks.ts';
import {createCanvas} from '../../plot/canvas.ts';
import {startAround} from '../../plot/time-labels.ts';
import {
	columnTime,
	dotAt,
	type HeatCell,
	type Heatmap,
	type HeatmapInput,
	rowPrice,
	type TradeDot,
} from './heatmap-model.ts';

const shades = {unicode: ['░', '▒', '▓', '█'], ascii: [':', '+', '%', '#']};
/** Small and large dots of trades: filled ones were bought, hollow ones sold. */
const dotGlyphs = {
	unicode: {buy: ['•', '●'], sell: ['◦', '○'], unknown: ['◇', '◆']},
	ascii: {buy: ['b', 'B'], sell: ['s', 'S'], unknown: ['x', 'X']},
};
const dotTones = {buy: 'up', sell: 'down', unknown: 'plain'} as const satisfies Record<string, Tone>;

/** The heatmap: time to the right, price upwards, size as heat or shade, trades as dots. Exactly the input's size. */
export function heatmapBody(map: Heatmap | undefined, input: HeatmapInput): readonly Line[] {
	const {size, ascii} = input;
	if (!map) {
		const texts = input.history.snapshots.length > 0 ? [' no asks, no bids', ' empty'] : [' no books yet', ' none yet'];
		const text = firstFitting(texts, size.columns);
		return fitLines([[{text, tone: 'muted'}]], size);
	}

	const rows = Array.from({length: map.priceRows.count}, (_, row): Line => {
		const cells = map.columns.map((_, column) => cellSpan(map, column, row, input));
		return [priceSpan(map, row, ascii), ...joined(cells)];
	});
	return fitLines([...rows, timeRow(map, size.columns, input.zone)], size);
}

/** The price of every second row and of the cursor's. */
function priceSpan(map: Heatmap, row: number, ascii: boolean): Span {
	const {labels, cursor} = map;
	const isCursor = cursor?.row === row;
	const price = isCursor || row % 2 === 0 ? formatUpTo(rowPrice(map, row), stepDecimals(map.step), {ascii}) : '';
	const text = price.length < labels ? price.padStart(labels - 1) : '';
	return {text: text.padEnd(labels), tone: isCursor ? 'accent' : 'muted'};
}

/** Neighbours that look the same as one span. */
function joined(cells: readonly Span[]): Line {
	const spans: Span[] = [];
	for (const cell of cells) {
		const last = spans.at(-1);
		if (last && last.tone === cell.tone && last.heat === cell.heat && last.inverse === cell.inverse)
			spans[spans.length - 1] = {...last, text: last.text + cell.text};
		else spans.push(cell);
	}

	return spans;
}

function cellSpan(map: Heatmap, column: number, row: number, input: HeatmapInput): Span {
	const heat = heatSpan(map.columns[column]?.[row], map.largest, input);
	const dot = dotAt(map, {column, row});
	const span = dot ? {...heat, ...dotSpan(dot, input.ascii)} : heat;
	return map.cursor?.column === column && map.cursor.row === row ? {...span, inverse: true} : span;
}

function dotSpan({side, isLarge}: TradeDot, ascii: boolean): Span {
	const name = side ?? 'unknown';
	const [small = '', large = ''] = (ascii ? dotGlyphs.ascii : dotGlyphs.unicode)[name];
	return {text: isLarge ? large : small, tone: dotTones[name]};
}

function heatSpan(cell: HeatCell, largest: number, {ascii, hasHeat}: HeatmapInput): Span {
	if (cell === undefined) return {text: ' '};
	const midLine: Span = {text: ascii ? '-' : '─', tone: 'muted'};
	if (cell === 'spread') return midLine;
	if (cell === 'empty') return {text: ascii ? '.' : '·', tone: 'border'};
	// Sizes differ by orders of magnitude: the square root keeps small ones distinguishable.
	const share = Math.sqrt(cell.quantity / largest);
	const side = cell.side === 'ask' ? 'down' : 'up';
	if (hasHeat && !ascii) {
		const heat = heats[side][Math.round(share * (heatLevels - 1))];
		return {...(cell.isMid ? midLine : {text: ' '}), heat};
	}

	if (cell.isMid) return midLine;
	const glyphs = ascii ? shades.ascii : shades.unicode;
	return {text: glyphs[clamp(Math.ceil(share * glyphs.length), 1, glyphs.length) - 1] ?? ' ', tone: side};
}

/** One object for each, so that equal ones are found by identity. */
const heats = {up: heatsOf('up'), down: heatsOf('down')};

function heatsOf(side: Heat['side']): readonly Heat[] {
	return Array.from({length: heatLevels}, (_, level) => ({side, level}));
}

/** Times that labels can lie apart. */
const tickTimes: readonly number[] = [
	...[5, 10, 15, 30].map(seconds => seconds * secondMs),
	...[1, 2, 5, 10, 15, 30].map(minutes => minutes * minuteMs),
	...[1, 2, 6].map(hours => hours * hourMs),
];
/** Columns from the middle of one time to that of the next. */
const leastTickColumns = 12;

/** Round times below their columns, and the cursor's; without a round one the first. The zone is named beside them. */
function timeRow(map: Heatmap, columns: number, zone: Zone = utc): Line {
	const {labels, columnMs, cursor} = map;
	const canvas = createCanvas({columns: columns - labels, rows: 1});
	const write = (column: number, text: string, tone: Tone): boolean => {
		const room = canvas.size.columns;
		const start = startAround(column, text, room);
		const [from, to] = [Math.max(start - 1, 0), Math.min(start + text.length + 1, room)];
		const fits = text.length <= room && canvas.isBlank(0, from, to - from);
		if (fits) canvas.write(0, start, text, tone);
		return fits;
	};
	if (cursor) write(cursor.column, formatClock(timeAt(map, cursor.column), zone), 'accent');
	const step = tickTimes.find(time => time / columnMs >= leastTickColumns) ?? columnMs * leastTickColumns;
	const text = (time: number) => formatClock(time, zone).slice(0, step < minuteMs ? undefined : -3);
	const ticks = map.columns.flatMap((_, column) => {
		const end = columnTime(map, column + 1);
		// The last round time by the zone's clocks before the column ends.
		const time = end - 1 - (toLocal(end - 1, zone) % step);
		return time >= end - columnMs ? [{column, time}] : [];
	});
	const shown = ticks.filter(({column, time}) => write(column, text(time), 'muted'));
	if (shown.length === 0) write(0, formatClock(timeAt(map, 0), zone), 'muted');
	const name = isUtc(zone) ? '' : zoneLabel(zone, map.from);
	const margin = (name.length < labels ? name : '').padStart(labels - 1).padEnd(labels);
	return [{text: margin, tone: 'muted'}, ...fitLine(canvas.lines()[0] ?? [], columns - labels)];
}

/** When a column's book was received; where there is none, when the column begins. */
const timeAt = (map: Heatmap, column: number): number => map.snapshots[column]?.time ?? columnTime(map, column);

/** What the cursor is on, or the largest size with how it looks, the time of a column and the dots: from long to short. */
export function heatmapNotes(map: Heatmap, base: string | undefined, input: HeatmapInput): readonly string[] {
	const {ascii, hasHeat} = input;
	if (map.cursor) return cursorNotes(map, base, input).map(parts => dotted(parts, ascii));
	const full = hasHeat && !ascii ? 'brightest' : ((ascii ? shades.ascii : shades.unicode).at(-1) ?? '');
	const amount = amountText(map.largest, base, ascii);
	const column = `${formatAge(map.columnMs).replace('.0 ', ' ')} per column`;
	const glyphs = ascii ? dotGlyphs.ascii : dotGlyphs.unicode;
	const dots = map.dots.size > 0 ? [`${glyphs.buy[1]} bought ${glyphs.sell[1]} sold`] : [];
	return [
		dotted([`${full} ${amount}`, column, ...dots], ascii),
		dotted([`${full} ${amount}`, column], ascii),
		`${full} ${amount}`,
		amount,
	];
}

const amountText = (amount: number, base: string | undefined, ascii: boolean): string =>
	`${formatAmount(amount, {ascii})}${base ? ` ${base}` : ''}`;

const dotWords = {buy: 'bought', sell: 'sold', unknown: 'traded'};

/** Time, price, size and trades of the cursor's cell, from long to short. */
function cursorNotes(
	map: Heatmap,
	base: string | undefined,
	{ascii, zone}: HeatmapInput,
): ReadonlyArray<readonly string[]> {
	const {cursor} = map;
	if (!cursor) return [];
	const time = formatZonedClock(timeAt(map, cursor.column), zone);
	const price = formatUpTo(rowPrice(map, cursor.row), stepDecimals(map.step), {ascii});
	const size = sizeText(map.columns[cursor.column], cursor.row, base, ascii);
	const dot = dotAt(map, cursor);
	const traded = dot ? `${dotWords[dot.side ?? 'unknown']} ${formatAmount(dot.quantity, {ascii})}` : '';
	return [[time, price, size, traded], [time, price, size], [price, size], [size]];
}

/** What rests in a row of a column. */
function sizeText(
	column: readonly HeatCell[] | undefined,
	row: number,
	base: string | undefined,
	ascii: boolean,
): string {
	if (!column) return 'no book';
	const cell = column[row];
	if (cell === undefined) return 'beyond the book';
	if (typeof cell === 'string') return cell === 'spread' ? 'spread' : 'no orders';
	return `${cell.side} ${amountText(cell.quantity, base, ascii)}`;
}
