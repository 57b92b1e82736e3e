import type {Exchange, InterfaceChoice} from '../client/exchange.ts';
import type {Clock} from '../market/clock.ts';
import {symbolKey} from '../market/symbol.ts';
import {type Comparison, createComparison} from '../store/comparison.ts';
import {waiting} from '../store/resource.ts';
import type {MarketState} from '../store/state.ts';
import {type Condition, quantitiesIn} from './condition.ts';
import {createJudge, type Holding, type Judge} from './judge.ts';
import {type KnownMarket, windowPeriods} from './quantity-values.ts';

/** What makes a condition hold. */
export type Met = Pick<Holding, 'trade' | 'values'> & {readonly states: readonly MarketState[]};

/** Judges a condition for several markets, and polls the candles that it needs. */
export type ConditionWatch = {
	/**
	 * To be called whenever a market changes, and every now and then. All quantities that name no market belong to one market:
	 * the first for which the condition holds.
	 */
	met(states: readonly MarketState[], now: number): Met | undefined;
	/** Whether all candles have been received, or failed. */
	isSettled(): boolean;
	/** Calls `listener` when candles arrive. The returned function unsubscribes. */
	subscribe(listener: () => void): () => void;
	stop(): void;
};

type ConditionWatchOptions = {
	readonly condition: Condition;
	readonly exchange: Exchange;
	readonly clock: Clock;
	readonly choice: InterfaceChoice;
};

export function createConditionWatch({condition, exchange, clock, choice}: ConditionWatchOptions): ConditionWatch {
	const judges = new Map<string, Judge>();
	const candles = new Map(
		[...periodsIn(condition)].map(period => [period, createComparison({exchange, clock})] as const),
	);
	let shown = '';

	function follow(states: readonly MarketState[]) {
		const symbols = states.flatMap(({symbol}) => symbol ?? []);
		if (symbols.join(' ') === shown) return;
		shown = symbols.join(' ');
		for (const [period, comparison] of candles) comparison.show({symbols, period, choice});
	}

	const knownOf = (state: MarketState): KnownMarket => ({
		state,
		candlesOf: period => candlesIn(candles.get(period), state.symbol) ?? waiting,
	});

	function judgeOf(key: string): Judge {
		const judge = judges.get(key) ?? createJudge(condition, key);
		judges.set(key, judge);
		return judge;
	}

	return {
		met(states, now) {
			follow(states);
			const named = states.filter(({symbol}) => symbol !== undefined);
			const known = new Map(named.map(state => [keyOf(state), knownOf(state)] as const));
			const held = [...known.keys()].map(key => judgeOf(key).judge(known, now));
			const first = held.find(each => each !== undefined);
			if (!first) return undefined;
			const {markets, trade, values} = first;
			return {states: states.filter(state => markets.includes(keyOf(state))), trade, values};
		},
		isSettled: () => [...candles.values()].every(each => isSettled(each)),
		subscribe(listener) {
			const unsubscribes = [...candles.values()].map(each => each.subscribe(listener));
			return () => {
				for (const unsubscribe of unsubscribes) unsubscribe();
			};
		},
		stop() {
			for (const each of candles.values()) each.show(undefined);
		},
	};
}

const keyOf = ({symbol = ''}: MarketState): string => symbolKey(symbol);

/** Trades reach back less far. */
const longestInMinutes = 8 * 60 * 60 * 1000;

/** Of the candles that the condition needs. */
function periodsIn(condition: Condition): ReadonlySet<number> {
	const [minute = 1, hour = 60] = windowPeriods;
	return new Set(
		quantitiesIn(condition).flatMap(({name, windowMs = 0, period}) => {
			if (period !== undefined) return [period];
			const isOfTrades = windowMs === 0 || name === 'trades' || name === 'buyVolume' || name === 'sellVolume';
			if (isOfTrades) return [];
			return windowMs > longestInMinutes ? [minute, hour] : [minute];
		}),
	);
}

const candlesIn = (comparison: Comparison | undefined, symbol: string | undefined) =>
	comparison?.getSnapshot().find(each => each.symbol === symbol)?.candles;

function isSettled(comparison: Comparison): boolean {
	const markets = comparison.getSnapshot();
	return markets.length > 0 && markets.every(({candles}) => candles.status !== 'waiting');
}
