import {textWidth} from '../../../format/cells.ts';
import {formatPrice, toDecimals} from '../../../format/number.ts';
import {formatDateTime} from '../../../format/time.ts';
import type {Zone} from '../../../format/zone.ts';
import {linePriceAt} from '../../../market/trend-line.ts';
import type {DrawnLevel} from '../../drawn-levels.ts';
import type {DrawnLine} from '../../drawn-lines.ts';
import {bodySize} from '../../frame.ts';
import {cursorList} from '../../kit/cursor-list.ts';
import {type Column, table} from '../../kit/table.ts';
import type {Line} from '../../line.ts';
import {dotted, firstFitting, marksFor} from '../../marks.ts';
import {dayTime} from '../../plot/time-labels.ts';
import {distancePercent} from '../../price-texts.ts';
import type {OverlayView} from '../../resource-panel.ts';

export type LevelsPanelInput = OverlayView & {
	/** Of the market, highest first. */
	readonly levels: readonly DrawnLevel[];
	/** Of the market, by number. Default: none. */
	readonly lines?: readonly DrawnLine[] | undefined;
	/** Key of the level or line under the cursor; absent: the first. */
	readonly cursor?: string | undefined;
	/** Name of the market; absent: not known. */
	readonly market?: string | undefined;
	/** The last price; absent: not known. */
	readonly last?: number | undefined;
	/** Decimals of the price. */
	readonly decimals: number;
	/** When lines have their prices, epoch ms by the clock of the trades. */
	readonly now: number;
};

/** A level, or a line with its price now; without one it has fallen to 0. */
export type LevelRow =
	| (DrawnLevel & {readonly line?: undefined})
	| {readonly line: DrawnLine; readonly price: number | undefined};

/** Levels, then lines. */
export const levelRows = ({
	levels,
	lines = [],
	decimals,
	now,
}: Pick<LevelsPanelInput, 'levels' | 'lines' | 'decimals' | 'now'>): readonly LevelRow[] => [
	...levels,
	...lines.map(line => {
		const price = linePriceAt(line, now);
		return {line, price: price === undefined ? undefined : toDecimals(price, decimals)};
	}),
];

export const levelKey = ({line, price}: LevelRow): string => (line ? JSON.stringify(line) : String(price));

/** The framed list of levels and lines: the page of it with the row under the cursor. Exactly `size`. */
export function levelsPanel(input: LevelsPanelInput): readonly Line[] {
	const {levels, lines = [], market, keyHint, size, ascii} = input;
	const shown = levelRows(input);
	const [heading = '', ...rows] = tableOf(shown, input, bodySize(size).columns - 2);
	const counts = [
		levels.length > 0 || lines.length === 0 ? ['Levels', levels.length || ''].join(' ').trim() : '',
		lines.length > 0 ? `Lines ${lines.length}` : '',
	].filter(Boolean);
	const ways = [
		keyHint('on the crosshair draws one', 'level'),
		keyHint('adds one', 'level-add'),
		keyHint('at two places draws a line', 'line'),
	].filter(Boolean);
	return cursorList({
		...input,
		command: 'levels',
		titles: [...(market === undefined ? [] : [dotted([...counts, market], ascii)]), dotted(counts, ascii), 'Levels'],
		heading,
		rows: shown.map((row, index) => ({key: levelKey(row), lines: [[{text: ` ${rows[index]}`}]]})),
		empty: ['no levels or lines in this market yet', ways.join(', ')].filter(Boolean).join('; '),
	});
}

/**
 * Price, distance from the last price and note of each level, and of each line its number and its ends, below the names of these columns.
 * A note too long is cut.
 */
function tableOf(shown: readonly LevelRow[], input: LevelsPanelInput, width: number): readonly string[] {
	const {last, lines = [], decimals, now, ascii, zone} = input;
	const priceText = (price: number): string => formatPrice(price, {decimals, ascii});
	const cells = shown.map(({line, price}) => [
		price === undefined ? marksFor(ascii).none : priceText(price),
		last === undefined || price === undefined ? '' : distancePercent(price, last, ascii),
		...(lines.length > 0 ? [line ? `${line.number}${line.log ? ' log' : ''}` : ''] : []),
	]);
	const columns: readonly Column[] = [
		{titles: ['price'], alignment: 'point'},
		{titles: ['distance'], alignment: 'right'},
		...(lines.length > 0 ? [{titles: ['line']}] : []),
	];
	const room = width - Math.max(0, ...table(columns, cells).lines.map(textWidth)) - 2;
	/** No number of it is cut. */
	function endsText({from, to}: DrawnLine): string {
		const times = [from, to].map(({time}) => timeText(time, now, zone));
		const whole = [from, to].map(({price}, index) => `${times[index]} ${priceText(price)}`);
		return firstFitting([whole.join(' to '), times.join(' to ')], room);
	}

	const rows = cells.map((texts, index) => {
		const row = shown[index];
		return [...texts, row?.line ? endsText(row.line) : (row?.note ?? '')];
	});
	const titles = lines.length > 0 ? ['note or ends', 'note'] : ['note'];
	return table([...columns, {titles, rank: 1, least: 0, cuts: true}], rows, {width, ascii}).lines;
}

/** With the year of another year than that of `now`. */
function timeText(time: number, now: number, zone?: Zone): string {
	const [text, year] = [formatDateTime(time, zone), formatDateTime(now, zone).slice(0, 4)];
	return text.startsWith(year) ? dayTime(time, zone) : text.slice(0, 16);
}
