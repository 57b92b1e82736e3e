import type {Exchange, InterfaceChoice} from '../client/exchange.ts';
import type {Clock} from '../market/clock.ts';
import {symbolKey} from '../market/symbol.ts';
import {largestPage, type Period} from '../market/types.ts';
import {createChanges} from '../store/create-store.ts';
import {createMarketStore} from '../store/market-store.ts';
import {waiting} from '../store/resource.ts';
import type {MarketState, MarketStore} from '../store/state.ts';
import {type Condition, quantitiesIn} from './condition.ts';
import {createStores} from './feeds.ts';
import {type Holding, heldIn, judge, type Side} from './judge.ts';
import {byTickerWhere, judgedDataOf} from './judged-data.ts';
import {areFresh, createNews, type MarketsData} from './market-data.ts';
import {periodsOf} from './quantity-values.ts';
import {isByTicker} from './rule.ts';

/** What makes a condition hold. */
export type Met = Pick<Holding, 'trade' | 'values'> & {readonly states: readonly MarketState[]};

export type ConditionWatch = ReturnType<typeof createConditionWatch>;

type ConditionWatchOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	readonly choice: InterfaceChoice;
};

/** Judges a condition for several markets, and polls the candles that it needs. */
export function createConditionWatch(condition: Condition, options: ConditionWatchOptions) {
	const {dataOf, ...candles} = createCandleSources(condition, options);
	const judgeAll = createConditionJudge(condition);
	return {
		...candles,
		/**
		 * The markets that meet the condition now, or since the last call by one of the new trades. For a condition without a market
		 * the first one that does, for others those that it names. Undefined: none do. `now`: epoch ms.
		 */
		met(states: readonly MarketState[], now: number): Met | undefined {
			const data = dataOf(states);
			return judgeAll(data, [...data.keys()], now).met;
		},
	};
}

/**
 * Judges a condition for the markets of these keys on what is known: to be called with all that happens. `lacksTrades`: whether
 * there is the ticker of a market, but no trades. `isKnown`: whether there is a market of which all is known that it compares.
 */
export function createConditionJudge(condition: Condition, lacksTrades: (key: string) => boolean = () => false) {
	const newsOf = createNews();
	const sides = new Map<string, readonly Side[]>();
	return (data: MarketsData, keys: readonly string[], now: number) => {
		const news = newsOf(data, now);
		let held: Holding | undefined;
		let isKnown = false;
		for (const own of keys) {
			const rule = byTickerWhere(lacksTrades, {scope: {type: 'watched'}, condition}, own);
			const judgement = judge({condition, own, byTicker: isByTicker(rule)}, news, sides.get(own));
			sides.set(own, judgement.sides);
			held ??= heldIn(judgement);
			isKnown ||= judgement.unknown.length === 0 && areFresh(data, judgedDataOf(rule, own).in(news));
		}

		const {markets = [], trade, values = {}} = held ?? {};
		const states = [...data].flatMap(([key, {state}]) => (markets.includes(key) ? [state] : []));
		return {met: held && {states, trade, values}, isKnown};
	};
}

/** The candles that a condition needs, polled for the markets that `knownOf` was last called with. */
function createCandleSources(condition: Condition, {exchange, clock, choice}: ConditionWatchOptions) {
	const periods = [...new Set(quantitiesIn(condition).flatMap(periodsOf))];
	const {changed, subscribe} = createChanges();
	const ofCandles = {exchange, clock, choice, asks: ['candles'], pageSize: largestPage, updateGapMs: 0} as const;
	const open = ({market, period}: {readonly market: string; readonly period: Period}) =>
		createMarketStore({...ofCandles, symbol: market, period});
	const stores = createStores(needed => open({period: 60, ...needed}), changed);
	const candlesIn = (store: MarketStore | undefined) => store?.getSnapshot().candles ?? waiting;
	return {
		/** What is known of these markets, without those that have no name yet. */
		dataOf(states: readonly MarketState[]): MarketsData {
			const named = states.flatMap(state => (state.symbol === undefined ? [] : [{state, market: state.symbol}]));
			stores.follow(named.flatMap(({market}) => periods.map(period => ({ask: 'candles', market, period}) as const)));
			const entries = named.map(({state, market}) => {
				const candlesOf = (period: Period) => candlesIn(stores.get({ask: 'candles', market, period}));
				return [symbolKey(market), {state, candlesOf, facts: new Map()}] as const;
			});
			return new Map(entries);
		},
		/** Whether all candles have been received, or failed. */
		isSettled: () =>
			periods.length === 0 ||
			(stores.all().length > 0 && stores.all().every(store => candlesIn(store).status !== 'waiting')),
		/** Calls `listener` when candles arrive. The returned function unsubscribes. */
		subscribe,
		stop: () => stores.follow([]),
	};
}
