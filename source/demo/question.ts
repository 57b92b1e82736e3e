import type {Listing} from './listing.ts';
import type {LiveMarket} from './live-market.ts';
import type {Simulation} from './simulation.ts';
import {Refusal} from './wire.ts';

/** A parsed request: the markets it is about, and its `data` once they are up to date. */
export type Question = {
	readonly listings: readonly Listing[];
	data(markets: readonly LiveMarket[], now: number): unknown;
};

export function aboutOne(listing: Listing, data: (market: LiveMarket, now: number) => unknown): Question {
	return {listings: [listing], data: (markets, now) => markets.map(market => data(market, now))[0]};
}

/** Default `limit` of trades and candles. */
export const defaultLimit = 500;
/** Largest `limit` of trades and candles. */
export const greatestLimit = 1000;

const wholeNumber = /^[+-]?\d{1,15}$/;

/** An integer parameter; undefined if missing or empty. Throws a `Refusal`: 400 if it is not a whole number, 422 if out of bounds. */
export function integerParameter(
	query: URLSearchParams,
	name: string,
	{least, most = Number.MAX_SAFE_INTEGER}: {least: number; most?: number},
): number | undefined {
	const text = query.get(name);
	if (!text) return undefined;
	if (!wholeNumber.test(text)) throw new Refusal(400, `${name} must be a whole number`);
	const value = Number(text);
	if (value < least || value > most) throw new Refusal(422, `${name} must be ${bounds(least, most)}`);
	return value;
}

function bounds(least: number, most: number): string {
	return most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
}

/** The market that `symbol` names. Throws a `Refusal`: 400 without a symbol, 422 if there is no such market. */
export function symbolParameter(query: URLSearchParams, simulation: Simulation): Listing {
	const symbol = query.get('symbol');
	if (!symbol) throw new Refusal(400, 'symbol is required');
	const listing = simulation.findSymbol(symbol);
	if (!listing) throw new Refusal(422, 'no market has this symbol');
	return listing;
}

/** The market that `marketId` or `symbol` names. Throws a `Refusal`: 400 with neither or if they differ, 422 if there is no such market. */
export function marketParameter(query: URLSearchParams, simulation: Simulation): Listing {
	const id = integerParameter(query, 'marketId', {least: 0});
	if (id === undefined) {
		if (!query.get('symbol')) throw new Refusal(400, 'symbol or marketId is required');
		return symbolParameter(query, simulation);
	}
	const listing = simulation.findId(id);
	if (!listing) throw new Refusal(422, 'no market has this marketId');
	if (query.get('symbol') && symbolParameter(query, simulation) !== listing) {
		throw new Refusal(400, 'symbol and marketId name different markets');
	}
	return listing;
}
