import type {MarketState} from '../store/state.ts';
import {type CandleSourceOptions, type CandleSources, createCandleSources} from './candle-sources.ts';
import type {Condition} from './condition.ts';
import {createJudge, type Holding, type Judge} from './judge.ts';
import {createNews, keyOf} from './news.ts';

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
