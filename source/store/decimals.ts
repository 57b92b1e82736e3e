import {type Decimals, noDecimals, widen} from '../market/precision.ts';
import type {MarketState} from './state.ts';

/**
 * The decimals of the selected market, inferred from every price and quantity that its book, its trades and its ticker
 * have shown. They only grow, also when the market is left and come back to, so that digits never jump.
 */
export function createDecimals(): (state: MarketState) => Decimals {
	const known = new Map<string, Decimals>();
	let seen: Pick<MarketState, 'symbol' | 'depth' | 'tape' | 'tickers'> | undefined;

	return state => {
		const {symbol, depth, tape, tickers} = state;
		if (symbol === undefined) return noDecimals;
		const before = known.get(symbol) ?? noDecimals;
		let decimals = before;
		if (depth.status === 'ready' && depth !== seen?.depth) {
			for (const side of [depth.data.asks, depth.data.bids ?? []]) {
				decimals = widen(decimals, {prices: side.map(([price]) => price), quantities: side.map(([, size]) => size)});
			}
		}

		if (tape.status === 'ready' && tape !== seen?.tape) {
			const {trades} = tape.data;
			const prices = trades.map(({price}) => price);
			decimals = widen(decimals, {prices, quantities: trades.map(({quantity}) => quantity)});
		}

		if (tickers.status === 'ready' && (tickers !== seen?.tickers || symbol !== seen.symbol)) {
			const {last, open, high, low, bid, ask, bidQuantity, askQuantity} = tickers.data.get(symbol) ?? {};
			decimals = widen(decimals, {prices: [last, open, high, low, bid, ask], quantities: [bidQuantity, askQuantity]});
		}

		seen = {symbol, depth, tape, tickers};
		if (decimals !== before) known.set(symbol, decimals);
		return decimals;
	};
}
