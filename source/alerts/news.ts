import {createNewTrades, type NewTrades} from '../market/new-trades.ts';
import {symbolKey} from '../market/symbol.ts';
import type {Trade} from '../market/types.ts';
import type {MarketState} from '../store/state.ts';
import type {CandleSources} from './candle-sources.ts';
import type {KnownMarket} from './quantity-values.ts';

/** Markets by their keys. */
export type KnownMarkets = ReadonlyMap<string, KnownMarket>;

/** What is known now, and the trades that are new since the last time, oldest first. */
export type News = {
	readonly known: KnownMarkets;
	readonly trades: readonly NewTrade[];
	/** Epoch ms. */
	readonly now: number;
};

/** A trade at its place in the tape of its market. */
type NewTrade = {readonly market: string; readonly trade: Trade; readonly index: number};

/** Key of the market of a state. */
export const keyOf = ({symbol = ''}: MarketState): string => symbolKey(symbol);

/** Finds what is new in each of the states of markets. Those without a name are left out; the candles of the others are polled. */
export function createNews(candles: CandleSources): (states: readonly MarketState[], now: number) => News {
	const finders = new Map<string, NewTrades>();

	function newTrades(market: string, {tape}: MarketState): readonly NewTrade[] {
		if (tape.status !== 'ready') return [];
		const known = finders.get(market);
		const find = known ?? createNewTrades();
		finders.set(market, find);
		const {trades} = tape.data;
		const added = find(trades);
		// Those of the first tape happened before.
		return (known ? added : []).map(trade => ({market, trade, index: trades.indexOf(trade)}));
	}

	return (states, now) => {
		const named = states.filter(({symbol}) => symbol !== undefined);
		candles.follow(named.flatMap(({symbol}) => symbol ?? []));
		const candlesOf = (state: MarketState) => (period: number) => candles.of(state.symbol, period);
		const knownOf = (state: MarketState): KnownMarket => ({state, candlesOf: candlesOf(state), windows: new Map()});
		const known = new Map(named.map(state => [keyOf(state), knownOf(state)] as const));
		const trades = named.flatMap(state => newTrades(keyOf(state), state));
		return {known, trades: trades.sort((a, b) => a.trade.time - b.trade.time), now};
	};
}
