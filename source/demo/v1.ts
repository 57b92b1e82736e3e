import {listings} from './listing.ts';
import type {Execution, LiveMarket} from './live-market.ts';
import {hashNumbers} from './random.ts';
import type {Simulation} from './simulation.ts';
import {
	aboutOne,
	decimal,
	defaultLimit,
	greatestLimit,
	integerParameter,
	isoTimestamp,
	percentChange,
	type Question,
	Refusal,
	symbolParameter,
	wireLevels,
} from './wire.ts';

/** How far a legacy trade may be from its place in the order of ids. */
const disorder = 4;

export function ticker(): Question {
	return {listings, data: all => Object.fromEntries(all.map(market => [market.listing.symbol, tickerEntry(market)]))};
}

/** exchange-api.md, Legacy ticker entry. A side without orders has price 0; `quoteVolume` is in quote asset. */
function tickerEntry(market: LiveMarket) {
	const {listing, bestAsk, bestBid, lastPrice} = market;
	const {bar, turnover} = market.day();
	const price = (ticks: number) => decimal(ticks, listing.priceDecimals);
	const quoteVolume = decimal(turnover, listing.priceDecimals + listing.quantityDecimals);
	return {
		percentChange: percentChange(bar.open, lastPrice),
		high24hr: price(bar.high),
		higestBid: price(bestBid?.price ?? 0),
		last: price(lastPrice),
		id: null,
		quoteVolume: Number(quoteVolume.toPrecision(12)),
		isFrozen: listing.state === 'active' ? 0 : 1,
		low24hr: price(bar.low),
		lowestAsk: price(bestAsk?.price ?? 0),
	};
}

/** exchange-api.md, Legacy order book. */
export function depth(query: URLSearchParams, simulation: Simulation): Question {
	return aboutOne(symbolParameter(query, simulation), ({listing, asks, bids}) => ({
		asks: wireLevels(asks, listing),
		bids: wireLevels(bids, listing),
	}));
}

/**
 * exchange-api.md, Legacy trade: roughly newest first, with the id of the order that took it, which its other executions
 * have too. `limit` 1 to 1000, default 500, or the same with a minus: its
 * stated bounds are -1 and -1000.
 */
export function trades(query: URLSearchParams, simulation: Simulation): Question {
	const limit = integerParameter(query, 'limit', {least: -greatestLimit, most: greatestLimit}) ?? defaultLimit;
	if (limit === 0) throw new Refusal(422, 'limit must be 1 to 1000');
	const listing = symbolParameter(query, simulation);
	const rank = (id: number) => id + ((hashNumbers(0, id) >>> 0) % (disorder + 1));
	return aboutOne(listing, market =>
		withOrders(market.executions(Math.abs(limit)))
			.toSorted((one, other) => rank(other.id) - rank(one.id))
			.map(({id, order, lots, price, time}) => ({
				tradeId: order,
				quantity: decimal(lots, listing.quantityDecimals),
				price: decimal(price, listing.priceDecimals),
				createdOn: isoTimestamp(time, id),
			})),
	);
}

/** Adds order ids to `executions` (newest first). Executions of one order have one time; the order's id is that of its last one. */
function withOrders(executions: readonly Execution[]): readonly (Execution & {readonly order: number})[] {
	let order: Execution | undefined;
	return executions.map(execution => {
		if (order?.time !== execution.time || order.side !== execution.side) order = execution;
		return {...execution, order: order.id};
	});
}
