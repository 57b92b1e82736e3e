import {textWidth} from '../../format/cells.ts';
import {formatFixed, formatPrice} from '../../format/number.ts';
import type {Candle} from '../../market/types.ts';
import type {Price} from './price-scale.ts';

/** How the prices of one chart are written on its axis: all in the same form. */
export type PriceLabels = {
	/** Cells that hold every label; moves only when a price gains or loses a digit. */
	readonly width: number;
	/** With the price's own decimals. */
	price(value: Price): string;
	/** With the decimals of a round step; the decimal point stands where that of `price` does. */
	tick(value: Price, decimals: number): string;
};

/** Small prices whose labels would be wider are written short, as in 0.0₉123. */
const widestFull = 12;

export function createPriceLabels(input: {candles: readonly Candle[]; decimals: number; ascii: boolean}): PriceLabels {
	const {candles, decimals, ascii} = input;
	const high = candles.reduce((highest, candle) => Math.max(highest, candle.high), 0);
	const last = candles.at(-1)?.close ?? high;
	const widest = nines(high, decimals);
	const short = widest < 1 && textWidth(formatFixed(widest, decimals)) > widestFull;
	const price = (value: Price): string =>
		short ? formatPrice(value, {decimals, width: widestFull, ascii}) : formatPrice(value, {decimals, ascii});
	const width = Math.max(textWidth(price(widest)), textWidth(price(last)));
	const tick = (value: Price, tickDecimals: number): string => {
		if (short) return price(value);
		const blanks = decimals - tickDecimals + (tickDecimals === 0 && decimals > 0 ? 1 : 0);
		return formatFixed(value, tickDecimals) + ' '.repeat(Math.max(blanks, 0));
	};

	return {width, price, tick};
}

const safeDigits = 15;

/** The longest price of the same size: every digit from the first one of `price` on is a nine. */
function nines(price: number, decimals: number): number {
	const digits = price > 0 ? Math.floor(Math.log10(price)) + 1 + decimals : 1;
	return Number(`${'9'.repeat(Math.max(Math.min(digits, safeDigits), 1))}e${-decimals}`);
}
