import type {Size} from '../../../format/cells.ts';
import {memo} from '../../../market/memo.ts';
import {noMinimum} from '../../../market/minimum.ts';
import {clamp} from '../../../market/numbers.ts';
import type {Tape} from '../../../market/tape.ts';
import {hasSides, sideSums} from '../../../market/tape-sums.ts';
import type {Trade} from '../../../market/types.ts';
import type {TapeView} from './list.ts';

/** What was bought and sold, above the trades or beside them. */
export type Flow = ReturnType<typeof flowOf>;
/** What is shown around the trades of a body. */
export type Sections = ReturnType<typeof sectionsOf>;

export type SectionsInput = Partial<TapeView> & {
	readonly tape: Tape;
	readonly size: Size;
	readonly zoomed?: boolean | undefined;
};

/** From this height on, a body has the sums above its trades. */
const sumsFrom = 10;
/** From this size on, also those of the day. */
const dayFrom: Size = {columns: 60, rows: 14};
/** From this height on, a zoomed body has the curve, and one of many panels. */
const curveFrom = {zoomed: 16, shared: 30};
/** Of one of many panels, its title included. */
const sharedCurve = 6;
/** From this width on, a zoomed body has sums and curve beside its trades, which then have so many columns. */
const besideFrom = 166;
const besideTrades = 102;
const besideGap = 2;
const mostCurve = 20;
/** From so many rows on, the curves of delta and price share them. */
const pricesFrom = 24;
/** Rows between the two. */
const curveGap = 1;
/** From this height on, a narrow body has a row of the exchange's words for unknown sides. */
const legendFrom = 6;
/** From this size on, a body has the value of each trade, and a row that names the columns. */
const headFrom: Size = {columns: 46, rows: 10};

/** `isScrolled`: a row counts the new trades. */
export function sectionsOf(input: SectionsInput, isScrolled: boolean) {
	const {tape, minimum = noMinimum, merged = false, size} = input;
	const {rows} = size;
	const flow = flowOf(input);
	/** Width of the trades. */
	const columns = flow.beside ? besideTrades : size.columns;
	/** What is hidden and merged, and how many trades are new. */
	const hasNote = isScrolled || minimum.size > 0 || merged;
	/** The exchange's words for unknown sides, where they have no room beside the trades. */
	const hasLegend = columns < headFrom.columns && rows >= legendFrom && sideWords(tape.trades).length > 0;
	/** The names of the columns. */
	const hasHead = columns >= headFrom.columns && rows >= headFrom.rows;
	const above = flow.beside ? 0 : flow.curve + (flow.hasSums ? 1 + Number(flow.hasDay) : 0);
	const others = [hasNote, hasLegend, hasHead].filter(Boolean).length;
	return {flow, hasNote, hasLegend, hasHead, columns, trades: Math.max(rows - above - others, 0)};
}

function flowOf({tape, size, zoomed = false}: SectionsInput) {
	const {columns, rows} = size;
	const hasCurve = rows >= (zoomed ? curveFrom.zoomed : curveFrom.shared) && hasSides(sideSums(tape));
	const beside = zoomed && hasCurve && columns >= besideFrom;
	/** The sums of the day stand beside those of the session. */
	const hasDay = columns >= dayFrom.columns && rows >= dayFrom.rows;
	const left = rows - (hasDay ? 2 : 1);
	/** Rows of the curve of the price below that of the delta; 0: there is none. */
	const price = beside && left >= pricesFrom ? Math.floor((left - curveGap) / 2) : 0;
	const besideCurve = price > 0 ? left - curveGap - price : Math.min(left, mostCurve);
	const zoomedCurve = beside ? besideCurve : clamp(Math.round(rows / 5), 4, mostCurve / 2);
	return {
		...{beside, hasDay, price},
		columns: beside ? columns - besideTrades - besideGap : columns,
		hasSums: rows >= sumsFrom,
		/** Rows of the curve of the cumulative delta; 0: there is none. */
		curve: hasCurve ? (zoomed ? zoomedCurve : sharedCurve) : 0,
	};
}

/**
 * What stands for each of these words in the place of the arrow: the first of its letters that no word before it has, and a dot
 * where none is left.
 */
export function sideLetters(words: readonly string[], dot: string): ReadonlyMap<string, string> {
	const taken = new Set<string>();
	return new Map(
		words.map(word => {
			const letter = word
				.toUpperCase()
				.match(/[A-Z]/g)
				?.find(each => !taken.has(each));
			if (letter !== undefined) taken.add(letter);
			return [word, letter ?? dot];
		}),
	);
}

/** The exchange's words for sides other than buy and sell, the newest first. */
export const sideWords = memo((trades: readonly Trade[]): readonly string[] => {
	const words = new Set<string>();
	for (const {side, sideText} of trades) if (side === undefined && sideText) words.add(sideText);
	return [...words];
});
