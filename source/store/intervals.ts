import type {ResourceName} from './state.ts';

export type IntervalChoices = {
	readonly [Name in 'depth' | 'trades' | 'tickers' | 'candles' | 'markets']?: number | undefined;
};

/** Milliseconds between the starts of two polls: those of behaviour.md (Polling), but for the ones that are chosen. */
export function pollIntervals(choices: IntervalChoices = {}): Readonly<Record<ResourceName, number>> {
	return {
		depth: choices.depth ?? 1000,
		tape: choices.trades ?? 1000,
		tickers: choices.tickers ?? 5000,
		candles: choices.candles ?? 15_000,
		markets: choices.markets ?? 300_000,
		info: Number.POSITIVE_INFINITY,
	};
}
