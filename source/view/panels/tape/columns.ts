import {alignPoints} from '../../../format/cells.ts';
import {formatAtLeast, formatCompact, formatFixed} from '../../../format/number.ts';
import {tradeValue} from '../../../market/minimum.ts';
import {clamp} from '../../../market/numbers.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Trade} from '../../../market/types.ts';
import {inForms, type NumberCell, type NumberTexts, type PriceForm, priceTexts} from '../../price-texts.ts';

type Form = PriceForm | 'quantity' | 'compactQuantity' | 'value' | 'compactValue';

/** The numbers of the trades in each form, with aligned points where they are written in full, and the cells of the widest. */
export type TradeNumbers = (form: Form) => NumberTexts;

/** Blanks and cells of each column, in order: time, arrow, price, quantity, mark, value, side, fills, bar. 0: not shown. */
export type TapeColumns = {
	readonly lead: number;
	readonly clock: Clock | undefined;
	readonly price: NumberCell<Form>;
	readonly quantity: NumberCell<Form>;
	/** Of a large trade. */
	readonly mark: number;
	readonly value: NumberCell<Form>;
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
	readonly quantityForm?: Form;
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
	numbers: TradeNumbers,
	{columns, hasMilliseconds, hasValue, wordWidth}: ColumnsInput,
): TapeColumns {
	const base = baseColumns(numbers, columns, hasMilliseconds ? withMilliseconds : candidates);
	const mark = Math.min(base.rest, 1);
	let rest = base.rest - mark;
	const fits = (width: number) => width > 0 && extraGap + width <= rest;
	const take = (width: number): number => {
		if (!fits(width)) return 0;
		rest -= extraGap + width;
		return width;
	};
	const form = hasValue && fits(numbers('value').width) ? 'value' : 'compactValue';
	const value = {form, gap: extraGap, width: hasValue ? take(numbers(form).width) : 0} as const;
	const word = take(wordWidth);
	return {...base, mark, value, word, rest, bar: Math.floor(columns / 3)};
}

function baseColumns(
	numbers: TradeNumbers,
	columns: number,
	from: readonly Candidate[],
): Pick<TapeColumns, 'lead' | 'clock' | 'price' | 'quantity' | 'rest'> {
	for (const {gaps, without = [], priceForm = 'price', quantityForm = 'quantity', ...candidate} of from) {
		const [lead, priceGap, quantityGap] = gaps;
		const clock = without.includes('time') ? undefined : (candidate.clock ?? 'seconds');
		const price = {form: priceForm, gap: priceGap, width: numbers(priceForm).width};
		const width = without.includes('quantity') ? 0 : numbers(quantityForm).width;
		const clockWidth = clock ? clockWidths[clock] : 0;
		const rest = columns - (lead + clockWidth + arrowWidth + priceGap + price.width + quantityGap + width);
		if (rest >= 0) return {lead, clock, price, quantity: {form: quantityForm, gap: quantityGap, width}, rest};
	}

	const price = {form: 'shortestPrice', gap: 1, width: Math.max(columns - arrowWidth - 1, 0)} as const;
	return {lead: 0, clock: undefined, price, quantity: {form: 'quantity', gap: 0, width: 0}, rest: 0};
}

/** With room for two digits before the point, so that columns do not move when quantities pass 10. `median`: the usual value of a trade. */
export function tradeNumbers(
	trades: readonly Trade[],
	decimals: Decimals,
	median: number,
	ascii: boolean,
): TradeNumbers {
	const prices = priceTexts(
		trades.map(({price}) => price),
		decimals.price,
		ascii,
	);
	const quantities = trades.map(({quantity}) => quantity);
	const values = trades.map(tradeValue);
	const digits = valueDecimals(median);
	const compact = (numbers: readonly number[]) => () => numbers.map(number => formatCompact(number, {ascii}));
	return inForms<Form>({
		price: [prices.price],
		shortPrice: [prices.shortPrice],
		shortestPrice: [prices.shortestPrice],
		quantity: [
			() => alignPoints(quantities.map(quantity => formatAtLeast(quantity, decimals.quantity))),
			formatFixed(10, decimals.quantity),
		],
		compactQuantity: [compact(quantities), '1.00 k'],
		value: [
			() => values.map(value => formatFixed(value, digits)),
			formatFixed(valueRoom * 10 ** magnitudeOf(median), digits),
		],
		compactValue: [compact(values), '1.00 k'],
	});
}

/** Two as for money, or more where the usual value would have fewer than three digits. */
const valueDecimals = (median: number): number => clamp(2 - magnitudeOf(median), 2, 8);

const magnitudeOf = (value: number): number => (value > 0 ? Math.floor(Math.log10(value)) : 0);

/** How many times the usual value still has room, so that the columns seldom move. */
const valueRoom = 1000;

const skeletonCells: Readonly<Record<Form, number>> = {
	...{price: 9, shortPrice: 9, shortestPrice: 9},
	...{quantity: 8, compactQuantity: 6, value: 9, compactValue: 6},
};

/** Of a tape without trades. */
export const skeletonNumbers: TradeNumbers = form => ({texts: [], width: skeletonCells[form]});
