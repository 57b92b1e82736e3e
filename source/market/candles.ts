import type {Candle, Period} from './types.ts';

export type CandleSeries = {
	readonly period: Period;
	/** Oldest first, one per start time. */
	readonly candles: readonly Candle[];
	/** `trades`: built from the trades seen so far, because the exchange gave no candles. */
	readonly builtFrom: 'exchange' | 'trades';
};
