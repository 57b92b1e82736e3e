import {level, list, map, record, type Shape, value, word} from './shape.ts';

/** The answer of each operation with its envelope: exchange-api.md, Resources and their fields. */

const text = value('text');
const number = value('number');
const integer = value('integer');

/** Fields of one shape. */
const each = (shape: Shape, ...names: readonly string[]): Readonly<Record<string, Shape>> =>
	Object.fromEntries(names.map(name => [name, shape]));

const v2Envelope = (data: Shape): Shape =>
	record({data, success: word('true or false', true), message: text, timestamp: integer});

const v1Envelope = (data: Shape): Shape =>
	record({
		data,
		message: text,
		status: word('integer', 200),
		timestamp: text,
		isSuccess: word('true or false', true),
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

const summary = record({
	symbol: text,
	...each(number, 'priceChange', 'priceChangePercent', 'lastPrice', 'bidPrice', 'bidQuantity', 'askPrice'),
	...each(number, 'askQuantity', 'openPrice', 'highPrice', 'lowPrice', 'volume'),
	state: word('text', 'active'),
	type: word('text', 'spot'),
});

const trade = record({id: integer, quantity: number, price: number, time: integer, side: word('text', 'buy')});

const candle = record({id: integer, ...each(number, 'open', 'close', 'low', 'high', 'volume')});

const v1Ticker = record({
	...each(number, 'percentChange', 'high24hr', 'higestBid', 'last', 'quoteVolume', 'low24hr', 'lowestAsk'),
	id: value('null'),
	isFrozen: word('integer', 0),
});

const v1Trade = record({tradeId: integer, quantity: number, price: number, createdOn: text});

export const v2Shapes = {
	info: v2Envelope(info),
	markets: v2Envelope(list(market)),
	summary: v2Envelope(record({markets: list(summary)})),
	ticker: v2Envelope(list(summary)),
	// Bids: not shown.
	depth: v2Envelope(record({asks: list(level)}, {bids: list(level)})),
	trades: v2Envelope(list(trade)),
	candles: v2Envelope(list(candle)),
};

export const v1Shapes = {
	ticker: v1Envelope(map(v1Ticker)),
	depth: v1Envelope(record({asks: list(level), bids: list(level)})),
	trades: v1Envelope(list(v1Trade)),
};
