import type {Exchange, InterfaceChoice} from '../client/exchange.ts';
import type {CandleSeries} from '../market/candles.ts';
import type {Clock} from '../market/clock.ts';
import {symbolKey} from '../market/symbol.ts';
import {largestPage, type Period} from '../market/types.ts';
import {type Comparison, createComparison} from '../store/comparison.ts';
import {type Resource, waiting} from '../store/resource.ts';
import type {MarketState} from '../store/state.ts';
import {type Condition, quantitiesIn} from './condition.ts';
import {type Holding, heldIn, judge, type Side} from './judge.ts';
import {byTickerWhere, judgedDataOf} from './judged-data.ts';
import {areFresh, type KnownMarkets} from './known.ts';
import {createNews} from './news.ts';
import {periodsOf} from './quantity-values.ts';
import {isByTicker} from './rule.ts';

/** What makes a condition hold. */
export type Met = Pick<Holding, 'trade' | 'values'> & {readonly states: readonly MarketState[]};

/** Judges a condition for several markets, and polls the candles that it needs. */
export type ConditionWatch = {
	/**
	 * The markets that meet the condition now, or since the last call by one of the new trades. For a condition without a market
	 * the first one that does, for others those that it names. Undefined: none do. `now`: epoch ms.
	 */
	met(states: readonly MarketState[], now: number): Met | undefined;
	/** Whether all candles have been received, or failed. */
	isSettled(): boolean;
	/** Calls `listener` when candles arrive. The returned function unsubscribes. */
	subscribe(listener: () => void): () => void;
	stop(): void;
};

type ConditionWatchOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	readonly choice: InterfaceChoice;
};

export function createConditionWatch(condition: Condition, options: ConditionWatchOptions): ConditionWatch {
	const candles = createCandleSources(condition, options);
	const judgeAll = createConditionJudge(condition);
	return {
		...candles,
		met(states, now) {
			const known = candles.knownOf(states);
			return judgeAll(known, [...known.keys()], now).met;
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
	return (known: KnownMarkets, keys: readonly string[], now: number) => {
		const news = newsOf(known, now);
		let held: Holding | undefined;
		let isKnown = false;
		for (const own of keys) {
			const rule = byTickerWhere(lacksTrades, {scope: {type: 'watched'}, condition}, own);
			const judgement = judge(condition, news, {own, sides: sides.get(own), byTicker: isByTicker(rule)});
			sides.set(own, judgement.sides);
			held ??= heldIn(judgement);
			isKnown ||= judgement.unknown.length === 0 && areFresh(known, judgedDataOf(rule, own).in(news));
		}

		const {markets = [], trade, values = {}} = held ?? {};
		const states = [...known].flatMap(([key, {state}]) => (markets.includes(key) ? [state] : []));
		return {met: held && {states, trade, values}, isKnown};
	};
}

/** The candles that a condition needs, polled for the markets that `knownOf` was last called with. */
function createCandleSources(condition: Condition, {exchange, clock, choice}: ConditionWatchOptions) {
	const periods = new Set(quantitiesIn(condition).flatMap(periodsOf));
	const comparison = () => createComparison({exchange, clock, pageSize: largestPage});
	const byPeriod = new Map([...periods].map(period => [period, comparison()] as const));
	const all = [...byPeriod.values()];
	let followed = '';

	function follow(symbols: readonly string[]) {
		if (symbols.join(' ') === followed) return;
		followed = symbols.join(' ');
		for (const [period, comparison] of byPeriod) comparison.show({symbols, period, choice});
	}

	function candlesOf(symbol: string, period: Period): Resource<CandleSeries> {
		const markets = byPeriod.get(period)?.getSnapshot();
		return markets?.find(each => each.symbol === symbol)?.candles ?? waiting;
	}

	return {
		/** What is known of these markets, without those that have no name yet. */
		knownOf(states: readonly MarketState[]): KnownMarkets {
			follow(states.flatMap(({symbol}) => symbol ?? []));
			const known = states.flatMap(state => {
				const {symbol} = state;
				if (symbol === undefined) return [];
				const ofSymbol = (period: Period) => candlesOf(symbol, period);
				return [[symbolKey(symbol), {state, candlesOf: ofSymbol, facts: new Map()}] as const];
			});
			return new Map(known);
		},
		isSettled: () => all.every(isSettled),
		subscribe(listener: () => void) {
			const unsubscribes = all.map(each => each.subscribe(listener));
			return () => {
				for (const unsubscribe of unsubscribes) unsubscribe();
			};
		},
		stop() {
			for (const each of all) each.show(undefined);
		},
	};
}

function isSettled(comparison: Comparison): boolean {
	const markets = comparison.getSnapshot();
	return markets.length > 0 && markets.every(({candles}) => candles.status !== 'waiting');
}
