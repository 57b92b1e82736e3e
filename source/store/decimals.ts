import {type Decimals, noDecimals, widen} from '../market/precision.ts';
import {symbolKey} from '../market/symbol.ts';
import type {Trade} from '../market/types.ts';
import type {MarketState} from './state.ts';

/**
 * The decimals of the selected market, inferred from every price and quantity that its book, its trades and its ticker
 * have shown. They only grow, also when the market is selected again or takes the list's spelling, so that digits never
 * jump.
 */
export function createDecimals(): (state: MarketState) => Decimals {
	const bySymbol = new Map<string, Decimals>();
	let countedData: readonly unknown[] = [];
	let countedTrades: readonly Trade[] = [];

	return state => {
		const {symbol} = state;
		if (symbol === undefined) return noDecimals;
		const book = state.depth.status === 'ready' ? state.depth.data : undefined;
		const trades = state.tape.status === 'ready' ? state.tape.data.trades : undefined;
		const ticker = state.tickers.status === 'ready' ? state.tickers.data.get(symbol) : undefined;
		const before = bySymbol.get(symbolKey(symbol)) ?? noDecimals;
		let decimals = before;
		if (book && !countedData.includes(book)) {
			for (const side of [book.asks, book.bids ?? []]) {
				decimals = widen(decimals, {prices: side.map(([price]) => price), quantities: side.map(([, size]) => size)});
			}
		}

		if (trades && trades !== countedTrades) {
			const fresh = notIn(trades, countedTrades);
			const prices = fresh.map(({price}) => price);
			decimals = widen(decimals, {prices, quantities: fresh.map(({quantity}) => quantity)});
		}

		if (ticker && !countedData.includes(ticker)) {
			const {last, open, high, low, bid, ask, bidQuantity, askQuantity} = ticker;
			decimals = widen(decimals, {prices: [last, open, high, low, bid, ask], quantities: [bidQuantity, askQuantity]});
		}

		countedData = [book, ticker];
		countedTrades = trades ?? [];
		if (decimals !== before) bySymbol.set(symbolKey(symbol), decimals);
		return decimals;
	};
}

/** The trades that were not in `before`, and maybe some that were: of thousands a few are new. */
function notIn(trades: readonly Trade[], before: readonly Trade[]): readonly Trade[] {
	const [newest] = before;
	const grown = newest ? trades.indexOf(newest) : -1;
	return grown < 0 ? trades : trades.filter((trade, index) => index < grown || trade !== before[index - grown]);
}
