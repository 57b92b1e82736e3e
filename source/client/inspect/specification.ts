import {level, list, map, record, type Shape, value, word} from './shape.ts';

/** The answer of each operation with its envelope: exchange-api.md, Resources and their fields. */

const v2Envelope = (data: Shape): Shape =>
	record({
		data,
		success: word('true or false', true),
		message: value('text'),
		timestamp: value('integer'),
	});

const v1Envelope = (data: Shape): Shape =>
	record({
		data,
		message: value('text'),
		status: word('integer', 200),
		timestamp: value('text'),
		isSuccess: word('true or false', true),
	});

const flag = value('true, false or null');

const info = record({
	name: value('text'),
	description: value('text'),
	location: value('text'),
	logo: value('text'),
	website: value('text'),
	twitter: value('text'),
	version: value('text'),
	capability: record({
		markets: flag,
		trades: flag,
		tradesByTimestamp: flag,
		tradesSocket: flag,
		orders: flag,
		ordersSocket: flag,
		ordersSnapshot: flag,
		candles: flag,
	}),
});

const market = record({
	id: value('integer'),
	marketName: value('text'),
	base: value('text'),
	quote: value('text'),
	state: word('text', 'active'),
	marketType: word('text', 'Spot'),
});

const summary = record({
	symbol: value('text'),
	priceChange: value('number'),
	priceChangePercent: value('number'),
	lastPrice: value('number'),
	bidPrice: value('number'),
	bidQuantity: value('number'),
	askPrice: value('number'),
	askQuantity: value('number'),
	openPrice: value('number'),
	highPrice: value('number'),
	lowPrice: value('number'),
	volume: value('number'),
	state: word('text', 'active'),
	type: word('text', 'spot'),
});

const trade = record({
	id: value('integer'),
	quantity: value('number'),
	price: value('number'),
	time: value('integer'),
	side: word('text', 'buy'),
});

const candle = record({
	id: value('integer'),
	open: value('number'),
	close: value('number'),
	low: value('number'),
	high: value('number'),
	volume: value('number'),
});

const v1Ticker = record({
	percentChange: value('number'),
	high24hr: value('number'),
	higestBid: value('number'),
	last: value('number'),
	id: value('null'),
	quoteVolume: value('number'),
	isFrozen: word('integer', 0),
	low24hr: value('number'),
	lowestAsk: value('number'),
});

const v1Trade = record({
	tradeId: value('integer'),
	quantity: value('number'),
	price: value('number'),
	createdOn: value('text'),
});

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
