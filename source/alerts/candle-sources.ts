import type {Exchange, InterfaceChoice} from '../client/exchange.ts';
import type {CandleSeries} from '../market/candles.ts';
import type {Clock} from '../market/clock.ts';
import type {Period} from '../market/types.ts';
import {hourMs} from '../market/units.ts';
import {type Comparison, createComparison} from '../store/comparison.ts';
import {type Resource, waiting} from '../store/resource.ts';
import {type Condition, quantitiesIn} from './condition.ts';
import {windowPeriods} from './quantity-values.ts';

export type CandleSourceOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	readonly choice: InterfaceChoice;
};

/** The candles that conditions need, which are polled. */
export type CandleSources = {
	/** Polls those of these markets from now on. */
	follow(symbols: readonly string[]): void;
	of(symbol: string | undefined, period: Period): Resource<CandleSeries>;
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
	const periods = new Set(conditions.flatMap(periodsIn));
	const byPeriod = new Map([...periods].map(period => [period, createComparison({exchange, clock})] as const));
	const all = [...byPeriod.values()];
	let followed = '';
	return {
		follow(symbols) {
			if (symbols.join(' ') === followed) return;
			followed = symbols.join(' ');
			for (const [period, comparison] of byPeriod) comparison.show({symbols, period, choice});
		},
		of(symbol, period) {
			const markets = byPeriod.get(period)?.getSnapshot();
			return markets?.find(each => each.symbol === symbol)?.candles ?? waiting;
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

/** The first page of candles of a minute reaches back further. */
const minutesReachMs = 8 * hourMs;

function periodsIn(condition: Condition): readonly Period[] {
	const [minute = 1, hour = 60] = windowPeriods;
	return quantitiesIn(condition).flatMap(({name, windowMs = 0, period}) => {
		if (period !== undefined) return [period];
		const isOfTrades = windowMs === 0 || name === 'trades' || name === 'buyVolume' || name === 'sellVolume';
		if (isOfTrades) return [];
		return windowMs > minutesReachMs ? [minute, hour] : [minute];
	});
}

function isSettled(comparison: Comparison): boolean {
	const markets = comparison.getSnapshot();
	return markets.length > 0 && markets.every(({candles}) => candles.status !== 'waiting');
}
