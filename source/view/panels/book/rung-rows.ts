import {alignPoints} from '../../../format/cells.ts';
import {amountColumn, formatAtLeast, formatCompact, formatFixed, formatUpTo} from '../../../format/number.ts';
import type {LevelChange} from '../../../market/book-changes.ts';
import type {BookSide, CumulativeLevel} from '../../../market/depth.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Line, Tone} from '../../line.ts';
import {alertMark, firstFitting, levelTone, type Marks, sizeBar} from '../../marks.ts';
import {type PriceForm, priceTexts} from '../../price-texts.ts';
import type {TotalName} from './book-state.ts';

/** A level of the ladder with the trades and the change at its price. */
export type Rung = CumulativeLevel & {
	readonly side: BookSide;
	/** Absent: nothing was traded there. */
	readonly traded: number | undefined;
	/** Change since the previous book, while it is shown. `pulled`: a level between this one and the next better one was pulled. */
	readonly change: LevelChange | undefined;
	/** The mark of levels at its row, or the arrow to those beyond it; absent: none are. */
	readonly level?: string | undefined;
	/** Whether the ladder was scrolled to it. */
	readonly isCursor: boolean;
};

/** Columns of numbers beside the price. */
type NumberColumn = 'quantity' | TotalName | 'traded';
/** The numbers of a column, written in one of its forms. */
type NumberForm = PriceForm | NumberColumn | 'compactQuantity' | 'shortTotal' | 'compactTotal' | 'compactValue';

/** A column of numbers as texts, one per rung. */
type RungTexts = (form: NumberForm) => readonly string[];

/** The numbers of these rungs as texts, those of full length with aligned points. Each form is computed once, when it is first needed. */
export function rungTexts(rungs: readonly Rung[], decimals: Decimals, ascii: boolean): RungTexts {
	const prices = priceTexts(
		rungs.map(rung => rung.price),
		decimals.price,
		ascii,
	);
	// No two levels may read the same.
	const shortestPrice = new Set(prices.shortestPrice).size < rungs.length ? prices.shortPrice : prices.shortestPrice;
	const sum = (size: number) => formatUpTo(size, decimals.quantity);
	const compact = (size: number) => formatCompact(size, {ascii});
	const most = (name: 'cumulative' | 'value') => rungs.reduce((max, rung) => Math.max(max, rung[name]), 0);
	const shortTotal = amountColumn(most('cumulative'), {mostDecimals: Math.min(decimals.quantity, 2)});
	const value = amountColumn(most('value'));
	const aligned = (write: (rung: Rung) => string) => alignPoints(rungs.map(write));
	const write: Record<NumberForm, () => readonly string[]> = {
		price: () => prices.price,
		shortPrice: () => prices.shortPrice,
		shortestPrice: () => shortestPrice,
		quantity: () => aligned(rung => formatAtLeast(rung.quantity, decimals.quantity)),
		compactQuantity: () => rungs.map(rung => compact(rung.quantity)),
		total: () => aligned(rung => sum(rung.cumulative)),
		shortTotal: () => aligned(rung => shortTotal(rung.cumulative)),
		compactTotal: () => rungs.map(rung => compact(rung.cumulative)),
		value: () => aligned(rung => value(rung.value)),
		compactValue: () => rungs.map(rung => compact(rung.value)),
		traded: () => aligned(rung => (rung.traded === undefined ? '' : sum(rung.traded))),
	};
	const written: Partial<Record<NumberForm, readonly string[]>> = {};
	return form => {
		written[form] ??= write[form]();
		return written[form];
	};
}

/** Cells of the widest number of a column in one of its forms; 0: there is no such column. */
type LadderWidths = (form: NumberForm) => number;

const skeletonCells: Partial<Record<NumberForm, number>> = {
	...{price: 9, shortPrice: 9, shortestPrice: 9},
	...{quantity: 8, total: 8, shortTotal: 5, value: 7},
};

/** Of a ladder whose numbers are still loading. */
export const skeletonWidths: LadderWidths = form => skeletonCells[form] ?? 0;

/** The form of each column. */
type Forms = Readonly<Record<'price' | NumberColumn, NumberForm>>;

/** Cells of each column; 0: not shown. Numbers are right-aligned, the bar left-aligned. */
export type LadderColumns = Readonly<Record<'lead' | 'gap' | 'price' | NumberColumn | 'bar', number>> & {
	readonly forms: Forms;
	/** The sum that comes first where both are shown. */
	readonly chosen: TotalName;
};

type Candidate = {
	readonly gap: number;
	/** Minimum cells of the bar; absent: no bar. */
	readonly bar?: number;
	/** `sum`: the chosen one. */
	readonly columns: ReadonlyArray<NumberColumn | 'sum'>;
	readonly forms?: Forms;
	readonly lead?: 0;
};

/** From this width on, ladders have room for the volume traded at each price. */
export const tradedFrom = 40;

const [all, traded, usual] = [
	['quantity', 'total', 'value', 'traded'],
	['quantity', 'sum', 'traded'],
	['quantity', 'sum'],
] as const;

const exact: Forms = {price: 'price', quantity: 'quantity', total: 'total', value: 'value', traded: 'traded'};
const shortSums: Forms = {...exact, total: 'shortTotal'};
const short: Forms = {...shortSums, price: 'shortPrice'};
const compact: Forms = {...short, quantity: 'compactQuantity', total: 'compactTotal', value: 'compactValue'};
const shortest: Forms = {...compact, price: 'shortestPrice'};

/**
 * From the widest to the narrowest: value and traded are dropped first, then the bar. Numbers take short forms before the
 * cumulative size and the size are dropped. No number is ever cut.
 */
const candidates: readonly Candidate[] = [
	{gap: 3, bar: 12, columns: all},
	{gap: 2, bar: 10, columns: all},
	{gap: 3, bar: 8, columns: traded},
	{gap: 2, bar: 6, columns: traded},
	{gap: 1, bar: 3, columns: traded},
	{gap: 3, bar: 8, columns: usual},
	{gap: 2, bar: 6, columns: usual},
	{gap: 1, bar: 4, columns: usual},
	{gap: 2, bar: 5, columns: usual, forms: shortSums},
	{gap: 1, bar: 3, columns: usual, forms: shortSums},
	{gap: 1, columns: usual, forms: shortSums},
	{gap: 1, bar: 3, columns: usual, forms: short},
	{gap: 1, columns: usual, forms: short},
	{gap: 1, bar: 3, columns: usual, forms: compact},
	{gap: 1, columns: usual, forms: compact},
	{gap: 1, columns: usual, forms: compact, lead: 0},
	{gap: 1, columns: usual, forms: shortest, lead: 0},
	{gap: 2, columns: ['quantity']},
	{gap: 1, columns: ['quantity']},
	{gap: 1, columns: ['quantity'], forms: short, lead: 0},
	{gap: 1, columns: ['quantity'], forms: compact, lead: 0},
	{gap: 1, columns: ['quantity'], forms: shortest, lead: 0},
	{gap: 0, columns: []},
	{gap: 0, columns: [], forms: shortest, lead: 0},
];

/** The first candidate that fits into `columns`. */
export function ladderColumns(widths: LadderWidths, columns: number, chosen: TotalName): LadderColumns {
	for (const candidate of candidates) {
		const {gap, lead = 1, forms = exact} = candidate;
		const shown = candidate.columns.map(column => (column === 'sum' ? chosen : column));
		if (shown.some(column => widths(forms[column]) === 0)) continue;
		const cells = cellsOfColumns(shown, forms, widths);
		const numbers = Object.values(cells).reduce((sum, width) => sum + width, lead) + gap * shown.length;
		// A blank, the mark of a change, the bar.
		const bar = candidate.bar === undefined ? 0 : columns - numbers - 2;
		if (numbers <= columns && bar >= (candidate.bar ?? 0)) return {lead, gap, ...cells, forms, chosen, bar};
	}

	const cells = {...cellsOfColumns([], shortest, widths), price: Math.min(widths('shortestPrice'), columns)};
	return {lead: 0, gap: 0, ...cells, forms: shortest, chosen, bar: 0};
}

function cellsOfColumns(shown: readonly NumberColumn[], forms: Forms, widths: LadderWidths) {
	const cells = (column: NumberColumn) => (shown.includes(column) ? widths(forms[column]) : 0);
	return {
		price: widths(forms.price),
		quantity: cells('quantity'),
		total: cells('total'),
		value: cells('value'),
		traded: cells('traded'),
	};
}

const labels = {quantity: 'size', total: 'cum', value: 'cum val', traded: 'traded'} as const;
/** Where the numbers take as much room. */
const longLabels = {...labels, total: 'cum size', value: 'cum value'} as const;

/** `≥` where trades may be missing. */
const tradedLabel = (partial: boolean, marks: Marks): string => (partial ? marks.atLeast : '') + labels.traded;

export type LadderLabels = {
	/** A row of column names stands above the ladder. */
	readonly labelled: boolean;
	/** There is a column for traded sizes. */
	readonly hasTrades: boolean;
	/** Trades may be missing. */
	readonly partial: boolean;
};

/** Widths with room for two digits before the point, so that columns do not move when sizes pass 10. */
export function rungWidths(
	texts: RungTexts,
	quantityDecimals: number,
	{labelled, hasTrades, partial}: LadderLabels,
	marks: Marks,
): LadderWidths {
	const reserve = formatFixed(10, quantityDecimals).length;
	// The column of values does not move when its sums reach thousands.
	const [value, compactNumber] = ['100.0 k'.length, '1.00 k'.length];
	const least: Readonly<Record<NumberForm, readonly [cells: number, label: string]>> = {
		price: [0, 'price'],
		shortPrice: [0, ''],
		shortestPrice: [0, ''],
		quantity: [reserve, labels.quantity],
		compactQuantity: [compactNumber, labels.quantity],
		total: [reserve, labels.total],
		shortTotal: [Math.min(reserve, '10.00'.length), labels.total],
		compactTotal: [compactNumber, labels.total],
		value: [value, labels.value],
		compactValue: [compactNumber, labels.value],
		traded: [reserve, tradedLabel(partial, marks)],
	};
	const known: Partial<Record<NumberForm, number>> = {};
	return form => {
		if (form === 'traded' && !hasTrades) return 0;
		const [cells, label] = least[form];
		known[form] ??= texts(form).reduce(
			(width, text) => Math.max(width, text.length),
			Math.max(cells, labelled ? label.length : 0),
		);
		return known[form];
	};
}

/** The cells of a row as texts; hidden ones are empty. */
function cellsOf(columns: LadderColumns, price: string, textOf: (column: NumberColumn) => string) {
	const cell = (column: NumberColumn) =>
		columns[column] ? ' '.repeat(columns.gap) + textOf(column).padStart(columns[column]) : '';
	return {
		price: ' '.repeat(columns.lead) + price.padStart(columns.price),
		quantity: cell('quantity'),
		sums: columns.chosen === 'total' ? cell('total') + cell('value') : cell('value') + cell('total'),
		traded: cell('traded'),
	};
}

export function headerRow(columns: LadderColumns, partial: boolean, marks: Marks): Line {
	const label = (column: NumberColumn) =>
		column === 'traded'
			? tradedLabel(partial, marks)
			: firstFitting([longLabels[column], labels[column]], columns[column]);
	const {price, quantity, sums, traded} = cellsOf(columns, firstFitting(['price'], columns.price), label);
	return [
		{text: price + quantity + sums, tone: 'muted'},
		{text: traded, tone: partial ? 'warn' : 'muted'},
	];
}

export type RungStyle = {
	readonly texts: RungTexts;
	readonly columns: LadderColumns;
	/** The size that fills the whole bar. */
	readonly largest: number;
	readonly marks: Marks;
};

const changeMarks = {added: 'plus', grown: 'up', shrunk: 'down', pulled: 'times'} as const satisfies Record<
	LevelChange,
	keyof Marks
>;

/** The tone of a level's mark: the user's own, or an alert's and what lies beyond the rows. */
export const markTone = (mark: string | undefined, {level}: Marks): Tone => (mark === level ? levelTone : 'warn');

/** Whether the mark is of levels at the row itself, not beyond it. */
const isAtRow = (mark: string | undefined, {level, alertAndLevel}: Marks): boolean =>
	mark === alertMark || mark === level || mark === alertAndLevel;

/** The row of the rung that is the `index`th of `texts`. */
export function rungRow(rung: Rung, index: number, {texts, columns, largest, marks}: RungStyle): Line {
	const textOf = (form: NumberForm) => texts(form)[index] ?? '';
	const price = textOf(columns.forms.price);
	const row = cellsOf(columns, price.length > columns.price ? marks.ellipsis : price, column =>
		textOf(columns.forms[column]),
	);
	const isAsk = rung.side === 'ask';
	// On a live book most rows change with every poll: bold digits and a sign stay calm and need no colour.
	const changed = rung.change !== undefined && rung.change !== 'pulled';
	const mark = rung.change ? marks[changeMarks[rung.change]] : ' ';
	const bar = sizeBar(rung.quantity / largest, columns.bar, marks);
	const priceTone = isAsk ? 'down' : 'up';
	const lead = ' '.repeat(columns.lead);
	const isMarked = rung.level !== undefined || rung.isCursor;
	return [
		...(isMarked && lead !== '' ? [{text: rung.level ?? lead, tone: markTone(rung.level, marks)}] : []),
		isMarked
			? // Without a column before the price, its level is a patch as well.
				{
					text: row.price.slice(lead.length),
					tone: priceTone,
					inverse: rung.isCursor || (lead === '' && isAtRow(rung.level, marks)),
				}
			: {text: row.price, tone: priceTone},
		changed ? {text: row.quantity, tone: 'strong'} : {text: row.quantity},
		{text: row.sums, tone: 'muted'},
		{text: row.traded},
		...(columns.bar > 0 ? [{text: ` ${mark}`, tone: 'accent' as const}] : []),
		{text: bar, tone: isAsk ? 'downBar' : 'upBar'},
	];
}

/** A row of dots in place of a rung. */
export function skeletonRow(columns: LadderColumns, marks: Marks): Line {
	const dots = (length: number) => marks.skeleton.repeat(length);
	const {price, quantity, sums} = cellsOf(columns, dots(columns.price), column =>
		column === 'traded' ? '' : dots(columns[column]),
	);
	return [{text: price + quantity + sums, tone: 'muted'}];
}
