import type {Market, Ticker} from '../market/types.ts';
import type {MarketState} from '../store/state.ts';

/** The delayed 24 h summary of the selected market. */
export const selectedTicker = ({tickers, symbol}: Pick<MarketState, 'tickers' | 'symbol'>): Ticker | undefined =>
	tickers.status === 'ready' && symbol !== undefined ? tickers.data.get(symbol) : undefined;

export const selectedMarket = ({markets, symbol}: Pick<MarketState, 'markets' | 'symbol'>): Market | undefined =>
	markets.status === 'ready' ? markets.data.find(market => market.symbol === symbol) : undefined;
