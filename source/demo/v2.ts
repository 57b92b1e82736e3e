import {listings} from './listing.ts';
import type {LiveMarket} from './live-market.ts';
import type {Simulation} from './simulation.ts';
import {
	aboutOne,
	decimal,
	defaultLimit,
	greatestLimit,
	integerParameter,
	marketParameter,
	percentChange,
	type Question,
	Refusal,
	symbolParameter,
	wireLevels,
} from './wire.ts';

/** A year in minutes: the volumes of longer candles would not be exact. */
const greatestPeriod = 525_600;

/** exchange-api.md, Exchange info. */
export function info(): Question {
	return {
		listings: [],
		data: () => ({
			name: 'Tapewatch Demo Exchange',
			description: 'Simulated markets: invented prices, orders and trades, for trying things out',
			location: 'This computer',
			logo: 'https://demo.invalid/logo.png',
			website: 'https://demo.invalid',
			twitter: 'https://demo.invalid/twitter',
			version: '2.0',
			capability: {
				markets: true,
				trades: true,
				tradesByTimestamp: false,
				tradesSocket: null,
				orders: true,
				ordersSocket: null,
				ordersSnapshot: false,
				candles: true,
			},
		}),
	};
}

/** exchange-api.md, Market. */
export function markets(): Question {
	return {
		listings: [],
		data: () =>
			listings.map(({id, symbol, base, quote, state}) => ({
				id,
				marketName: symbol,
				base,
				quote,
				state,
				marketType: 'Spot',
			})),
	};
}

export function summary(): Question {
	return {listings, data: all => ({markets: all.map(summaryEntry)})};
}

export function ticker(): Question {
	return {listings, data: all => all.map(summaryEntry)};
}

/** exchange-api.md, Market summary entry. A side without orders has price and quantity 0. */
function summaryEntry(market: LiveMarket) {
	const {listing, bestAsk, bestBid, lastPrice} = market;
	const {bar} = market.day();
	const price = (ticks: number) => decimal(ticks, listing.priceDecimals);
	const quantity = (lots: number) => decimal(lots, listing.quantityDecimals);
	return {
		symbol: listing.symbol,
		priceChange: price(lastPrice - bar.open),
		priceChangePercent: percentChange(bar.open, lastPrice),
		lastPrice: price(lastPrice),
		bidPrice: price(bestBid?.price ?? 0),
		bidQuantity: quantity(bestBid?.lots ?? 0),
		askPrice: price(bestAsk?.price ?? 0),
		askQuantity: quantity(bestAsk?.lots ?? 0),
		openPrice: price(bar.open),
		highPrice: price(bar.high),
		lowPrice: price(bar.low),
		volume: quantity(bar.volume),
		state: listing.state,
		type: 'spot',
	};
}

/** exchange-api.md, Order book. Bids are not part of it; `withBids` adds them. */
export function depth(query: URLSearchParams, simulation: Simulation, withBids: boolean): Question {
	return aboutOne(symbolParameter(query, simulation), ({listing, asks, bids}) => ({
		asks: wireLevels(asks, listing),
		...(withBids && {bids: wireLevels(bids, listing)}),
	}));
}

/** exchange-api.md, Trade. Newest first; `limit` 1 to 1000, default 500. */
export function trades(query: URLSearchParams, simulation: Simulation): Question {
	const limit = integerParameter(query, 'limit', {least: 1, most: greatestLimit}) ?? defaultLimit;
	return aboutOne(marketParameter(query, simulation), market =>
		market.executions(limit).map(({id, lots, price, time, side}) => ({
			id,
			quantity: decimal(lots, market.listing.quantityDecimals),
			price: decimal(price, market.listing.priceDecimals),
			time,
			side,
		})),
	);
}

/** exchange-api.md, K-line. Newest first; `period` up to a year; `startTime` and `endTime` in ms, both inclusive. */
export function candles(query: URLSearchParams, simulation: Simulation): Question {
	const listing = symbolParameter(query, simulation);
	const period = integerParameter(query, 'period', {least: 1, most: greatestPeriod});
	if (period === undefined) throw new Refusal(400, 'period is required');
	const limit = integerParameter(query, 'limit', {least: 1, most: greatestLimit}) ?? defaultLimit;
	const from = integerParameter(query, 'startTime', {least: 0}) ?? 0;
	const to = integerParameter(query, 'endTime', {least: 0}) ?? Number.POSITIVE_INFINITY;
	if (to < from) throw new Refusal(422, 'endTime must not be before startTime');
	return aboutOne(listing, market =>
		market.bars(period, limit, from, to).map(({minute, bar}) => ({
			id: minute * 60,
			open: decimal(bar.open, listing.priceDecimals),
			close: decimal(bar.close, listing.priceDecimals),
			low: decimal(bar.low, listing.priceDecimals),
			high: decimal(bar.high, listing.priceDecimals),
			volume: decimal(bar.volume, listing.quantityDecimals),
		})),
	);
}
