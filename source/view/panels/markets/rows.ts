import {padEnd, padStart, type Size, textWidth} from '../../../format/cells.ts';
import {formatExact} from '../../../format/number.ts';
import {type KeyHint, noKeyHint} from '../../keys.ts';
import {type Line, lineWidth} from '../../line.ts';
import {firstFitting} from '../../marks.ts';
import {endOf} from '../../text-edit.ts';
import {type ColumnPlan, planColumns, signColumns} from './column-plan.ts';
import {type ColumnContext, type ColumnName, pickerColumns} from './columns.ts';
import type {PickerEntry} from './entries.ts';
import {marketRow, type RowInput} from './market-row.ts';

export type PickerInput = RowInput & {
	readonly filter: string;
	/** Whether keys edit the filter. */
	readonly editing: boolean;
	/** The columns to show, in order; absent: as many as there is room for. */
	readonly chosen?: readonly ColumnName[] | undefined;
	/** Absent: no keyboard. */
	readonly keyHint?: KeyHint | undefined;
	readonly size: Size;
};

/** Minimum rows below a header. */
const leastRows = 2;
/** A panel of fewer cells shows what needs no header, unless the user chose columns. */
const headedColumns = 47;

/** The first row shown. The list scrolls by whole pages, and only to keep the cursor visible. */
function firstRow(list: readonly PickerEntry[], cursor: string | undefined, rows: number): number {
	const index = list.findIndex(entry => entry.market.symbol === cursor);
	if (index < rows) return 0;
	return Math.min(index - Math.floor(rows / 2), Math.max(list.length - rows, 0));
}

/** The names of the columns. */
function headerRow({name, gap, columns}: ColumnPlan, context: ColumnContext): Line {
	const titles = columns.map(column => {
		const title = firstFitting(pickerColumns[column.name].titles(context), column.width);
		return ' '.repeat(gap) + padStart(title, column.width);
	});
	return [{text: padEnd('market', signColumns + name) + titles.join(''), tone: 'muted'}];
}

/** The cursor's bar reaches the end of the row. */
function filled(line: Line, columns: number): Line {
	const missing = columns - lineWidth(line);
	return missing > 0 ? [...line, {...line[0], text: ' '.repeat(missing)}] : line;
}

/** The markets that are on the screen, and the row of the first, from 0. */
export function listedRows({
	list,
	cursor,
	chosen,
	size,
	...filter
}: Pick<PickerInput, 'list' | 'cursor' | 'chosen' | 'size' | 'filter' | 'editing'>): {
	readonly top: number;
	readonly entries: readonly PickerEntry[];
} {
	const filterRows = isFiltered(filter) ? 1 : 0;
	const room = size.rows - filterRows;
	// The texts shown do not decide: a header that came and went with a longer price would move every row.
	const isHeaded = chosen !== undefined || size.columns >= headedColumns;
	const headerRows = Math.min(list.length, room) >= leastRows && isHeaded ? 1 : 0;
	const rows = room - headerRows;
	const first = firstRow(list, cursor, rows);
	return {top: filterRows + headerRows, entries: list.slice(first, first + rows)};
}

const isFiltered = ({filter, editing}: Pick<PickerInput, 'filter' | 'editing'>): boolean => editing || filter !== '';

/**
 * One market per row: `▶` selected, `★` favourite, pair, and the chosen columns or, if none are chosen, those that there is
 * room for. At most `size` rows.
 */
export function pickerBody(input: PickerInput): readonly Line[] {
	const {chosen, size} = input;
	const filter = filterRow(input);
	const {top, entries} = listedRows(input);
	const hasHeader = top > filter.length;
	const plan = planColumns(entries, input, size.columns, chosen);
	const header = hasHeader ? [headerRow(plan, input)] : [];
	return [...filter, ...header, ...entries.map(entry => filled(marketRow(entry, plan, input), size.columns))];
}

function filterRow({filter, editing, list, keyHint = noKeyHint, size, ascii}: PickerInput): readonly Line[] {
	if (!isFiltered({filter, editing})) return [];
	const nothing = ['no match', keyHint('clears', 'back')].filter(Boolean).join(', ');
	const count = `  ${list.length === 0 ? nothing : formatExact(list.length)}`;
	const caret = editing ? (ascii ? '_' : '▏') : '';
	return [
		[
			{text: '/', tone: 'accent'},
			{text: endOf(filter, size.columns - textWidth(count) - 2, ascii) + caret, tone: 'strong'},
			{text: count, tone: 'muted'},
		],
	];
}

/** The shape of the list while it is loading. */
export function pickerSkeleton(size: Size, ascii: boolean): readonly Line[] {
	const dots = (count: number) => (ascii ? '.' : '·').repeat(Math.max(count, 0));
	const row: Line = [
		{text: `  ${dots(7)}${' '.repeat(Math.max(size.columns - 24, 1))}${dots(8)} ${dots(5)}`, tone: 'muted'},
	];
	return Array.from({length: size.rows}, () => row);
}
