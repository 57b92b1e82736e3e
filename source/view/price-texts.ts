import {alignPoints} from '../format/cells.ts';
import {formatPercent, formatPrice} from '../format/number.ts';

export type PriceForm = 'price' | 'shortPrice' | 'shortestPrice';

/** Numbers in one form, and the cells of the widest. */
export type NumberTexts = {readonly texts: readonly string[]; readonly width: number};

/** Writes numbers in each form once, when it is first needed: most forms are for columns that lack room. */
export function inForms<Form>(write: (form: Form) => NumberTexts): (form: Form) => NumberTexts {
	const written = new Map<Form, NumberTexts>();
	return form => {
		const numbers = written.get(form) ?? write(form);
		written.set(form, numbers);
		return numbers;
	};
}

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
