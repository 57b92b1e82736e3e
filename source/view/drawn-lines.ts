import type {LinesOf} from '../alerts/quantity-values.ts';
import {symbolKey} from '../market/symbol.ts';
import type {TrendLine} from '../market/trend-line.ts';

/** A line that the user drew. Rules name it by its number, which no later line of its market gets, even if it is deleted. */
export type DrawnLine = TrendLine & {readonly number: number};

type MarketLines = {
	/** By number. Two instances that draw at the same time may give a number twice. */
	readonly lines: readonly DrawnLine[];
	/** The last numbers that lines had, ascending, also those of deleted ones. */
	readonly used: readonly number[];
};

/** Of deleted lines, older numbers are forgotten. */
const mostUsed = 100;

/** By the keys of markets. */
export type DrawnLines = ReadonlyMap<string, MarketLines>;

/** Of one market. */
export const mostDrawnLines = 20;

export const noLines: readonly DrawnLine[] = [];

/** The lines of a market, by number; the same list while they do not change. */
export const drawnLinesOf = (lines: DrawnLines, symbol: string | undefined): readonly DrawnLine[] =>
	(symbol === undefined ? undefined : lines.get(symbolKey(symbol)))?.lines ?? noLines;

/** The lines that a number names in a market, for rules. */
export const linesNumbered =
	(lines: DrawnLines): LinesOf =>
	(market, number) =>
		drawnLinesOf(lines, market).filter(line => line.number === number);

/** The lines with one more, and its number. */
export function withLine(lines: DrawnLines, symbol: string, line: TrendLine): {lines: DrawnLines; number: number} {
	const {used = []} = lines.get(symbolKey(symbol)) ?? {};
	const number = (used.at(-1) ?? 0) + 1;
	const all = [...drawnLinesOf(lines, symbol), {...line, number}];
	const ofMarket = {lines: all, used: [...used, number].slice(-mostUsed)};
	return {lines: new Map([...lines, [symbolKey(symbol), ofMarket]]), number};
}

export function withoutLine(lines: DrawnLines, symbol: string, line: DrawnLine): DrawnLines {
	const {used = []} = lines.get(symbolKey(symbol)) ?? {};
	const others = drawnLinesOf(lines, symbol).filter(each => each !== line);
	return new Map([...lines, [symbolKey(symbol), {lines: others, used}]]);
}
