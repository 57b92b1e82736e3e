import type {Level} from './types.ts';

/** So much of the base asset, or as much of it as so much of the quote asset trades for. */
export type Amount = {readonly size: number; readonly unit: 'base' | 'quote'};

/** What an order for an amount would get from one side of the book, taking its levels best first. */
export type Fill = {
	/** Filled, in base asset. */
	readonly base: number;
	/** Paid or received, in quote asset. */
	readonly quote: number;
	/** Absent where nothing was filled. */
	readonly averagePrice?: number | undefined;
	/** How much worse than the best price the average is, in hundredths of a percent of it; never negative. */
	readonly slippage?: number | undefined;
	/** The side holds the whole amount. */
	readonly complete: boolean;
};

/** `levels` best first; `amount.size` above 0. */
export function costToFill(levels: readonly Level[], {size, unit}: Amount): Fill {
	let base = 0;
	let quote = 0;
	let left = size;
	for (const [price, quantity] of levels) {
		const worth = unit === 'base' ? quantity : price * quantity;
		if (worth >= left) {
			const taken = unit === 'base' ? left : left / price;
			base += taken;
			quote += taken * price;
			left = 0;
			break;
		}

		base += quantity;
		quote += price * quantity;
		left -= worth;
	}

	const best = levels[0]?.[0];
	if (best === undefined || base === 0) return {base, quote, complete: false};
	const averagePrice = quote / base;
	// The quotient is rounded: an order that the best level fills has no slippage of 1e-12.
	const away = Math.abs(averagePrice / best - 1);
	return {base, quote, averagePrice, slippage: away < 1e-12 ? 0 : away * 10_000, complete: left === 0};
}

const multiples: Readonly<Record<string, number>> = {k: 1e3, m: 1e6};

/**
 * What a person typed: `2`, `2 btc`, `5,000 usdt`, `1.5k usdt`. Without a unit it is of the base asset. The assets' names
 * count in any case; where one is not known only a bare number or the other's name is understood. Undefined: no amount
 * above 0 of either.
 */
export function parseAmount(
	text: string,
	{base, quote}: {readonly base?: string | undefined; readonly quote?: string | undefined},
): Amount | undefined {
	const [, digits = '', rest = ''] = /^\s*([\d,_]*\.?\d*)\s*(.*?)\s*$/.exec(text.toLowerCase()) ?? [];
	const unitOf = (name: string): Amount['unit'] | undefined => {
		if (name === '' || name === base?.toLowerCase()) return 'base';
		return name === quote?.toLowerCase() ? 'quote' : undefined;
	};

	// An asset may be called K: the whole word counts before its first letter.
	const multiple = unitOf(rest) ? 1 : (multiples[rest[0] ?? ''] ?? 1);
	const unit = unitOf(rest) ?? (multiple > 1 ? unitOf(rest.slice(1).trim()) : undefined);
	const size = Number(digits.replaceAll(/[,_]/g, '') || Number.NaN) * multiple;
	return unit && Number.isFinite(size) && size > 0 ? {size, unit} : undefined;
}
