import {level, list, map, record, type Shape, timeIn, value, word} from './shape.ts';

/** The answer of each operation with its envelope: exchange-api.md, Resources and their fields. */

const text = value('text');
const number = value('number');
const integer = value('integer');
const price = value('number', 'above 0');
const quantity = value('number', 'at least 0');

/** Fields of one shape. */
const each = (shape: Shape, ...names: readonly string[]): Readonly<Record<string, Shape>> =>
	Object.fromEntries(names.map(name => [name, shape]));

const v2Envelope = (data: Shape): Shape =>
	record({data, success: value('true or false'), message: text, timestamp: timeIn('ms', true)});

const v1Envelope = (data: Shape): Shape =>
	record({
		data,
		message: text,
		status: word('integer', 200),
		timestamp: timeIn('ISO 8601', true),
		isSuccess: value('true or false'),
	});

const info = record({
	...each(text, 'name', 'description', 'location', 'logo', 'website', 'twitter', 'version'),
	capability: record({
		...each(value('true, false or null'), 'markets', 'trades', 'tradesByTimestamp', 'tradesSocket'),
		...each(value('true, false or null'), 'orders', 'ordersSocket', 'ordersSnapshot', 'candles'),
	}),
});

const market = record({
	id: integer,
	...each(text, 'marketName', 'base', 'quote'),
	state: word('text', 'active'),
	marketType: word('text', 'Spot'),
});

/** A price of 0 means that there is none. */
const summary = record({
	symbol: text,
	...each(number, 'priceChange', 'priceChangePercent'),
	...each(quantity, 'lastPrice', 'bidPrice', 'bidQuantity', 'askPrice', 'askQuantity'),
	...each(quantity, 'openPrice', 'highPrice', 'lowPrice', 'volume'),
	state: word('text', 'active'),
	type: word('text', 'spot'),
});

const trade = record({id: integer, quantity, price, time: timeIn('ms'), side: word('text', 'buy')});

const candle = record({id: timeIn('s'), ...each(price, 'open', 'close', 'low', 'high'), volume: quantity});

const v1Ticker = record({
	percentChange: number,
	...each(quantity, 'high24hr', 'higestBid', 'last', 'quoteVolume', 'low24hr', 'lowestAsk'),
	id: value('null'),
	isFrozen: word('integer', 0),
});

const v1Trade = record({tradeId: integer, quantity, price, createdOn: timeIn('ISO 8601')});

const asks = list(level, {order: {by: 0, direction: 'ascending'}});
const bids = list(level, {order: {by: 0, direction: 'descending'}});

export const v2Shapes = {
	info: v2Envelope(info),
	markets: v2Envelope(list(market)),
	summary: v2Envelope(record({markets: list(summary)})),
	ticker: v2Envelope(list(summary)),
	// Bids: not shown.
	depth: v2Envelope(record({asks}, {bids})),
	trades: v2Envelope(list(trade)),
	candles: v2Envelope(list(candle, {order: {by: 'id', direction: 'descending'}})),
};

export const v1Shapes = {
	ticker: v1Envelope(map(v1Ticker)),
	depth: v1Envelope(record({asks, bids})),
	// Fills of one order share its id.
	trades: v1Envelope(list(v1Trade, {repeatable: true})),
};

/** The documented default and maximum of `limit`. */
export type DocumentedLimit = {readonly default: number; readonly most: number};

/** exchange-api.md, Limits. Those of v2 trades are not shown. */
export const documentedLimit: DocumentedLimit = {default: 500, most: 1000};
