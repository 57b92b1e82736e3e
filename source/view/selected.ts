import type {Market, Ticker} from '../market/types.ts';
import type {MarketState} from '../store/state.ts';

/** The delayed 24 h summary of the selected market. */
export const selectedTicker = ({tickers, symbol}: Pick<MarketState, 'tickers' | 'symbol'>): Ticker | undefined =>
	tickers.status === 'ready' && symbol !== undefined ? tickers.data.get(symbol) : undefined;

export const selectedMarket = ({markets, symbol}: Pick<MarketState, 'markets' | 'symbol'>): Market | undefined =>
	markets.status === 'ready' ? markets.data.find(market => market.symbol === symbol) : undefined;

/** Of a book that is fresh: lines of an old one would look like prices of now. */
export const bestBid = ({depth}: Pick<MarketState, 'depth'>): number | undefined =>
	depth.status === 'ready' && !depth.failure ? depth.data.bids?.[0]?.[0] : undefined;

export const bestAsk = ({depth}: Pick<MarketState, 'depth'>): number | undefined =>
	depth.status === 'ready' && !depth.failure ? depth.data.asks[0]?.[0] : undefined;
