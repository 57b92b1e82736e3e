import {alignPoints} from '../../../format/cells.ts';
import {amountColumn, formatAtLeast, formatCompact, formatFixed, formatUpTo} from '../../../format/number.ts';
import type {LevelChange} from '../../../market/book-changes.ts';
import type {BookSide, CumulativeLevel} from '../../../market/depth.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Line, Tone} from '../../line.ts';
import {alertMark, firstFitting, levelTone, type Marks, marksFor, sizeBar} from '../../marks.ts';
import {cellText, inForms, type NumberCell, type NumberTexts, type PriceForm, priceTexts} from '../../price-texts.ts';
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

/** Columns of numbers. */
type ColumnName = 'price' | 'quantity' | TotalName | 'traded';
/** The numbers of a column, written in one of its forms. */
type NumberForm = PriceForm | ColumnName | 'compactQuantity' | 'shortTotal' | 'compactTotal' | 'compactValue';

/** The numbers in a form, one for each rung, and the cells that they take; 0: there is no such column. */
type LadderNumbers = (form: NumberForm) => NumberTexts;

/** From long to short. `≥` where trades may be missing. */
const titlesOf = (partial: boolean, marks: Marks): Readonly<Record<ColumnName, readonly string[]>> => ({
	...{price: ['price'], quantity: ['size'], total: ['cum size', 'cum'], value: ['cum value', 'cum val']},
	traded: [`${partial ? marks.atLeast : ''}traded`],
});

export type LadderLabels = {
	/** A row of column names stands above the ladder. */
	readonly labelled: boolean;
	/** There is a column for traded sizes. */
	readonly hasTrades: boolean;
	/** Trades may be missing. */
	readonly partial: boolean;
};

/** The numbers of these rungs, those of full length with aligned points. Each form is computed once, when it is first needed. */
export function ladderNumbers(
	rungs: readonly Rung[],
	decimals: Decimals,
	{labelled, hasTrades, partial}: LadderLabels,
	ascii: boolean,
): LadderNumbers {
	const prices = priceTexts(
		rungs.map(rung => rung.price),
		decimals.price,
		ascii,
	);
	const shortestPrice = () => {
		const texts = prices.shortestPrice();
		// No two levels may read the same.
		return new Set(texts).size < rungs.length ? prices.shortPrice() : texts;
	};
	const sum = (size: number) => formatUpTo(size, decimals.quantity);
	const most = (name: 'cumulative' | 'value') => rungs.reduce((max, rung) => Math.max(max, rung[name]), 0);
	const shortTotal = amountColumn(most('cumulative'), {mostDecimals: Math.min(decimals.quantity, 2)});
	const value = amountColumn(most('value'));
	const aligned = (write: (rung: Rung) => string) => () => alignPoints(rungs.map(write));
	const compact = (name: 'quantity' | 'cumulative' | 'value') => () =>
		rungs.map(rung => formatCompact(rung[name], {ascii}));
	// Room for two digits before the point, and for values in thousands, so that columns do not move when sizes pass 10.
	const [ten, shortTen, thousand, compactNumber] = [formatFixed(10, decimals.quantity), '10.00', '100.0 k', '1.00 k'];
	const titles = titlesOf(partial, marksFor(ascii));
	const title = (name: ColumnName) => (labelled ? (titles[name].at(-1) ?? '') : '');
	const traded = aligned(rung => (rung.traded === undefined ? '' : sum(rung.traded)));
	return inForms<NumberForm>({
		price: [prices.price, title('price')],
		shortPrice: [prices.shortPrice],
		shortestPrice: [shortestPrice],
		quantity: [aligned(rung => formatAtLeast(rung.quantity, decimals.quantity)), ten, title('quantity')],
		compactQuantity: [compact('quantity'), compactNumber, title('quantity')],
		total: [aligned(rung => sum(rung.cumulative)), ten, title('total')],
		shortTotal: [
			aligned(rung => shortTotal(rung.cumulative)),
			ten.length < shortTen.length ? ten : shortTen,
			title('total'),
		],
		compactTotal: [compact('cumulative'), compactNumber, title('total')],
		value: [aligned(rung => value(rung.value)), thousand, title('value')],
		compactValue: [compact('value'), compactNumber, title('value')],
		traded: hasTrades ? [traded, ten, title('traded')] : [() => []],
	});
}

const skeletonCells: Partial<Record<NumberForm, number>> = {
	...{price: 9, shortPrice: 9, shortestPrice: 9},
	...{quantity: 8, total: 8, shortTotal: 5, value: 7},
};

/** Of a ladder whose numbers are still loading. */
export const skeletonNumbers: LadderNumbers = form => ({texts: [], width: skeletonCells[form] ?? 0});

type LadderCell = NumberCell<NumberForm> & {readonly column: ColumnName};

/** The columns that are shown, from the left: numbers stand at the right of their cells, the bar at the left. */
export type LadderColumns = {
	/** Blanks before the price. */
	readonly lead: number;
	readonly cells: readonly LadderCell[];
	/** Cells of the bar; 0: there is none. */
	readonly bar: number;
};

/** The form of each column. */
type Forms = Readonly<Record<ColumnName, NumberForm>>;

type Candidate = {
	readonly gap: number;
	/** Minimum cells of the bar; absent: no bar. */
	readonly bar?: number;
	/** Beside the price. `sum`: the chosen one; `other`: the other one. */
	readonly columns: ReadonlyArray<'quantity' | 'sum' | 'other' | 'traded'>;
	readonly forms?: Forms;
	readonly lead?: 0;
};

/** From this width on, ladders have room for the volume traded at each price. */
export const tradedFrom = 40;

const [all, traded, usual] = [
	['quantity', 'sum', 'other', 'traded'],
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
export function ladderColumns(numbers: LadderNumbers, columns: number, chosen: TotalName): LadderColumns {
	const names = {
		sum: chosen,
		other: chosen === 'total' ? 'value' : 'total',
		quantity: 'quantity',
		traded: 'traded',
	} as const;
	const cellOf = (column: ColumnName, forms: Forms, gap: number): LadderCell => {
		const form = forms[column];
		return {column, form, gap, width: numbers(form).width};
	};
	for (const {gap, lead = 1, forms = exact, ...candidate} of candidates) {
		const beside = candidate.columns.map(name => cellOf(names[name], forms, gap));
		const cells = [cellOf('price', forms, lead), ...beside];
		const taken = cells.reduce((sum, cell) => sum + cell.gap + cell.width, 0);
		// A blank, the mark of a change, the bar.
		const bar = candidate.bar === undefined ? 0 : columns - taken - 2;
		const fits = taken <= columns && bar >= (candidate.bar ?? 0);
		if (fits && beside.every(({width}) => width > 0)) return {lead, cells, bar};
	}

	const price = cellOf('price', shortest, 0);
	return {lead: 0, cells: [{...price, width: Math.min(price.width, columns)}], bar: 0};
}

export function headerRow(columns: LadderColumns, partial: boolean, marks: Marks): Line {
	const titles = titlesOf(partial, marks);
	return columns.cells.map(cell => ({
		text: cellText(cell, firstFitting(titles[cell.column], cell.width), marks.ellipsis),
		tone: partial && cell.column === 'traded' ? 'warn' : 'muted',
	}));
}

export type RungStyle = {
	readonly numbers: LadderNumbers;
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

/** The row of the rung that is the `index`th of the numbers. */
export function rungRow(rung: Rung, index: number, {numbers, columns, largest, marks}: RungStyle): Line {
	const [price = '', ...texts] = columns.cells.map(cell =>
		cellText(cell, numbers(cell.form).texts[index] ?? '', marks.ellipsis),
	);
	const isAsk = rung.side === 'ask';
	// On a live book most rows change with every poll: bold digits and a sign stay calm and need no colour.
	const changed = rung.change !== undefined && rung.change !== 'pulled';
	const mark = rung.change ? marks[changeMarks[rung.change]] : ' ';
	const bar = sizeBar(rung.quantity / largest, columns.bar, marks);
	const priceTone = isAsk ? 'down' : 'up';
	const lead = ' '.repeat(columns.lead);
	const isMarked = rung.level !== undefined || rung.isCursor;
	const tones: Partial<Record<ColumnName, Tone>> = {
		total: 'muted',
		value: 'muted',
		...(changed && {quantity: 'strong'}),
	};
	return [
		...(isMarked && lead !== '' ? [{text: rung.level ?? lead, tone: markTone(rung.level, marks)}] : []),
		isMarked
			? // Without a column before the price, its level is a patch as well.
				{
					text: price.slice(lead.length),
					tone: priceTone,
					inverse: rung.isCursor || (lead === '' && isAtRow(rung.level, marks)),
				}
			: {text: price, tone: priceTone},
		...columns.cells.slice(1).map(({column}, place) => ({text: texts[place] ?? '', tone: tones[column]})),
		...(columns.bar > 0 ? [{text: ` ${mark}`, tone: 'accent' as const}] : []),
		{text: bar, tone: isAsk ? 'downBar' : 'upBar'},
	];
}

/** A row of dots in place of a rung. */
export const skeletonRow = (columns: LadderColumns, marks: Marks): Line => [
	{text: columns.cells.map(cell => cellText(cell, marks.skeleton.repeat(cell.width), '')).join(''), tone: 'muted'},
];
