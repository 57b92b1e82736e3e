import {dayRange} from '../../../../source/market/day.ts';
import type {Ticker} from '../../../../source/market/types.ts';
import type {TickerInput} from '../../../../source/view/panels/ticker/model.ts';

export const now = Date.UTC(2024, 7, 8, 23, 54, 59);

export const bitcoinTicker: Ticker = {
	symbol: 'BTCUSDT',
	last: 61_822.4,
	change: -13.62,
	changePercent: -0.02,
	open: 61_836.02,
	high: 62_745.14,
	low: 59_535,
	bid: 61_822.1,
	bidQuantity: 0.3,
	ask: 61_822.5,
	askQuantity: 1.2,
	volume: 48_201.3,
	state: 'active',
};

/** BTC/USDT on a good day, but for `change`, with its range. */
export function tickerInputOf(change: Partial<TickerInput> = {}): TickerInput {
	const input = {...bitcoinInput, ...change};
	return {...input, range: dayRange(input.ticker, input.lastTrade ? [input.lastTrade] : [], now)};
}

/** BTC/USDT on a good day. */
export const bitcoinInput: TickerInput = {
	pair: 'BTC/USDT',
	base: 'BTC',
	quote: 'USDT',
	state: 'active',
	lastTrade: {id: '2', time: now - 400, price: 61_824.01, quantity: 0.1},
	previousTrade: {id: '1', time: now - 900, price: 61_824, quantity: 0.1},
	ticker: bitcoinTicker,
	range: {high: 62_745.14, low: 59_535},
	tickerReceivedAt: now - 4000,
	book: {asks: [[61_824.01, 6.67]], bids: [[61_824, 0.94]]},
	decimals: {price: 2, quantity: 5},
	sources: ['v2 · 0.4 s'],
	bookNote: [],
	absences: {},
	...{contradiction: undefined, entryFault: undefined, quietMs: undefined},
	...{tickerIsStale: false, tickerIsOlder: false, bookIsStale: false, bookIsOlder: false},
	ascii: false,
	now,
};
