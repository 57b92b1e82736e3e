/** Entries as the exchange writes them; `extra` replaces and adds fields. */

export const market = (name: string, extra: object = {}) => ({
	id: 1,
	marketName: `${name}USDT`,
	base: name,
	quote: 'USDT',
	state: 'active',
	marketType: 'Spot',
	...extra,
});

export const ticker = (extra: object = {}) => ({
	symbol: 'BTCUSDT',
	priceChange: -13.62,
	priceChangePercent: -0.02,
	lastPrice: 61824.01,
	bidPrice: 61824,
	bidQuantity: 0.94,
	askPrice: 61824.01,
	askQuantity: 6.67,
	openPrice: 61837.63,
	highPrice: 62745.14,
	lowPrice: 59535,
	volume: 48201,
	state: 'active',
	type: 'spot',
	...extra,
});

export const legacyTicker = (extra: object = {}) => ({
	percentChange: 1.5,
	high24hr: 12,
	higestBid: 10,
	last: 10.5,
	id: null,
	quoteVolume: 300,
	isFrozen: 0,
	low24hr: 9,
	lowestAsk: 11,
	...extra,
});

export const trade = (id: number, extra: object = {}) => ({
	id,
	quantity: 1,
	price: 10,
	time: 1000,
	side: 'buy',
	...extra,
});

export const legacyTrade = (tradeId: number, createdOn: unknown) => ({tradeId, quantity: 1, price: 10, createdOn});

export const candle = (id: number, extra: object = {}) => ({
	id,
	open: 2,
	close: 3,
	low: 1,
	high: 4,
	volume: 5,
	...extra,
});
