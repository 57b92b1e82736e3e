/** Milliseconds between the starts of two polls. The exchange's info is asked for once. */
type Intervals = {
	readonly depth: number;
	readonly trades: number;
	readonly tickers: number;
	readonly candles: number;
	readonly markets: number;
};

export type IntervalChoices = {readonly [Name in keyof Intervals]?: Intervals[Name] | undefined};

/** The intervals of behaviour.md (Polling), but for those that are chosen. */
export function intervalsWith(choices: IntervalChoices = {}): Intervals {
	return {
		depth: choices.depth ?? 1000,
		trades: choices.trades ?? 1000,
		tickers: choices.tickers ?? 5000,
		candles: choices.candles ?? 15_000,
		markets: choices.markets ?? 300_000,
	};
}
