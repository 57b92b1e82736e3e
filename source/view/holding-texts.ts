import {stripControl} from '../format/control.ts';
import {formatExact, formatFixed, formatPlain, formatSigned} from '../format/number.ts';
import type {Holding} from '../market/holdings.ts';
import {decimalsOf} from '../market/precision.ts';
import {marksFor} from './marks.ts';

/** Digits of a value that are shown at least; of a smaller one than 1000 as many decimals as that takes. */
const valueDigits = 5;

const decimalsFor = (value: number): number =>
	Math.max(2, valueDigits - 1 - Math.floor(Math.log10(Math.max(Math.abs(value), 1e-12))));

/** An amount of money: to the hundredth, or five digits of a small one. `≈` where digits were rounded away. Unknown: `–`. */
export function valueText(value: number | undefined, ascii: boolean): string {
	if (value === undefined) return marksFor(ascii).none;
	return roundedMark(value, ascii) + formatFixed(value, decimalsFor(value), {ascii});
}

/** More decimals than an exchange's prices have: a price that was converted has them. */
const mostPriceDecimals = 8;

/** A price as the exchange sent it; one that was converted as `valueText`. */
export const unitPriceText = (price: number, ascii: boolean): string =>
	decimalsOf(price) > mostPriceDecimals ? valueText(price, ascii) : formatExact(price, {ascii});

/** `valueText` with a sign; empty: unknown. */
export const profitText = (profit: number | undefined, ascii: boolean): string =>
	profit === undefined ? '' : roundedMark(profit, ascii) + formatSigned(profit, decimalsFor(profit), {ascii});

const roundedMark = (value: number, ascii: boolean): string =>
	decimalsOf(value) > decimalsFor(value) ? marksFor(ascii).about : '';

/** `74.4 %`; empty: unknown. */
export const shareText = (share: number | undefined, ascii: boolean): string =>
	share === undefined ? '' : `${formatFixed(share * 100, 1, {ascii})} %`;

/** `BTC 0.5 @ 61000 USDT`, as the user types it. */
export const typedHolding = ({asset, amount, cost}: Holding): string =>
	`${asset} ${formatPlain(amount)}${cost ? ` @ ${formatPlain(cost.price)} ${cost.quote}` : ''}`;

/** The longest name of an asset, in UTF-16 units. */
const mostName = 20;

/** The name of an asset in capitals; undefined: the text cannot be one, as it is too long or would act on the terminal. */
export function assetName(text: string): string | undefined {
	const name = text.toUpperCase();
	const isName = name.length <= mostName && !/\s/.test(name) && /\p{L}|\p{N}/u.test(name);
	return isName && name === stripControl(name) ? name : undefined;
}
