import {createNewTrades, type NewTrades} from '../market/new-trades.ts';
import {symbolKey} from '../market/symbol.ts';
import type {MarketState} from '../store/state.ts';
import {type CandleSourceOptions, type CandleSources, createCandleSources} from './candle-sources.ts';
import type {Condition} from './condition.ts';
import {createJudge, type Holding, type Judge, type News, type NewTrade} from './judge.ts';
import type {KnownMarket} from './quantity-values.ts';

/** What makes a condition hold. */
export type Met = Pick<Holding, 'trade' | 'values'> & {readonly states: readonly MarketState[]};

/** Judges a condition for several markets, and polls the candles that it needs. */
export type ConditionWatch = Pick<CandleSources, 'isSettled' | 'subscribe' | 'stop'> & {
	/**
	 * To be called whenever a market changes, and every now and then. All quantities that name no market belong to one market:
	 * the first for which the condition holds.
	 */
	met(states: readonly MarketState[], now: number): Met | undefined;
};

export function createConditionWatch(condition: Condition, options: CandleSourceOptions): ConditionWatch {
	const judges = new Map<string, Judge>();
	const candles = createCandleSources([condition], options);
	const newsOf = createNews(candles);

	function judgeOf(key: string): Judge {
		const judge = judges.get(key) ?? createJudge(condition, key);
		judges.set(key, judge);
		return judge;
	}

	return {
		...candles,
		met(states, now) {
			const news = newsOf(states, now);
			const held = [...news.known.keys()].map(key => judgeOf(key).judge(news).held);
			const first = held.find(each => each !== undefined);
			if (!first) return undefined;
			const {markets, trade, values} = first;
			return {states: states.filter(state => markets.includes(keyOf(state))), trade, values};
		},
	};
}

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

const keyOf = ({symbol = ''}: MarketState): string => symbolKey(symbol);
