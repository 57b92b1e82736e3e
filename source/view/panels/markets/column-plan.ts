import {textWidth, truncate} from '../../../format/cells.ts';
import {clamp, percentile} from '../../../market/numbers.ts';
import {isNumbered} from '../../../market/symbol.ts';
import {type Demand, fractionIn, grown, measure, takeFitting} from '../../kit/table.ts';
import {marksFor} from '../../marks.ts';
import {type ColumnContext, type ColumnName, columnNames, pickerColumns} from './columns.ts';
import type {PickerEntry, SortName} from './entries.ts';

/** Where the columns are. */
export type ColumnPlan = {
	/** Cells of the name. */
	readonly name: number;
	/** Blanks before each column. */
	readonly gap: number;
	readonly columns: readonly Place[];
};

type Place = {
	readonly name: ColumnName;
	readonly width: number;
	/** Cells of its numbers from the decimal point on; 0: they have none, or stand at the right. */
	readonly fraction: number;
};

/** The signs of the selected market and of a favourite. */
export const signColumns = 2;
/** Longer names are cut in favour of columns that are not essential. */
const usualName = 12;
const longestName = 24;
/** Cells that a name may have beyond its text before columns move apart. */
const spareName = 8;
const widestGap = 3;

/** The order in which columns are left out, last first, unless the user chose them. */
const byImportance: readonly ColumnName[] = [
	...(['last', 'change', 'trend', 'volume', 'spread', 'range', 'high', 'low', 'bid', 'ask', 'age'] as const),
];
/** So many columns come before the rest of a long name. */
const essential = 2;

/** Whether an age may be shown in so many cells. */
export const mayShowAge = (chosen: readonly ColumnName[] | undefined, sort: SortName, columns: number): boolean =>
	chosen ? chosen.includes('age') || chosen.includes('rvol') : sort === 'rvol' || columns >= leastOfAll;

/** The columns unless the user chose some: after the price comes what the list is sorted by, if it is of the past. */
const importantFirst = ({sorted}: ColumnContext): readonly ColumnName[] =>
	sorted === undefined ? byImportance : ['last', sorted, ...byImportance.slice(1)];

const leastOfAll = byImportance.reduce((sum, name) => sum + 1 + pickerColumns[name].least, signColumns + usualName);

/** The share of the rows whose texts a column has room for: one long price does not make it wider. */
const usualShare = 0.9;

/** Cells beyond its least ones that a column takes for longer texts before other columns have theirs. */
const longerText = 3;

type Measure = Omit<Place, 'width'> & Demand & {readonly whole: number};

const usual = (widths: readonly number[]): number => percentile(widths, usualShare) ?? 0;

/** What a column needs for most of the rows, and what it can make use of. */
function measured(name: ColumnName, entries: readonly PickerEntry[], context: ColumnContext): Measure {
	const {least, most, onPoint, cell, titles} = pickerColumns[name];
	const {width, whole, fraction} = measure(
		entries.map(entry => cell(entry, context).text),
		usual,
	);
	const lean = clamp(width, least, least + longerText);
	const title = textWidth(titles(context)[0] ?? '');
	const elastic = name === 'range' || name === 'trend';
	if (!onPoint)
		return {name, least: lean, most: elastic ? most : clamp(title, lean, most), whole: 0, fraction: 0, elastic};
	const numbers = {whole, fraction, elastic: whole + fraction > lean};
	return {name, least: lean, most: clamp(Math.max(whole + fraction, title), lean, most), ...numbers};
}

/**
 * The columns for these entries in so many cells: those of `chosen` that fit, in that order, or as many as fit. Of the rest,
 * names get what they need, then numbers stand on their points, then curves and gaps grow.
 */
export function planColumns(
	entries: readonly PickerEntry[],
	context: ColumnContext,
	cells: number,
	chosen: readonly ColumnName[] | undefined,
): ColumnPlan {
	const least = entries.reduce((most, entry) => Math.max(most, leastName(entry)), 1);
	const longest = entries.reduce((most, {pair}) => Math.max(most, textWidth(pair)), 1);
	const room = cells - signColumns - least;
	const forNames = Math.max(usualName - least, 0);
	const fitting = takeFitting(
		(chosen ?? importantFirst(context)).values().map(name => measured(name, entries, context)),
		{room, gap: 1, skips: chosen !== undefined, kept: taken => (taken < essential ? 0 : forNames)},
	);
	const shownAt = ({name}: Measure) => (chosen ?? columnNames).indexOf(name);
	const columns = fitting.toSorted((one, other) => shownAt(one) - shownAt(other));
	const name = {least, most: Math.max(Math.min(longest, longestName), usualName), elastic: true};
	const beside = {least: 0, most: spareName, elastic: true};
	// A curve takes whatever is left, so it comes last.
	const curvesLast = columns.toSorted((one, other) => Number(one.name === 'trend') - Number(other.name === 'trend'));
	const needed = columns.reduce((sum, column) => sum + 1 + column.least, 0);
	const {cellsOf, spare} = grown([name, ...curvesLast, beside], room - needed);
	return {
		name: cellsOf(name) + cellsOf(beside),
		gap: 1 + clamp(Math.floor(spare / Math.max(columns.length, 1)), 0, widestGap - 1),
		columns: columns.map(column => {
			const width = cellsOf(column);
			return {name: column.name, width, fraction: fractionIn(width, column)};
		}),
	};
}

/** Longer quote assets and ids are cut, so that a hostile name takes no room from prices. */
const longestQuote = 10;
/** Cells of a name that are left at least: of a pair a letter of the base, `…` and the quote asset. */
const leastSymbol = 8;

/** The quote asset, with the market's id where others have the name of the market. */
function quoteText({market}: PickerEntry, ascii: boolean): string {
	const {base, quote, id = ''} = market;
	if (!base || !quote) return '';
	const number = isNumbered(market) ? `#${truncate(id, longestQuote, ascii)}` : '';
	return `/${truncate(quote, longestQuote, ascii)}${number}`;
}

/** The fewest cells in which the name can be told from those with other quote assets. */
export function leastName(entry: PickerEntry): number {
	const quote = quoteText(entry, false);
	return Math.min(textWidth(entry.pair), quote ? textWidth(quote) + 2 : leastSymbol);
}

/** The pair in at most `width` cells: the base is cut before the quote asset. Of a symbol without assets the middle is cut. */
export function shortPair(entry: PickerEntry, width: number, ascii: boolean): string {
	const {pair, market} = entry;
	if (textWidth(pair) <= width) return pair;
	const quote = quoteText(entry, ascii);
	const room = width - textWidth(quote);
	if (quote && room > 0) return truncate(market.base ?? '', room, ascii) + quote;
	// Symbols end in the quote asset.
	const end = Math.floor((width - 1) / 2);
	return quote || end < 1 ? truncate(pair, width, ascii) : withoutMiddle(pair, width - 1 - end, end, ascii);
}

function withoutMiddle(text: string, start: number, end: number, ascii: boolean): string {
	const letters = [...text];
	const fits = letters.every(letter => textWidth(letter) === 1);
	const {ellipsis} = marksFor(ascii);
	return fits
		? letters.slice(0, start).join('') + ellipsis + letters.slice(-end).join('')
		: truncate(text, start + 1 + end, ascii);
}
