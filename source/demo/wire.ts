import type {Interface} from '../market/types.ts';
import type {PriceLevel} from './book.ts';
import type {Delivery} from './delivery.ts';
import type {Listing} from './listing.ts';
import type {LiveMarket} from './live-market.ts';
import {hashNumbers} from './random.ts';
import type {Simulation} from './simulation.ts';

/** The parts of an HTTP request that the demo exchange needs. */
export type DemoRequest = {
	readonly method: string;
	readonly path: string;
	readonly query: URLSearchParams;
	/** Headers by lower-case name. */
	readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
	/** Reads the body. Throws a `Refusal` (413) if it is longer than 64 KiB. */
	readonly text: () => Promise<string>;
};

export type DemoAnswer = {
	readonly status: number;
	/** Headers besides the content type, which is JSON unless given here. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Text may be sent compressed; bytes are sent as they are. */
	readonly body: string | Uint8Array;
	/** Default: the whole answer at once. */
	readonly delivery?: Delivery;
};

/** Answers every request; never rejects for a bad one. A handler can wrap another one as a filter. */
export type Handler = (request: DemoRequest) => Promise<DemoAnswer>;

/** A refused request: it gets an error status and the message in the envelope of the interface. */
export class Refusal extends Error {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;

	constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
		super(message);
		this.status = status;
		this.headers = headers;
	}
}

/** The interface of a path, by its version segment, even for unknown paths. */
export function interfaceOf(path: string): Interface {
	return path.includes('/api/v1/') ? 'legacy' : 'v2';
}

/** @param now epoch ms */
export function success(shape: Interface, data: unknown, now: number): DemoAnswer {
	return {status: 200, body: envelope(shape, 200, data, 'OK', now)};
}

/** @param now epoch ms */
export function failure(shape: Interface, {status, message, headers}: Refusal, now: number): DemoAnswer {
	return {status, headers, body: envelope(shape, status, null, message, now)};
}

function envelope(shape: Interface, status: number, data: unknown, message: string, now: number): string {
	const succeeded = status === 200;
	return JSON.stringify(
		shape === 'v2'
			? {data, success: succeeded, message, timestamp: now}
			: {data, message, status, timestamp: isoTimestamp(now, now), isSuccess: succeeded},
	);
}

/**
 * `count` units of 10^-`decimals`. Dividing by the exact power gives the number nearest to the decimal, so that JSON shows
 * its digits only: 0.3, never 0.30000000000000004.
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

/** The change in percent, to four decimals. */
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
