import {symbolKey} from '../market/symbol.ts';
import type {MarketState} from '../store/state.ts';
import {type CandleSourceOptions, type CandleSources, createCandleSources} from './candle-sources.ts';
import type {Condition} from './condition.ts';
import {createJudge, type Holding, type Judge} from './judge.ts';
import {createNews} from './news.ts';

/** What makes a condition hold. */
export type Met = Pick<Holding, 'trade' | 'values'> & {readonly states: readonly MarketState[]};

/** Judges a condition for several markets, and polls the candles that it needs. */
export type ConditionWatch = Pick<CandleSources, 'isSettled' | 'subscribe' | 'stop'> & {
	/**
	 * The markets that meet the condition now, or since the last call by one of the new trades. For a condition without a market
	 * the first one that does, for others those that it names. Undefined: none do. `now`: epoch ms.
	 */
	met(states: readonly MarketState[], now: number): Met | undefined;
};

export function createConditionWatch(condition: Condition, options: CandleSourceOptions): ConditionWatch {
	const candles = createCandleSources([condition], options);
	const newsOf = createNews();
	const judges = new Map<string, Judge>();

	function judgeOf(key: string): Judge {
		const judge = judges.get(key) ?? createJudge(condition, key);
		judges.set(key, judge);
		return judge;
	}

	return {
		...candles,
		met(states, now) {
			const news = newsOf(candles.knownOf(states), now);
			const held = [...news.known.keys()].map(key => judgeOf(key).judge(news).held);
			const first = held.find(each => each !== undefined);
			if (!first) return undefined;
			const {markets, trade, values} = first;
			const isHeld = ({symbol = ''}: MarketState) => markets.includes(symbolKey(symbol));
			return {states: states.filter(isHeld), trade, values};
		},
	};
}
