import {amountColumn, formatFixed, formatPrice} from '../../../format/number.ts';
import type {LevelChange} from '../../../market/book-changes.ts';
import type {BookSide, CumulativeLevel} from '../../../market/depth.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Line} from '../../line.ts';
import {type Marks, sizeBar} from '../../marks.ts';
import type {LadderColumns, LadderWidths} from './columns.ts';

/** A level of the ladder with what is known about its price. */
export type Rung = CumulativeLevel & {
	readonly side: BookSide;
	/** Absent: nothing was traded there. */
	readonly traded: number | undefined;
	/** Since the book before, while it is shown. `pulled`: it stayed, but levels between it and the next better one went. */
	readonly change: LevelChange | undefined;
};

type RungTexts = Record<
	'price' | 'shortPrice' | 'quantity' | 'total' | 'shortTotal' | 'value' | 'traded',
	(rung: Rung) => string
>;

/** The most that stands in a column of sums. */
type Largest = {readonly total: number; readonly value: number};

export function rungTexts(
	{price: priceDecimals, quantity: quantityDecimals}: Decimals,
	largest: Largest,
	ascii: boolean,
): RungTexts {
	const shortTotal = amountColumn(largest.total, {mostDecimals: Math.min(quantityDecimals, 2)});
	const value = amountColumn(largest.value);
	const full = (rung: CumulativeLevel) => formatPrice(rung.price, {decimals: priceDecimals, ascii});
	return {
		price: full,
		shortPrice: rung => formatPrice(rung.price, {decimals: priceDecimals, ascii, width: full(rung).length - 1}),
		quantity: rung => formatFixed(rung.quantity, quantityDecimals),
		total: rung => formatFixed(rung.cumulative, quantityDecimals),
		shortTotal: rung => shortTotal(rung.cumulative),
		value: rung => value(rung.value),
		traded: rung => (rung.traded === undefined ? '' : formatFixed(rung.traded, quantityDecimals)),
	};
}

const labels = {price: 'price', quantity: 'size', total: 'total', value: 'value', traded: 'traded'} as const;

type Texts = Record<keyof typeof labels, string>;

/** Of the traded column: `≥` where trades may be missing. */
const tradedLabel = (partial: boolean, marks: Marks): string => (partial ? marks.atLeast : '') + labels.traded;

/** Room for two digits before the point is kept, so that the columns stay where they are when sizes pass 10. */
export function rungWidths(
	rungs: readonly Rung[],
	text: RungTexts,
	options: {quantityDecimals: number; labelled: boolean; hasTrades: boolean; partial: boolean; marks: Marks},
): LadderWidths {
	const {labelled, marks} = options;
	const reserve = formatFixed(10, options.quantityDecimals).length;
	const widest = (form: keyof RungTexts, least: number, label: string) =>
		rungs.reduce(
			(width, rung) => Math.max(width, text[form](rung).length),
			Math.max(least, labelled ? label.length : 0),
		);
	return {
		price: widest('price', 0, labels.price),
		shortPrice: widest('shortPrice', 0, ''),
		quantity: widest('quantity', reserve, labels.quantity),
		total: widest('total', reserve, labels.total),
		shortTotal: widest('shortTotal', 0, labels.total),
		// The column stays where it is when its sums become thousands.
		value: widest('value', '100.0 k'.length, labels.value),
		traded: options.hasTrades ? widest('traded', reserve, tradedLabel(options.partial, marks)) : 0,
	};
}

function placed(columns: LadderColumns, texts: Texts): Texts {
	const cell = (name: keyof Texts) =>
		columns[name] ? ' '.repeat(columns.gap) + texts[name].padStart(columns[name]) : '';
	return {
		price: ' '.repeat(columns.lead) + texts.price.padStart(columns.price),
		quantity: cell('quantity'),
		total: cell('total'),
		value: cell('value'),
		traded: cell('traded'),
	};
}

export function headerRow(columns: LadderColumns, partial: boolean, marks: Marks): Line {
	const {price, quantity, total, value, traded} = placed(columns, {...labels, traded: tradedLabel(partial, marks)});
	return [
		{text: price + quantity + total + value, tone: 'muted'},
		{text: traded, tone: partial ? 'warn' : 'muted'},
	];
}

export type RungStyle = {
	readonly text: RungTexts;
	readonly columns: LadderColumns;
	/** The size that fills the whole bar. */
	readonly largest: number;
	readonly marks: Marks;
};

const changeMarks = {added: 'plus', grown: 'up', shrunk: 'down', pulled: 'times'} as const satisfies Record<
	LevelChange,
	keyof Marks
>;

export function rungRow(rung: Rung, {text, columns, largest, marks}: RungStyle): Line {
	const price = text[columns.priceForm](rung);
	const row = placed(columns, {
		price: price.length > columns.price ? marks.ellipsis : price,
		quantity: text.quantity(rung),
		total: text[columns.totalForm](rung),
		value: text.value(rung),
		traded: text.traded(rung),
	});
	const asked = rung.side === 'ask';
	// On a live book most rows change with every poll: bold digits and a sign are calm enough, and need no colour.
	const changed = rung.change !== undefined && rung.change !== 'pulled';
	const mark = rung.change ? marks[changeMarks[rung.change]] : ' ';
	return [
		{text: row.price, tone: asked ? 'down' : 'up'},
		changed ? {text: row.quantity, tone: 'strong'} : {text: row.quantity},
		{text: row.total + row.value, tone: 'muted'},
		{text: row.traded},
		...(columns.bar > 0 ? [{text: ` ${mark}`, tone: 'accent' as const}] : []),
		{
			text: columns.bar > 0 ? sizeBar(rung.quantity / largest, columns.bar, marks) : '',
			tone: asked ? 'downBar' : 'upBar',
		},
	];
}

/** A row of dots where a rung will stand. */
export function skeletonRow(columns: LadderColumns, marks: Marks): Line {
	const dots = (length: number) => marks.skeleton.repeat(length);
	const {price, quantity, total, value} = placed(columns, {
		price: dots(columns.price),
		quantity: dots(columns.quantity),
		total: dots(columns.total),
		value: dots(columns.value),
		traded: '',
	});
	return [{text: price + quantity + total + value, tone: 'muted'}];
}
