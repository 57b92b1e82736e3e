import {type Alignment, fractionWidth, padEnd, padPoint, padStart, textWidth, truncate} from '../../format/cells.ts';
import {clamp} from '../../market/numbers.ts';
import {firstFitting} from '../marks.ts';
import {wrapped} from '../wrap.ts';

/** Columns that share a width: which of them are shown, and in how many cells. */

/** The fewest cells that a column can be shown in, and the most that it makes use of. */
export type Demand = {
	readonly least: number;
	readonly most: number;
	/** Makes use of any cells up to the most. Default: of all of them or none, as of a longer title. */
	readonly elastic?: boolean;
};

/** Texts of one column, in cells. `usual` picks the width that counts of the widths of all. */
export function measure(texts: readonly string[], usual: (widths: readonly number[]) => number) {
	const fraction = usual(texts.map(fractionWidth));
	const whole = usual(texts.map(text => textWidth(text) - fractionWidth(text)));
	/** `whole` and `fraction`: of its numbers, before and from the decimal point. */
	return {width: usual(texts.map(textWidth)), whole, fraction};
}

type Fitting = {
	readonly room: number;
	/** Blanks before each column. */
	readonly gap: number;
	/** Leaves out what does not fit and goes on. Default: that is the end. */
	readonly skips?: boolean;
	/** Cells that stay free beside the column that is taken after so many. Default: none. */
	kept?(taken: number): number;
};

/** Those of the columns, the most important one first, that fit beside each other. */
export function takeFitting<Column extends Demand>(
	byImportance: Iterable<Column>,
	{room, gap, skips = false, kept = () => 0}: Fitting,
): readonly Column[] {
	const taken: Column[] = [];
	let left = room;
	for (const column of byImportance) {
		if (left - kept(taken.length) >= gap + column.least) {
			taken.push(column);
			left -= gap + column.least;
		} else if (!skips) {
			break;
		}
	}

	return taken;
}

/** The cells of each column when they take, in this order, what they make use of beyond their least of `spare` cells, and the rest of these. */
export function grown(columns: readonly Demand[], spare: number) {
	let left = Math.max(spare, 0);
	const cells = new Map(
		columns.map(column => {
			const more = column.most - column.least;
			const given = column.elastic || more <= left ? Math.min(more, left) : 0;
			left -= given;
			return [column, column.least + given];
		}),
	);
	return {cellsOf: (column: Demand): number => cells.get(column) ?? 0, spare: left};
}

/** In a column too narrow for all decimal points, whole parts come before fractions. */
export const fractionIn = (width: number, {whole, fraction}: {readonly whole: number; readonly fraction: number}) =>
	clamp(fraction, 0, Math.max(width - whole, 0));

export type Column = {
	/** From long to short; empty: it has none. */
	readonly titles: readonly string[];
	/** Default: left. */
	readonly alignment?: Alignment | undefined;
	/** Where room is short, the columns of the highest rank are left out first, all of a rank together. Default: 0, which stays. */
	readonly rank?: number | undefined;
	/** So few cells will do: longer texts are wrapped between words. Absent: they are shown whole. */
	readonly least?: number | undefined;
	/** They are cut at the end instead. */
	readonly cuts?: boolean | undefined;
};

export type Table = {
	/** The titles, unless no column has one, then the rows. */
	readonly lines: readonly string[];
	/** The short titles of the columns for which there is no room. */
	readonly hidden: readonly string[];
};

/** The cells of each line with the blanks before them, by column; empty where the column is left out. */
type Cells = ReadonlyArray<readonly string[]>;

const blanks = 2;

type TableStyle = {
	/** Of a line. Default: as many as it needs. */
	readonly width?: number | undefined;
	readonly ascii?: boolean | undefined;
};

/**
 * Columns two blanks apart. Where `width` is too little for all, first numbers leave their decimal points and texts are wrapped or
 * cut, then columns are left out. No number is ever cut: columns of rank 0 may be wider.
 */
export function table(
	columns: readonly Column[],
	rows: readonly (readonly string[])[],
	style: TableStyle = {},
): Table & {readonly cells: Cells} {
	const {width = Infinity, ascii = false} = style;
	const measured = columns.map((column, index) =>
		measuredColumn(
			column,
			rows.map(row => row[index] ?? ''),
		),
	);
	const roomBeside = (taken: readonly Demand[]) =>
		taken.reduce((room, {least}) => room - blanks - least, width + blanks);
	const staying = measured.filter(({rank}) => rank === 0);
	const byRank = [...Map.groupBy(measured, ({rank}) => rank)]
		.filter(([rank]) => rank > 0)
		.toSorted(([one], [other]) => one - other)
		.map(([, group]) => ({group, ...demandOfAll(group)}));
	const fitting = takeFitting(byRank, {room: roomBeside(staying), gap: blanks});
	const taken = new Set([...staying, ...fitting.flatMap(({group}) => group)]);
	const shown = measured.filter(column => taken.has(column));
	const {cellsOf} = grown(shown, roomBeside(shown));
	const linesOf = (parts: (column: Measured, cells: number) => readonly string[]): Cells => {
		const placed = measured.map(column => ({
			before: taken.has(column) && column !== shown[0] ? ' '.repeat(blanks) : '',
			blank: ' '.repeat(cellsOf(column)),
			texts: taken.has(column) ? parts(column, cellsOf(column)) : [],
		}));
		const height = Math.max(1, ...placed.map(({texts}) => texts.length));
		return Array.from({length: height}, (_, at) =>
			placed.map(({before, texts, blank}) => before + (texts[at] ?? blank)),
		);
	};
	const isTitled = columns.some(({titles}) => titles.length > 0);
	const ofRows = rows.flatMap((_, row) =>
		linesOf((column, room) => cellLines(column, column.texts[row] ?? '', room, ascii)),
	);
	const cells = [...(isTitled ? linesOf(titleLines) : []), ...ofRows];
	return {
		lines: cells.map(parts => parts.join('').trimEnd()),
		cells,
		hidden: measured.filter(column => !taken.has(column)).map(({titles}) => titles.at(-1) ?? ''),
	};
}

/** Of columns beside each other. */
function demandOfAll(columns: readonly Demand[]): Demand {
	const between = blanks * (columns.length - 1);
	const sum = (name: 'least' | 'most') => columns.reduce((total, column) => total + column[name], between);
	return {least: sum('least'), most: sum('most')};
}

type Measured = ReturnType<typeof measuredColumn>;

const widest = (widths: readonly number[]): number => widths.reduce((most, each) => Math.max(most, each), 0);

function measuredColumn({rank = 0, ...column}: Column, texts: readonly string[]) {
	const {alignment, titles, least: wanted} = column;
	const {width, ...parts} = measure(texts, widest);
	const least = Math.max(Math.min(wanted ?? width, width), textWidth(titles.at(-1) ?? ''));
	const onPoint = alignment === 'point' ? parts.whole + parts.fraction : 0;
	const most = Math.max(width, onPoint, textWidth(titles[0] ?? ''));
	return {...column, ...parts, rank, texts, least, most, elastic: wanted !== undefined || onPoint > least};
}

function titleLines({titles, alignment = 'left'}: Measured, cells: number): readonly string[] {
	const pad = alignment === 'left' ? padEnd : padStart;
	return [pad(firstFitting(titles, cells), cells)];
}

function cellLines(column: Measured, text: string, cells: number, ascii: boolean): readonly string[] {
	const {alignment, cuts = false} = column;
	if (alignment === 'point') return [padPoint(text, cells, fractionIn(cells, column))];
	if (alignment === 'right') return [padStart(text, cells)];
	const parts = cuts ? [truncate(text, cells, ascii)] : textWidth(text) > cells ? wrapped(text, cells) : [text];
	return parts.map(part => padEnd(part, cells));
}
