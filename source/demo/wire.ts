import type {PriceLevel} from './book.ts';
import type {Listing} from './listing.ts';
import {hashNumbers} from './random.ts';

/**
 * `count` units of 10^-`decimals`. Dividing by the power, which is exact, gives the number nearest to the decimal, so
 * that JSON shows just its digits: 0.3, never 0.30000000000000004.
 */
export function decimal(count: number, decimals: number): number {
	return count / 10 ** decimals;
}

export function wireLevels(levels: readonly PriceLevel[], listing: Listing): readonly (readonly [number, number])[] {
	return levels.map(({price, lots}) => [
		decimal(price, listing.priceDecimals),
		decimal(lots, listing.quantityDecimals),
	]);
}

/** In percent, to four decimals. */
export function percentChange(open: number, last: number): number {
	return decimal(Math.round((last / open - 1) * 1e6), 4);
}

/**
 * ISO 8601 with offset, finer than a millisecond and without trailing zeros, so that fractions differ in length.
 * @param time epoch ms
 * @param salt decides the digits below the millisecond
 */
export function isoTimestamp(time: number, salt: number): string {
	const [seconds] = new Date(time).toISOString().split('.');
	const below = (hashNumbers(0, salt) >>> 0) % 10_000;
	const fraction = String((time % 1000) * 10_000 + below)
		.padStart(7, '0')
		.replace(/0+$/, '');
	return `${seconds}${fraction && `.${fraction}`}+00:00`;
}
