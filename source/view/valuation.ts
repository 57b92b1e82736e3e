import {type HeldAsset, type Holding, type Valuation, valuationOf} from '../market/holdings.ts';
import {memo} from '../market/memo.ts';
import {unlistedMarkets} from '../market/symbol.ts';
import type {Ticker} from '../market/types.ts';
import {isListNewer, lastTradePrice, type MarketState} from '../store/state.ts';
import {currencyOf, noTickers, pathsOf} from './panels/markets/entries.ts';

/** A holding, and whether the user stated it in the monitor or in the config file. */
export type Held = Holding & {readonly origin: 'user' | 'config'};

/** By asset. */
export type Holdings = ReadonlyMap<string, Held>;

/** The parts of the state that holdings are valued by. */
export const valuationParts = ['markets', 'tickers', 'trades', 'symbol'] as const;

type ValuedState = Pick<MarketState, (typeof valuationParts)[number]>;

const marketsOf = memo((tickers: ReadonlyMap<string, Ticker>) => unlistedMarkets([...tickers.keys()]));

/** The holdings in `currency`, or in the exchange's usual one. Without tickers they have no values. */
export function valuationIn(state: ValuedState, holdings: Holdings, currency: string | undefined): Valuation {
	const {markets, tickers, trades, symbol} = state;
	const isReady = tickers.status === 'ready';
	const tickersBySymbol = isReady ? tickers.data : noTickers;
	const listed = markets.status === 'ready' ? markets.data : marketsOf(tickersBySymbol);
	const usual = currencyOf(listed, currency);
	const price = lastTradePrice(state);
	const market = listed.find(each => each.symbol === symbol);
	const hasTrade = trades.status === 'ready' && market !== undefined && price !== undefined;
	return valuationOf(holdings.values(), {
		currency: usual,
		paths: pathsOf(listed, tickersBySymbol, usual, isListNewer(state)),
		tickers: tickersBySymbol,
		tickersAt: isReady ? tickers.receivedAt : 0,
		lastTrade: hasTrade ? {market, price, receivedAt: trades.receivedAt} : undefined,
	});
}

/** Why no holding has a value; undefined: they may have. */
export function unvaluedText({tickers}: Pick<MarketState, 'tickers'>): string | undefined {
	if (tickers.status === 'ready') return undefined;
	return tickers.status === 'failed' ? tickers.failure.error.brief : 'prices are still loading';
}

/** What the user holds by asset, valued. */
export const heldByAsset = (...valued: Parameters<typeof valuationIn>): ReadonlyMap<string, HeldAsset> =>
	new Map(valuationIn(...valued).assets.map(held => [held.asset, held]));
