import type {Listing} from './listing.ts';
import type {LiveMarket} from './live-market.ts';

/** A request understood: the markets it is about, and its `data` once they are at the present. */
export type Question = {
	readonly listings: readonly Listing[];
	data(markets: readonly LiveMarket[], now: number): unknown;
};

export function aboutOne(listing: Listing, data: (market: LiveMarket, now: number) => unknown): Question {
	return {listings: [listing], data: (markets, now) => markets.map(market => data(market, now))[0]};
}
