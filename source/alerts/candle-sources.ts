import type {Exchange, InterfaceChoice} from '../client/exchange.ts';
import type {CandleSeries} from '../market/candles.ts';
import type {Clock} from '../market/clock.ts';
import {symbolKey} from '../market/symbol.ts';
import {largestPage, type Period} from '../market/types.ts';
import {type Comparison, createComparison} from '../store/comparison.ts';
import {type Resource, waiting} from '../store/resource.ts';
import type {MarketState} from '../store/state.ts';
import {type Condition, quantitiesIn} from './condition.ts';
import type {KnownMarkets} from './news.ts';
import {periodsOf} from './quantity-values.ts';

export type CandleSourceOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	readonly choice: InterfaceChoice;
};

/** The candles that conditions need, which are polled. */
export type CandleSources = {
	/** Polls those of these markets from now on. What is known of them, without those that have no name yet. */
	knownOf(states: readonly MarketState[]): KnownMarkets;
	/** Whether all have been received, or failed. */
	isSettled(): boolean;
	/** Calls `listener` when candles arrive. The returned function unsubscribes. */
	subscribe(listener: () => void): () => void;
	stop(): void;
};

export function createCandleSources(
	conditions: readonly Condition[],
	{exchange, clock, choice}: CandleSourceOptions,
): CandleSources {
	const periods = new Set(conditions.flatMap(condition => quantitiesIn(condition).flatMap(periodsOf)));
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
		knownOf(states) {
			follow(states.flatMap(({symbol}) => symbol ?? []));
			const known = states.flatMap(state => {
				const {symbol} = state;
				if (symbol === undefined) return [];
				const ofSymbol = (period: Period) => candlesOf(symbol, period);
				return [[symbolKey(symbol), {state, candlesOf: ofSymbol, windows: new Map()}] as const];
			});
			return new Map(known);
		},
		isSettled: () => all.every(isSettled),
		subscribe(listener) {
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
