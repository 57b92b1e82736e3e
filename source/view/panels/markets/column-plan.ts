import {fractionWidth, textWidth} from '../../../format/cells.ts';
import {clamp, percentile} from '../../../market/numbers.ts';
import {type ColumnContext, type ColumnName, columnNames, pickerColumns} from './columns.ts';
import type {PickerEntry} from './entries.ts';
import {leastName} from './names.ts';

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

/** Whether the age of a market may be shown in so many cells. */
export const mayShowAge = (chosen: readonly ColumnName[] | undefined, columns: number): boolean =>
	chosen ? chosen.includes('age') : columns >= leastOfAll;

const leastOfAll = columnNames.reduce((sum, name) => sum + 1 + pickerColumns[name].least, signColumns + usualName);

/** The share of the rows whose texts a column has room for: one long price does not make it wider. */
const usualShare = 0.9;

/** Cells beyond its least ones that a column takes for longer texts before other columns have theirs. */
const longerText = 3;

type Measure = Omit<Place, 'width'> & {
	readonly least: number;
	readonly most: number;
	/** Cells of its numbers before the decimal point. */
	readonly whole: number;
	/** Makes use of any cells up to the most. Default: of all of them or none, as of a longer title. */
	readonly elastic: boolean;
};

/** What a column needs for most of the rows, and what it can make use of. */
function measure(name: ColumnName, entries: readonly PickerEntry[], context: ColumnContext): Measure {
	const {least, most, onPoint, cell, titles} = pickerColumns[name];
	const texts = entries.map(entry => cell(entry, context).text);
	const usual = (values: readonly number[]) => percentile(values, usualShare) ?? 0;
	const lean = clamp(usual(texts.map(textWidth)), least, least + longerText);
	const title = textWidth(titles(context)[0] ?? '');
	const elastic = name === 'range' || name === 'trend';
	if (!onPoint)
		return {name, least: lean, most: elastic ? most : clamp(title, lean, most), whole: 0, fraction: 0, elastic};
	const fraction = usual(texts.map(fractionWidth));
	const whole = usual(texts.map(text => textWidth(text) - fractionWidth(text)));
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
	const taken = takeFitting(entries, context, cells - signColumns - least, chosen, Math.max(usualName - least, 0));
	let spare = cells - signColumns - least - taken.reduce((sum, column) => sum + column.least + 1, 0);
	const grown = (from: number, to: number): number => {
		const more = clamp(to - from, 0, Math.max(spare, 0));
		spare -= more;
		return from + more;
	};

	let name = grown(least, Math.max(Math.min(longest, longestName), usualName));
	const widths = new Map(taken.map(column => [column.name, column.least]));
	// A curve takes whatever is left, so it comes last.
	for (const column of taken.toSorted((a, b) => Number(a.name === 'trend') - Number(b.name === 'trend')))
		widths.set(
			column.name,
			column.elastic || spare >= column.most - column.least ? grown(column.least, column.most) : column.least,
		);
	name = grown(name, name + spareName);
	const gap = 1 + clamp(Math.floor(spare / Math.max(taken.length, 1)), 0, widestGap - 1);
	return {name, gap, columns: taken.map(column => placeOf(column, widths.get(column.name) ?? column.least))};
}

/** In a column too narrow for all points, whole parts come before fractions. */
const placeOf = ({name, whole, fraction}: Measure, width: number): Place => ({
	...{name, width},
	fraction: clamp(fraction, 0, Math.max(width - whole, 0)),
});

/** The columns that fit into `room`; all but the first ones leave `forNames` cells of it to names. */
function takeFitting(
	entries: readonly PickerEntry[],
	context: ColumnContext,
	room: number,
	chosen: readonly ColumnName[] | undefined,
	forNames: number,
): readonly Measure[] {
	let left = room;
	const taken: Measure[] = [];
	for (const [index, name] of (chosen ?? byImportance).entries()) {
		const column = measure(name, entries, context);
		const kept = index < essential ? 0 : forNames;
		if (left - kept >= column.least + 1) {
			taken.push(column);
			left -= column.least + 1;
		} else if (!chosen) {
			break;
		}
	}

	return chosen ? taken : taken.toSorted((a, b) => columnNames.indexOf(a.name) - columnNames.indexOf(b.name));
}
