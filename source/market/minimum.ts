import {stepAt, stepSize} from './depth.ts';
import {type Amount, type Assets, parseSize} from './fill.ts';
import {decimalsOf, roundDecimals} from './precision.ts';
import {medianQuantity, medianValue} from './tape-sums.ts';
import type {Typed} from './typed-number.ts';
import type {Trade} from './types.ts';

/** The least trade that is shown, in base asset or by value in quote asset; size 0: every trade is. */
export type Minimum = Amount;

export const noMinimum: Minimum = {size: 0, unit: 'base'};

/** The minimum in another market: one by value stays where the quote asset does, one by size only in the same pair. */
export function keptMinimum(minimum: Minimum, from: Assets, to: Assets): Minimum {
	const units = minimum.unit === 'quote' ? (['quote'] as const) : (['base', 'quote'] as const);
	return units.every(unit => from[unit] !== undefined && from[unit] === to[unit]) ? minimum : noMinimum;
}

/** What a trade cost, in quote asset, without the rounding errors of a product. */
export const tradeValue = ({price, quantity}: Trade): number =>
	roundDecimals(price * quantity, decimalsOf(price) + decimalsOf(quantity));

const amountOf = (trade: Trade, unit: Amount['unit']): number =>
	unit === 'base' ? trade.quantity : trade.price * trade.quantity;

/** Relative distance beyond which the rounding error of a product decides nothing. */
const safeDistance = 1e-12;

/** Whether a trade is at least as large as the minimum. A value that equals it is: products are compared without rounding errors. */
export function reaches(trade: Trade, {size, unit}: Minimum): boolean {
	const amount = amountOf(trade, unit);
	// Removing the rounding error is slow, and a tape has up to 50,000 trades.
	const isClear = unit === 'base' || Math.abs(amount - size) > size * safeDistance;
	return (isClear ? amount : tradeValue(trade)) >= size;
}

/** Reads a minimum as typed: `0.5`, `0.5 btc`, `10k usdt`; `0` or `off` for none. */
export function parseMinimum(text: string, assets: Assets): Typed<Minimum> {
	if (text.trim().toLowerCase() === 'off') return {value: noMinimum};
	const minimum = parseSize(text, assets);
	return 'value' in minimum && minimum.value.size < 0 ? {fault: 'a minimum is 0 or more'} : minimum;
}

/**
 * The next larger or smaller minimum out of 1, 2, 5 × 10ⁿ, in the same unit. From 0 it steps to about the median. It
 * never exceeds the largest trade, and returns to 0 where it would hide nothing. `decimals`: of the finest step.
 */
export function nextMinimum(
	{size: from, unit}: Minimum,
	by: 1 | -1,
	trades: readonly Trade[],
	decimals: number,
): Minimum {
	if (from === 0 && by < 0) return {size: 0, unit};
	const amounts = trades.map(trade => amountOf(trade, unit));
	const least = amounts.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
	const sizes = stepsUpTo(
		amounts.reduce((a, b) => Math.max(a, b), 0),
		decimals,
	);
	if (by < 0) {
		const smaller = sizes.findLast(size => size < from) ?? 0;
		return {size: smaller > least ? smaller : 0, unit};
	}

	if (from > 0) return {size: sizes.find(size => size > from) ?? from, unit};
	const median = (unit === 'base' ? medianQuantity(trades) : medianValue(trades)) ?? 0;
	return {size: sizes.findLast(size => size <= median) ?? sizes[0] ?? 0, unit};
}

/** 1, 2, 5 × 10ⁿ up to `most`, which may be infinite, from 10 to the power of −`decimals` on. */
function stepsUpTo(most: number, decimals: number): readonly number[] {
	const sizes: number[] = [];
	for (let index = 0; ; index++) {
		const size = stepSize(stepAt(decimals, index));
		if (size > Math.min(most, Number.MAX_VALUE)) return sizes;
		sizes.push(size);
	}
}
