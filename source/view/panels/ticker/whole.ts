import type {Size} from '../../../format/cells.ts';
import {formatFixed, formatPrice} from '../../../format/number.ts';
import type {DayRange} from '../../../market/day.ts';
import {clamp} from '../../../market/numbers.ts';
import type {Tape} from '../../../market/tape.ts';
import {fitLine, fitLines, fitParts, type Line, label, type Part, type Tone} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {createCanvas} from '../../plot/canvas.ts';
import {priceRows} from '../../plot/tape-trend.ts';
import type {TickerFactsInput} from './facts.ts';
import {shareOfRange} from './gauge.ts';
import {type InterfacesInput, interfaceRows} from './interface-rows.ts';
import {type MarketFactsInput, marketRows} from './market-rows.ts';
import {presentRows, tickerBody} from './rows.ts';

export type WholeTickerInput = TickerFactsInput & {
	readonly interfaces: InterfacesInput;
	readonly market: MarketFactsInput;
	/** Absent: no trades are known. */
	readonly tape?: Tape | undefined;
};

/** From this size on, a panel has more than the facts of `tickerBody`. */
const wholeFrom: Size = {columns: 70, rows: 14};

export const isWhole = ({columns, rows}: Size): boolean => columns >= wholeFrom.columns && rows >= wholeFrom.rows;

/** A column of blocks, each with a blank row after it. */
type Column = {readonly width: number; readonly blocks: ReadonlyArray<readonly Line[]>};

/** From these widths on: a wide column at the left, and a third column. */
const wideFrom = 100;
const threeFrom = 150;
const leastCurve = 4;
const between = 2;

/**
 * The ticker with the screen to itself: the range with the present prices in it, the facts of `tickerBody`, what is known of the
 * market, both interfaces' tickers side by side, and with room left the price as a curve. Exactly `size`; a small one has
 * `tickerBody` alone.
 */
export function wholeTicker(input: WholeTickerInput, size: Size): readonly Line[] {
	if (!isWhole(size)) return tickerBody({...input, size});
	const {book, range, decimals, absences, ascii} = input;
	const top = rangeRows(
		{
			...{range, ascii, decimals: decimals.price},
			...{last: input.lastTrade?.price ?? input.ticker?.last, open: input.ticker?.open},
			...{bid: book?.bids?.[0]?.[0], ask: book?.asks[0]?.[0]},
			absence: absences?.ticker ?? 'not sent',
		},
		size.columns,
	);
	const rows = size.rows - top.length - 1;
	const facts = besideEachOther(columnsOf(input, {columns: size.columns, rows}), rows);
	const left = rows - facts.length - 1;
	const {tape, market} = input;
	const prices = tape && {tape, decimals: decimals.price, ascii, zone: market.zone};
	const curve = prices && left >= leastCurve ? priceRows(prices, {columns: size.columns, rows: left}) : [];
	return fitLines([...top, [], ...facts, [], ...curve], size);
}

function columnsOf(input: WholeTickerInput, {columns, rows}: Size): readonly Column[] {
	const present = (width: number) => presentRows(input, width);
	const market = (width: number) => marketRows(input.market, width);
	const interfaces = (width: number) => interfaceRows(input.interfaces, width, rows);
	if (columns >= threeFrom) {
		const width = Math.floor((columns - 2 * between) / 3);
		return [present, interfaces, market].map(block => ({width, blocks: [block(width)]}));
	}

	const left = columns >= wideFrom ? Math.floor(columns / 2) : wholeFrom.columns / 2;
	const right = columns - left - between;
	return [
		{width: left, blocks: [present(left), market(left)]},
		{width: right, blocks: [interfaces(right)]},
	];
}

/** The columns side by side, as high as the highest, at most `rows`. */
function besideEachOther(columns: readonly Column[], rows: number): readonly Line[] {
	const stacks = columns.map(({width, blocks}) => ({
		width,
		lines: blocks.flatMap((block, index) => (index > 0 ? [[], ...block] : block)),
	}));
	const height = Math.min(Math.max(...stacks.map(({lines}) => lines.length)), rows);
	return Array.from({length: height}, (_, row) =>
		stacks.flatMap(
			({width, lines}, index): Line => [
				...(index > 0 ? [{text: ' '.repeat(between)}] : []),
				...fitLine(lines[row] ?? [], width),
			],
		),
	);
}

export type RangeInput = {
	readonly range: DayRange;
	readonly last?: number | undefined;
	readonly open?: number | undefined;
	readonly bid?: number | undefined;
	readonly ask?: number | undefined;
	/** Digits of prices after the point. */
	readonly decimals: number;
	readonly ascii: boolean;
	/** Why there is no range. */
	readonly absence: string;
};

type Point = {readonly name: string; readonly glyph: string; readonly price: number; readonly tone: Tone};

/** The prices in the range, the most important last: it covers the others where they share a cell. */
function pointsOf({last, open, bid, ask, ascii}: RangeInput): readonly Point[] {
	const points: ReadonlyArray<Omit<Point, 'price'> & {readonly price: number | undefined}> = [
		{name: 'ask', glyph: 'a', price: ask, tone: 'down'},
		{name: 'bid', glyph: 'b', price: bid, tone: 'up'},
		{name: 'open', glyph: ascii ? 'o' : '○', price: open, tone: 'plain'},
		{name: 'last', glyph: ascii ? 'O' : '●', price: last, tone: 'strong'},
	];
	return points.flatMap(({price, ...point}) => (price === undefined ? [] : {...point, price}));
}

/** The gauge has at least so many cells. */
const leastGauge = 10;

/**
 * `61,001.00 ▕──○────b●a──▏ 62,745.14`, and below it what the marks are and where they lie, in percent from the low. A price
 * outside the range, of a trade more than a day old, stands at that end, without a percentage. Two rows.
 */
export function rangeRows(input: RangeInput, columns: number): readonly Line[] {
	const {range, decimals, ascii, absence} = input;
	const {low, high} = range;
	const {none, ellipsis} = marksFor(ascii);
	if (low === undefined || high === undefined) return [[label(` range 24 h  ${none}  ${absence}`)], []];
	const text = (price: number) => formatPrice(price, {decimals, ascii});
	const width = Math.floor((columns - leastGauge - 4) / 2);
	const endText = (price: number) =>
		firstFitting([text(price), formatPrice(price, {decimals, width, ascii}), ellipsis], width);
	const [left, right] = [` ${endText(low)} `, ` ${endText(high)} `];
	const points = pointsOf(input);
	const canvas = createCanvas({columns: columns - left.length - right.length, rows: 1});
	const {columns: cells} = canvas.size;
	const shareOf = (price: number) => shareOfRange(low, high, price) ?? 0;
	const [start, rail, end] = ascii ? ['[', '-', ']'] : ['▕', '─', '▏'];
	canvas.write(0, 0, start + rail.repeat(cells - 2) + end, 'muted');
	for (const {price, glyph, tone} of points) {
		canvas.write(0, 1 + Math.round(clamp(shareOf(price), 0, 1) * (cells - 3)), glyph, tone);
	}

	const places = points.toReversed().map(({name, glyph, price, tone}, index): Part => {
		const isInside = price >= low && price <= high;
		const place = isInside ? ` at ${formatFixed(shareOf(price) * 100, 0)} %` : ' outside';
		return {
			spans: [{text: ` ${glyph}`, tone}, label(` ${name} `), {text: text(price)}, label(place)],
			rank: index,
			gap: 2,
		};
	});
	const [gauge = []] = canvas.lines();
	return [[{text: left}, ...gauge, {text: right}], fitParts(places, columns, ellipsis)];
}
