import type {Price, PriceScale} from '../../plot/price-scale.ts';

/**
 * The roundest price of a row, rounded to the market's `decimals`: 61,500 rather than 61,503.27. Undefined: none of the market's
 * prices above 0 is in that row and inside the scale.
 */
export function priceInRow(scale: PriceScale, row: number, decimals: number): Price | undefined {
	const high = Math.min(scale.priceAt(row), scale.top);
	const low = Math.max(scale.priceAt(row + 1), scale.bottom, 0);
	const middle = (low + high) / 2;
	const isInRow = (price: Price): boolean => price > 0 && scale.contains(price) && scale.rowOf(price) === row;
	for (let exponent = Math.ceil(Math.log10(high)); exponent >= -decimals; exponent--) {
		for (const mantissa of [5, 2, 1]) {
			const count = middle / (mantissa * 10 ** exponent);
			// Parsed from decimal text, so that 3 × 0.1 is 0.3.
			const price = [Math.round(count), Math.floor(count), Math.ceil(count)]
				.map(times => Number(`${times * mantissa}e${exponent}`))
				.find(isInRow);
			if (price !== undefined) return price;
		}
	}

	return undefined;
}

/**
 * The price of the next row below `from` (`by` −1: above) that has one. At the end of the scale it stays; from outside the
 * scale it comes back to the nearest row.
 */
export function steppedPrice(scale: PriceScale, from: Price, by: 1 | -1, decimals: number): Price {
	const isOutside = !scale.contains(from);
	const start = scale.rowOf(from);
	const entersBy = from > scale.top ? 1 : -1;
	if (isOutside && by !== entersBy) return from;
	for (let row = isOutside ? start : start + by; row >= 0 && row < scale.rows; row += by) {
		const price = priceInRow(scale, row, decimals);
		if (price !== undefined) return price;
	}

	return from;
}
