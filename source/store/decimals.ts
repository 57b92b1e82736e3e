import {type Decimals, noDecimals, widen} from '../market/precision.ts';
import {symbolKey} from '../market/symbol.ts';
import type {MarketState} from './state.ts';

/**
 * The decimals of the selected market, inferred from every price and quantity that its book, its trades and its ticker
 * have shown. They only grow, also when the market is left and come back to or takes the list's spelling, so that
 * digits never jump.
 */
export function createDecimals(): (state: MarketState) => Decimals {
	const known = new Map<string, Decimals>();
	let seen: readonly unknown[] = [];

	return state => {
		const {symbol} = state;
		if (symbol === undefined) return noDecimals;
		const book = state.depth.status === 'ready' ? state.depth.data : undefined;
		const trades = state.tape.status === 'ready' ? state.tape.data.trades : undefined;
		const ticker = state.tickers.status === 'ready' ? state.tickers.data.get(symbol) : undefined;
		const before = known.get(symbolKey(symbol)) ?? noDecimals;
		let decimals = before;
		if (book && !seen.includes(book)) {
			for (const side of [book.asks, book.bids ?? []]) {
				decimals = widen(decimals, {prices: side.map(([price]) => price), quantities: side.map(([, size]) => size)});
			}
		}

		if (trades && !seen.includes(trades)) {
			const prices = trades.map(({price}) => price);
			decimals = widen(decimals, {prices, quantities: trades.map(({quantity}) => quantity)});
		}

		if (ticker && !seen.includes(ticker)) {
			const {last, open, high, low, bid, ask, bidQuantity, askQuantity} = ticker;
			decimals = widen(decimals, {prices: [last, open, high, low, bid, ask], quantities: [bidQuantity, askQuantity]});
		}

		seen = [book, trades, ticker];
		if (decimals !== before) known.set(symbolKey(symbol), decimals);
		return decimals;
	};
}
