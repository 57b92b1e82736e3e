import {alignPoints} from '../format/cells.ts';
import {formatPercent, formatPrice} from '../format/number.ts';

/**
 * A column of prices as texts: with aligned points; in short forms that keep every digit; in the shortest, without zeros
 * at the end and without digits that a market's prices do not have, which are rounding errors of the exchange.
 */
export type PriceTexts = Readonly<Record<'price' | 'shortPrice' | 'shortestPrice', readonly string[]>>;

export type PriceForm = keyof PriceTexts;

/** Hardly any market's prices have more. */
const usualDigits = 12;

export function priceTexts(prices: readonly number[], decimals: number, ascii: boolean): PriceTexts {
	const usual = (price: number) => Number(price.toPrecision(usualDigits));
	return {
		price: alignPoints(prices.map(price => formatPrice(price, {decimals, ascii}))),
		// Blanks would take the cells that short forms save.
		shortPrice: prices.map(price => shortPrice(price, decimals, ascii)),
		shortestPrice: prices.map(price => formatPrice(usual(price), {decimals: 0, ascii, width: 0})),
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
