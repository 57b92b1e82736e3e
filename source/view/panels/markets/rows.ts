import {padEnd, padPoint, padStart, type Size, textWidth} from '../../../format/cells.ts';
import {formatExact} from '../../../format/number.ts';
import {symbolKey} from '../../../market/symbol.ts';
import {activeState} from '../../../market/types.ts';
import {type KeyHint, noKeyHint} from '../../keys.ts';
import {type Line, lineWidth, type Span, type Tone} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {endOf} from '../../text-edit.ts';
import {type ColumnPlan, leastName, planColumns, shortPair, signColumns} from './column-plan.ts';
import {type Cell, type ColumnContext, type ColumnName, pickerColumns} from './columns.ts';
import {entryState, type PickerEntry} from './entries.ts';

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
/** A panel of fewer cells shows what needs no header, unless the user chose columns or sorts by the past. */
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
	sorted,
	size,
	...filter
}: Pick<PickerInput, 'list' | 'cursor' | 'chosen' | 'sorted' | 'size' | 'filter' | 'editing'>): {
	readonly top: number;
	readonly entries: readonly PickerEntry[];
} {
	const filterRows = isFiltered(filter) ? 1 : 0;
	const room = size.rows - filterRows;
	// The texts shown do not decide: a header that came and went with a longer price would move every row.
	const isHeaded = chosen !== undefined || sorted !== undefined || size.columns >= headedColumns;
	const headerRows = Math.min(list.length, room) >= leastRows && isHeaded ? 1 : 0;
	const rows = room - headerRows;
	const first = firstRow(list, cursor, rows);
	return {top: filterRows + headerRows, entries: list.slice(first, first + rows)};
}

/** The columns that are shown. */
export const shownColumns = (input: PickerInput): readonly ColumnName[] =>
	planColumns(listedRows(input).entries, input, input.size.columns, input.chosen).columns.map(({name}) => name);

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

type RowInput = ColumnContext & {
	/** The market that the other panels show. */
	readonly selected: string | undefined;
	/** The row under the cursor. */
	readonly cursor: string | undefined;
	readonly favourites: ReadonlySet<string>;
	/** The markets with armed alerts by their keys, and whether one is blind. Default: none. */
	readonly alerts?: ReadonlyMap<string, boolean> | undefined;
	/** The digits stand out that changed at this time, epoch ms; absent: none do. */
	readonly flashAt?: number | undefined;
};

/** A cell, and how many cells from the beginning of the name its text begins. */
type Placed = {readonly cell: Cell; readonly start: number};

const rowWidth = ({name, gap, columns}: ColumnPlan): number =>
	columns.reduce((sum, {width}) => sum + gap + width, name);

/** Each cell at the end of its column. A text that is too wide for its column moves what is before it to the left. */
function placed(cells: readonly Cell[], plan: ColumnPlan): readonly Placed[] {
	const {gap, columns} = plan;
	let end = rowWidth(plan);
	let next = Infinity;
	return cells
		.map((cell, index) => ({cell, place: columns[index]}))
		.toReversed()
		.map(({cell, place}) => {
			const start = Math.min(end, next - 1) - textWidth(cell.text);
			next = start;
			end -= gap + (place?.width ?? 0);
			return {cell, start};
		})
		.toReversed();
}

/** The placed cells of a market. Numbers that leave its name no room are replaced, the widest first: a part would be another number. */
function cellsOf(entry: PickerEntry, plan: ColumnPlan, input: RowInput): readonly Placed[] {
	const {columns} = plan;
	const cells = columns.map(({name, width, fraction}): Cell => {
		const {onPoint, cell} = pickerColumns[name];
		const {text, ...rest} = cell(entry, input, width);
		return {text: (onPoint ? padPoint(text, width, fraction) : text).trimStart(), ...rest};
	});
	const excess = (cell: Cell, index: number) => textWidth(cell.text) - (columns[index]?.width ?? 0);
	while (nameEnd(placed(cells, plan), plan) < Math.min(leastName(entry), plan.name)) {
		const excesses = cells.map(excess);
		const widest = excesses.indexOf(Math.max(...excesses));
		cells[widest] = {...cells[widest], text: marksFor(input.ascii).ellipsis, ageLength: undefined};
	}

	return placed(cells, plan);
}

const nameEnd = ([first]: readonly Placed[], {name}: ColumnPlan): number =>
	Math.min(name, (first?.start ?? Infinity) - 1);

/** The cells with the blanks before them, after the name. */
function texts(cells: readonly Placed[], plan: ColumnPlan): readonly string[] {
	let end = nameEnd(cells, plan);
	return cells.map(({cell, start}) => {
		const text = ' '.repeat(start - end) + cell.text;
		end = start + textWidth(cell.text);
		return text;
	});
}

/** Sets the part of `text` that differs from `before` in `tone`; all of it if their lengths differ. */
function withChange(text: string, before: string, style: Omit<Span, 'text'>, tone: Tone): Line {
	const isSame = (index: number) => text.length === before.length && text[index] === before[index];
	const changed = Array.from(text, (letter, index) => letter !== ' ' && !isSame(index));
	const first = changed.indexOf(true);
	if (first < 0) return [{text, ...style}];
	const last = changed.lastIndexOf(true) + 1;
	return [
		{text: text.slice(0, first), ...style},
		{text: text.slice(first, last), ...style, tone},
		{text: text.slice(last), ...style},
	].filter(span => span.text !== '');
}

function changeTone(before: Cell | undefined, {value}: Cell): Tone {
	if (before?.value === undefined || value === undefined) return 'strong';
	return value < before.value ? 'fell' : 'rose';
}

/** `▶` selected, `★` favourite, the pair and its cells, as wide as the plan. */
function marketRow(entry: PickerEntry, plan: ColumnPlan, input: RowInput): Line {
	const {selected, cursor, favourites, ascii} = input;
	const {symbol} = entry.market;
	const inverse = symbol === cursor;
	// The cursor is a bar of one style: patches of colour in it would be hard to read.
	const styled = (own: Tone) => (inverse ? {tone: 'strong' as const, inverse} : {tone: own});
	const quiet = entryState(entry) !== activeState || entry.ticker?.last === undefined;
	const tone: Tone = quiet ? 'muted' : symbol === selected ? 'strong' : 'plain';
	const cells = cellsOf(entry, plan, input);
	return [
		{text: symbol === selected ? (ascii ? '>' : '▶') : ' ', ...styled('accent')},
		{text: favourites.has(symbol) ? (ascii ? '*' : '★') : ' ', ...styled('accent')},
		...nameSpans(entry, plan, nameEnd(cells, plan), input).map(span => ({...span, ...styled(span.tone ?? tone)})),
		...cellSpans(entry, cells, plan, input, own => styled(own ?? tone)),
	];
}

/** The cells; in those that the last poll changed, the changed part stands out for a moment. */
function cellSpans(
	entry: PickerEntry,
	cells: readonly Placed[],
	plan: ColumnPlan,
	input: RowInput,
	styled: (tone: Tone | undefined) => Omit<Span, 'text'>,
): Line {
	const shown = texts(cells, plan);
	const {before, changedAt} = input.trails.get(entry.market.symbol) ?? {};
	const stands = before !== undefined && changedAt !== undefined && changedAt === input.flashAt;
	const old = stands ? cellsOf({...entry, ticker: before}, plan, input) : cells;
	const oldTexts = stands ? texts(old, plan) : shown;
	return cells.flatMap(({cell}, index) => {
		const text = shown[index] ?? '';
		const end = text.length - (cell.ageLength ?? 0);
		const earlier = (oldTexts[index] ?? '').slice(0, end);
		const value = withChange(text.slice(0, end), earlier, styled(cell.tone), changeTone(old[index]?.cell, cell));
		return end < text.length ? [...value, {text: text.slice(end), ...styled('muted')}] : value;
	});
}

/** The state of a market that is not active, if no column shows it; else empty. */
function stateNote(entry: PickerEntry, {columns}: ColumnPlan): string {
	const state = entryState(entry);
	return state === activeState || columns.some(({name}) => name === 'change') ? '' : state;
}

/** The pair, its state if that fits, and at the end of `columns` cells the sign of its alerts: `!` armed, `?` blind. */
function nameSpans(entry: PickerEntry, plan: ColumnPlan, columns: number, {alerts, ascii}: RowInput): Line {
	const named = (width: number) => {
		const pair = shortPair(entry, width, ascii);
		return padEnd(firstFitting([`${pair} ${stateNote(entry, plan)}`, pair], width), width);
	};
	const isBlind = alerts?.get(symbolKey(entry.market.symbol));
	if (isBlind === undefined) return [{text: named(columns)}];
	return [{text: named(columns - 1)}, {text: isBlind ? '?' : '!', tone: isBlind ? 'warn' : 'accent'}];
}
