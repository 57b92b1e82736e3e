import {alignPoints, textWidth} from '../../../format/cells.ts';
import {formatAtLeast, formatCompact, formatFixed} from '../../../format/number.ts';
import {tradeValue} from '../../../market/minimum.ts';
import {clamp} from '../../../market/numbers.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Trade} from '../../../market/types.ts';
import {type PriceForm, priceTexts} from '../../price-texts.ts';

type QuantityForm = 'quantity' | 'compactQuantity';
type ValueForm = 'value' | 'compactValue';
type Form = PriceForm | QuantityForm | ValueForm;

/** Columns of numbers as texts with aligned points, one per trade. */
export type TradeTexts = Readonly<Record<Form, readonly string[]>>;

/** Cells of the widest number of each column, for each of its forms. */
type TapeWidths = Readonly<Record<Form, number>>;

/** Blanks and cells of each column, in order: time, arrow, price, quantity, mark, value, side, fills, bar. 0: not shown. */
export type TapeColumns = {
	readonly lead: number;
	readonly clock: Clock | undefined;
	readonly priceGap: number;
	readonly price: number;
	readonly priceForm: PriceForm;
	readonly quantityGap: number;
	readonly quantity: number;
	readonly quantityForm: QuantityForm;
	/** Of a large trade. */
	readonly mark: number;
	readonly value: number;
	readonly valueForm: ValueForm;
	/** The exchange's word for the side. */
	readonly word: number;
	/** Cells left at the right, for the number of fills and the bar. */
	readonly rest: number;
	/** The most cells of a bar. */
	readonly bar: number;
};

type Clock = 'seconds' | 'milliseconds';

/** Cells of a clock with the blank after it. */
export const clockWidths: Readonly<Record<Clock, number>> = {
	seconds: '00:00:00 '.length,
	milliseconds: '00:00:00.000 '.length,
};
const arrowWidth = 1;
/** Blanks before the value, the side and what follows them. */
export const extraGap = 2;

type Candidate = {
	readonly gaps: readonly [lead: number, price: number, quantity: number];
	readonly without?: readonly ('time' | 'quantity')[];
	readonly priceForm?: PriceForm;
	readonly quantityForm?: QuantityForm;
	readonly clock?: Clock;
};

const [short, compact, shortest] = [
	{priceForm: 'shortPrice'},
	{priceForm: 'shortPrice', quantityForm: 'compactQuantity'},
	{priceForm: 'shortestPrice', quantityForm: 'compactQuantity'},
] as const;

/** From the widest to the narrowest: numbers take short forms, then time is dropped, then quantity. No number is ever cut. */
const candidates: readonly Candidate[] = [
	{gaps: [1, 2, 3]},
	{gaps: [1, 2, 2]},
	{gaps: [0, 1, 1]},
	{gaps: [0, 1, 1], ...short},
	{gaps: [0, 1, 1], ...compact},
	{gaps: [0, 1, 1], ...shortest},
	{gaps: [0, 0, 1], ...shortest},
	{gaps: [0, 1, 1], without: ['time']},
	{gaps: [0, 1, 1], without: ['time'], ...short},
	{gaps: [0, 1, 1], without: ['time'], ...compact},
	{gaps: [0, 1, 1], without: ['time'], ...shortest},
	{gaps: [0, 1, 0], without: ['time', 'quantity']},
	{gaps: [0, 1, 0], without: ['time', 'quantity'], ...shortest},
];

/** Milliseconds where numbers keep their full forms beside them. */
const withMilliseconds: readonly Candidate[] = [
	...candidates.slice(0, 4).map((candidate): Candidate => ({...candidate, clock: 'milliseconds'})),
	...candidates,
];

export type ColumnsInput = {
	readonly columns: number;
	readonly hasMilliseconds: boolean;
	readonly hasValue: boolean;
	/** Cells of the exchange's words for sides; 0: they have no column. */
	readonly wordWidth: number;
};

/** The columns that fit into `columns` cells. Where room is short, first the words, then the value is left out. */
export function tapeColumns(
	widths: TapeWidths,
	{columns, hasMilliseconds, hasValue, wordWidth}: ColumnsInput,
): TapeColumns {
	const base = baseColumns(widths, columns, hasMilliseconds ? withMilliseconds : candidates);
	const mark = Math.min(base.rest, 1);
	let rest = base.rest - mark;
	const fits = (width: number) => width > 0 && extraGap + width <= rest;
	const take = (width: number): number => {
		if (!fits(width)) return 0;
		rest -= extraGap + width;
		return width;
	};
	const valueForm = fits(widths.value) ? 'value' : 'compactValue';
	const value = hasValue ? take(widths[valueForm]) : 0;
	const word = take(wordWidth);
	return {...base, mark, value, valueForm, word, rest, bar: Math.floor(columns / 3)};
}

type BaseColumns = Omit<TapeColumns, 'mark' | 'value' | 'valueForm' | 'word' | 'bar'>;

function baseColumns(widths: TapeWidths, columns: number, from: readonly Candidate[]): BaseColumns {
	for (const candidate of from) {
		const {gaps, without = [], priceForm = 'price', quantityForm = 'quantity'} = candidate;
		const [lead, priceGap, quantityGap] = gaps;
		const clock = without.includes('time') ? undefined : (candidate.clock ?? 'seconds');
		const price = widths[priceForm];
		const quantity = without.includes('quantity') ? 0 : widths[quantityForm];
		const clockWidth = clock ? clockWidths[clock] : 0;
		const rest = columns - (lead + clockWidth + arrowWidth + priceGap + price + quantityGap + quantity);
		if (rest >= 0) return {lead, clock, priceGap, price, priceForm, quantityGap, quantity, quantityForm, rest};
	}

	const price = Math.max(columns - arrowWidth - 1, 0);
	const none = {lead: 0, clock: undefined, quantityGap: 0, quantity: 0, rest: 0};
	return {...none, priceGap: 1, price, priceForm: 'shortestPrice', quantityForm: 'quantity'};
}

/** `median`: the usual value of a trade. */
export function tradeTexts(trades: readonly Trade[], decimals: Decimals, median: number, ascii: boolean): TradeTexts {
	const values = trades.map(tradeValue);
	return {
		...priceTexts(
			trades.map(({price}) => price),
			decimals.price,
			ascii,
		),
		quantity: alignPoints(trades.map(({quantity}) => formatAtLeast(quantity, decimals.quantity))),
		compactQuantity: trades.map(({quantity}) => formatCompact(quantity, {ascii})),
		value: values.map(value => formatFixed(value, valueDecimals(median))),
		compactValue: values.map(value => formatCompact(value, {ascii})),
	};
}

/** Two as for money, or more where the usual value would have fewer than three digits. */
const valueDecimals = (median: number): number => clamp(2 - magnitudeOf(median), 2, 8);

const magnitudeOf = (value: number): number => (value > 0 ? Math.floor(Math.log10(value)) : 0);

/** How many times the usual value still has room, so that the columns seldom move. */
const valueRoom = 1000;

/** Widths with room for two digits before the point, so that columns do not move when quantities pass 10. */
export function widthsOf(texts: TradeTexts, decimals: Decimals, median: number): TapeWidths {
	const widest = (name: Form, least = '') =>
		texts[name].reduce((width, text) => Math.max(width, textWidth(text)), least.length);
	return {
		price: widest('price'),
		shortPrice: widest('shortPrice'),
		shortestPrice: widest('shortestPrice'),
		quantity: widest('quantity', formatFixed(10, decimals.quantity)),
		compactQuantity: widest('compactQuantity', '1.00 k'),
		value: widest('value', formatFixed(valueRoom * 10 ** magnitudeOf(median), valueDecimals(median))),
		compactValue: widest('compactValue', '1.00 k'),
	};
}

/** Of a tape without trades. */
export const skeletonWidths: TapeWidths = {
	...{price: 9, shortPrice: 9, shortestPrice: 9},
	...{quantity: 8, compactQuantity: 6, value: 9, compactValue: 6},
};
