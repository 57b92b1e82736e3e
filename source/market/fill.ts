import {type CumulativeLevel, cumulative} from './depth.ts';
import {splitNumber, type Typed, typedNumber} from './typed-number.ts';
import type {Level} from './types.ts';

/** The size of an order, in base asset or in quote asset. */
export type Amount = {readonly size: number; readonly unit: 'base' | 'quote'};

/** The result of an order that takes one side of the book, best level first. */
export type Fill = {
	/** Filled, in base asset. */
	readonly base: number;
	/** Paid or received, in quote asset. */
	readonly quote: number;
	/** Absent where nothing was filled. */
	readonly averagePrice?: number | undefined;
	/** How much worse than the best price the average is, in hundredths of a percent of it; never negative. */
	readonly slippage?: number | undefined;
	/** Whether the side holds the whole amount. */
	readonly complete: boolean;
};

/** Relative differences below this are rounding errors of sums and quotients. */
const negligible = 1e-12;

/** What it costs to take `amount` from `levels` (best first). `amount.size` is above 0. */
export function costToFill(levels: readonly Level[], {size, unit}: Amount): Fill {
	const best = levels[0]?.[0];
	if (best === undefined) return {base: 0, quote: 0, complete: false};
	const sums = cumulative(levels);
	const sum = unit === 'base' ? 'cumulative' : 'value';
	const last = sums.findIndex(level => level[sum] >= size * (1 - negligible));
	const {base, quote} = last < 0 ? allOf(sums) : partOf(sums, last, {size, unit});
	const averagePrice = quote / base;
	const away = Math.abs(averagePrice / best - 1);
	return {base, quote, averagePrice, slippage: away < negligible ? 0 : away * 10_000, complete: last >= 0};
}

type Filled = Pick<Fill, 'base' | 'quote'>;

const allOf = (sums: readonly CumulativeLevel[]): Filled => ({
	base: sums.at(-1)?.cumulative ?? 0,
	quote: sums.at(-1)?.value ?? 0,
});

/** All levels before `last`, and as much of `last` as is still missing. */
function partOf(sums: readonly CumulativeLevel[], last: number, {size, unit}: Amount): Filled {
	const before = allOf(sums.slice(0, last));
	const price = sums[last]?.price ?? 0;
	return unit === 'base'
		? {base: size, quote: before.quote + (size - before.base) * price}
		: {base: before.base + (size - before.quote) / price, quote: size};
}

const multiples: Readonly<Record<string, number>> = {k: 1e3, m: 1e6};

/** The names of a market's assets. Absent: unknown. */
export type Assets = {readonly base?: string | undefined; readonly quote?: string | undefined};

/** Reads the amount of an order, which is above 0, as `parseSize` does. */
export function parseAmount(text: string, assets: Assets): Typed<Amount> {
	const amount = parseSize(text, assets);
	return 'value' in amount && amount.value.size <= 0 ? {fault: 'an amount is above 0'} : amount;
}

/**
 * Reads an amount as typed: `2`, `2 btc`, `5,000 usdt`, `1.5k usdt`, of any sign. Without a unit it is in base asset. Asset
 * names match in any case; an asset whose name is undefined cannot be named.
 */
export function parseSize(text: string, {base, quote}: Assets): Typed<Amount> {
	const [digits, rest] = splitNumber(text);
	if (digits === '') return {fault: 'an amount begins with a number'};
	const number = typedNumber(digits);
	if ('fault' in number) return number;
	const unitOf = (name: string): Amount['unit'] | undefined => {
		if (name === '' || isSame(name, base)) return 'base';
		return isSame(name, quote) ? 'quote' : undefined;
	};

	// An asset may be called K: the whole word counts before its first letter.
	const multiple = unitOf(rest) ? 1 : (multiples[rest.charAt(0).toLowerCase()] ?? 1);
	const unit = unitOf(rest) ?? (multiple > 1 ? unitOf(rest.slice(1).trim()) : undefined);
	if (unit === undefined) return {fault: unitFault(rest.replace(/^[km]\s+/i, ''), [base, quote])};
	const size = number.value * multiple;
	return Number.isFinite(size) ? {value: {size, unit}} : {fault: `${text.trim()} is too large`};
}

const isSame = (name: string, asset: string | undefined): boolean => name.toLowerCase() === asset?.toLowerCase();

function unitFault(name: string, assets: ReadonlyArray<string | undefined>): string {
	const [one, other] = assets.filter(asset => asset !== undefined);
	if (one === undefined) return `${name} is unknown: the market's assets have no names`;
	return other === undefined ? `${name} is not ${one}` : `${name} is neither ${one} nor ${other}`;
}
