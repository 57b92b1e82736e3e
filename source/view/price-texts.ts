import {alignPoints} from '../format/cells.ts';
import {formatPercent, formatPrice} from '../format/number.ts';

export type PriceForm = 'price' | 'shortPrice' | 'shortestPrice';

/** Numbers in one form, and the cells of the widest. */
export type NumberTexts = {readonly texts: readonly string[]; readonly width: number};

/** What writes numbers in one form, and texts for which there is room too. */
type FormWriter = readonly [write: () => readonly string[], ...room: string[]];

/** Writes numbers in each form once, when it is first needed: most forms are for columns that lack room. */
export function inForms<Form extends string>(forms: Readonly<Record<Form, FormWriter>>): (form: Form) => NumberTexts {
	const written = new Map<Form, NumberTexts>();
	const numbersIn = ([write, ...room]: FormWriter): NumberTexts => {
		const texts = write();
		const least = Math.max(0, ...room.map(({length}) => length));
		return {texts, width: texts.reduce((width, {length}) => Math.max(width, length), least)};
	};
	return form => {
		const numbers = written.get(form) ?? numbersIn(forms[form]);
		written.set(form, numbers);
		return numbers;
	};
}

/** Numbers in one form, at the right of so many cells after blanks. Of no width: they are not shown. */
export type NumberCell<Form> = {readonly form: Form; readonly gap: number; readonly width: number};

/** A number in its cell; one that does not fit is replaced, as a part would be another number. */
export const cellText = ({gap, width}: Omit<NumberCell<unknown>, 'form'>, text: string, ellipsis: string): string =>
	' '.repeat(gap) + (text.length > width ? ellipsis : text).padStart(width);

/** Hardly any market's prices have more. */
const usualDigits = 12;

/**
 * A column of prices as texts: with aligned points; in short forms that keep every digit; in the shortest, without zeros
 * at the end and without digits that a market's prices do not have, which are rounding errors of the exchange.
 */
export function priceTexts(
	prices: readonly number[],
	decimals: number,
	ascii: boolean,
): Readonly<Record<PriceForm, () => readonly string[]>> {
	const usual = (price: number) => Number(price.toPrecision(usualDigits));
	return {
		price: () => alignPoints(prices.map(price => formatPrice(price, {decimals, ascii}))),
		// Blanks would take the cells that short forms save.
		shortPrice: () => prices.map(price => shortPrice(price, decimals, ascii)),
		shortestPrice: () => prices.map(price => formatPrice(usual(price), {decimals: 0, ascii, width: 0})),
	};
}

/** A price in the longest form that is shorter than the full one, where there is any. */
export function shortPrice(price: number | undefined, decimals: number, ascii: boolean): string {
	const full = formatPrice(price, {decimals, ascii});
	return formatPrice(price, {decimals, ascii, width: full.length - 1});
}

/** The change in percent that brings the last price to a level. */
export const distancePercent = (level: number, last: number, ascii: boolean): string =>
	formatPercent((level / last - 1) * 100, {ascii});
