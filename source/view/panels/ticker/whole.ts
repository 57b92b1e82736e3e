import type {Size} from '../../../format/cells.ts';
import type {Tape} from '../../../market/tape.ts';
import {fitLine, fitLines, type Line} from '../../line.ts';
import {priceRows} from '../../price-rows.ts';
import type {TickerFactsInput} from './facts.ts';
import {type InterfacesInput, interfaceRows} from './interface-rows.ts';
import {type MarketFactsInput, marketRows} from './market-rows.ts';
import {rangeRows} from './range-rows.ts';
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
