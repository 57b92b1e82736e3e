import {padEnd, padPoint, textWidth} from '../../../format/cells.ts';
import {symbolKey} from '../../../market/symbol.ts';
import {activeState} from '../../../market/types.ts';
import type {Line, Span, Tone} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import type {ColumnPlan} from './column-plan.ts';
import {type Cell, type ColumnContext, pickerColumns} from './columns.ts';
import {entryState, type PickerEntry} from './entries.ts';
import {leastName, shortPair} from './names.ts';

export type RowInput = ColumnContext & {
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
		cells[widest] = {...cells[widest], text: marksFor(input.ascii).ellipsis};
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
export function marketRow(entry: PickerEntry, plan: ColumnPlan, input: RowInput): Line {
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
	return cells.flatMap(({cell}, index) =>
		withChange(shown[index] ?? '', oldTexts[index] ?? '', styled(cell.tone), changeTone(old[index]?.cell, cell)),
	);
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
