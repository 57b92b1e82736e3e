import {alignPoints} from '../../../format/cells.ts';
import {amountColumn, formatAtLeast, formatFixed, formatPrice, formatUpTo} from '../../../format/number.ts';
import type {LevelChange} from '../../../market/book-changes.ts';
import type {BookSide, CumulativeLevel} from '../../../market/depth.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Line} from '../../line.ts';
import {firstFitting, type Marks, sizeBar} from '../../marks.ts';
import type {TotalName} from './book-state.ts';

/** A level of the ladder with the trades and the change at its price. */
export type Rung = CumulativeLevel & {
	readonly side: BookSide;
	/** Absent: nothing was traded there. */
	readonly traded: number | undefined;
	/** Change since the previous book, while it is shown. `pulled`: a level between this one and the next better one was pulled. */
	readonly change: LevelChange | undefined;
};

type NumberForm = 'price' | 'shortPrice' | 'quantity' | 'total' | 'shortTotal' | 'value' | 'traded';

/** A column of numbers as texts, one per rung. */
type RungTexts = (form: NumberForm) => readonly string[];

/** The numbers of these rungs as texts with aligned points. Each form is computed once, when it is first needed. */
export function rungTexts(rungs: readonly Rung[], decimals: Decimals, ascii: boolean): RungTexts {
	const most = (name: 'cumulative' | 'value') => rungs.reduce((max, rung) => Math.max(max, rung[name]), 0);
	const shortTotal = amountColumn(most('cumulative'), {mostDecimals: Math.min(decimals.quantity, 2)});
	const value = amountColumn(most('value'));
	const price = (rung: Rung, width?: number) => formatPrice(rung.price, {decimals: decimals.price, ascii, width});
	const sum = (size: number) => formatUpTo(size, decimals.quantity);
	const write: Record<NumberForm, (rung: Rung) => string> = {
		price: rung => price(rung),
		shortPrice: rung => price(rung, price(rung).length - 1),
		quantity: rung => formatAtLeast(rung.quantity, decimals.quantity),
		total: rung => sum(rung.cumulative),
		shortTotal: rung => shortTotal(rung.cumulative),
		value: rung => value(rung.value),
		traded: rung => (rung.traded === undefined ? '' : sum(rung.traded)),
	};
	const written: Partial<Record<NumberForm, readonly string[]>> = {};
	const textsOf = (form: NumberForm): readonly string[] => {
		const texts = rungs.map(write[form]);
		// Blanks would take the cells that the short form saves.
		return form === 'shortPrice' ? texts : alignPoints(texts);
	};

	return form => {
		written[form] ??= textsOf(form);
		return written[form];
	};
}

/** Cells of the widest number of each column, for each of its forms. */
type LadderWidths = {
	readonly price: number;
	readonly shortPrice: number;
	readonly quantity: number;
	readonly total: number;
	readonly shortTotal: number;
	readonly value: number;
	/** 0: there is no such column. */
	readonly traded: number;
};

/** Cells of each column; 0: not shown. Numbers are right-aligned, the bar left-aligned. */
export type LadderColumns = {
	readonly lead: number;
	readonly gap: number;
	readonly price: number;
	readonly priceForm: 'price' | 'shortPrice';
	readonly quantity: number;
	readonly total: number;
	readonly totalForm: 'total' | 'shortTotal';
	readonly value: number;
	/** The sum that comes first where both are shown. */
	readonly chosen: TotalName;
	readonly traded: number;
	readonly bar: number;
};

type Candidate = {
	readonly gap: number;
	/** Minimum cells of the bar; absent: no bar. */
	readonly bar?: number;
	/** `both`: in base asset and in quote asset; else only the chosen one. */
	readonly total?: LadderColumns['totalForm'] | 'both';
	readonly price?: LadderColumns['priceForm'];
	readonly quantity?: false;
	readonly lead?: 0;
	readonly traded?: true;
};

/** From this width on, ladders have room for the volume traded at each price. */
export const tradedFrom = 40;

/** From the widest to the narrowest: value and traded are dropped first, then bar, cumulative and size. No number is ever cut. */
const candidates: readonly Candidate[] = [
	{gap: 3, bar: 12, total: 'both', traded: true},
	{gap: 2, bar: 10, total: 'both', traded: true},
	{gap: 3, bar: 8, total: 'total', traded: true},
	{gap: 2, bar: 6, total: 'total', traded: true},
	{gap: 1, bar: 3, total: 'total', traded: true},
	{gap: 3, bar: 8, total: 'total'},
	{gap: 2, bar: 6, total: 'total'},
	{gap: 1, bar: 4, total: 'total'},
	{gap: 2, bar: 5, total: 'shortTotal'},
	{gap: 1, bar: 3, total: 'shortTotal'},
	{gap: 1, total: 'shortTotal'},
	{gap: 2},
	{gap: 1},
	{gap: 1, price: 'shortPrice'},
	{gap: 1, price: 'shortPrice', lead: 0},
	{gap: 0, quantity: false},
	{gap: 0, quantity: false, lead: 0},
];

/** The first candidate that fits into `columns`. */
export function ladderColumns(widths: LadderWidths, columns: number, chosen: TotalName): LadderColumns {
	for (const candidate of candidates) {
		if (candidate.traded && widths.traded === 0) continue;
		const {gap, lead = 1, price: priceForm = 'price', total} = candidate;
		const totalForm = total === 'shortTotal' ? 'shortTotal' : 'total';
		const shows = (name: TotalName) => total === 'both' || (total !== undefined && name === chosen);
		const cells = {
			price: widths[priceForm],
			quantity: candidate.quantity === false ? 0 : widths.quantity,
			total: shows('total') ? widths[totalForm] : 0,
			value: shows('value') ? widths.value : 0,
			traded: candidate.traded ? widths.traded : 0,
		};
		const shown = Object.values(cells).filter(width => width > 0);
		const numbers = lead + shown.reduce((sum, width) => sum + width, 0) + gap * (shown.length - 1);
		// A blank, the mark of a change, the bar.
		const bar = candidate.bar === undefined ? 0 : columns - numbers - 2;
		if (numbers > columns || bar < (candidate.bar ?? 0)) continue;
		return {lead, gap, ...cells, chosen, priceForm, totalForm, bar};
	}

	return {
		lead: 0,
		gap: 0,
		price: Math.min(widths.shortPrice, columns),
		priceForm: 'shortPrice',
		quantity: 0,
		total: 0,
		totalForm: 'total',
		value: 0,
		chosen,
		traded: 0,
		bar: 0,
	};
}

const labels = {quantity: 'size', total: 'cum', value: 'cum val', traded: 'traded'} as const;
/** Where the numbers take as much room. */
const longLabels = {...labels, total: 'cum size', value: 'cum value'} as const;
type NumberColumn = keyof typeof labels;

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
	const widest = (form: NumberForm, least: number, label: string) =>
		texts(form).reduce((width, text) => Math.max(width, text.length), Math.max(least, labelled ? label.length : 0));
	return {
		price: widest('price', 0, 'price'),
		get shortPrice() {
			return widest('shortPrice', 0, '');
		},
		quantity: widest('quantity', reserve, labels.quantity),
		get total() {
			return widest('total', reserve, labels.total);
		},
		get shortTotal() {
			return widest('shortTotal', Math.min(reserve, '10.00'.length), labels.total);
		},
		get value() {
			// The column does not move when its sums reach thousands.
			return widest('value', '100.0 k'.length, labels.value);
		},
		traded: hasTrades ? widest('traded', reserve, tradedLabel(partial, marks)) : 0,
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
	const {price, quantity, sums, traded} = cellsOf(columns, 'price', label);
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

/** The row of the rung that is the `index`th of `texts`. */
export function rungRow(rung: Rung, index: number, {texts, columns, largest, marks}: RungStyle): Line {
	const textOf = (form: NumberForm) => texts(form)[index] ?? '';
	const price = textOf(columns.priceForm);
	const row = cellsOf(columns, price.length > columns.price ? marks.ellipsis : price, column =>
		textOf(column === 'total' ? columns.totalForm : column),
	);
	const isAsk = rung.side === 'ask';
	// On a live book most rows change with every poll: bold digits and a sign stay calm and need no colour.
	const changed = rung.change !== undefined && rung.change !== 'pulled';
	const mark = rung.change ? marks[changeMarks[rung.change]] : ' ';
	const bar = sizeBar(rung.quantity / largest, columns.bar, marks);
	return [
		{text: row.price, tone: isAsk ? 'down' : 'up'},
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
